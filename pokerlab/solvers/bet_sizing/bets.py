"""BETS: regret minimization for two players and for the sizes of their bets, in one run.

Each iteration makes one CFR update of both players at the present effective sizes and notes, for every agent, the slope
of its team's value in its own size. An agent's regrets for the low and for the high end are that slope times the
distances to them; regret matching on these two gives the size it would like, and the effective size moves towards it by
1/min(t, N) of the way (equation 4.10), times how likely the bet is (4.11). The answer is the mean effective size of the
later iterations. A bet's *importance* is the metric R of section 5.4 as a mean over iterations: the absolute slope on
one deal, halved.

Deals are drawn one for each iteration, as in the thesis, or every iteration goes through all of them (`exact`).

References
----------
Hawkin (2014), section 4.3 (equations 4.10, 4.11, algorithm 1) and section 5.4 (equations 5.1 to 5.15).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.bet_sizing import _bets_numba as kernels
from pokerlab.solvers.bet_sizing.sized_tree import Floats, SizedTree
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.trees.cells import CellPairs, Cells
from pokerlab.trees.deals import deals_for

DRAWS = 1 << 16
HUGE = 1e15


@dataclass(frozen=True)
class BetsSettings:
    """`n` is the thesis's N; `variant` a member of the CFR family. See `thesis_settings` for those of the thesis."""

    exact: bool = True
    n: float = 100.0
    by_reach: bool = False  # equation 4.11 instead of 4.10
    variant: Variant = VARIANTS["cfr+"]
    average_from: float = 0.5  # which part of a run is left out of the mean sizes
    seed: int = 7

    def __post_init__(self) -> None:
        if not self.n >= 1:
            raise PokerlabError(f"N is {self.n:g}; a size moves by 1/N of the way, so N is at least 1")
        if self.variant.predictive:
            raise PokerlabError(f"bet sizes are found with cfr, cfr+, lcfr, dcfr or dcfr+, not {self.variant.name}")


def thesis_settings(seed: int = 7, n: float = 10_000.0) -> BetsSettings:
    """Chance-sampled CFR with equation 4.11, as all results of the thesis were made."""
    return BetsSettings(exact=False, n=n, by_reach=True, variant=VARIANTS["cfr"], seed=seed)


@dataclass(frozen=True, eq=False)
class Deals:
    """What can be dealt, for a solver: cells, what a showdown is worth to player 0, and how likely it is."""

    cells: NDArray[np.int32]  # [deal, player, street]
    result: Floats  # [deal]
    weight: Floats  # [deal]


def deals_of(pairs: CellPairs) -> Deals:
    """Every pair of cells of the last street as one deal."""
    joint, showdown = pairs.joint[-1], pairs.showdown[-1]
    board, one, other = np.nonzero(joint)
    n_hands = joint.shape[1]
    streets: list[NDArray[np.int64]] = []
    cell = np.stack([board * n_hands + one, board * n_hands + other], axis=1)
    for street in range(len(pairs.joint) - 1, -1, -1):
        streets.insert(0, cell)
        cell = pairs.parent[street][cell].astype(np.int64)
    weight = joint[board, one, other]
    return Deals(np.stack(streets, axis=2).astype(np.int32), showdown[board, one, other] / weight, weight)


def sampled_deals(cells: Cells, n: int, seed: int) -> Deals:
    """`n` deals of a game for two, each as likely as any other."""
    found, rank = deals_for(cells, 2, seed).deal(0, n)
    return Deals(found, np.sign(rank[:, 0] - rank[:, 1]).astype(np.float64), np.full(n, 1 / n))


class Sizing(NamedTuple):
    """What a run of BETS found: sizes in fractions of the pot, importance in chips per pot fraction."""

    size: Floats  # [agent]
    importance: Floats  # [agent]


class Bets:
    """A run of BETS; steps like `solvers.solve.Engine`."""

    def __init__(self, tree: SizedTree, cells: Cells, deals: Deals, settings: BetsSettings, *, iterations: int) -> None:
        self.tree, self.cells, self.deals, self.settings, self.iterations = tree, cells, deals, settings, iterations
        shape = tree.shape
        self._n_rows = np.array([len(edges) for edges in shape.edges_on], np.int64)
        sizes = self._n_rows * np.array(cells.n_cells, np.int64)
        self._start = np.concatenate([[0], np.cumsum(sizes)])
        self._folder = np.where(shape.showdown, -1, np.where(shape.folded == 1, 0, 1)).astype(np.int8)
        self._stake_level = tree.stake_level
        self._after = _after(shape)
        self._cumulative = np.cumsum(deals.weight)

    @property
    def about(self) -> Mapping[str, Any]:
        """What is being done, as plain values."""
        return {
            "cards": self.cells.name,
            "ranges": self.tree.fingerprint,
            "iterations": self.iterations,
            **asdict(self.settings),
        }

    def init(self) -> Arrays:
        """No regrets; every size in the middle of its range."""
        n, agents = int(self._start[-1]), self.tree.n_agents
        state: Arrays = {name: np.zeros(agents) for name in ("for_low", "for_high", "size_sum", "importance")}
        state["size"] = (self.tree.low + self.tree.high) / 2
        state["regret"], state["sums"] = np.zeros(n), np.zeros(n)
        return {"iteration": np.zeros((), np.int64), **state}

    def step(self, state: Arrays, n: int) -> Arrays:
        """`n` iterations; the arrays of `state` are changed in place."""
        tree, shape, deals, settings = self.tree, self.tree.shape, self.deals, self.settings
        done, variant = int(state["iteration"]), settings.variant
        values = (
            float(settings.n), float(settings.by_reach), float(settings.average_from * self.iterations),
            float(variant.alpha), float(variant.beta), float(variant.gamma), float(variant.floor),
        )  # fmt: skip
        scratch = (
            np.empty(len(tree.raised)), np.empty(shape.n_edges), np.empty((shape.n_edges, 2)),
            np.empty(shape.n_edges), np.empty(len(tree.raised)), np.empty(shape.n_decisions, np.int64),
        )  # fmt: skip
        kernels.iterate(
            n, done, self._draws(done, n), values, deals.cells, deals.result, deals.weight, shape.actor, shape.street,
            shape.first_edge, shape.parent_edge, self._after, shape.child, shape.row, self._start,
            self._n_rows, self._folder, self._stake_level, tree.raised, tree.before, tree.constant, tree.grow.copy(),
            tree.less, tree.agent_of_level, tree.level, tree.edge, tree.player, tree.low, tree.high, state["size"],
            state["for_low"], state["for_high"], state["size_sum"], state["importance"], state["regret"],
            np.zeros(len(state["regret"]) if settings.exact else 0), state["sums"], *scratch,
        )  # fmt: skip
        return {**state, "iteration": np.array(done + n)}

    def _draws(self, done: int, n: int) -> NDArray[np.int64]:
        """The deals of iterations `done + 1` .. `done + n`, whatever the steps they are taken in."""
        if self.settings.exact:
            return np.empty(0, np.int64)
        blocks = range(done // DRAWS, -(-(done + n) // DRAWS))
        drawn = [stream(self.settings.seed, "deals", index=block).random(DRAWS) for block in blocks]
        first = done - blocks.start * DRAWS
        u = np.concatenate(drawn)[first : first + n] * self._cumulative[-1]
        return np.asarray(np.searchsorted(self._cumulative, u, side="right"), np.int64)

    def sizes(self, state: Arrays) -> Floats:
        """`size[agent]`: the mean effective size, or the present one before any is averaged."""
        counted = int(state["iteration"]) - max(int(np.ceil(self.settings.average_from * self.iterations)), 1) + 1
        mean = state["size_sum"] / counted if counted > 0 else state["size"]
        return np.clip(mean, self.tree.low, self.tree.high)  # a mean may be off by rounding

    def importance(self, state: Arrays) -> Floats:
        """`R[agent]`, chips per iteration and pot fraction (5.15, as a mean)."""
        return np.asarray(state["importance"] / max(int(state["iteration"]), 1))

    def importance_of(self, strategy: Strategy, size: Floats, n_deals: int) -> Floats:
        """`R[agent]` of players who follow a strategy at fixed sizes, from `n_deals` sampled deals.

        Regret matching on the strategy itself gives the strategy, so one sampled iteration at a time is run from there.
        """
        state = self.init()
        flat = [np.asarray(p, np.float64).T.ravel() for p in strategy.p]
        state["regret"] = np.concatenate(flat) * HUGE  # what a deal teaches is nothing beside it
        still = replace(self.settings, exact=False, n=np.inf, by_reach=True)
        frozen = Bets(replace(self.tree, low=size, high=size), self.cells, self.deals, still, iterations=n_deals)
        state["size"] = size.copy()
        return frozen.importance(frozen.step(state, n_deals))

    def strategy(self, state: Arrays) -> Strategy:
        """The players' average strategy, in the tree of the mean sizes."""
        sums = [
            state["sums"][a:b].reshape(n, -1).T
            for a, b, n in zip(self._start[:-1], self._start[1:], self.cells.n_cells, strict=True)
        ]
        return Strategy.from_sums(self.tree.tree(self.sizes(state)), self.cells, sums)


def _after(tree: BettingTree) -> NDArray[np.int64]:
    """`after[decision]`: the first decision that is not below it; decisions are numbered depth first."""
    after = np.arange(1, tree.n_decisions + 1)
    for decision in range(tree.n_decisions - 1, 0, -1):
        above = tree.edge_decision[tree.parent_edge[decision]]
        after[above] = max(after[above], after[decision])
    return after
