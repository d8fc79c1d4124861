"""The index tables with which the JAX engines pass over the levels of a sized tree, depth by depth. A level's *depth*
is the number of raises before it. `_bets_jax` defines the terms; all tables are NumPy arrays, made once for a tree."""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import AnyInts, Floats, Int32s, Int64s
from pokerlab.solvers.bet_sizing import _bets_jax as kernels
from pokerlab.solvers.bet_sizing.bets import WeightedDeals
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.vector.dense_layout import table

N_POSTS = 3  # the first levels: each player's posts, and the ante


def level_depths(tree: SizedTree) -> tuple[tuple[kernels.Depth, ...], Int32s]:
    """The levels by depth, and `place[level]`: the index of each when all depths are concatenated."""
    levels = tree.levels
    depth = np.zeros(len(levels.raised), int)
    for level in range(N_POSTS, len(depth)):
        depth[level] = depth[levels.raised[level]] + 1
    at = [np.flatnonzero(depth == d) for d in range(depth.max() + 1)]
    within = np.empty(len(depth), np.int32)
    for some in at:
        within[some] = np.arange(len(some))
    endings = [table(tree.stake_level, len(depth))[some] for some in at]
    by_depth = tuple(
        kernels.Depth(
            constant=levels.constant[some],
            grow=levels.grow[some],
            less=levels.less[some],
            bet=levels.bet[some],
            raised=within[levels.raised[some]],
            before=within[levels.before[some]],
            endings=_narrow(endings[d]),
            raisers=_owners(within[levels.raised[at[d + 1]]] if d + 1 < len(at) else _NONE, len(some)),
            less_for=_taken(levels.less, within[levels.before], at[d + 2] if d + 2 < len(at) else _NONE, len(some)),
        )
        for d, some in enumerate(at)
    )
    place = within + np.cumsum([0, *(len(some) for some in at[:-1])])[depth]
    return by_depth, place.astype(np.int32)


_NONE = np.empty(0, np.int64)


def _owners(owner: AnyInts, n_owners: int) -> Int32s:
    return table(owner.astype(np.int64), n_owners)


def _taken(less: Floats, owner: Int32s, later: Int64s, n_owners: int) -> Int32s:
    """The table of those `later` levels that subtract something; without any it has no columns."""
    which = np.flatnonzero(less[later] != 0)
    rows = table(owner[later[which]].astype(np.int64), n_owners)
    return np.where(rows >= 0, which[np.maximum(rows, 0)], -1).astype(np.int32) if len(which) else rows


def _narrow(index_table: Int32s) -> Int32s:
    """The table without the columns that no row uses."""
    return index_table[:, : int((index_table >= 0).sum(axis=1).max(initial=0))]


def deal_blocks(
    deals: WeightedDeals, per_iteration: int, n_blocks: int, rng: np.random.Generator
) -> kernels.DealBlocks:
    """All deals as one block, or if there are more than `per_iteration`, that many drawn by weight for each block.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.solvers.bet_sizing.bets import deals_of
    >>> from pokerlab.abstraction.cells import Lossless
    >>> deals, rng = deals_of(Lossless(game("kuhn")).pairs), np.random.default_rng(1)
    >>> deal_blocks(deals, 10, 4, rng).cells.shape, deal_blocks(deals, 5, 4, rng).cells.shape
    ((1, 2, 1, 6), (4, 2, 1, 5))
    """
    n, cells = len(deals.weight), np.moveaxis(deals.cells, 0, -1)
    if n <= per_iteration:
        return kernels.DealBlocks(cells[None], deals.result[None], (deals.weight / deals.weight.sum())[None])
    cumulative = np.cumsum(deals.weight)
    draw = np.searchsorted(cumulative, rng.random((n_blocks, per_iteration)) * cumulative[-1], side="right")
    weight = np.full(draw.shape, 1 / per_iteration)
    return kernels.DealBlocks(np.moveaxis(cells[..., draw], 2, 0), deals.result[draw], weight)
