"""Exact values, best responses and CFR for any number of players, over every deal of a small game.

It computes exactly what the sampling solvers estimate, in a readable form: each pass goes over the betting tree once,
with an array over all deals at every decision. With more than two players regret minimisation is not guaranteed to
reach an equilibrium; `evaluate_many` measures how far a strategy is from one.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.solve import solve
>>> solution = solve(EnumeratedCfr(make_problem(game("kuhn3p"))), iterations=1000)
>>> solution.exploitability < 0.01
True

References
----------
Zinkevich et al. (2007), "Regret minimization in games with incomplete information". Abou Risk and Szafron (2010),
"Using counterfactual regret minimization to create competitive multiplayer poker agents": CFR for three players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.abstraction.cells import Lossless
from pokerlab.abstraction.deals import EveryDeal, SmallDeals
from pokerlab.arrays import Floats
from pokerlab.errors import RulesError
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core._pair_tables_numba import full_pass
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.pair_tables import PairTables
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.trees.ending_pots import ending_pots


def every_deal(problem: Problem) -> EveryDeal:
    """All deals of a problem with lossless cards."""
    if not isinstance(problem.cells, Lossless):
        raise RulesError(f"{problem.cells.name} has too many deals to enumerate; sample them (--algorithm mccfr)")
    return SmallDeals(problem.cells).every()


@dataclass(frozen=True)
class DealValues:
    """`of_edge[edge][cell]`: one player's counterfactual values of its own actions; `root`: its value in chips."""

    of_edge: dict[int, Floats]
    root: float


def deal_values(
    problem: Problem, every: EveryDeal, strategy: Strategy, player: int, *, best: bool = False
) -> DealValues:
    """Compute one player's values over all deals, if the other players play `strategy`.

    The player plays `strategy` too, or with `best` a best response.
    """
    tree, pots = problem.tree, ending_pots(problem.tree)
    others = _others_reach(problem, every, strategy, player)
    value: list[Floats] = [np.empty(0)] * tree.n_decisions
    of_edge: dict[int, Floats] = {}
    for decision in range(tree.n_decisions - 1, -1, -1):
        edges, street = tree.edges(decision), int(tree.street[decision])
        at = np.stack(
            [
                value[tree.child[e]] if tree.child[e] >= 0 else pots.payoffs(~int(tree.child[e]), player, every.rank)
                for e in edges
            ]
        )
        cell = every.cells[:, int(tree.actor[decision]), street]
        if tree.actor[decision] == player:
            weighted = at * every.weight * others[decision]
            for action, edge in enumerate(edges):
                of_edge[edge] = np.bincount(cell, weighted[action], problem.cells.n_cells[street]).astype(np.float64)
        if best and tree.actor[decision] == player:
            choice = np.argmax(np.stack([of_edge[edge] for edge in edges]), axis=0)
            value[decision] = at[choice[cell], np.arange(len(cell))]
        else:
            value[decision] = (strategy.at(decision)[:, cell] * at).sum(axis=0)
    return DealValues(of_edge, float(every.weight @ value[0]))


def _others_reach(problem: Problem, every: EveryDeal, strategy: Strategy, player: int) -> list[Floats]:
    """`reach[decision][deal]`: probability that the actions of all players except `player` lead to a decision."""
    tree = problem.tree
    reach: list[Floats] = [np.ones(len(every.weight))]
    for decision in range(1, tree.n_decisions):
        edge = int(tree.parent_edge[decision])
        before = int(tree.edge_decision[edge])
        actor, action = int(tree.actor[before]), edge - int(tree.first_edge[before])
        p = strategy.at(before)[action, every.cells[:, actor, int(tree.street[before])]]
        reach.append(reach[before] * (p if actor != player else 1.0))
    return reach


def evaluate_many(problem: Problem, strategy: Strategy, every: EveryDeal | None = None) -> Evaluation:
    """Return player 0's value, and each player's value if it plays a best response to the other players. The game is
    zero-sum, so the best responses' values add up to NashConv, the sum of all players' separate gains."""
    every = every or every_deal(problem)
    best = [deal_values(problem, every, strategy, p, best=True).root for p in range(problem.tree.rules.n_seats)]
    return Evaluation(deal_values(problem, every, strategy, 0).root, tuple(best))


class EnumeratedCfr:
    """CFR over every deal, for any number of players, with the settings of `variants`; an `Engine`. One iteration goes
    over all deals once for each player in turn. The arrays are `regret[pair]`, `sums[pair]` and `basis[pair]`: the
    regrets that determine the next strategies, including the prediction if the variant is predictive."""

    def __init__(self, problem: Problem, variant: Variant = VARIANTS["cfr"]) -> None:
        self.problem, self.variant = problem, variant
        self.every = every_deal(problem)
        self.tables = PairTables(problem)
        actor = np.repeat(problem.tree.actor, self.tables.pairs_of_decision)
        self._of_player = [np.flatnonzero(actor == p) for p in range(problem.tree.rules.n_seats)]

    @property
    def about(self) -> dict[str, Any]:
        return {**self.problem.about, "algorithm": f"enumerated {self.variant.name}"}

    def init(self) -> Arrays:
        arrays = {name: np.zeros(self.tables.n_pairs) for name in ("regret", "sums", "basis")}
        return {"iteration": np.array(0), **arrays}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        for t in range(int(arrays["iteration"]) + 1, int(arrays["iteration"]) + n + 1):
            arrays["sums"] *= self.variant.weight(t)
            basis = arrays["basis"] if self.variant.alternating else arrays["basis"].copy()
            for player in range(len(self._of_player)):
                self._update(arrays, basis, player, t)
        arrays["iteration"] = np.array(int(arrays["iteration"]) + n)
        return arrays

    def _update(self, arrays: Arrays, basis: Floats, player: int, t: int) -> None:
        now = np.zeros(self.tables.n_pairs)
        updates = self.tables.updates(now, arrays["sums"])
        every = self.every
        full_pass(player, every.cells, every.rank, every.weight, self.tables.kernel, basis, updates)
        here, variant = self._of_player[player], self.variant
        regret = arrays["regret"][here]
        regret = regret * np.where(regret > 0, variant.positive(t), variant.negative(t)) + now[here]
        if variant.floor:
            regret = np.maximum(regret, 0)
        arrays["regret"][here] = regret
        arrays["basis"][here] = regret * variant.positive(t + 1) + now[here] if variant.predictive else regret

    def strategy(self, arrays: Arrays) -> Strategy:
        return self.tables.strategy(arrays["sums"])

    def evaluate(self, arrays: Arrays) -> Evaluation:
        return evaluate_many(self.problem, self.strategy(arrays), self.every)
