"""Value of a two-player strategy, best responses to it, and its exploitability, in float64.

The fast solvers do the same in a less readable form. *Reach* is the probability that a player's own actions lead
somewhere; it is computed from the root down. Terminal nodes get their values street by street as matrix products.
Values are then computed from the leaves up.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> leduc = make_problem(game("leduc"))
>>> round(2 * evaluate(leduc, leduc.uniform()).exploitability, 6)
4.747222

References
----------
Johanson et al. (2011), "Accelerating best response calculation in large extensive games": all hands at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import AnyFloats, Floats, Int64s
from pokerlab.estimates import Estimate, bounds
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.locks import best_locked
from pokerlab.solvers.core.problem import Problem
from pokerlab.trees.betting_tree import BettingTree

Choose: TypeAlias = Callable[[int, Floats], Floats]  #: function: (decision, value[action, cell]) -> value[cell]


@dataclass(frozen=True)
class Evaluation:
    """How good a strategy is, in chips per hand. `best_response[p]` is player p's value if it plays a best response."""

    value: float  # value to player 0 if both play the strategy
    best_response: tuple[float, ...]
    rake: float = 0.0  # chips per hand that the house takes; the players' values add up to minus this
    unlocked: tuple[float, ...] = ()  # values of best responses that may ignore the locks; empty without locks

    @property
    def values(self) -> tuple[float, float]:
        """Value to each of two players if both play the strategy."""
        return self.value, -self.value - self.rake

    @property
    def nash_conv(self) -> float:
        """Total gain of both players from playing best responses."""
        return sum(self.best_response) + self.rake

    @property
    def exploitability(self) -> float:
        """NashConv / 2: mean gain of the two players from playing best responses, also with rake."""
        return self.nash_conv / 2

    @property
    def bounds(self) -> Estimate:
        """Bounds on the value of the game to player 0; a game with rake has none, because it is not zero-sum."""
        return bounds(-self.best_response[1], self.best_response[0], units="chips_per_hand", method="best responses")


def evaluate(problem: Problem, strategy: Strategy) -> Evaluation:
    """Compute the value of `strategy` and of best responses to it, subject to the problem's locks."""
    reach = [reaches(problem, strategy, player) for player in (0, 1)]
    best = tuple(values(problem, strategy, player, reach[1 - player], best=True).total for player in (0, 1))
    value = values(problem, strategy, 0, reach[1], best=False).total
    other = values(problem, strategy, 1, reach[0], best=False).total if problem.tree.rules.rake else -value
    if problem.locks is None:
        return Evaluation(value, (best[0], best[1]), -value - other)
    free = replace(problem, locks=None)
    unlocked = tuple(values(free, strategy, player, reach[1 - player], best=True).total for player in (0, 1))
    return Evaluation(value, (best[0], best[1]), -value - other, unlocked)


def best_response(problem: Problem, strategy: Strategy, player: int) -> Strategy:
    """Replace `player`'s part of `strategy` by a best response to the other player's part; of equally good actions it
    takes the first."""
    reach = reaches(problem, strategy, 1 - player)
    value = values(problem, strategy, player, reach, best=True)
    p = [np.array(part, np.float64) for part in strategy.p]
    tree = problem.tree
    for decision in np.flatnonzero(tree.actor == player):
        edges = tree.edges(int(decision))
        rows = slice(int(tree.row[edges.start]), int(tree.row[edges.start]) + len(edges))
        choice = np.argmax(np.stack([value.of_edge[edge] for edge in edges]), axis=0)
        p[int(tree.street[decision])][rows] = np.arange(len(edges))[:, None] == choice
    return Strategy(tree, problem.cells, tuple(p))


def reaches(problem: Problem, strategy: Strategy, player: int) -> list[Floats]:
    """`reach[edge][cell]`: probability that `player`'s own actions lead through an edge, by cell of the edge's
    street."""
    tree, parent = problem.tree, problem.pairs.parent
    of_edge: list[Floats] = []
    for decision in range(tree.n_decisions):
        up, street = int(tree.parent_edge[decision]), int(tree.street[decision])
        reach = np.ones(problem.cells.n_cells[0]) if up < 0 else of_edge[up]
        for s in range(int(tree.edge_street[up]) if up >= 0 else 0, street):
            reach = reach[parent[s + 1]]
        if tree.actor[decision] == player:
            of_edge += list(strategy.at(decision) * reach)
        else:
            of_edge += [reach] * len(tree.edges(decision))
    return of_edge


@dataclass(frozen=True)
class Values:
    """One player's values, weighted by the opponent's reach (counterfactual): `of_edge[edge][cell]`, and
    `root[cell]`."""

    of_edge: list[Floats]
    root: Floats

    @property
    def total(self) -> float:
        """The player's value in chips per hand."""
        return float(self.root.sum())


def values(problem: Problem, strategy: Strategy, player: int, reach: list[Floats], *, best: bool) -> Values:
    """Values of `player`, who plays `strategy` or a best response, against an opponent with `reach[edge][cell]`."""

    locks = {} if problem.locks is None else problem.locks.at

    def choose(decision: int, at: Floats) -> Floats:
        if best and decision in locks:
            return best_locked(at, locks[decision])
        return np.asarray(at.max(axis=0) if best else (strategy.at(decision) * at).sum(axis=0))

    return values_by(problem, player, reach, choose)


def values_by(problem: Problem, player: int, reach: list[Floats], choose: Choose) -> Values:
    """Values of `player`'s actions; `choose` computes the value of a decision from the values of its actions."""
    tree, pairs = problem.tree, problem.pairs
    of_edge: list[Floats] = [np.empty(0)] * tree.n_edges
    for street in range(len(tree.rules.streets)):
        endings = np.flatnonzero(tree.ending_street == street)
        if len(endings):
            gathered = np.stack([reach[edge] for edge in tree.ending_edge[endings]])
            for edge, value in zip(
                tree.ending_edge[endings], ending_values(problem, player, street, endings, gathered), strict=True
            ):
                of_edge[edge] = value
    root = np.empty(0)
    for decision in range(tree.n_decisions - 1, -1, -1):
        at = np.stack([of_edge[edge] for edge in tree.edges(decision)])
        total = choose(decision, at) if tree.actor[decision] == player else at.sum(axis=0)
        up = int(tree.parent_edge[decision])
        for s in range(int(tree.street[decision]), int(tree.edge_street[up]) if up >= 0 else 0, -1):
            total = np.bincount(pairs.parent[s], weights=total, minlength=problem.cells.n_cells[s - 1])
        if up >= 0:
            of_edge[up] = total
        else:
            root = total
    return Values(of_edge, root)


def ending_values(problem: Problem, player: int, street: int, endings: Int64s, reach: AnyFloats) -> Floats:
    """`value[ending, cell]` to `player` of terminal nodes on a street, given the opponent's `reach[ending, cell]`."""
    tree, pairs = problem.tree, problem.pairs
    n_boards = pairs.joint[street].shape[0]
    blocks = reach.reshape(len(endings), n_boards, -1)
    axes = "bij,tbj->tbi" if player == 0 else "bij,tbi->tbj"
    showdown = tree.showdown[endings]
    out = np.empty(blocks.shape)
    out[~showdown] = np.einsum(axes, pairs.joint[street], blocks[~showdown], optimize=True)
    out[showdown] = np.einsum(axes, pairs.showdown[street], blocks[showdown], optimize=True)
    value = out.reshape(len(endings), -1) * stakes(tree, player)[endings, None]
    if tree.rules.rake and showdown.any():
        met = np.einsum(axes, pairs.joint[street], blocks[showdown], optimize=True).reshape(showdown.sum(), -1)
        value[showdown] -= tree.rake[endings][showdown, None] / 2 * met
    return value


def stakes(tree: BettingTree, player: int) -> Floats:
    """`stake[ending]` of `player`, with a sign: at a showdown the factor of player 0's showdown matrix; after a fold,
    positive if the opponent folded.

    With rake r the winner of a stake s gains s - r, the loser loses s, and a tie costs r / 2. At showdowns that is
    (s - r / 2) (won - lost) - r / 2, of which only the factor s - r / 2 is returned.
    """
    lost = tree.folded == 1 << player
    folded = np.where(lost, -tree.stake, tree.stake - tree.rake)
    return np.asarray(np.where(tree.showdown, (1 if player == 0 else -1) * (tree.stake - tree.rake / 2), folded))
