"""Turn a mixture of strategies into a single strategy, and compute exact responses to it; for any number of players.

A mixture is a distribution over strategies, each of which can play every seat. Before each hand every player draws one
of them, independently of the others. A player with perfect recall can do the same with a single strategy (Kuhn's
theorem): at each decision it weights the strategies by the probability that their own actions lead there. So best
responses to a mixture, and its NashConv, are exact.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> small = SmallGame(make_problem(game("kuhn3p")))
>>> uniform = small.problem.uniform()
>>> response = small.best_response(uniform)
>>> gains = small.gains(uniform)
>>> [round(float(gain), 3) for gain in gains], round(small.nash_conv(small.mixed([uniform, response], [0.5, 0.5])), 3)
([0.547, 0.693, 0.823], 1.076)

References
----------
Kuhn (1953), "Extensive games and the problem of information".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import Floats, Int64s
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.vector.multiplayer import deal_values, evaluate_many, every_deal

ByEdgeCell = list[Floats]


class SmallGame:
    """A game small enough to list all deals: exact values, mixtures and responses."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.every = problem, every_deal(problem)
        self.n_seats = problem.tree.rules.n_seats
        self._last_edge = _last_own_edges(problem)

    def realization(self, strategy: Strategy) -> ByEdgeCell:
        """Realization plan, `[street][row, cell]`: the probability that the actor's own actions lead to an edge and
        take it."""
        tree, plan = self.problem.tree, [np.empty(p.shape) for p in strategy.p]
        for decision in range(tree.n_decisions):
            street, before = int(tree.street[decision]), int(self._last_edge[decision])
            reach: Floats | float = 1.0
            if before >= 0:
                earlier = int(tree.street[tree.edge_decision[before]])
                reach = plan[earlier][tree.row[before]][self._earlier_cell(street, earlier)]
            rows = [int(tree.row[edge]) for edge in tree.edges(decision)]
            plan[street][rows] = strategy.at(decision) * reach
        return plan

    def _earlier_cell(self, street: int, earlier: int) -> Int64s:
        """`[cell]`: the cell on an earlier street for each cell of `street` (recall is perfect)."""
        cells = np.zeros(self.problem.cells.n_cells[street], np.int64)
        for seat in range(self.n_seats):
            cells[self.every.cells[:, seat, street]] = self.every.cells[:, seat, earlier]
        return cells

    def mixed(self, strategies: Sequence[Strategy], chances: ArrayLike) -> Strategy:
        """The single strategy that is equivalent to drawing one of `strategies`, with probabilities `chances`, before
        every hand."""
        return self.of_plans([self.realization(strategy) for strategy in strategies], chances)

    def of_plans(self, plans: Sequence[ByEdgeCell], chances: ArrayLike) -> Strategy:
        """Like `mixed`, but given the realization plans of the strategies."""
        shares = np.asarray(chances, dtype=np.float64)
        sums = [np.tensordot(shares, np.stack(each), axes=1) for each in zip(*plans, strict=True)]
        return Strategy.from_sums(self.problem.tree, self.problem.cells, sums)

    def best_response(self, strategy: Strategy) -> Strategy:
        """The best response of every seat to `strategy` in all other seats. It is pure; of equally good actions it
        takes the first."""
        return self.responses(strategy)[0]

    def responses(self, strategy: Strategy) -> tuple[Strategy, float]:
        """Return (`best_response`, NashConv in chips). NashConv is the sum of the response's values in all seats,
        because the game is zero-sum."""
        tree, total = self.problem.tree, 0.0
        p = [np.zeros(numbers.shape) for numbers in strategy.p]
        for player in range(self.n_seats):
            values = deal_values(self.problem, self.every, strategy, player, best=True)
            total += values.root
            for decision in np.flatnonzero(tree.actor == player).tolist():
                edges = tree.edges(decision)
                best = np.argmax(np.stack([values.of_edge[edge] for edge in edges]), axis=0)
                for action, edge in enumerate(edges):
                    p[int(tree.street[decision])][tree.row[edge]] = best == action
        return Strategy(tree, self.problem.cells, tuple(p)), total

    def seated(self, strategies: Sequence[Strategy]) -> Strategy:
        """Combine several strategies: seat i plays as in `strategies[i]`."""
        actor = self.problem.tree.actor[self.problem.tree.edge_decision]
        p = []
        for street, edges in enumerate(self.problem.tree.edges_on):
            options = np.stack([strategy.p[street] for strategy in strategies])
            p.append(options[actor[edges], np.arange(len(edges))])
        return Strategy(self.problem.tree, self.problem.cells, tuple(p))

    def values(self, strategy: Strategy) -> Floats:
        """Return, for each seat, its mean winnings if all seats play the strategy, in chips."""
        return np.array(
            [deal_values(self.problem, self.every, strategy, player).root for player in range(self.n_seats)]
        )

    def gains(self, strategy: Strategy) -> Floats:
        """Return, for each seat, how much it would gain if it alone changed to a best response, in chips."""
        best = evaluate_many(self.problem, strategy, self.every).best_response
        return np.array(best) - self.values(strategy)

    def nash_conv(self, strategy: Strategy) -> float:
        """Sum of the gains of all seats. If positions rotate, a player's gain from a response is the mean over
        seats."""
        return float(evaluate_many(self.problem, strategy, self.every).nash_conv)

    def payoffs(self, strategies: Sequence[Strategy]) -> dict[int, float]:
        """{index in `strategies`: its mean chips over all seatings}."""
        won = np.zeros(len(strategies))
        seatings = list(permutations(range(len(strategies))))
        for seating in seatings:
            won[list(seating)] += self.values(self.seated([strategies[place] for place in seating]))
        return dict(enumerate((won / len(seatings)).tolist()))


def _last_own_edges(problem: Problem) -> Int64s:
    """`[decision]`: the last edge taken by the actor before a decision; -1 for none."""
    tree = problem.tree
    last = np.full((tree.n_decisions, tree.rules.n_seats), -1, np.int64)
    for decision in range(1, tree.n_decisions):
        edge = int(tree.parent_edge[decision])
        before = int(tree.edge_decision[edge])
        last[decision] = last[before]
        last[decision, int(tree.actor[before])] = edge
    return np.asarray(last[np.arange(tree.n_decisions), tree.actor])
