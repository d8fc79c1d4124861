"""Public-chance sampling for two players: each iteration plays all hands of both players on one sampled board.

An iteration updates each player once, the second against the first's new strategy. At every terminal node the values of
all hands against all others take O(hands) steps; hands that share a card are removed by inclusion and exclusion, which
works for hands of one or two cards. The readable form is `best_response.values` with the pairs of one board.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.solve import solve
>>> solution = solve(PublicChanceCfr(make_problem(game("leduc")), seed=7), iterations=2_000)
>>> solution.exploitability < 0.1
True

References
----------
Johanson, Bard, Lanctot, Gibson and Bowling (2012), "Efficient Nash equilibrium approximation through Monte Carlo
counterfactual regret minimization", sections 3 and 4.
"""

from __future__ import annotations

from dataclasses import asdict
from math import comb
from typing import Any

import numpy as np

from pokerlab.abstraction.deals import Boards, boards_for
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.pair_tables import PairTables
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.sampling.mccfr import Sampling, SamplingCfr

BOARDS_AT_ONCE = 64


class PublicChanceCfr(SamplingCfr):
    """An `Engine` of CFR on sampled boards, on one thread. Its arrays are those of `MonteCarloCfr`."""

    def __init__(
        self,
        problem: Problem,
        sampling: Sampling = Sampling("public"),  # noqa: B008 - frozen
        *,
        boards: Boards | None = None,
        seed: int = 0,
    ) -> None:
        rules = problem.tree.rules
        if rules.n_seats != 2 or rules.streets[0].n_hole > 2:
            raise RulesError(f"{rules.name}: public-chance sampling is for two players with one or two cards each")
        if sampling.kind != "public" or sampling.deals_per_iteration != 1:
            raise PokerlabError("public-chance sampling takes Sampling('public') with one board an iteration")
        self.problem, self.sampling = problem, sampling
        self.boards = boards if boards is not None else boards_for(problem.cells, seed)
        self.tables = PairTables(problem)
        left = len(rules.deck) - sum(street.n_board for street in rules.streets)
        n_hole = rules.streets[0].n_hole
        # probability of one pair of hands on a board
        self._scale = 1 / (comb(left, n_hole) * comb(left - n_hole, n_hole))
        self._buffers = self._new_buffers(len(self.boards.hand_cards))

    def _new_buffers(self, n_hands: int) -> Any:
        from pokerlab.solvers.sampling._public_chance_numba import Buffers

        tree = self.problem.tree
        depth = np.ones(tree.n_decisions, np.int64)
        for decision in range(1, tree.n_decisions):
            depth[decision] += depth[tree.edge_decision[tree.parent_edge[decision]]]
        deep, wide = int(depth.max()), int(np.diff(tree.first_edge).max())
        n_cards = int(self.boards.hand_cards.max()) + 1
        vectors = [np.zeros((deep + 1, n_hands)) for _ in range(2)]
        fans = [np.zeros((deep, wide, n_hands)) for _ in range(2)]
        marks = [np.zeros(deep + 1, np.int64) for _ in range(2)]
        total, held = np.zeros((deep, n_hands)), np.zeros((2, n_cards))
        return Buffers(marks[0], marks[1], vectors[0], vectors[1], fans[0], fans[1], total, held)

    @property
    def about(self) -> dict[str, Any]:
        return {
            **self.problem.about, "algorithm": "public-chance sampling", "boards": self.boards.about,
            "sampling": asdict(self.sampling),
        }  # fmt: skip

    def step(self, arrays: Arrays, n: int) -> Arrays:
        from pokerlab.solvers.sampling._public_chance_numba import BoardDeals, PairSums, run_boards

        tables = PairSums(arrays["regret"], arrays["sums"])
        done, powers = int(arrays["iteration"]), np.array([self.sampling.regret_power, self.sampling.average_power])
        for first in range(done, done + n, BOARDS_AT_ONCE):
            cells, rank = self.boards.boards(first, min(BOARDS_AT_ONCE, done + n - first))
            deals = BoardDeals(cells, rank, self.boards.hand_cards)
            tree, buffers, floor = self.tables.kernel, self._buffers, self.sampling.floor
            run_boards(first + 1, powers, deals, self._scale, tree, tables, buffers, floor)
        arrays["iteration"] = np.array(done + n)
        return arrays
