"""Describe the betting of a street by one small shape, which is the same for every way into the street; for array code.

In limit games the betting of a street is the same however the street was reached; only the stakes differ.
`street_betting` divides a betting tree into streets and checks that this holds. For each street it returns one *shape*
(nested tuples of decisions, with numbered leaves), and arrays over (leaf, entry): the opponent's edges on the path to a
leaf, and the leaf's payoff.

An *entry* is a way into a street; entry `e * n_exits + x` of a street is exit `x` of entry `e` on the previous street.
A *leaf* is an exit to the next street (on the last street, a showdown) or a fold. Leaves of each kind are numbered
separately.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> streets = street_betting(build_tree(game("limit2p")), hero=0)
>>> [(s.n_entries, len(s.goes_on.entry), len(s.folds.entry)) for s in streets]
[(1, 7, 7), (7, 9, 8), (63, 9, 8), (567, 9, 8)]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from pokerlab.arrays import Int64s
from pokerlab.errors import RulesError
from pokerlab.trees.betting_tree import BettingTree

Shape: TypeAlias = tuple[Any, ...]
"""("hero", children) or ("opponent", children) for a decision; ("on", leaf) for an exit or a showdown; ("fold",
leaf)."""

HERO, OPPONENT, ON, FOLD = "hero", "opponent", "on", "fold"


@dataclass(frozen=True, eq=False)
class Leaves:
    """Leaves of one kind. `entry[leaf][entry]` is a pair: the opponent's edges on the way from the entry to the leaf,
    and the child that the leaf stands for in the tree."""

    entry: tuple[tuple[tuple[tuple[int, ...], int], ...], ...]

    def edges(self, leaf: int) -> Int64s:
        """`edges[step, entry]`: the opponent's edges on this street, from the entry to the leaf."""
        edges = np.array([edges for edges, _ in self.entry[leaf]], np.int64)
        return edges.reshape(len(self.entry[leaf]), -1).T

    def children(self) -> list[int]:
        """What each leaf leads to: a decision, or `~ending`. Ordered by entry, then by leaf."""
        return [child for leaves in zip(*self.entry, strict=True) for _, child in leaves]


@dataclass(frozen=True, eq=False)
class StreetBetting:
    """The betting of one street, from the viewpoint of one hero."""

    shape: Shape
    n_entries: int
    goes_on: Leaves  #: exits; on the last street, showdowns
    folds: Leaves


def street_betting(tree: BettingTree, hero: int) -> tuple[StreetBetting, ...]:
    """Split a two-player tree into streets. Raise an error if some street does not have the same shape for all
    entries."""
    entries, streets = [0], []
    for street in range(len(tree.rules.streets)):
        last = street == len(tree.rules.streets) - 1
        walks = [_Walk(tree, street, hero) for _ in entries]
        shapes = [walk.visit(decision, ()) for walk, decision in zip(walks, entries, strict=True)]
        if any(shape != shapes[0] for shape in shapes):
            raise RulesError(f"{tree.rules.name}: betting on street {street} depends on how it was reached")
        goes_on, folds = (
            Leaves(tuple(zip(*lists, strict=True)))
            for lists in ([walk.goes_on for walk in walks], [walk.folds for walk in walks])
        )
        streets.append(StreetBetting(shapes[0], len(entries), goes_on, folds))
        entries = goes_on.children()
        if not last and min(entries) < 0:
            raise RulesError(f"{tree.rules.name}: betting can end before the last card without a fold")
    return tuple(streets)


class _Walk:
    """Collects the leaves of a street that follow from one entry."""

    def __init__(self, tree: BettingTree, street: int, hero: int) -> None:
        self.tree, self.street, self.hero = tree, street, hero
        self.goes_on: list[tuple[tuple[int, ...], int]] = []
        self.folds: list[tuple[tuple[int, ...], int]] = []

    def visit(self, decision: int, taken: tuple[int, ...]) -> Shape:
        """Return the shape below a decision that is reached by the opponent's edges `taken`."""
        tree, own = self.tree, int(self.tree.actor[decision]) == self.hero
        children = []
        for edge in tree.edges(decision):
            child, edges = int(tree.child[edge]), taken if own else (*taken, edge)
            if child >= 0 and tree.street[child] == self.street:
                children.append(self.visit(child, edges))
            else:
                folds = child < 0 and not tree.showdown[~child]
                leaves = self.folds if folds else self.goes_on
                children.append((FOLD if folds else ON, len(leaves)))
                leaves.append((edges, child))
        return (HERO if own else OPPONENT, tuple(children))


@dataclass(frozen=True)
class Sums:
    """The leaves of the last street, grouped into sums; a best response needs one number for each sum.

    A fold and a showdown after the same decision of the opponent are always added, so one number holds both.
    """

    shape: Shape  #: shape of the street, with ("sum", number) in place of leaves
    shows: tuple[int, ...]  #: leaves that are showdowns: those alone in their sum, then those of `n_both` pairs
    #: leaves that are folds: those of the pairs in the same order, then those alone in their sum
    folds: tuple[int, ...]
    n_both: int


def grouped(shape: Shape) -> Sums:
    """Group the leaves of a shape into sums. Sums are numbered in this order: showdowns alone, pairs of a showdown and
    a fold, folds alone."""
    groups: list[tuple[int | None, int | None]] = []

    def visit(node: Shape) -> Shape:
        if node[0] in (ON, FOLD):
            return lone(*node)
        leaves = [child for child in node[1] if child[0] in (ON, FOLD)]
        if node[0] == OPPONENT and sorted(kind for kind, _ in leaves) == [FOLD, ON]:
            number = dict(leaves)
            groups.append((number[ON], number[FOLD]))
            pair = ("sum", len(groups) - 1)
            return (OPPONENT, (pair, *(visit(child) for child in node[1] if child not in leaves)))
        return (node[0], tuple(visit(child) for child in node[1]))

    def lone(kind: str, leaf: int) -> Shape:
        groups.append((leaf, None) if kind == ON else (None, leaf))
        return ("sum", len(groups) - 1)

    found = visit(shape)
    # -1 for a showdown alone, 0 for a pair, 1 for a fold alone
    kind = [(show is None) - (fold is None) for show, fold in groups]
    order = sorted(range(len(groups)), key=lambda i: (kind[i], i))
    renumbered = _renumbered(found, {old: new for new, old in enumerate(order)})
    shows = tuple(show for i in order if (show := groups[i][0]) is not None)
    folds = tuple(fold for i in order if (fold := groups[i][1]) is not None)
    return Sums(renumbered, shows, folds, kind.count(0))


def _renumbered(node: Shape, number: dict[int, int]) -> Shape:
    if node[0] == "sum":
        return ("sum", number[node[1]])
    return (node[0], tuple(_renumbered(child, number) for child in node[1]))


def best_values(shape: Shape, leaf: Any, maximum: Any) -> Any:
    """Compute the values of a shape: at the hero's decisions the maximum over children, at the opponent's their sum.

    `leaf(kind, number)` gives a leaf's values; `maximum(a, b)` is the elementwise maximum of two arrays.
    """
    if shape[0] not in (HERO, OPPONENT):
        return leaf(*shape)
    children = [best_values(child, leaf, maximum) for child in shape[1]]
    total = children[0]
    for child in children[1:]:
        total = maximum(total, child) if shape[0] == HERO else total + child
    return total
