"""The opponent's side of an exact best response: with which probability a strategy reaches each leaf of a street, by
bucket.

`reach_tables` turns a strategy into the arrays that `_exact_response_jax` multiplies: for every leaf of a street, the
product of the opponent's action probabilities on that street, times the hero's payoff at the leaf.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log2

import numpy as np

from pokerlab.arrays import Floats, Floats32
from pokerlab.policies.strategy import Strategy
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.valuing import _exact_response_jax as kernels
from pokerlab.valuing.street_betting import Leaves, Shape, grouped, street_betting

MOST_HALF = 2.0**15  #: maximum of the reach after scaling, before it is split into 16-bit numbers


@dataclass(frozen=True, eq=False)
class ReachTables:
    """The arrays for one hero that `_exact_response_jax` needs, and the shapes of the betting."""

    form: kernels.BettingForms
    streets: tuple[kernels.StreetReach, kernels.StreetReach]  #: flop, turn
    river: kernels.RiverReach
    preflop_shape: Shape
    preflop_folds: Floats32  #: [leaf, cell]: reach of folds before the flop, times the hero's payoff


def reach_tables(strategy: Strategy, hero: int, *, halves: bool) -> ReachTables:
    """Build the tables for `hero` against the other seat of `strategy`."""
    tree = strategy.tree
    preflop, flop, turn, river = street_betting(tree, hero)
    before: list[Floats32] = []  # for every street passed, its reach [cell, entry] of the next street
    streets = []
    for street, betting in enumerate((preflop, flop, turn)):
        streets.append(
            kernels.StreetReach(tuple(before), _by_cell(strategy, street, betting.folds, fold_pays(tree, hero)))
        )
        exits = _by_cell(strategy, street, betting.goes_on, None)
        n_exits = exits.shape[1]
        before = [np.repeat(table, n_exits, axis=1) for table in before]
        before.append(np.ascontiguousarray(np.swapaxes(exits, 1, 2).reshape(len(exits), -1)))
    sums = grouped(river.shape)
    shows = _by_cell(strategy, 3, river.goes_on, tree.stake)
    folds = _by_cell(strategy, 3, river.folds, fold_pays(tree, hero))
    n_shows = len(sums.shows) - sums.n_both
    on_river = kernels.RiverReach(
        tuple(before),
        _chosen(shows, sums.shows[:n_shows]),
        (_chosen(shows, sums.shows[n_shows:]), _chosen(folds, sums.folds[: sums.n_both])),
        _chosen(folds, sums.folds[sums.n_both :]),
    )
    scale = 2.0 ** floor(log2(MOST_HALF / float(tree.stake.max()))) if halves else 0.0
    form = kernels.BettingForms(flop.shape, turn.shape, sums.shape, scale)
    return ReachTables(form, (streets[1], streets[2]), on_river, preflop.shape, streets[0].folds[:, :, 0].T)


def _chosen(table: Floats32, leaves: Sequence[int]) -> Floats32:
    return np.ascontiguousarray(table[:, list(leaves)])


def fold_pays(tree: BettingTree, hero: int) -> Floats:
    """`pays[ending]`: chips that the hero wins if the hand ends by a fold."""
    return tree.stake * np.where(tree.folded == 1 << hero, -1.0, 1.0)


def _by_cell(strategy: Strategy, street: int, leaves: Leaves, pays: Floats | None) -> Floats32:
    """`reach[cell, leaf, entry]` on one street, times `pays[ending]` for leaves that are terminal nodes."""
    p, tree = strategy.p[street], strategy.tree
    n_entries = len(leaves.entry[0])
    reach = np.empty((p.shape[1], len(leaves.entry), n_entries), np.float32)
    for leaf in range(len(leaves.entry)):
        product = np.ones((n_entries, p.shape[1]), np.float32)
        for edges in leaves.edges(leaf):
            product *= p[tree.row[edges]].astype(np.float32)
        if pays is not None:
            endings = ~np.array([child for _, child in leaves.entry[leaf]])
            product *= pays[endings].astype(np.float32)[:, None]
        reach[:, leaf] = product.T
    return reach
