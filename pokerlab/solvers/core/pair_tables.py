"""Flat arrays with one number for each (information set, action) pair, and the records for compiled walks.

The index of a pair is `start[decision] + cell * n_actions + action`. The actions of an information set are adjacent,
which suits solvers that visit one cell at a time. Strategies are stored by street and row instead; `strategy` converts.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from pokerlab.arrays import AnyArray
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core._pair_tables_numba import PairTree, Updates
from pokerlab.solvers.core.problem import Problem
from pokerlab.trees.ending_pots import EndingPots, ending_pots


class PairTables:
    """Layout of a problem's (information set, action) pairs.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.solvers.core.problem import make_problem
    >>> tables = PairTables(make_problem(game("leduc")))
    >>> tables.n_pairs, tables.start[:3].tolist()
    (672, [0, 6, 12])
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.tree = problem, problem.tree
        n_actions = np.diff(self.tree.first_edge).astype(np.int64)
        self.pairs_of_decision = n_actions * np.array(problem.cells.n_cells, np.int64)[self.tree.street]
        self.start = np.concatenate([[0], np.cumsum(self.pairs_of_decision)[:-1]])
        self.n_pairs = int(self.pairs_of_decision.sum())

    @cached_property
    def pots(self) -> EndingPots:
        return ending_pots(self.tree)

    @cached_property
    def kernel(self) -> PairTree:
        """The betting tree as a record of arrays, the form in which compiled code takes it."""
        tree = self.tree
        return PairTree(tree.actor, tree.street, tree.first_edge, tree.child, self.start, *self.pots)

    def updates(self, regret: AnyArray, sums: AnyArray, *, n_log: int = 0, floor: bool = False) -> Updates:
        """The record for a walk's updates: into these tables, or into a log of `n_log` entries."""
        log = np.empty(n_log, np.int64), np.empty(n_log)
        return Updates(regret, sums, *log, np.zeros(1, np.int64), np.array([floor]))

    def by_street(self, flat: AnyArray) -> tuple[AnyArray, ...]:
        """Convert a flat array to `out[street][row, cell]`."""
        tree, n_cells = self.tree, self.problem.cells.n_cells
        out = tuple(np.empty((len(edges), n), flat.dtype) for edges, n in zip(tree.edges_on, n_cells, strict=True))
        for decision, (at, n) in enumerate(zip(self.start.tolist(), self.pairs_of_decision.tolist(), strict=True)):
            edges, street = tree.edges(decision), int(tree.street[decision])
            first = int(tree.row[edges.start])
            out[street][first : first + len(edges)] = flat[at : at + n].reshape(n_cells[street], len(edges)).T
        return out

    def strategy(self, flat: AnyArray) -> Strategy:
        """The strategy in proportion to non-negative weights; uniform if all weights of an information set are 0."""
        return Strategy.from_sums(self.tree, self.problem.cells, self.by_street(flat))
