"""Counterfactual regret minimization over all cells at once, in float64 on one core: every variant of the family.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.core.variants import variant
>>> kuhn = solve(VectorCfr(make_problem(game("kuhn")), variant("cfr+")), iterations=1000)
>>> round(kuhn.value, 4), kuhn.exploitability < 1e-3
(-0.0556, True)

References
----------
See `solvers.variants`. Vector form: Johanson et al. (2012), "Efficient Nash equilibrium approximation through Monte
Carlo counterfactual regret minimization", section 3 (all private hands of a public state in one walk).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import RulesError
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation, evaluate, stakes
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import Variant
from pokerlab.solvers.vector import _cfr_numba as kernels


class VectorCfr:
    """CFR over the pairs of cells of a two-player game with perfect recall."""

    def __init__(self, problem: Problem, variant: Variant) -> None:
        tree = problem.tree
        above = tree.edge_street[tree.parent_edge[1:]]
        if np.any(tree.street[1:] - above > 1):
            raise RulesError(f"{tree.rules.name}: a street without decisions lies between two that have some")
        self.problem, self.variant = problem, variant
        pairs = problem.pairs
        self._n_cells = np.array(pairs.n_cells, np.int64)
        self._n_hands = np.array([joint.shape[1] for joint in pairs.joint], np.int64)
        sizes = np.array([len(edges) for edges in tree.edges_on], np.int64) * self._n_cells
        self._street_start = np.concatenate([[0], np.cumsum(sizes)])
        first_row = tree.row[tree.first_edge[:-1]].astype(np.int64)
        self._base = self._street_start[tree.street] + first_row * self._n_cells[tree.street]
        self._cell_start = np.concatenate([[0], np.cumsum(self._n_cells)[:-1]])
        self._up = np.concatenate(pairs.parent).astype(np.int32)
        self._pair_start, self._pair = _stacked(pairs.joint, pairs.showdown)
        self.stake = np.stack([stakes(tree, player) for player in (0, 1)])
        v = variant
        self._settings = np.array([v.alpha, v.beta, v.gamma, v.floor, v.predictive, v.alternating], np.float64)

    @property
    def n_pairs(self) -> int:
        """(edge, cell) pairs: the length of the flat arrays."""
        return int(self._street_start[-1])

    @property
    def about(self) -> Mapping[str, Any]:
        """The problem and the variant, as plain values."""
        return {
            **self.problem.about,
            "engine": "vector",
            "variant": {k: str(x) for k, x in asdict(self.variant).items()},
        }

    def init(self) -> Arrays:
        """No regrets, uniform strategy."""
        start = [np.asarray(p).ravel() for p in self.problem.uniform().p]
        n = self.n_pairs
        return {
            "iteration": np.zeros((), np.int64),
            "regret": np.zeros(n),
            "sums": np.zeros(n),
            "now": np.zeros(n if self.variant.predictive else 0),
            "strategy": np.concatenate(start),
        }

    def step(self, state: Arrays, n: int) -> Arrays:
        """`n` iterations; the arrays of `state` are changed in place."""
        tree = self.problem.tree
        done = int(state["iteration"])
        scratch = [np.empty(self.n_pairs) for _ in range(3)]
        kernels.iterate(
            n, done, self._settings, tree.actor, tree.street, tree.first_edge, tree.parent_edge, self._base,
            tree.edge_decision, tree.child, self._n_cells, self._n_hands, self._cell_start, self._up,
            self._pair_start, self._pair, tree.showdown, self.stake,
            state["regret"], state["sums"], state["now"], state["strategy"], *scratch,
        )  # fmt: skip
        return {**state, "iteration": np.array(done + n)}

    def by_street(self, flat: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """A flat array as `[street][row, cell]`."""
        ends = self._street_start
        return tuple(flat[a:b].reshape(-1, n) for a, b, n in zip(ends[:-1], ends[1:], self._n_cells, strict=True))

    def strategy(self, state: Arrays) -> Strategy:
        """The average strategy."""
        return Strategy.from_sums(self.problem.tree, self.problem.cells, self.by_street(state["sums"]))

    def evaluate(self, state: Arrays) -> Evaluation:
        """Best responses to the average strategy."""
        return evaluate(self.problem, self.strategy(state))


def _stacked(
    joint: tuple[NDArray[np.float64], ...], showdown: tuple[NDArray[np.float64], ...]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every pair matrix in one array, opponent's hand first, and where each begins: start[street, player, kind].

    A showdown matrix is player 0's; `stakes` has the sign for player 1.
    """
    start = np.zeros((len(joint), 2, 2), np.int64)
    parts: list[NDArray[np.float64]] = []
    at = 0
    for street, both in enumerate(zip(joint, showdown, strict=True)):
        for kind, matrix in enumerate(both):
            for player in (0, 1):
                seen = np.swapaxes(matrix, 1, 2) if player == 0 else matrix
                start[street, player, kind] = at
                parts.append(np.ascontiguousarray(seen).ravel())
                at += seen.size
    return start, np.concatenate(parts)
