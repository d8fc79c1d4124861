"""BETS: regret minimisation for two players and for the sizes of their bets, in a single run.

Each iteration makes one CFR update of both players at the current effective sizes. It also computes, for every sized
bet, the slope: how the bettor's value changes with the size. The regrets for the low and the high end of the range are
this slope times the distances to them. Regret matching on these two gives a target size, and the effective size moves a
fraction 1/min(t, N) of the way towards it (equation 4.10), times the probability of the bet (4.11). The result is the
mean effective size of the later iterations. A bet's *importance* is the metric R of section 5.4: half the absolute
slope on one deal, averaged over iterations.

As in the thesis, one deal is drawn for each iteration; with `exact` every iteration goes through all deals.

References
----------
Hawkin (2014), section 4.3 (equations 4.10, 4.11, algorithm 1) and section 5.4 (equations 5.1 to 5.15).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from pokerlab.abstraction.cells import CellPairs, Cells
from pokerlab.abstraction.deals import deals_for
from pokerlab.arrays import Floats, Int32s, Int64s
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.runs.steps import Arrays, Steps
from pokerlab.solvers.bet_sizing import _bets_numba as kernels
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.trees.betting_tree import BettingTree

DRAWS = 1 << 16
HUGE = 1e15


@dataclass(frozen=True)
class BetsSettings:
    """Settings of BETS. `n` is the thesis's N, and `variant` a CFR variant. `thesis_settings` returns those of the
    thesis."""

    exact: bool = True
    n: float = 100.0
    by_reach: bool = False  # use equation 4.11 instead of 4.10
    discounted: bool = False  # whether the variant's discounts also apply to the regrets of sizes
    variant: Variant = VARIANTS["cfr+"]
    average_from: float = 0.5  # the mean sizes leave out this first share of a run
    seed: int = 7

    def __post_init__(self) -> None:
        if not self.n >= 1:
            raise PokerlabError(f"N is {self.n:g}; it must be at least 1, since a size moves by 1/N of the way")
        if self.variant.predictive:
            raise PokerlabError(f"bet sizes can be solved with cfr, cfr+, lcfr, dcfr or dcfr+, not {self.variant.name}")


def thesis_settings(seed: int = 7, n: float = 10_000.0) -> BetsSettings:
    """The thesis's settings: chance-sampled CFR with equation 4.11, as in all its results."""
    return BetsSettings(exact=False, n=n, by_reach=True, variant=VARIANTS["cfr"], seed=seed)


class WeightedDeals(NamedTuple):
    """Deals to enumerate or sample: their cells, player 0's payoff of a showdown per chip, and their probabilities."""

    cells: Int32s  # cells[deal, player, street]
    result: Floats  # result[deal]
    weight: Floats  # weight[deal]


def deals_of(pairs: CellPairs) -> WeightedDeals:
    """One deal for every pair of cells of the last street."""
    joint, showdown = pairs.joint[-1], pairs.showdown[-1]
    board, one, other = np.nonzero(joint)
    n_hands = joint.shape[1]
    streets: list[Int64s] = []
    cell = np.stack([board * n_hands + one, board * n_hands + other], axis=1)
    for street in range(len(pairs.joint) - 1, -1, -1):
        streets.insert(0, cell)
        cell = pairs.parent[street][cell].astype(np.int64)
    weight = joint[board, one, other]
    return WeightedDeals(np.stack(streets, axis=2).astype(np.int32), showdown[board, one, other] / weight, weight)


def sampled_deals(cells: Cells, n: int, seed: int) -> WeightedDeals:
    """Draw `n` equally likely deals of a game for two."""
    dealt, rank = deals_for(cells, 2, seed).deal(0, n)
    return WeightedDeals(dealt, np.sign(rank[:, 0] - rank[:, 1]).astype(np.float64), np.full(n, 1 / n))


class BetsEngine(Steps, Protocol):
    """A run of BETS on one tree, in steps."""

    tree: SizedTree
    cells: Cells
    settings: BetsSettings
    iterations: int
    summed: ClassVar[str]  # name of the array with the sums of sizes

    def sizes(self, arrays: Arrays) -> Floats:
        """`size[bet]` in fractions of the pot: the mean effective size, or the current one if averaging has not
        started."""
        counted = int(arrays["iteration"]) - max(int(np.ceil(self.settings.average_from * self.iterations)), 1) + 1
        return self.tree.mean_size(arrays["size"], arrays[self.summed], counted)

    def importance(self, arrays: Arrays) -> Floats:
        """`R[bet]`: importance in chips per iteration and pot fraction (equation 5.15, as a mean)."""
        return np.asarray(arrays["importance"] / max(int(arrays["iteration"]), 1))

    def strategy(self, arrays: Arrays) -> Strategy:
        """The players' average strategy, on the tree with the mean sizes."""


class Bets(BetsEngine):
    """BETS deal by deal."""

    summed = "size_sum"

    def __init__(
        self, tree: SizedTree, cells: Cells, deals: WeightedDeals, settings: BetsSettings, *, iterations: int
    ) -> None:
        self.tree, self.cells, self.deals, self.settings, self.iterations = tree, cells, deals, settings, iterations
        shape = tree.shape
        n_rows = np.array([len(edges) for edges in shape.edges_on], np.int64)
        self._start = np.concatenate([[0], np.cumsum(n_rows * np.array(cells.n_cells, np.int64))])
        folder = np.where(shape.showdown, -1, np.where(shape.folded == 1, 0, 1)).astype(np.int8)
        self._kernel_tree = kernels.BetsTree(
            shape.actor, shape.street, shape.first_edge, shape.parent_edge, _after(shape), shape.child, shape.row,
            folder, tree.stake_level, self._start, n_rows,
        )  # fmt: skip
        self._cumulative = np.cumsum(deals.weight)

    @property
    def about(self) -> Mapping[str, Any]:
        return {
            "cards": self.cells.name,
            "ranges": self.tree.fingerprint,
            "iterations": self.iterations,
            **asdict(self.settings),
        }

    def init(self) -> Arrays:
        """The arrays before the first iteration: no regrets, and every size in the middle of its range."""
        arrays: Arrays = {name: np.zeros(self.tree.n_bets) for name in kernels.SizeTables._fields}
        arrays["size"] = self.tree.middle
        arrays["regret"], arrays["sums"] = np.zeros(self._start[-1]), np.zeros(self._start[-1])
        return {"iteration": np.zeros((), np.int64), **arrays}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        levels, shape, settings, variant = self.tree.levels, self.tree.shape, self.settings, self.settings.variant
        done, n_pairs = int(arrays["iteration"]), len(arrays["regret"])
        average_from = float(settings.average_from * self.iterations)
        kernels.iterate(
            n,
            done,
            self._draws(done, n),
            kernels.SizingSettings(
                float(settings.n), settings.by_reach, settings.discounted, average_from, float(variant.alpha),
                float(variant.beta), float(variant.gamma), variant.growth, variant.floor,
            ),
            self.deals,
            self._kernel_tree,
            levels._replace(grow=levels.grow.copy()),
            self.tree.bets,
            kernels.SizeTables(*(arrays[name] for name in kernels.SizeTables._fields)),
            kernels.BetsTables(arrays["regret"], arrays["sums"], np.zeros(n_pairs if settings.exact else 0)),
            kernels.new_scratch(len(levels.grow), shape.n_edges, shape.n_decisions),
        )  # fmt: skip
        return {**arrays, "iteration": np.array(done + n)}

    def _draws(self, done: int, n: int) -> Int64s:
        """The deals of iterations `done + 1` .. `done + n`. They do not depend on how iterations are divided into
        steps."""
        if self.settings.exact:
            return np.empty(0, np.int64)
        blocks = range(done // DRAWS, -(-(done + n) // DRAWS))
        drawn = [stream(self.settings.seed, "deals", index=block).random(DRAWS) for block in blocks]
        first = done - blocks.start * DRAWS
        u = np.concatenate(drawn)[first : first + n] * self._cumulative[-1]
        return np.asarray(np.searchsorted(self._cumulative, u, side="right"), np.int64)

    def strategy(self, arrays: Arrays) -> Strategy:
        sums = [
            arrays["sums"][a:b].reshape(n, -1).T
            for a, b, n in zip(self._start[:-1], self._start[1:], self.cells.n_cells, strict=True)
        ]
        return Strategy.from_sums(self.tree.tree(self.sizes(arrays)), self.cells, sums)


def importance_of(
    strategy: Strategy, tree: SizedTree, size: Floats, deals: WeightedDeals, *, n: int, seed: int
) -> Floats:
    """Return the importance `R[bet]` of each bet if both players follow `strategy` and sizes stay fixed, measured on
    `n` deals sampled from `deals`. For this, iterations begin with very large regrets in proportion to the strategy, so
    that regret matching plays the strategy."""
    bets = Bets(tree.fixed(size), strategy.cells, deals, BetsSettings(exact=False, seed=seed), iterations=n)
    arrays = bets.init()
    flat = [np.asarray(p, np.float64).T.ravel() for p in strategy.p]
    arrays["regret"] = np.concatenate(flat) * HUGE  # so large that deals do not change the strategy
    return bets.importance(bets.step(arrays, n))


def _after(tree: BettingTree) -> Int64s:
    """`after[decision]`: the next decision outside its subtree; decisions are numbered depth first."""
    after = np.arange(1, tree.n_decisions + 1)
    for decision in range(tree.n_decisions - 1, 0, -1):
        above = tree.edge_decision[tree.parent_edge[decision]]
        after[above] = max(after[above], after[decision])
    return after
