"""The trained player of `response_training` in the form of compiled code: streets as shapes with numbered actions."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log2
from typing import Any

import numpy as np

from pokerlab.agents import _response_training_jax as kernels
from pokerlab.arrays import Floats32, Int64s
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.valuing.exact_response_tables import MOST_HALF, fold_pays
from pokerlab.valuing.street_betting import HERO, OPPONENT, Leaves, Shape, grouped, street_betting


@dataclass(frozen=True, eq=False)
class TrainedPlayer:
    """The trained player in the seat opposite one hero."""

    form: kernels.PlayerForm
    pays: kernels.Pays
    n_entries: tuple[int, ...]  # by street
    edges: tuple[Int64s, ...]  # edges[slot, entry] of the tree, by street


def trained_player(tree: BettingTree, hero: int) -> TrainedPlayer:
    """The player opposite `hero`, in the form that compiled code needs."""
    streets = street_betting(tree, hero)
    sums = grouped(streets[3].shape)
    forms = tuple(_numbered(s.shape, OPPONENT, len(s.goes_on.entry), len(s.folds.entry)) for s in streets)
    first = streets[0]
    form = kernels.PlayerForm(
        streets=forms,
        hero=_numbered(first.shape, HERO, len(first.goes_on.entry), len(first.folds.entry)),
        sums=(sums.shape, sums.shows, sums.folds),
        shapes=(streets[1].shape, streets[2].shape),
        n_shows=len(sums.shows) - sums.n_both,
        n_both=sums.n_both,
        scale=2.0 ** floor(log2(MOST_HALF / float(tree.stake.max()))),
    )
    pays_fold = fold_pays(tree, hero)
    folds = [_of_endings(street.folds, pays_fold) for street in streets]
    shows = _of_endings(streets[3].goes_on, tree.stake)
    river = np.concatenate([shows[list(sums.shows)], folds[3][list(sums.folds)]])
    edges = tuple(_edges(form, street.goes_on, street.folds) for form, street in zip(forms, streets, strict=True))
    return TrainedPlayer(form, kernels.Pays(tuple(folds[:3]), river), tuple(s.n_entries for s in streets), edges)


def _numbered(shape: Shape, role: str, n_on: int, n_folds: int) -> kernels.StreetForm:
    """The shape with a number for each action of one player."""
    decisions: list[tuple[int, ...]] = []
    n_slots = 0

    def walk(node: Shape) -> Shape:
        nonlocal n_slots
        if node[0] not in (HERO, OPPONENT):
            return node
        if node[0] != role:
            return (node[0], tuple(walk(child) for child in node[1]))
        slots = tuple(range(n_slots, n_slots + len(node[1])))
        n_slots += len(slots)
        decisions.append(slots)
        return (role, tuple((slot, walk(child)) for slot, child in zip(slots, node[1], strict=True)))

    return kernels.StreetForm(walk(shape), role, tuple(decisions), n_on, n_folds)


def _of_endings(leaves: Leaves, pays: Any) -> Floats32:
    """Return `pays[leaf, entry]`: the payoffs of leaves that are terminal nodes."""
    return np.array([[pays[~child] for _, child in of_leaf] for of_leaf in leaves.entry], np.float32)


def _edges(form: kernels.StreetForm, on: Leaves, folds: Leaves) -> Int64s:
    """`edge[slot, entry]`: the tree edge of each action, for each way into the street."""
    n_entries = len(on.entry[0])
    edges = np.full((sum(map(len, form.decisions)), n_entries), -1, np.int64)

    def walk(node: Shape, slots: tuple[int, ...]) -> None:
        if node[0] not in (HERO, OPPONENT):
            leaves = folds if node[0] == "fold" else on
            if slots:
                edges[list(slots)] = leaves.edges(node[1])
            return
        for item in node[1]:
            slot, child = item if node[0] == form.role else (None, item)
            walk(child, slots if slot is None else (*slots, slot))

    walk(form.shape, ())
    assert edges.min() >= 0, "every action lies on the way to a leaf"
    return edges
