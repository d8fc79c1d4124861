"""A strategy for every seat of a betting tree: for each cell of the actor's cards, how often it takes each action.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> from pokerlab.trees.cells import Lossless
>>> uniform = Strategy.uniform(build_tree(game("leduc")), Lossless(game("leduc")))
>>> [p.shape for p in uniform.p], uniform.at(0)[:, 0]
([(14, 3), (70, 9)], array([0.5, 0.5]))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pokerlab.trees.betting_tree import BettingTree
from pokerlab.trees.cells import Cells


@dataclass(frozen=True, eq=False)
class Strategy:
    """`p[street][row, cell]`: the probability of the edge `tree.edges_on[street][row]`, by cell of its actor."""

    tree: BettingTree
    cells: Cells
    p: tuple[NDArray[np.floating], ...]

    @classmethod
    def uniform(cls, tree: BettingTree, cells: Cells) -> Strategy:
        """Every action on offer with the same probability."""
        n_actions = np.diff(tree.first_edge)[tree.edge_decision]
        return cls(
            tree,
            cells,
            tuple(
                np.repeat(1.0 / n_actions[edges][:, None], n, axis=1)
                for edges, n in zip(tree.edges_on, cells.n_cells, strict=True)
            ),
        )

    @classmethod
    def from_sums(cls, tree: BettingTree, cells: Cells, sums: Sequence[NDArray[np.floating]]) -> Strategy:
        """Non-negative weights `sums[street][row, cell]`, divided by their total at each decision; uniform where 0."""
        p = []
        for street, weight in enumerate(sums):
            decisions = np.flatnonzero(tree.street == street)
            if not len(decisions):
                p.append(np.asarray(weight, np.float64))
                continue
            n_actions = np.diff(tree.first_edge)[decisions]
            starts = np.concatenate([[0], np.cumsum(n_actions)[:-1]])
            total = np.add.reduceat(np.asarray(weight, np.float64), starts, axis=0)
            spread = np.repeat(total, n_actions, axis=0)
            even = np.repeat(1.0 / n_actions, n_actions)[:, None]
            p.append(np.where(spread > 0, weight / np.where(spread > 0, spread, 1.0), even))
        return cls(tree, cells, tuple(p))

    def at(self, decision: int) -> NDArray[np.floating]:
        """`p[action, cell]` at a decision."""
        edges = self.tree.edges(decision)
        first = int(self.tree.row[edges.start])
        return self.p[int(self.tree.street[decision])][first : first + len(edges)]


def by_seat(first: Strategy, second: Strategy) -> Strategy:
    """Seat 0 of one strategy and seat 1 of another, on the same tree."""
    tree = first.tree
    p = []
    for edges, one, other in zip(tree.edges_on, first.p, second.p, strict=True):
        own = tree.actor[tree.edge_decision[edges]] == 0
        p.append(np.where(own[:, None], one, other))
    return Strategy(tree, first.cells, tuple(p))
