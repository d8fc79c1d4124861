"""BETS on sampled boards in JAX: bucketed games with or without perfect recall, on a CPU or a GPU.

Every iteration is one of `BoardCfr`: it plays all hands of both players on a few boards, at the stakes of the present
sizes. The value of sizes is measured, not bounded: it is the value of the players' average strategy against itself on
fresh boards, with a 95% interval, as in the thesis where best responses cannot be computed.

References ---------- Hawkin (2014), sections 7.1 and 7.2.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from pokerlab.abstraction.cells import Cells
from pokerlab.estimates import Estimate
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.bet_sizing import _bets_jax as kernels
from pokerlab.solvers.bet_sizing.bets import BetsSettings, WeightedDeals, sampled_deals
from pokerlab.solvers.bet_sizing.dense_bets import N_BLOCKS, N_DEALS, SIZES, DenseBets
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.sampling.board_cfr import BoardCfr


class BoardBets(DenseBets):
    """BETS on sampled boards; its arrays are those of `DenseBets`."""

    cfr: BoardCfr

    def __init__(
        self,
        tree: SizedTree,
        cells: Cells,
        settings: BetsSettings,
        *,
        iterations: int,
        boards_per_iteration: int = 8,
        dtype: Literal["float32", "float64"] = "float32",
    ) -> None:
        self.boards_per_iteration = boards_per_iteration
        super().__init__(tree, cells, settings, iterations=iterations, dtype=dtype)

    def _solver(self, problem: Problem, dtype: Literal["float32", "float64"]) -> BoardCfr:
        boards, seed = self.boards_per_iteration, self.settings.seed
        return BoardCfr(problem, self.settings.variant, boards_per_iteration=boards, seed=seed, dtype=dtype)

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """The arrays `n` iterations later; the tables of the given ones are used up."""
        done, cfr = int(arrays["iteration"]), self.cfr
        with cfr.precision():
            tables, sizes, sized = cfr.tables(arrays), self._sizes(arrays), self._sized
            for first, some, boards in cfr.portions(done, n):
                tables, sizes = kernels.iterate_boards(
                    cfr.game, sized, tables, sizes, boards, cfr.settings, np.int32(first), np.int32(some),
                    alternating=self.settings.variant.alternating, n_cards=cfr.n_cards,
                )  # fmt: skip
        by_name = {name: np.asarray(array, np.float64) for name, array in zip(SIZES, sizes, strict=True)}
        return {**cfr.arrays(tables, stake=self.tree.stakes(by_name["size"]), iteration=done + n), **by_name}

    def _deals(self) -> WeightedDeals:
        return sampled_deals(self.cells, N_BLOCKS * N_DEALS, self.settings.seed)

    def value(self, arrays: Arrays, n_boards: int) -> Estimate:
        """The average strategy's value to player 0 at the mean sizes, on fresh boards."""
        return self.cfr.value({**arrays, "stake": self.tree.stakes(self.sizes(arrays))}, n_boards)
