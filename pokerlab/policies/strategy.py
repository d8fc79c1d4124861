"""A strategy for all seats of a betting tree: the probability of each action, by cell (card bucket) of the actor.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> from pokerlab.abstraction.cells import Lossless
>>> uniform = Strategy.uniform(build_tree(game("leduc")), Lossless(game("leduc")))
>>> [p.shape for p in uniform.p], uniform.at(0)[:, 0]
([(14, 3), (70, 9)], array([0.5, 0.5]))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import AnyFloats, Indices, Int64s
from pokerlab.errors import PokerlabError
from pokerlab.trees.betting_tree import BettingTree


@dataclass(frozen=True, eq=False)
class Strategy:
    """`p[street][row, cell]`: probability of the edge `tree.edges_on[street][row]`, by cell of its actor.

    A strategy of a large subgame may be stored without its last street, which is then solved again when needed. In that
    case `values[street][player][place, cell]` are a player's chips, summed over the other player's hands; places are
    the rows of a street, then its entries.
    """

    tree: BettingTree
    cells: Cells
    p: tuple[AnyFloats, ...]
    values: tuple[tuple[AnyFloats, AnyFloats], ...] = ()

    @classmethod
    def uniform(cls, tree: BettingTree, cells: Cells) -> Strategy:
        """The strategy that takes every action with the same probability."""
        even = 1.0 / np.diff(tree.first_edge)[tree.edge_decision, None]
        sides = zip(tree.edges_on, cells.n_cells, strict=True)
        return cls(tree, cells, tuple(np.repeat(even[edges], n, axis=1) for edges, n in sides))

    @classmethod
    def from_sums(cls, tree: BettingTree, cells: Cells, sums: Sequence[AnyFloats]) -> Strategy:
        """Normalise weights `sums[street][row, cell]` >= 0 at each decision; uniform if their total is 0."""
        p = []
        for street, weight in enumerate(sums):
            starts, n_actions = rows_of(tree, street)
            if not len(starts):
                p.append(np.asarray(weight, np.float64))
                continue
            total = np.add.reduceat(np.asarray(weight, np.float64), starts, axis=0)
            spread = np.repeat(total, n_actions, axis=0)
            even = np.repeat(1.0 / n_actions, n_actions)[:, None]
            p.append(np.where(spread > 0, weight / np.where(spread > 0, spread, 1.0), even))
        return cls(tree, cells, tuple(p))

    def at(self, decision: int) -> AnyFloats:
        """Return the strategy's probabilities at a decision, as `p[action, cell]`."""
        edges = self.tree.edges(decision)
        if self.values and self.tree.street[decision] >= len(self.values):
            self.refuse_unless_whole()
        first = int(self.tree.row[edges.start])
        return self.p[int(self.tree.street[decision])][first : first + len(edges)]

    def refuse_unless_whole(self) -> None:
        """Raise an error if the strategy is stored without its last street."""
        if self.values:
            raise PokerlabError(
                f"this strategy of a {self.tree.rules.name} is kept without rivers: it can be shown, not played or "
                "compared; narrower ranges or fewer sizes are kept whole"
            )

    def by_pair(self) -> tuple[AnyFloats, Int64s]:
        """Probabilities in an order where the actions of an information set are contiguous: `p[pair]` and
        `start[decision]`.

        `pair = start[decision] + cell * n_actions + action`.
        """
        from pokerlab.policies._strategy_numba import pair_up

        tree, n_cells = self.tree, np.array(self.cells.n_cells)
        sizes = np.diff(tree.first_edge) * n_cells[tree.street]
        start, p = (
            np.cumsum(sizes) - sizes,
            np.empty(sizes.sum(), np.result_type(*(numbers.dtype for numbers in self.p))),
        )
        for street, numbers in enumerate(self.p):
            pair_up(np.asarray(numbers), np.flatnonzero(tree.street == street), tree.first_edge, tree.row, start, p)
        return p, start


def by_seat(first: Strategy, second: Strategy) -> Strategy:
    """Combine seat 0 of one strategy and seat 1 of another, on the same tree."""
    own = first.tree.actor[first.tree.edge_decision, None] == 0
    sides = zip(first.tree.edges_on, first.p, second.p, strict=True)
    return Strategy(first.tree, first.cells, tuple(np.where(own[edges], one, other) for edges, one, other in sides))


@lru_cache(maxsize=8)
def thresholded(strategy: Strategy, threshold: float) -> Strategy:
    """Remove actions with a probability below `threshold`, unless every action's probability is below it; 1 leaves only
    the most likely action."""
    strategy.refuse_unless_whole()
    sums = []
    for street, numbers in enumerate(strategy.p):
        p, (starts, n_actions) = numbers.astype(np.float64), rows_of(strategy.tree, street)
        likeliest = np.repeat(np.maximum.reduceat(p, starts, axis=0), n_actions, axis=0) if len(starts) else p
        sums.append(np.where(p < np.minimum(threshold, likeliest), 0.0, p))
    return Strategy.from_sums(strategy.tree, strategy.cells, sums)


def in_steps(strategy: Strategy, parts: int) -> Strategy:
    """Round probabilities to multiples of 1 / `parts`: 4 gives steps of 25%, 1 leaves one action.

    Probabilities are rounded down; the remaining parts go to the actions that lost the most.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.trees.betting_tree import build_tree
    >>> from pokerlab.abstraction.cells import Lossless
    >>> kuhn = Strategy.uniform(build_tree(game("kuhn")), Lossless(game("kuhn")))
    >>> p = np.where(np.arange(8)[:, None] % 2, [[0.1, 0.3, 0.6]], [[0.9, 0.7, 0.4]])
    >>> often = Strategy(kuhn.tree, kuhn.cells, (p,))
    >>> [in_steps(often, parts).at(0)[1].tolist() for parts in (4, 2, 1)]
    [[0.0, 0.25, 0.5], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]
    """
    strategy.refuse_unless_whole()
    stepped = []
    for street, numbers in enumerate(strategy.p):
        units = np.asarray(numbers, np.float64) * parts
        whole = np.floor(units + 1e-9)
        for first, n in zip(*rows_of(strategy.tree, street), strict=True):
            block, rest = whole[first : first + n], (units - whole)[first : first + n]
            rank = np.argsort(np.argsort(-rest, axis=0, kind="stable"), axis=0, kind="stable")
            block += rank < parts - block.sum(axis=0)
        stepped.append(whole / parts)
    return Strategy(strategy.tree, strategy.cells, tuple(stepped))


def rows_of(tree: BettingTree, street: int) -> tuple[Indices, Indices]:
    """Return (first row, number of rows) of each decision on a street."""
    n_actions = np.diff(tree.first_edge)[tree.street == street]
    return np.cumsum(n_actions) - n_actions, n_actions
