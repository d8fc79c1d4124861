"""BETS on whole tables in JAX: bucketed games with perfect recall, on a CPU or a GPU.

Every iteration is one of `DenseCfr`, exact over all pairs of cells, at the stakes of the present sizes. It also gives
the slopes of the value in the stakes; the levels of the tree turn them into slopes in the sizes. Importance is a sum
over iterations of an absolute value on single deals: every iteration goes through all deals if they are few, and draws
`N_DEALS` if they are many.

References ---------- Hawkin (2014), section 4.3 (equation 4.10) and section 5.4 (equations 5.3, 5.4 and 5.15).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any, Literal

import numpy as np

from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.bet_sizing import _bets_jax as kernels
from pokerlab.solvers.bet_sizing.bets import BetsSettings, WeightedDeals, deals_of
from pokerlab.solvers.bet_sizing.level_layout import deal_blocks, level_depths
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.vector.dense import DenseCfr, on_device

N_DEALS = 128  # per iteration, on which importance is measured
N_BLOCKS = 1024  # of such deals
SIZES = kernels.DenseSizes._fields


class DenseBets:
    """BETS on whole tables: a `BetsEngine`, and an `Engine` too. Its arrays are DenseCfr's plus the sizes."""

    def __init__(
        self,
        tree: SizedTree,
        cells: Cells,
        settings: BetsSettings,
        *,
        iterations: int,
        dtype: Literal["float32", "float64"] = "float32",
    ) -> None:
        if not settings.exact or settings.by_reach:
            raise PokerlabError("dense iterations are exact: they take exact=True and by_reach=False (equation 4.10)")
        self.tree, self.cells, self.settings, self.iterations = tree, cells, settings, iterations
        self.cfr = self._solver(Problem(tree.tree(tree.middle), cells), dtype)

    def _solver(self, problem: Problem, dtype: Literal["float32", "float64"]) -> DenseCfr:
        return DenseCfr(problem, self.settings.variant, dtype)

    @property
    def about(self) -> Mapping[str, Any]:
        """The settings as plain values."""
        settings = {name: str(value) for name, value in asdict(self.settings).items()}
        return {**self.cfr.about, "bets": settings, "ranges": self.tree.fingerprint, "iterations": self.iterations}

    def init(self) -> Arrays:
        """The arrays before the first iteration: no regrets, and every size in the middle of its range."""
        zero = np.zeros(self.tree.n_bets)
        return {**self.cfr.init(), **dict(zip(SIZES, (self.tree.middle, *[zero] * (len(SIZES) - 1)), strict=True))}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """The arrays `n` iterations later; the tables of the given ones are used up."""
        done, cfr = int(arrays["iteration"]), self.cfr
        with cfr.precision():
            tables, sizes = kernels.iterate(
                cfr.game, self._sized, cfr.tables(arrays), self._sizes(arrays), cfr.settings, np.int32(done),
                np.int32(n), alternating=self.settings.variant.alternating,
            )  # fmt: skip
        by_name = {name: np.asarray(array, np.float64) for name, array in zip(SIZES, sizes, strict=True)}
        return {**cfr.arrays(tables, stake=self.tree.stakes(by_name["size"]), iteration=done + n), **by_name}

    def sizes(self, arrays: Arrays) -> Floats:
        """`size[bet]`: the mean effective size, or the present one before any is averaged."""
        counted = int(arrays["iteration"]) - max(int(np.ceil(self._average_from)), 1) + 1
        return self.tree.mean_size(arrays["size"], arrays["total"], counted)

    def importance(self, arrays: Arrays) -> Floats:
        """`R[bet]`, chips per iteration and pot fraction (5.15, as a mean)."""
        return np.asarray(arrays["importance"] / max(int(arrays["iteration"]), 1))

    def _deals(self) -> WeightedDeals:
        """The deals for importance: all, or those to draw from."""
        return deals_of(self.cfr.problem.pairs)

    def strategy(self, arrays: Arrays) -> Strategy:
        """The players' average strategy, in the tree of the mean sizes."""
        return Strategy.from_sums(self.tree.tree(self.sizes(arrays)), self.cells, self.cfr.by_street(arrays, "sums"))

    def evaluate(self, arrays: Arrays) -> Evaluation:
        """The average strategy's value and the best responses to it, at the present sizes."""
        return self.cfr.evaluate(arrays)

    @property
    def _average_from(self) -> float:
        return self.settings.average_from * self.iterations

    @cached_property
    def _sized(self) -> kernels.Sized:
        """The tree, the settings and the deals for the kernels, on the device."""
        tree, settings, bets = self.tree, self.settings, self.tree.bets
        depths, place = level_depths(tree)
        sign = 1.0 - 2.0 * bets.player
        deals = deal_blocks(self._deals(), N_DEALS, N_BLOCKS, stream(settings.seed, "importance"))
        sized = kernels.Sized(
            depths, place[tree.stake_level],
            kernels.DenseBetArrays(place[bets.level], sign, bets.low, bets.high), deals,
            np.float64(settings.n), np.bool_(settings.discounted), self._average_from,
        )  # fmt: skip
        with self.cfr.precision():
            placed: kernels.Sized = on_device(sized)
        return placed

    def _sizes(self, arrays: Arrays) -> kernels.DenseSizes:
        return kernels.DenseSizes(*on_device([arrays[name] for name in SIZES]))
