"""Value functions for AIVAT: the values of solved strategies, and the value of checking a hand down.

Solved strategies are for games that are small enough to distinguish every hand. Their values are expectations by
decision and pair of *cells*; a cell may stand for several hands that differ only by suits.

>>> from pokerlab.games.catalog import game
>>> values = SolvedValues(solve_small(game("leduc"), iterations=1000))
>>> round(values.root(), 3)
-0.086

References
----------
Burch, Schmid, Moravcik, Morrill and Bowling (2018), section 4: values of a strategy computed in advance.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from pokerlab.abstraction.cells import street_before
from pokerlab.arrays import Floats, Indices
from pokerlab.errors import RulesError
from pokerlab.games.actions import Step
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import cells_of_hands
from pokerlab.solvers.core.best_response import stakes
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.valuing.aivat import ValueFunction, check_rules
from pokerlab.valuing.showdowns import Showdowns

ITERATIONS = 1000
MOST_DEALS = 20_000  #: a game with more hands times boards is not solved during a measurement
HOLDEM_GROWTH = (2.0, 1.6, 1.3, 1.0)
"""By street, for hold'em. Like the limit of the stake in `at_stake`, these numbers were chosen on other hands than
those of the documented results."""


def solve_small(rules: Rules, *, iterations: int = ITERATIONS) -> Strategy:
    """Solve a small game with CFR+ on its whole tree, without card abstraction."""
    return solve(VectorCfr(make_problem(rules), variant("cfr+")), iterations=iterations).strategy


class PairValues:
    """Player 0's expected chips if both play the strategy: `of_edge[edge][board, i, j]` and
    `of_decision[decision][board, i, j]`, where (i, j) is a pair of cells on the street of the decision (for an edge, of
    its decision). Cells are numbered within their board; 0 for impossible pairs."""

    def __init__(self, problem: Problem, strategy: Strategy) -> None:
        tree, pairs = problem.tree, problem.pairs
        self.of_edge: list[Floats] = [np.empty(0)] * tree.n_edges
        self.of_decision: list[Floats] = [np.empty(0)] * tree.n_decisions
        stake = stakes(tree, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            advantage = [np.nan_to_num(s / j) for s, j in zip(pairs.showdown, pairs.joint, strict=True)]
        for ending, edge in enumerate(tree.ending_edge):
            street = int(tree.ending_street[ending])
            one = advantage[street] if tree.showdown[ending] else (pairs.joint[street] > 0).astype(np.float64)
            self.of_edge[edge] = stake[ending] * one
        for decision in range(tree.n_decisions - 1, -1, -1):
            street, actor = int(tree.street[decision]), int(tree.actor[decision])
            n_boards = len(pairs.joint[street])
            total = np.zeros_like(pairs.joint[street])
            for edge, p in zip(tree.edges(decision), strategy.at(decision), strict=True):
                chance = np.asarray(p, np.float64).reshape(n_boards, -1)
                total += (chance[:, :, None] if actor == 0 else chance[:, None, :]) * self.of_edge[edge]
            self.of_decision[decision] = total
            up = int(tree.parent_edge[decision])
            if up >= 0:
                self.of_edge[up] = _earlier(problem, total, street, int(tree.edge_street[up]))


def _earlier(problem: Problem, values: Floats, street: int, to: int) -> Floats:
    """Turn values by pair of cells on `street` into those on an earlier one: the mean over the cards dealt in
    between."""
    joint, parent = problem.pairs.joint, problem.pairs.parent
    for s in range(street, to, -1):
        total = street_before(parent[s], joint[s] * values, *joint[s - 1].shape[:2])
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.nan_to_num(total / joint[s - 1])
    return values


class SolvedValues:
    """A strategy's values as a value function, for the game and bet sizes of its tree."""

    def __init__(self, strategy: Strategy, name: str | None = None) -> None:
        self.rules = strategy.tree.rules
        check_rules(self.rules)
        self.name = name or f"values of a solved strategy ({strategy.cells.name} cards)"
        self.strategy, self.showdowns = strategy, Showdowns(self.rules)
        self._pairs = PairValues(Problem(strategy.tree, strategy.cells), strategy)
        self._cells: dict[tuple[int, ...], tuple[Indices, Indices]] = {}
        self._expected: dict[tuple[int, tuple[int, ...]], Floats] = {}
        self._edges: dict[tuple[Step, ...], int] = {(): -1}

    def supports(self, rules: Rules) -> bool:
        """Whether the game is the strategy's own."""
        return rules == self.rules

    def root(self) -> float:
        """Value of the strategy to player 0."""
        every = self.showdowns.every
        weight = self.showdowns.possible(every, every)
        return float((weight * self._on(self._pairs.of_decision[0], ())).sum() / weight.sum())

    def value(self, public: PublicView, rows: Indices, columns: Indices) -> Floats:
        """The strategy's values after an action and any cards dealt after it."""
        edge = self._edge(public.actions)
        return self._on(self._values(edge, public.board), public.board)[rows[:, None], columns]

    def expected(self, public: PublicView, rows: Indices, columns: Indices) -> Floats:
        """Mean of the values over the next cards. For a pair of hands, all boards without its cards are equally
        likely."""
        key = (self._edge(public.actions), public.board)
        values = self._expected.get(key)
        if values is None:
            values = self._expected[key] = self._mean_over_boards(*key)
        return values[rows[:, None], columns]

    def _mean_over_boards(self, edge: int, board: tuple[int, ...]) -> Floats:
        street = next(s for s in range(len(self.rules.streets)) if self._n_board(s) > len(board))
        left = [card for card in self.rules.deck if card not in board]
        n = len(self.showdowns.hands)
        total, times = np.zeros((n, n)), np.zeros((n, n))
        for cards in combinations(left, self._n_board(street) - len(board)):
            new = (*board, *cards)
            live = self.showdowns.hands.live(new)
            both = live[:, None] & live
            total += both * self._on(self._values(edge, new), new)
            times += both
        return np.asarray(total / np.maximum(times, 1))

    def _n_board(self, street: int) -> int:
        return sum(s.n_board for s in self.rules.streets[: street + 1])

    def _edge(self, actions: tuple[Step, ...]) -> int:
        """Edge of the last action in the tree; -1 before the first action."""
        last = self._edges.get(actions)
        if last is None:
            tree = self.strategy.tree
            before = self._edge(actions[:-1])
            decision = int(tree.child[before]) if before >= 0 else 0
            edges = tree.edges(decision) if decision >= 0 else range(0)
            last = next((edge for edge in edges if tree.action(edge) == actions[-1].action), None)
            if last is None:
                raise RulesError(f"{self.name}: {actions[-1].action} is not among the bets of its tree")
            self._edges[actions] = last
        return last

    def _values(self, edge: int, board: tuple[int, ...]) -> Floats:
        tree = self.strategy.tree
        if edge < 0:
            return self._pairs.of_decision[0]
        if len(board) == self._n_board(int(tree.edge_street[edge])):
            return self._pairs.of_edge[edge]
        return self._pairs.of_decision[int(tree.child[edge])]

    def _on(self, values: Floats, board: tuple[int, ...]) -> Floats:
        """Convert values by pair of cells to values by pair of hands."""
        numbers, hands = self._cells_on(board, values.shape[1])
        return np.asarray(values[numbers[:, None], hands[:, None], hands[None, :]])

    def _cells_on(self, board: tuple[int, ...], width: int) -> tuple[Indices, Indices]:
        """Return (board number, hand number) of every hand; 0 for hands that conflict with the board."""
        numbers = self._cells.get(board)
        if numbers is None:
            cells = np.maximum(cells_of_hands(self.strategy.cells, self.rules, board), 0).astype(np.intp)
            numbers = self._cells[board] = (cells // width, cells % width)
        return numbers


class CheckDown:
    """A value function that needs no solve and works for any stacks: as if the current bet were called and no more bets
    followed.

    The value is the *stake* times the hand's advantage over all cards to come (`valuing.showdowns`), times
    `growth[street]`, since future bets make the result of a hand larger. The stake is the amount that each player has
    put in. An uncalled bet can at most double it, since large bets are often not called. The advantage is a mean over
    the cards to come, so its mean over the next cards is known without dealing them.

    >>> from pokerlab.games.catalog import game
    >>> CheckDown(game("limit2p")).name
    'check-down value, times 1, 1, 1, 1 by street'
    """

    def __init__(self, rules: Rules, growth: tuple[float, ...] | None = None) -> None:
        check_rules(rules)
        self.rules, self.showdowns = rules, Showdowns(rules)
        self.growth = (1.0,) * len(rules.streets) if growth is None else growth
        assert len(self.growth) == len(rules.streets)

    @property
    def name(self) -> str:
        """Short description of the value function."""
        return f"check-down value, times {', '.join(f'{times:g}' for times in self.growth)} by street"

    def supports(self, rules: Rules) -> bool:
        """Whether the game deals the same cards as this function's game; bets and stacks may differ."""
        same = ("n_seats", "deck", "layout", "board", "ranges")
        return all(getattr(rules, name) == getattr(self.rules, name) for name in same)

    def root(self) -> float:
        """Mean value before the first action; 0 if both seats are dealt from the same distribution."""
        return self.growth[0] * at_stake(Betting.start(self.rules)) * self.showdowns.at_the_deal

    def value(self, public: PublicView, rows: Indices, columns: Indices) -> Floats:
        """The value of checking the hand down; exact once the betting is over."""
        return self._value(public, self._street(public), rows, columns)

    def expected(self, public: PublicView, rows: Indices, columns: Indices) -> Floats:
        """Like `value`, but with the next street's growth. This is already the mean over the next cards."""
        return self._value(public, self._street(public) + 1, rows, columns)

    def _value(self, public: PublicView, street: int, rows: Indices, columns: Indices) -> Floats:
        betting = public.betting
        if betting.folded:
            stake = float(min(betting.spent))
            return np.full((len(rows), len(columns)), -stake if betting.folded & 1 else stake)
        times = 1.0 if betting.over else self.growth[street]
        return times * at_stake(betting) * self.showdowns.advantage(public.board, rows, columns)

    def _street(self, public: PublicView) -> int:
        """Number of the last street whose cards are dealt."""
        at, street = 0, -1
        for number, dealt in enumerate(self.rules.streets):
            at += dealt.n_board
            street = number if at == len(public.board) else street
        return street


def at_stake(betting: Betting) -> float:
    """Chips that the loser is assumed to lose: the amount matched so far, plus at most the same again for an uncalled
    bet."""
    most, least = max(betting.spent), min(betting.spent)
    return float(least if betting.over else min(most, 2 * least, *betting.rules.stacks))


def value_function(rules: Rules) -> ValueFunction:
    """Choose AIVAT's default value function: a solved strategy if the solve is quick, otherwise `CheckDown`. Only limit
    games with few hands are solved; in no-limit games players may bet amounts that are not in the strategy's tree."""
    check_rules(rules)
    n_hands = comb(len(rules.deck), rules.streets[0].n_hole)
    n_boards = comb(len(rules.deck), sum(street.n_board for street in rules.streets))
    if rules.limits == "limit" and n_hands * n_boards <= MOST_DEALS:
        return SolvedValues(solve_small(rules), f"values of CFR+ after {ITERATIONS:,} iterations on the whole game")
    return CheckDown(rules, HOLDEM_GROWTH if rules.is_holdem else None)
