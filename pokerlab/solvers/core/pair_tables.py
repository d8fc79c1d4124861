"""Numbers for every (information set, action) pair as one flat array, and what endings pay to any number of players.

`pair = start[decision] + cell * n_actions + action`: a solver that visits one cell at a time finds the actions of an
information set next to each other. Strategies are by street and row instead; `strategy` turns one into the other.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.games.pots import pots_of
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core._pair_tables_numba import Tree, Updates
from pokerlab.solvers.core.problem import Problem

Floats: TypeAlias = NDArray[np.float64]


class PairTables:
    """The layout of a problem's pairs.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.solvers.core.problem import make_problem
    >>> tables = PairTables(make_problem(game("leduc")))
    >>> tables.n_pairs, tables.payoffs(0, 0, np.array([[0, 1], [1, 1], [1, 0]])).tolist()
    (672, [-1.0, 0.0, 1.0])
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.tree = problem, problem.tree
        n_actions = np.diff(self.tree.first_edge).astype(np.int64)
        self.pairs_of_decision = n_actions * np.array(problem.cells.n_cells, np.int64)[self.tree.street]
        self.start = np.concatenate([[0], np.cumsum(self.pairs_of_decision)[:-1]])
        self.n_pairs = int(self.pairs_of_decision.sum())

    @cached_property
    def _pots(self) -> tuple[Floats, list[list[tuple[float, int]]]]:
        """`fixed[ending, player]`, and the contested pots of each ending as (chips, bit mask of players)."""
        fixed, contested = -self.tree.spent, []
        for ending, (spent, folded) in enumerate(zip(self.tree.spent.tolist(), self.tree.folded, strict=True)):
            several = []
            for pot in pots_of(self.tree.rules, spent, int(folded)):
                if len(pot.seats) == 1:
                    fixed[ending, pot.seats[0]] += float(pot.amount)
                else:
                    several.append((float(pot.amount), sum(1 << seat for seat in pot.seats)))
            contested.append(several)
        return fixed, contested

    def payoffs(self, ending: int, player: int, rank: NDArray[np.int32]) -> Floats:
        """Chips to `player` at an ending for each row of `rank[deal, player]`; ties share exactly."""
        fixed, contested = self._pots
        won = np.full(len(rank), fixed[ending, player])
        for chips, mask in contested[ending]:
            if mask >> player & 1:
                seats = [seat for seat in range(rank.shape[1]) if mask >> seat & 1]
                best = rank[:, seats].max(axis=1)
                n_best = (rank[:, seats] == best[:, None]).sum(axis=1)
                won += np.where(rank[:, player] == best, chips / n_best, 0.0)
        return won

    @cached_property
    def kernel(self) -> Tree:
        """The tree as the compiled walks read it."""
        fixed, contested = self._pots
        pots = [pot for several in contested for pot in several]
        return Tree(
            actor=self.tree.actor,
            street=self.tree.street,
            first_edge=self.tree.first_edge,
            child=self.tree.child,
            start=self.start,
            fixed=fixed,
            first_pot=np.concatenate([[0], np.cumsum([len(several) for several in contested])]).astype(np.int32),
            pot=np.array([chips for chips, _ in pots], np.float64),
            pot_seats=np.array([mask for _, mask in pots], np.int64),
        )

    def updates(self, regret: NDArray[Any], sums: NDArray[Any], *, n_log: int = 0, floor: bool = False) -> Updates:
        """Where a walk writes: these tables at once, or a log of `n_log` entries."""
        log = np.empty(n_log, np.int64), np.empty(n_log)
        return Updates(regret, sums, *log, np.zeros(1, np.int64), np.array([floor]))

    def by_street(self, flat: NDArray[Any]) -> tuple[NDArray[Any], ...]:
        """`out[street][row, cell]` of a flat array."""
        tree, n_cells = self.tree, self.problem.cells.n_cells
        out = tuple(np.empty((len(edges), n), flat.dtype) for edges, n in zip(tree.edges_on, n_cells, strict=True))
        for decision, (at, n) in enumerate(zip(self.start.tolist(), self.pairs_of_decision.tolist(), strict=True)):
            edges, street = tree.edges(decision), int(tree.street[decision])
            first = int(tree.row[edges.start])
            out[street][first : first + len(edges)] = flat[at : at + n].reshape(n_cells[street], len(edges)).T
        return out

    def strategy(self, flat: NDArray[Any]) -> Strategy:
        """The strategy in proportion to non-negative weights; uniform where all are 0."""
        return Strategy.from_sums(self.tree, self.problem.cells, self.by_street(flat))
