"""Spots with known answers: decisions of a game, drawn by seed, each with the expected chips of its actions.

A hand is dealt and played by a near-equilibrium strategy of the game (the *source*), and one of its decisions becomes
the question. The value of an action assumes that both players follow the answer's strategy afterwards:

- `preflop` and `flop`: values computed for the source. They are exact for its cells; in hold'em these are card buckets,
  so the value of a hand is the mean over its bucket.
- `turn` and `river`: the street is solved with real cards, for the ranges with which the source reaches it, and played
  by that solution. Values are exact for the solution, whose exploitability is `gap`.
- `odds`: the opponent moves all-in on the flop or turn, with the hands with which the source would. Calling is worth
  the exact equity against these hands, with all cards to come. Half of the earlier actions are random, because the
  source rarely plays for all its chips.

Chips are counted from the decision on: folding is worth 0.

>>> from pokerlab.games.catalog import game
>>> spot = draw_spot(Source.of(game("leduc")), "flop", seed=7, index=0)
>>> spot.hole, spot.board, spot.path, spot.actions
('As', 'Ks', ('c', 'r3', 'c'), ('c', 'r4'))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.card import cards, cards_text
from pokerlab.cards.combos import combo_index
from pokerlab.cards.equity import equity
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo, plain
from pokerlab.games.betting import Betting
from pokerlab.games.hands import hands_of
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card, State
from pokerlab.games.views import PublicView
from pokerlab.policies.policy import choose
from pokerlab.policies.spots import Spot
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.rng import stream
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.table.apart_messages import action_of, action_text
from pokerlab.trees.translation import lower_share, size_of
from pokerlab.valuing.resolved import acting_order, relative_weights, street_problem
from pokerlab.valuing.spot_values import CellValues, spot_values

STREETS = ("preflop", "flop", "turn", "river")
ODDS = "odds"
SIZES = {"limit": {"turn": "min", "river": "min"}, "no-limit": {"turn": "0.75p, all-in", "river": "0.5p, 1p, all-in"}}
"""Bet sizes on the streets that are solved."""
RAISES = {"limit": {"turn": 4, "river": 4}, "no-limit": {"turn": 2, "river": 3}}
"""Maximum number of bets and raises on a street that is solved; at limit it is that of the game."""
TARGET = {"limit": {"turn": 0.001, "river": 0.0001}, "no-limit": {"turn": 0.003, "river": 0.0001}}
"""Target exploitability of a solved street, as a share of its pot. It is low since the values of single hands settle
later: at 0.3%, values on rivers are still wrong by some percent of the pot."""
ITERATIONS = 20_000
LEAST_RANGE, LEAST_ALL_IN = 0.001, 0.01
"""For a question about odds: the minimum share of all hands that reach the decision of the all-in bet, and the minimum
share of these that make the bet."""
EXPLORING = 0.5  #: share of random actions before such a question, since all-in bets are rare otherwise
BETWEEN_SIZES = "pseudo-harmonic"
NAMES = ("seat 0", "seat 1")


@dataclass(frozen=True)
class QuizSpot:
    """A decision and the values of its actions. Actions are f, c, or r followed by the street total, in canonical
    order."""

    kind: str
    hole: str
    board: str
    path: tuple[str, ...]  # all actions of the hand so far
    actions: tuple[str, ...]
    ev: tuple[float, ...]  # expected chips of each action
    p: tuple[float, ...]  # how often the answer's strategy takes each action
    gap: float = 0.0  # exploitability of that strategy, as a share of the pot; 0 if values are those of the source

    def data(self) -> dict[str, Any]:
        """The spot as JSON values."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `data`."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        return cls(**values)

    def check(self, rules: Rules) -> None:
        """Raise an error if this is not a spot of the game; for values read from a file."""
        state, numbers = self.state(rules), np.array([*self.ev, *self.p, self.gap], np.float64)
        legal = [action_of(action) for action in self.actions]
        for action in legal:
            state.betting.check(action)
        if CALL not in legal or not len(legal) == len(set(legal)) == len(self.ev) == len(self.p):
            raise ValueError("every action of a spot has one value")
        if not (np.isfinite(numbers).all() and (numbers[len(self.ev) :] >= 0).all()):
            raise ValueError("values are finite, and probabilities at least 0")
        if not isinstance(self.kind, str):
            raise TypeError("a kind of spot is a word")

    def state(self, rules: Rules) -> State:
        """State of the hand at the decision; cards hidden from the actor are unknown."""
        betting = Betting.start(rules)
        for action in self.path:
            betting = betting.after(action_of(action))
        holes, _, board = rules.dealt_by[betting.street]
        deck: list[Card] = [None] * rules.n_dealt
        for place, card in zip((*holes[betting.actor], *board), cards(self.hole + self.board), strict=True):
            deck[place] = card
        return State.at(rules, tuple(deck), betting)

    def value(self, betting: Betting, action: Action) -> tuple[float, bool]:
        """Return (expected chips of an action, whether the answer's strategy has it). The value of another raise is
        interpolated by size (a check or call has size 0); a raise above the largest counts as the largest."""
        solved = {action_of(text): ev for text, ev in zip(self.actions, self.ev, strict=True)}
        if action in solved:
            return solved[action], True
        if action.kind is not Kind.RAISE:
            raise PokerlabError(f"{action} is not among {', '.join(map(str, solved))}")
        sizes = [(0.0, solved[CALL])]
        sizes += [(size_of(betting, each), ev) for each, ev in solved.items() if each.kind is Kind.RAISE]
        bet = size_of(betting, action)
        lower = max(size for size in sizes if size[0] < bet)
        higher = [size for size in sizes if size[0] > bet]
        if not higher:
            return lower[1], False
        share = lower_share(BETWEEN_SIZES, bet, lower[0], min(higher)[0])
        return share * lower[1] + (1 - share) * min(higher)[1], False

    @property
    def best(self) -> float:
        """Expected chips of the best action."""
        return max(self.ev)

    @property
    def own_loss(self) -> float:
        """Expected chips that the answer's strategy itself loses compared with the best action."""
        return self.best - float(np.dot(self.ev, self.p))

    @property
    def even_loss(self) -> float:
        """Expected chips lost by choosing among the answer's actions with equal probabilities."""
        return self.best - float(np.mean(self.ev))


class Source:
    """A near-equilibrium strategy of a game for two. It plays the hands up to the questions."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.rules = strategy, strategy.tree.rules
        self.policy = StrategyPolicy(strategy)

    @classmethod
    def of(cls, rules: Rules, path: Path | None = None) -> Source:
        """Make the source of a game: from the strategy in a file, or by solving the game by linear programming."""
        if path is not None:
            return cls(load_strategy(path, rules).strategy)
        return cls(solve_lp(make_problem(rules)).strategy)

    @cached_property
    def values(self) -> CellValues:
        """The values of the strategy's cells."""
        pairs = self.strategy.cells.pairs
        assert pairs is not None, "sources have perfect recall"
        return CellValues(self.strategy, pairs)

    def range_at(self, public: PublicView, seat: int) -> Floats:
        """`weight[hand]` of a seat: the probability of its actions so far; 0 for hands that conflict with the board."""
        weights = hands_of(self.rules).live(public.board).astype(np.float64)
        for before, step in public.decisions():
            if step.seat == seat:
                weights *= self.policy.likelihood(before, seat, step.action)
        return weights

    def play_to(self, street: int, rng: np.random.Generator, exploring: float = 0.0) -> list[State]:
        """Play a random hand to the end of a street. Return the states at its decisions on that street (none if it ends
        earlier). With probability `exploring` an action is drawn uniformly from those that do not fold."""
        deck = tuple(int(card) for card in rng.permutation(self.rules.deck)[: self.rules.n_dealt])
        state, decisions = State.start(self.rules, deck), list[State]()
        while not state.over and state.betting.street <= street:
            if state.betting.street == street:
                decisions.append(state)
            actions, p = self.policy.probabilities(state.view(state.betting.actor, 0, NAMES))
            stays = np.array([action.kind is not Kind.FOLD for action in actions], np.float64)
            state = state.after(choose(actions, (1 - exploring) * p + exploring * stays / stays.sum(), rng))
        return decisions


def kinds_of(rules: Rules) -> tuple[str, ...]:
    """The kinds of spots that a game has.

    >>> from pokerlab.games.catalog import game
    >>> kinds_of(game("kuhn")), kinds_of(game("limit2p"))
    (('preflop',), ('preflop', 'flop', 'turn', 'river'))
    """
    if not rules.is_holdem:
        return STREETS[: len(rules.streets)]
    return STREETS if rules.limits == "limit" else (*STREETS, ODDS)


def draw_spot(source: Source, kind: str, *, seed: int, index: int) -> QuizSpot:
    """Draw spot number `index` of a kind. If a hand has no such spot, another is dealt."""
    rng = stream(seed, "quiz", source.rules.name, kind, index=index)
    solved = source.rules.is_holdem and kind in ("turn", "river")
    while True:
        spot = _odds(source, rng) if kind == ODDS else (_solved if solved else _known)(source, kind, rng)
        if spot is not None:
            return spot


def _known(source: Source, kind: str, rng: np.random.Generator) -> QuizSpot | None:
    """Draw a spot whose values are those of the source; None if the hand has none."""
    decisions = source.play_to(STREETS.index(kind), rng)
    if not decisions:
        return None
    state, strategy = decisions[int(rng.integers(len(decisions)))], source.strategy
    decision = strategy.tree.decision_after([step.action for step in state.actions])
    view = state.view(state.betting.actor, 0, NAMES)
    cell = int(strategy.cells.of_hand(view.hole, view.board))
    ev = source.values.ev(decision)[cell]
    p = np.asarray(strategy.at(decision)[:, cell], np.float64)
    return _spot(kind, state, strategy.tree.actions(decision), ev, p)


def _solved(source: Source, kind: str, rng: np.random.Generator) -> QuizSpot | None:
    """Draw a spot on the turn or river: solve the street for the source's ranges, and play it by the solution. None if
    the hand has none."""
    decisions = source.play_to(STREETS.index(kind), rng)
    if not decisions:
        return None
    state = decisions[0]
    public = state.public(0, NAMES)
    seats = acting_order(public)
    first, second = (relative_weights(source.range_at(public, seat)) for seat in seats)
    combos = [combo_index(*_held(state, seat)) for seat in seats]
    if not (first[combos[0]] and second[combos[1]]):
        return None  # a player's hand is so unlikely here that it is left out of the range
    limits = source.rules.limits
    problem = street_problem(public, (first, second), sizes=SIZES[limits][kind], raises=RAISES[limits][kind])
    pot = float(public.pot)
    solution = solve(SubgameCfr(problem, threads=1), iterations=ITERATIONS, target=TARGET[limits][kind] * pot)
    walk, spot = list[tuple[State, Spot]](), Spot(solution.strategy, 0, problem.tree.rules.board)
    while True:
        walk.append((state, spot))
        action = choose(spot.actions, spot.by_hand()[1][combos[spot.actor]], rng)
        after = spot.after(action)
        if after is None or after.street > spot.street:
            break
        state, spot = state.after(action), after
    state, spot = walk[int(rng.integers(len(walk)))]
    values, hand = spot_values(spot, threads=1), combos[spot.actor]
    if values is None or np.isnan(values.ev[hand]).any():
        return None
    return _spot(kind, state, spot.actions, values.ev[hand], values.p[hand], gap=solution.exploitability / pot)


def _odds(source: Source, rng: np.random.Generator) -> QuizSpot | None:
    """Draw a spot where an all-in bet can be called with cards to come; None if the hand has none."""
    decisions = source.play_to(1 + int(rng.integers(2)), rng, EXPLORING)
    if not decisions:
        return None
    state = decisions[int(rng.integers(len(decisions)))]
    most, bettor, public = state.betting.legal().raise_max, state.betting.actor, state.public(0, NAMES)
    actions, p = source.policy.by_combo(public, bettor)
    if most is None or RaiseTo(most) not in actions:
        return None
    before = source.range_at(public, bettor)
    weights = before * p[:, actions.index(RaiseTo(most))]
    if before.mean() < LEAST_RANGE or weights.sum() < LEAST_ALL_IN * before.sum():
        return None
    state = state.after(RaiseTo(most))
    hole = _held(state, 1 - bettor)
    share = equity([hole, weights / weights.max()], public.board, method="exact", threads=1).equity[0]
    call, pot = float(state.betting.to_call), float(state.betting.pot)
    ev = np.array([0.0, share * (pot + call) - call])
    return _spot(ODDS, state, (FOLD, CALL), ev, np.eye(2)[int(np.argmax(ev))])


def _held(state: State, seat: int) -> tuple[int, ...]:
    return tuple(card for card in state.hole(seat) if card is not None)


def _spot(
    kind: str, state: State, actions: Sequence[Action], ev: Floats, p: Floats, *, gap: float = 0.0
) -> QuizSpot | None:
    """Make the spot of the actor's decision; None if some value is unknown. A fold is worth exactly 0."""
    if np.isnan(ev).any():
        return None
    ev = np.where([action == FOLD for action in actions], 0.0, ev)
    return QuizSpot(
        kind,
        hole=cards_text(_held(state, state.betting.actor)),
        board=cards_text(tuple(card for card in state.board if card is not None)),
        path=tuple(action_text(step.action) for step in state.actions),
        actions=tuple(action_text(plain(action)) for action in actions),
        ev=tuple(round(float(value), 4) + 0.0 for value in ev),
        p=tuple(round(float(share), 4) for share in p / p.sum()),
        gap=round(max(0.0, gap), 6),
    )
