"""Opponent models by kernel densities of hand strength given the amount bet, learned from hands with known cards.

For every street and each of the five amounts that limit poker allows on it (0 to 4 bets) there is a density of the
strength of the hands for which the player bet that amount: HS before the flop and on the river, E[HS^2] on flop and
turn. Normalised at a given strength, the densities are the probabilities of the amounts, and the mean amount is the
expected bet. This is the published model. Settings extend it: amounts may be weighted by their frequency, implied odds
may be a second dimension, and instead of the amount on a street the model can learn single decisions (fold, call or
raise) by street, bets to call, and whether two or more players are left.

`BettingDensities` learns between hands, from every seat with known cards. `model_of` returns a player's model as a
policy. The policy chooses an amount, raises while its bets are below that amount, calls up to it, and folds to more.

>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("limit2p"), tuple(range(9)), (RaiseTo(20), CALL, *(CALL,) * 6), ("ann", "bob"))
>>> [(play.street, play.seat, play.amount, play.raised_last) for play in street_plays(hand)][:2]
[(0, 0, 2, False), (0, 1, 2, True)]
>>> densities = BettingDensities()
>>> densities.observe(hand)
>>> densities.amounts("ann", street=0, strength=0.4).round(3).tolist()
[0.0, 0.0, 1.0, 0.0, 0.0]

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 6, which gives neither kernel nor bandwidth.
Amounts here are whole bets of the street, blinds included: a small blind that folds has bet 0, a big blind 1 or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from pokerlab.arrays import ByHandAction, Floats
from pokerlab.cards.combos import combo_index
from pokerlab.cards.strength_tables import strength_of
from pokerlab.errors import PokerlabError
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView
from pokerlab.policies.compiled_players import N_EARLIER, N_STREETS
from pokerlab.policies.formula import implied_odds
from pokerlab.policies.policy import HoldemPolicy
from pokerlab.runs.config import typed
from pokerlab.systems.threeplayer.kernel_density import outcome_chances

Metric = Literal["hs", "mean_hs", "mean_hs_squared"]
N_AMOUNTS = 5  #: amounts on a street: 0 to 4 bets
N_KINDS = 3  #: kinds of action: fold, call, raise
N_TO_CALL, N_LEFT = 3, 2  #: contexts of a decision: 0, 1, more bets to call; two or more players left
KIND = "betting densities"
FUTURE_BETS = 1.0  #: bets expected on each later street in implied odds
BUCKETS_A_BET, MOST_BUCKET = 2, 4  #: number of buckets per expected bet, and the largest bucket
GRID = np.linspace(0.0, 1.0, 201)  #: strengths at which densities are evaluated; others are interpolated


@dataclass(frozen=True)
class DensitySettings:
    """Settings of the densities. The defaults are the published ones, if the paper gives them."""

    outcomes: Literal["amounts", "decisions"] = "amounts"
    metrics: tuple[Metric, ...] = ("hs", "mean_hs_squared", "mean_hs_squared", "hs")  # strength metric by street
    odds: bool = False  # add implied odds as a second dimension
    weighted: bool = False  # weight outcomes by their frequencies
    least_width: float = 0.03  # minimum width of a kernel
    doubt: float = 1.0  # weight of a uniform distribution in the policy, as a number of observations

    @property
    def n_outcomes(self) -> int:
        """Number of possible outcomes in a context."""
        return N_AMOUNTS if self.outcomes == "amounts" else N_KINDS


WEIGHTED = DensitySettings(weighted=True)
"""Settings of the densities that `expected_bets` uses."""


@dataclass(frozen=True)
class StreetPlay:
    """One seat's play on one street: whole bets put in, and whether its last action was a raise."""

    seat: int
    street: int
    amount: int
    odds: float  # implied odds at its first decision on the street
    raised_last: bool
    earlier: int  # chips spent on earlier streets


def street_plays(hand: HandHistory) -> list[StreetPlay]:
    """Every street on which a seat acted, ordered by street and seat."""
    plays: dict[tuple[int, int], StreetPlay] = {}
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        key = (step.street, step.seat)
        odds = plays[key].odds if key in plays else implied_odds(before, FUTURE_BETS)
        betting, action = before.betting, step.action
        chips = betting.bets[step.seat] if action.kind == Kind.FOLD else betting.max_bet
        chips = action.to if action.kind == Kind.RAISE else chips
        amount = min(int(chips) // _bet(before), N_AMOUNTS - 1)
        earlier = int(betting.spent[step.seat] - betting.bets[step.seat])
        plays[key] = StreetPlay(step.seat, step.street, amount, odds, action.kind == Kind.RAISE, earlier)
    return [plays[key] for key in sorted(plays)]


def _bet(public: PublicView) -> int:
    """Size of a bet on the street, in chips."""
    return int(public.rules.streets[public.street].raise_size)


@lru_cache(maxsize=512)
def strengths(board: tuple[int, ...], metric: Metric) -> Floats:
    """Value of a strength metric for each combo on a board; 0 for combos that conflict with the board."""
    return np.asarray(np.nan_to_num(getattr(strength_of(board), metric)))


@dataclass(frozen=True)
class Point:
    """One observation: its context and outcome, the strength of the hand, and the implied odds."""

    context: int
    outcome: int
    strength: float
    odds: float


def points_of(hand: HandHistory, seat: int, settings: DensitySettings) -> Iterator[Point]:
    """Yield the observations that a hand gives about the player at `seat`, whose cards are known."""
    combo = combo_index(*hand.final.hole(seat))  # type: ignore[arg-type]
    rules, board = hand.rules, tuple(card for card in hand.final.board if card is not None)

    def strength(street: int) -> float:
        return float(strengths(rules.board_on(board, street), settings.metrics[street])[combo])

    if settings.outcomes == "amounts":
        for play in street_plays(hand):
            if play.seat == seat:
                yield Point(play.street, play.amount, strength(play.street), play.odds)
        return
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        if step.seat == seat:
            yield Point(
                decision_context(before),
                int(step.action.kind),
                strength(step.street),
                implied_odds(before, FUTURE_BETS),
            )


def decision_context(public: PublicView) -> int:
    """Index of the context of the actor's decision: the street, bets to call, players left."""
    bets = min(-(-int(public.to_call) // _bet(public)), N_TO_CALL - 1)
    left = public.rules.n_seats - public.betting.folded.bit_count()
    return (public.street * N_TO_CALL + bets) * N_LEFT + (left > 2)


class BettingDensities:
    """Betting densities of every player seen, by name: a `Learner` with a model of each."""

    def __init__(self, settings: DensitySettings | None = None) -> None:
        self.settings = settings or DensitySettings()
        self._points: dict[str, list[Point]] = {}

    def observe(self, hand: HandHistory) -> None:
        """Learn from every seat with known cards: from hands shown down, and from the observer's own."""
        for seat, name in enumerate(hand.names):
            if None not in hand.final.hole(seat):
                self.learn(name, points_of(hand, seat, self.settings))

    def learn(self, name: str, points: Iterator[Point] | list[Point]) -> None:
        """Add observations to the densities of a player."""
        self._points.setdefault(name, []).extend(points)

    @property
    def names(self) -> tuple[str, ...]:
        """The players with observations."""
        return tuple(sorted(name for name, points in self._points.items() if points))

    def n_points(self, name: str) -> int:
        return len(self._points.get(name, []))

    def model_of(self, name: str) -> DensityPolicy:
        """Current model of a player."""
        return DensityPolicy(self.settings, _by_outcome(self.settings, self._points.get(name, [])))

    def amounts(self, name: str, *, street: int, strength: float, odds: float = 0.0) -> Floats:
        """`p[amount]`: probability that the player bets each amount on a street with this strength. The densities are
        used without `doubt`."""
        if self.settings.outcomes != "amounts":
            raise PokerlabError('densities of decisions have no amounts; use outcomes="amounts"')
        return np.asarray(self.model_of(name).chances(street, np.array([strength]), odds, doubt=0.0)[0])

    def save(self, path: Path) -> None:
        names = self.names
        rows = [(i, p.context, p.outcome, p.strength, p.odds) for i, n in enumerate(names) for p in self._points[n]]
        about = {"game": "limit hold'em", "names": names, "settings": asdict(self.settings)}
        write_arrays(path, KIND, about, {"points": np.array(rows, np.float64).reshape(-1, 5)})

    def load(self, path: Path) -> None:
        about, arrays = read_arrays(path, KIND)
        with well_formed(path):
            settings, names = typed(DensitySettings, about["settings"], "a file of densities"), list(about["names"])
            points = shaped(arrays["points"], None, 5)
            usable = 0 < settings.least_width <= 1 and 0 <= settings.doubt < np.inf
            if len(settings.metrics) != N_STREETS or not usable:
                raise ValueError(f"there are no densities with {settings}")
            if not np.isfinite(points).all() or not (points[:, :3] >= 0).all():
                raise ValueError("an observation is five numbers, and the first three are 0 or more")
            if len(points) and points[:, 2].max() >= settings.n_outcomes:
                raise ValueError(f"there are {settings.n_outcomes} outcomes")
            self.settings, self._points = settings, {str(name): [] for name in names}
            for who, place, outcome, strength, odds in points.tolist():
                self._points[str(names[int(who)])].append(Point(int(place), int(outcome), strength, odds))


def _by_outcome(settings: DensitySettings, points: list[Point]) -> dict[int, list[Floats]]:
    """Group points to `points[outcome][n, dimension]` by context."""
    by_context: dict[int, list[list[tuple[float, ...]]]] = {}
    for point in points:
        rows = by_context.setdefault(point.context, [[] for _ in range(settings.n_outcomes)])
        rows[point.outcome].append((point.strength, point.odds) if settings.odds else (point.strength,))
    dimensions = 2 if settings.odds else 1
    return {at: [np.array(row, float).reshape(-1, dimensions) for row in rows] for at, rows in by_context.items()}


@dataclass(frozen=True, eq=False)
class DensityPolicy(HoldemPolicy):
    """One player's densities as a policy of limit hold'em, made from the observations `points[context][outcome][n,
    dimension]`."""

    settings: DensitySettings
    points: Mapping[int, list[Floats]]
    _cache: dict[tuple[int, float], Floats] = field(default_factory=dict, init=False)

    def supports(self, rules: Rules) -> bool:
        """Whether this is limit hold'em, where amounts can be counted in bets."""
        return rules.is_holdem and rules.limits == "limit"

    def chances(self, place: int, strength: Floats, odds: float, *, doubt: float | None = None) -> Floats:
        """`p[hand, outcome]` in a context, for hands of `strength[hand]`."""
        settings = self.settings
        columns = [strength, np.full(len(strength), odds)] if settings.odds else [strength]
        points = self.points.get(place) or [np.zeros((0, len(columns)))] * settings.n_outcomes
        doubt = settings.doubt if doubt is None else doubt
        places = np.stack(columns, axis=1)
        return outcome_chances(points, places, weighted=settings.weighted, least=settings.least_width, doubt=doubt)

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """The legal actions and `p[combo, action]`, by the strength of each combo."""
        amounts = self.settings.outcomes == "amounts"
        place = public.street if amounts else decision_context(public)
        odds = round(implied_odds(public, FUTURE_BETS), 2) if self.settings.odds else 0.0
        if (key := (place, odds)) not in self._cache:
            self._cache[key] = self.chances(place, GRID, odds)
        strength = strengths(public.board, self.settings.metrics[public.street])
        p = np.stack([np.interp(strength, GRID, column) for column in self._cache[key].T], axis=1)
        return _legal(public, _kinds(public, seat, p) if amounts else p)


def _kinds(public: PublicView, seat: int, amounts: Floats) -> Floats:
    """Convert probabilities of amounts to `p[hand, (fold, call, raise)]`, given the bets already made."""
    betting, bet = public.betting, _bet(public)
    own, most = (min(int(chips) // bet, N_AMOUNTS - 1) for chips in (betting.bets[seat], betting.max_bet))
    left = amounts.copy()
    left[:, :own] = 0.0
    kinds = np.stack([left[:, :most].sum(axis=1), left[:, most], left[:, most + 1 :].sum(axis=1)], axis=1)
    return np.asarray(kinds / kinds.sum(axis=1, keepdims=True))


def _legal(public: PublicView, kinds: Floats) -> tuple[tuple[Action, ...], Floats]:
    """The legal actions and their probabilities: an illegal fold becomes a check, an illegal raise a call."""
    legal, p = public.legal(), kinds.copy()
    actions: list[Action] = [CALL]
    if legal.fold:
        actions.insert(0, FOLD)
    else:
        p[:, Kind.CALL] += p[:, Kind.FOLD]
    if legal.raise_min is not None:
        actions.append(RaiseTo(legal.raise_min))
    else:
        p[:, Kind.CALL] += p[:, Kind.RAISE]
    return tuple(actions), p[:, [int(action.kind) for action in actions]]


def expected_bets(hands: Iterable[HandHistory], names: Iterable[str]) -> tuple[tuple[int, ...], ...]:
    """`bucket[street][small bets spent earlier]`: bucket of the bets to expect from the named players, learned from
    hands with known cards.

    A learner does not see an opponent's hand, but it sees the opponent's spending on earlier streets. So the bets
    expected by the densities are averaged over all hands that reached a street with the same spending, and divided into
    buckets of half a bet (section 7 suggests this use). Spending that was never observed gets the bucket of the nearest
    observed one.
    """
    wanted = set(names)
    rows = np.array([row for hand in hands for row in _spending_rows(hand, wanted)]).reshape(-1, 4)
    return tuple(_street_buckets(rows[rows[:, 0] == street]) for street in range(N_STREETS))


def _spending_rows(hand: HandHistory, names: set[str]) -> Iterable[tuple[float, ...]]:
    """Yield a row for each street on which one of the players acted.

    It has the street, the bets put in on it, the hand's strength, and the small bets spent on earlier streets.
    """
    board = tuple(card for card in hand.final.board if card is not None)
    for play in street_plays(hand):
        if hand.names[play.seat].partition("#")[0] in names:
            combo = combo_index(*hand.final.hole(play.seat))  # type: ignore[arg-type]
            there = hand.rules.board_on(board, play.street)
            strength = strengths(there, WEIGHTED.metrics[play.street])[combo]
            earlier = min(play.earlier // int(hand.rules.streets[0].raise_size), N_EARLIER - 1)
            yield play.street, play.amount, float(strength), earlier


def _street_buckets(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> tuple[int, ...]:
    if not len(rows):
        raise PokerlabError("these players did not act on every street; let them play more hands")
    amounts, strength, earlier = rows[:, 1], rows[:, 2:3], rows[:, 3]
    points = [strength[amounts == amount] for amount in range(N_AMOUNTS)]
    chances = outcome_chances(points, strength, weighted=WEIGHTED.weighted, least=WEIGHTED.least_width)
    expected = chances @ np.arange(N_AMOUNTS)
    seen = np.unique(earlier)
    buckets = {spent: min(int(BUCKETS_A_BET * expected[earlier == spent].mean()), MOST_BUCKET) for spent in seen}
    nearest = [seen[np.abs(seen - spent).argmin()] for spent in range(N_EARLIER)]
    return tuple(buckets[spent] for spent in nearest)
