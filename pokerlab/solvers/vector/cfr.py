"""Counterfactual regret minimisation over all cells at once, in float64 on one core: every variant of the family.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.core.variants import variant
>>> kuhn = solve(VectorCfr(make_problem(game("kuhn")), variant("cfr+")), iterations=1000)
>>> round(kuhn.value, 4), kuhn.exploitability < 1e-3
(-0.0556, True)

References
----------
See `variants`. Vector form: Johanson et al. (2012), "Efficient Nash equilibrium approximation through Monte
Carlo counterfactual regret minimization", section 3 (all private hands of a public state in one walk).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from pokerlab.arrays import Floats, Int64s
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
            raise RulesError(f"{tree.rules.name}: a street without decisions lies between two with decisions")
        self.problem, self.variant = problem, variant
        v, pairs = variant, problem.pairs
        n_cells = np.array(pairs.n_cells, np.int64)
        sizes = np.array([len(edges) for edges in tree.edges_on], np.int64) * n_cells
        self._street_start = np.concatenate([[0], np.cumsum(sizes)])
        first_row = tree.row[tree.first_edge[:-1]].astype(np.int64)
        pair_start, pair = _stacked(pairs.joint, pairs.showdown)
        self.settings = kernels.CfrSettings(
            float(v.alpha), float(v.beta), float(v.gamma), v.floor, v.predictive, v.growth, v.alternating
        )
        self.game = kernels.Game(
            actor=tree.actor, street=tree.street, first_edge=tree.first_edge, parent_edge=tree.parent_edge,
            base=self._street_start[tree.street] + first_row * n_cells[tree.street],
            edge_decision=tree.edge_decision, child=tree.child, showdown=tree.showdown,
            stake=np.stack([stakes(tree, player) for player in (0, 1)]),
            n_cells=n_cells, n_hands=np.array([joint.shape[1] for joint in pairs.joint], np.int64),
            cell_start=np.concatenate([[0], np.cumsum(n_cells)[:-1]]),
            up=np.concatenate(pairs.parent).astype(np.int32), pair_start=pair_start, pair=pair,
        )  # fmt: skip

    @property
    def n_pairs(self) -> int:
        """Number of (edge, cell) pairs, which is the length of the flat arrays."""
        return int(self._street_start[-1])

    @property
    def about(self) -> Mapping[str, Any]:
        return {
            **self.problem.about,
            "engine": "vector",
            "variant": {k: str(x) for k, x in asdict(self.variant).items()},
        }

    def init(self) -> Arrays:
        start = [np.asarray(p).ravel() for p in self.problem.uniform().p]
        n = self.n_pairs
        return {
            "iteration": np.zeros((), np.int64),
            "regret": np.zeros(n),
            "sums": np.zeros(n),
            "now": np.zeros(n if self.variant.predictive else 0),
            "strategy": np.concatenate(start),
        }

    def step(self, arrays: Arrays, n: int) -> Arrays:
        done = int(arrays["iteration"])
        tables = kernels.CfrTables(*(arrays[name] for name in kernels.CfrTables._fields))
        kernels.iterate(n, done, self.settings, self.game, tables, self.scratch())
        return {**arrays, "iteration": np.array(done + n)}

    def scratch(self) -> kernels.CfrScratch:
        return kernels.CfrScratch(*(np.empty(self.n_pairs) for _ in kernels.CfrScratch._fields))

    def by_street(self, flat: Floats) -> tuple[Floats, ...]:
        """Convert a flat array to `[street][row, cell]`."""
        ends = self._street_start
        return tuple(flat[a:b].reshape(-1, n) for a, b, n in zip(ends[:-1], ends[1:], self.game.n_cells, strict=True))

    def strategy(self, arrays: Arrays) -> Strategy:
        return Strategy.from_sums(self.problem.tree, self.problem.cells, self.by_street(arrays["sums"]))

    def evaluate(self, arrays: Arrays) -> Evaluation:
        return evaluate(self.problem, self.strategy(arrays))


def _stacked(joint: tuple[Floats, ...], showdown: tuple[Floats, ...]) -> tuple[Int64s, Floats]:
    """Return (offsets start[street, player, kind] of the pair matrices; all matrices in one array). The opponent's hand
    is the first index. Showdown matrices are player 0's; `stakes` has the sign for player 1."""
    start = np.zeros((len(joint), 2, 2), np.int64)
    parts: list[Floats] = []
    at = 0
    for street, both in enumerate(zip(joint, showdown, strict=True)):
        for kind, matrix in enumerate(both):
            for player in (0, 1):
                seen = np.swapaxes(matrix, 1, 2) if player == 0 else matrix
                start[street, player, kind] = at
                parts.append(np.ascontiguousarray(seen).ravel())
                at += seen.size
    return start, np.concatenate(parts)
