"""BETS in JAX, on a CPU or a GPU: on whole tables (bucketed games with perfect recall), or on sampled boards.

Every iteration of `DenseBets` is one of `DenseCfr`, exact over all pairs of cells, at the stakes of the current sizes.
It also gives slopes: how the value changes with each stake. From these follow the slopes in the sizes, depth by depth.
A level's *depth* is the number of raises before it. Importance is a sum over iterations of absolute values on single
deals: every iteration uses all deals if they are few; otherwise it draws `N_DEALS`.

Every iteration of `BoardBets` is one of `BoardCfr`: all hands of both players on a few boards, with or without perfect
recall. The value of its sizes is estimated, not bounded: it is the value of the players' average strategy against
itself on fresh boards, with a 95% interval, as in those parts of the thesis where best responses cannot be computed.

References
----------
Hawkin (2014), section 4.3 (equation 4.10), section 5.4 (equations 5.3, 5.4 and 5.15), sections 7.1 and 7.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats, Int32s, Int64s
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.bet_sizing import _bets_jax as kernels
from pokerlab.solvers.bet_sizing.bets import BetsEngine, BetsSettings, WeightedDeals, deals_of, sampled_deals
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.sampling.board_cfr import BoardCfr
from pokerlab.solvers.vector.dense import DenseCfr, Precision, on_device
from pokerlab.solvers.vector.dense_layout import table

N_DEALS = 128  # deals per iteration on which importance is measured
N_BLOCKS = 1024  # number of blocks of such deals
N_POSTS = 3  # number of first levels: each player's post, and the ante
SIZES = kernels.DenseSizes._fields


class DenseBets(BetsEngine):
    """The engine of BETS on whole tables. Its arrays are those of `DenseCfr`, and the sizes."""

    summed = "total"

    def __init__(
        self, tree: SizedTree, cells: Cells, settings: BetsSettings, *, iterations: int, dtype: Precision = "float32"
    ) -> None:
        if not settings.exact or settings.by_reach:
            raise PokerlabError("dense iterations are exact: they take exact=True and by_reach=False (equation 4.10)")
        self.tree, self.cells, self.settings, self.iterations = tree, cells, settings, iterations
        self.cfr = self._solver(Problem(tree.tree(tree.middle), cells), dtype)

    def _solver(self, problem: Problem, dtype: Precision) -> DenseCfr:
        return DenseCfr(problem, self.settings.variant, dtype)

    @property
    def about(self) -> Mapping[str, Any]:
        settings = {name: str(value) for name, value in asdict(self.settings).items()}
        return {**self.cfr.about, "bets": settings, "ranges": self.tree.fingerprint, "iterations": self.iterations}

    def init(self) -> Arrays:
        zero = np.zeros(self.tree.n_bets)
        return {**self.cfr.init(), **dict(zip(SIZES, (self.tree.middle, *[zero] * (len(SIZES) - 1)), strict=True))}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        done, cfr = int(arrays["iteration"]), self.cfr
        with cfr.precision():
            tables, sizes = kernels.iterate(
                cfr.game, self._sized, cfr.tables(arrays), self._sizes(arrays), cfr.settings, np.int32(done),
                np.int32(n), alternating=self.settings.variant.alternating,
            )  # fmt: skip
        return self._arrays(tables, sizes, done + n)

    def _arrays(self, tables: Any, sizes: kernels.DenseSizes, iteration: int) -> Arrays:
        by_name = {name: np.asarray(array, np.float64) for name, array in zip(SIZES, sizes, strict=True)}
        return {**self.cfr.arrays(tables, stake=self.tree.stakes(by_name["size"]), iteration=iteration), **by_name}

    def _deals(self) -> WeightedDeals:
        """All deals, from which `deal_blocks` draws those on which importance is measured."""
        return deals_of(self.cfr.problem.pairs)

    def strategy(self, arrays: Arrays) -> Strategy:
        return Strategy.from_sums(self.tree.tree(self.sizes(arrays)), self.cells, self.cfr.by_street(arrays, "sums"))

    def evaluate(self, arrays: Arrays) -> Evaluation:
        """Value of the average strategy, and best responses to it, at the current sizes."""
        return self.cfr.evaluate(arrays)

    @cached_property
    def _sized(self) -> kernels.Sized:
        """The tree, the settings and the deals, as arguments of the kernels, on the device."""
        tree, settings, bets = self.tree, self.settings, self.tree.bets
        depths, place = level_depths(tree)
        sign = 1.0 - 2.0 * bets.player
        deals = deal_blocks(self._deals(), N_DEALS, N_BLOCKS, stream(settings.seed, "importance"))
        sized = kernels.Sized(
            depths, place[tree.stake_level],
            kernels.DenseBetArrays(place[bets.level], sign, bets.low, bets.high), deals,
            np.float64(settings.n), np.bool_(settings.discounted), self.settings.average_from * self.iterations,
        )  # fmt: skip
        with self.cfr.precision():
            placed: kernels.Sized = on_device(sized)
        return placed

    def _sizes(self, arrays: Arrays) -> kernels.DenseSizes:
        return kernels.DenseSizes(*on_device([arrays[name] for name in SIZES]))


class BoardBets(DenseBets):
    """BETS on sampled boards; its arrays are those of `DenseBets`."""

    cfr: BoardCfr

    def __init__(
        self, tree: SizedTree, cells: Cells, settings: BetsSettings, *, boards_per_iteration: int = 8, **more: Any
    ) -> None:
        self.boards_per_iteration = boards_per_iteration
        super().__init__(tree, cells, settings, **more)

    def _solver(self, problem: Problem, dtype: Precision) -> BoardCfr:
        boards, seed = self.boards_per_iteration, self.settings.seed
        return BoardCfr(problem, self.settings.variant, boards_per_iteration=boards, seed=seed, dtype=dtype)

    def step(self, arrays: Arrays, n: int) -> Arrays:
        done, cfr = int(arrays["iteration"]), self.cfr
        with cfr.precision():
            tables, sizes, sized = cfr.tables(arrays), self._sizes(arrays), self._sized
            for first, some, boards in cfr.portions(done, n):
                tables, sizes = kernels.iterate_boards(
                    cfr.game, sized, tables, sizes, boards, cfr.settings, np.int32(first), np.int32(some),
                    alternating=self.settings.variant.alternating, n_cards=cfr.n_cards,
                )  # fmt: skip
        return self._arrays(tables, sizes, done + n)

    def _deals(self) -> WeightedDeals:
        return sampled_deals(self.cells, N_BLOCKS * N_DEALS, self.settings.seed)

    def value(self, arrays: Arrays, n_boards: int) -> Estimate:
        """Estimate the average strategy's value to player 0 at the mean sizes, on fresh boards."""
        return self.cfr.value({**arrays, "stake": self.tree.stakes(self.sizes(arrays))}, n_boards)


def level_depths(tree: SizedTree) -> tuple[tuple[kernels.Depth, ...], Int32s]:
    """Group the betting levels by depth. Return the groups, and the index of each level if they are concatenated."""
    levels = tree.levels
    depth = np.zeros(len(levels.raised), int)
    for level in range(N_POSTS, len(depth)):
        depth[level] = depth[levels.raised[level]] + 1
    at = [np.flatnonzero(depth == d) for d in range(depth.max() + 1)]
    within = np.empty(len(depth), np.int32)
    for some in at:
        within[some] = np.arange(len(some))
    later = [*at, np.empty(0, np.int64), np.empty(0, np.int64)]
    endings = [table(tree.stake_level, len(depth))[some] for some in at]
    by_depth = tuple(
        kernels.Depth(
            constant=levels.constant[some],
            grow=levels.grow[some],
            less=levels.less[some],
            bet=levels.bet[some],
            raised=within[levels.raised[some]],
            before=within[levels.before[some]],
            endings=endings[d][:, : int((endings[d] >= 0).sum(axis=1).max(initial=0))],  # drop columns that no row uses
            raisers=table(within[levels.raised[later[d + 1]]].astype(np.int64), len(some)),
            less_for=_taken(levels.less, within[levels.before], later[d + 2], len(some)),
        )
        for d, some in enumerate(at)
    )
    place = within + np.cumsum([0, *(len(some) for some in at[:-1])])[depth]
    return by_depth, place.astype(np.int32)


def _taken(less: Floats, owner: Int32s, later: Int64s, n_owners: int) -> Int32s:
    """Index table: for each level (owner), the `later` levels whose amount subtracts a multiple of its amount."""
    which = np.flatnonzero(less[later] != 0)
    rows = table(owner[later[which]].astype(np.int64), n_owners)
    return np.where(rows >= 0, which[np.maximum(rows, 0)], -1).astype(np.int32) if len(which) else rows


def deal_blocks(
    deals: WeightedDeals, per_iteration: int, n_blocks: int, rng: np.random.Generator
) -> kernels.DealBlocks:
    """Return all deals as one block. If there are more than `per_iteration`, draw that many by weight for each block.

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
