"""Counterfactual regret minimisation as in the textbooks: recursion over game trees, dictionaries of information sets.

Slow and readable, for any number of players; the oracle that fast solvers are tested against. It shares nothing with
them but the rules: every deal is dealt, every hand is played out with `games.state`, and suits are told apart even
where they do not matter. A strategy profile is a dictionary: information set -> probability of each of its actions.

>>> from pokerlab.games.catalog import game
>>> kuhn = GameTree(game("kuhn"))
>>> cfr = TextbookCfr(kuhn, plus=True)
>>> cfr.run(200)
>>> round(expected_values(kuhn, cfr.average())[0], 3), nash_conv(kuhn, cfr.average()) < 0.01
(-0.056, True)

References
----------
Zinkevich et al. (2007), "Regret minimization in games with incomplete information", section 3. Neller and Lanctot
(2013), "An introduction to counterfactual regret minimization", algorithm 1. Tammelin (2014) for CFR+.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import perm, prod
from typing import NamedTuple, TypeAlias

from pokerlab.errors import RulesError
from pokerlab.games.actions import Action
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.games.state import State

MAX_DEALS = 20_000


class InformationSet(NamedTuple):
    """All that a player knows when it acts."""

    player: int
    hole: tuple[int, ...]
    board: tuple[int, ...]
    up: tuple[tuple[int, ...], ...]  # by seat, where cards are dealt face up
    actions: tuple[Action, ...]  # of everybody, so far


Profile: TypeAlias = Mapping[InformationSet, Sequence[float]]
Menu: TypeAlias = Callable[[Betting], Sequence[Action]]


@dataclass(eq=False)
class HistoryNode:
    """A history, cards included: a decision with one child for each action, or an ending with payoffs by player."""

    at: InformationSet | None
    children: list[HistoryNode] = field(default_factory=list)
    payoffs: tuple[float, ...] = ()


class GameTree:
    """Every history of a game: `deals` are the roots, all equally likely. `members` lists the nodes of each set.

    `menu` says which actions are on offer; by default fold, call, and the smallest and largest raise.
    """

    def __init__(self, rules: Rules, menu: Menu | None = None) -> None:
        if perm(len(rules.deck), rules.n_dealt) > MAX_DEALS:
            raise RulesError(f"{rules.name} has more than {MAX_DEALS:,} deals; the reference solver is for small decks")
        if not rules.bounded:
            raise RulesError(f"{rules.name} has no finite betting tree: raises and stacks are unlimited")
        self.rules = rules
        self.menu: Menu = menu or (lambda betting: betting.legal().menu())
        self.members: dict[InformationSet, list[HistoryNode]] = {}
        self.actions: dict[InformationSet, tuple[Action, ...]] = {}
        self.deals = [self._node(State.start(rules, deck)) for deck in permutations(rules.deck, rules.n_dealt)]

    def _node(self, state: State) -> HistoryNode:
        if state.over:
            return HistoryNode(None, payoffs=tuple(map(float, state.payoffs())))
        seat, n = state.betting.actor, self.rules.n_seats
        seen = state.view(seat, 0, ("",) * n)
        history = tuple(step.action for step in state.actions)
        at = InformationSet(seat, tuple(sorted(seen.hole)), seen.board, seen.up, history)
        node = HistoryNode(at)
        self.members.setdefault(at, []).append(node)
        self.actions[at] = tuple(self.menu(state.betting))
        node.children = [self._node(state.after(action)) for action in self.actions[at]]
        return node

    def uniform(self) -> Profile:
        """The profile that plays every action on offer alike."""
        return {at: [1 / len(actions)] * len(actions) for at, actions in self.actions.items()}


class TextbookCfr:
    """CFR, or CFR+ with `plus`; `regret` and `total` (of the average) by information set and action.

    `alternating`: players update in turn, each against what those before it play now; else all against the same.
    """

    def __init__(self, tree: GameTree, *, plus: bool = False, alternating: bool = True) -> None:
        self.tree, self.plus, self.alternating = tree, plus, alternating
        self.iteration = 0
        self.regret = {at: [0.0] * len(actions) for at, actions in tree.actions.items()}
        self.total = {at: [0.0] * len(actions) for at, actions in tree.actions.items()}
        self.strategy: dict[InformationSet, Sequence[float]] = dict(tree.uniform())

    def run(self, n: int) -> None:
        """Run `n` iterations."""
        players = range(self.tree.rules.n_seats)
        for _ in range(n):
            self.iteration += 1
            for player in players:
                for deal in self.tree.deals:
                    self._walk(deal, player, [1.0] * len(players))
                if self.alternating:
                    self._match_regrets([player])
            if not self.alternating:
                self._match_regrets(players)

    def _walk(self, node: HistoryNode, player: int, reach: list[float]) -> float:
        """What `node` is worth to `player`; its regrets and totals are noted on the way. `reach` is by player."""
        if node.at is None:
            return node.payoffs[player]
        at, actor = node.at, node.at.player
        strategy = self.strategy[at]
        values = []
        for probability, child in zip(strategy, node.children, strict=True):
            further = list(reach)
            further[actor] *= probability
            values.append(self._walk(child, player, further))
        value = sum(p * v for p, v in zip(strategy, values, strict=True))
        if actor == player:
            others = prod(r for who, r in enumerate(reach) if who != player) / len(self.tree.deals)
            weight = self.iteration if self.plus else 1
            for action, probability in enumerate(strategy):
                self.regret[at][action] += others * (values[action] - value)
                # Each history of the set adds its share: the player's own reach is the same at all of them.
                self.total[at][action] += weight * reach[player] * probability / len(self.tree.members[at])
        return value

    def _match_regrets(self, players: Sequence[int]) -> None:
        for at, regret in self.regret.items():
            if at.player in players:
                if self.plus:
                    regret[:] = [max(r, 0.0) for r in regret]
                self.strategy[at] = normalised([max(r, 0.0) for r in regret])

    def average(self) -> Profile:
        """The average strategy of every player."""
        return {at: normalised(total) for at, total in self.total.items()}


def normalised(weights: Sequence[float]) -> list[float]:
    """Weights divided by their sum; all alike if that is 0.

    >>> normalised([1, 3]), normalised([0, 0])
    ([0.25, 0.75], [0.5, 0.5])
    """
    total = sum(weights)
    return [w / total for w in weights] if total > 0 else [1 / len(weights)] * len(weights)


def expected_values(tree: GameTree, profile: Profile) -> tuple[float, ...]:
    """What each player gets, in chips a hand, when all play `profile`."""

    def value(node: HistoryNode, player: int) -> float:
        if node.at is None:
            return node.payoffs[player]
        return sum(p * value(child, player) for p, child in zip(profile[node.at], node.children, strict=True) if p)

    players = range(tree.rules.n_seats)
    return tuple(sum(value(deal, player) for deal in tree.deals) / len(tree.deals) for player in players)


def best_response_value(tree: GameTree, profile: Profile, player: int) -> float:
    """What `player` gets by responding best to the others' part of `profile`."""
    reach: dict[int, float] = {}  # by history where `player` acts: how likely the others' actions lead there
    choice: dict[InformationSet, int] = {}

    def note_reach(node: HistoryNode, others: float) -> None:
        if node.at is None:
            return
        if node.at.player == player:
            reach[id(node)] = others
        for p, child in zip(profile[node.at], node.children, strict=True):
            note_reach(child, others * (1.0 if node.at.player == player else p))

    def value(node: HistoryNode) -> float:
        if node.at is None:
            return node.payoffs[player]
        if node.at.player == player:
            return value(node.children[chosen(node.at)])
        return sum(p * value(child) for p, child in zip(profile[node.at], node.children, strict=True) if p)

    def chosen(at: InformationSet) -> int:
        if at not in choice:
            members = tree.members[at]
            values = [
                sum(reach[id(node)] * value(node.children[action]) for node in members)
                for action in range(len(tree.actions[at]))
            ]
            choice[at] = values.index(max(values))
        return choice[at]

    for deal in tree.deals:
        note_reach(deal, 1.0)
    return sum(value(deal) for deal in tree.deals) / len(tree.deals)


def nash_conv(tree: GameTree, profile: Profile) -> float:
    """How much all players together could gain, each by responding best to the others as they are."""
    now = expected_values(tree, profile)
    return sum(best_response_value(tree, profile, player) - value for player, value in enumerate(now))
