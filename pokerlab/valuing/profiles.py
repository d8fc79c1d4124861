"""A player's profile: what it does with which cards. Each number comes with n and a 95% interval.

It contains the statistics of `table.statistics`, which need no cards, and these:

- *blunders* (`valuing.blunders`), each as a share of the opportunities to commit it;
- *pot odds*: calls against one opponent with equity (against a random hand) below the price (`cards.strength`). Since
  the opponent has bet, its hand is usually better than random; such a call is wrong unless later streets or a bluff
  make up for it;
- *bets and strength*: the mean strength of the hands with which a player bets (by size), checks, calls and folds after
  the flop; strength is the equity against a random hand;
- *bluffs*: bets and raises on the last street with a hand that beats fewer than half of all possible hands;
- *last street, facing a bet of one opponent*: how often the player calls, and how much more a call wins than a fold
  against the cards that the opponent really held. The mean is positive for good calls and negative for good folds. It
  is unbiased, whatever the opponent does, if hands are recorded with all cards;
- *answers* of players that explain themselves in text (`games.history.SAID`): how many were repaired, illegal or
  malformed, and decisions without a legal answer (`valuing.stated`);
- *words and deeds*: if answers state `equity` or `pot_odds`, how these differ from the truth and from what the player
  did.

Intervals treat hands as the independent units, since the decisions within a hand are correlated. Shares have Wilson's
interval with Kish's design effect; means are ratio estimates with Student's interval (`estimates`). Hands of one match
count as independent. Cards that are known only because they were shown are a biased selection; a profile therefore
needs the player's cards in nearly all hands (`MOST_UNKNOWN`).

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> deck = cards("AsAh 7c2d AcAd9h 5s 4s")
>>> actions = (CALL, CALL, CALL, CALL, CALL, CALL, RaiseTo(20), FOLD)
>>> hand = HandHistory(game("limit2p"), deck, actions, ("ann", "bob"))
>>> bob = profiles([hand] * 20, ["bob"])["bob"]
>>> bob.numbers["river_fold"].mean, bob.numbers["river_fold_value"].mean, bob.counts["river_fold"]
(1.0, -2000.0, (20.0, 20.0))
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import combo_index
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.strength import pot_odds
from pokerlab.cards.strength_tables import mean_hs_by_arrays, strength_of
from pokerlab.estimates import Estimate, bare, estimate, margin, share_of_sums
from pokerlab.games.actions import FOLD, Action, Kind
from pokerlab.games.history import HandHistory, said_at
from pokerlab.games.views import View
from pokerlab.valuing.blunders import blunder, hands_beaten
from pokerlab.valuing.profile_rows import ROWS, Row
from pokerlab.valuing.stated import Truth, answer_counts, folded_for_nothing, stated_counts

MOST_UNKNOWN = 0.05
"""Numbers that need cards are withheld if a player's cards are unknown in more than this share of its hands."""
LARGE = 2 / 3
"""Bets above this share of the pot are large."""
WEAK = 0.5
"""A bet on the last street with a hand that beats less than this share of all possible hands is a bluff."""


@dataclass(frozen=True)
class Profile:
    """A player's numbers by the key of their row, and the counts behind them: (done, opportunities)."""

    name: str
    hands: int
    cards_known: int  # hands in which the player acted and its cards are known
    numbers: dict[str, Estimate] = field(default_factory=dict)
    counts: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def withheld(self) -> bool:
        """Whether numbers are withheld because too few of the player's cards are known."""
        return not self.numbers


def profiles(hands: Iterable[HandHistory], names: Sequence[str]) -> dict[str, Profile]:
    """Compute the profiles of the players `names` over `hands`; decisions are counted only in hold'em."""
    counted = {name: _Counted() for name in names}
    for hand in hands:
        wanted = {seat: counted[name] for seat, name in enumerate(hand.names) if name in counted}
        for tally in wanted.values():
            tally.begin()
        if hand.rules.holdem_hands:
            for seat, view, action, others in _decisions(hand, wanted):
                _count(wanted[seat], view, action, others)
        for tally in wanted.values():
            tally.end()
    return {name: tally.profile(name) for name, tally in counted.items()}


class _Others(NamedTuple):
    """What is known about a decision afterwards: the only opponent's hole cards, whether all others then folded, the
    final board, and what the player said."""

    hole: tuple[int, ...] | None
    alone: bool  # whether one opponent was left
    all_fold: bool
    board: tuple[int | None, ...]
    said: Mapping[str, Any] | None


def _decisions(hand: HandHistory, wanted: dict[int, _Counted]) -> Iterator[tuple[int, View, Action, _Others]]:
    """Yield every decision of the wanted seats whose cards are known."""
    said = said_at(hand)
    board = tuple(hand.deck[place] for place in hand.rules.dealt_by[-1][2])
    for number, (state, action) in enumerate(zip(hand.states(), hand.actions, strict=False)):
        seat = state.betting.actor
        if seat not in wanted:
            continue
        hole = state.hole(seat)
        wanted[seat].acted(known=None not in hole)
        if None in hole or None in state.board:
            continue
        others = [other for other in range(hand.rules.n_seats) if other != seat and state.betting.in_hand(other)]
        cards = state.hole(others[0]) if len(others) == 1 else (None,)
        rest = hand.actions[number + 1 :]
        folded = len(rest) == len(others) and all(each.kind == Kind.FOLD for each in rest)
        theirs = None if None in cards else tuple(card for card in cards if card is not None)
        unseen = _Others(theirs, len(others) == 1, folded, board, said.get(number))
        yield seat, state.view(seat, hand.number, hand.names), action, unseen


# --- what is counted -------------------------------------------------------------------------------------------------


def _count(tally: _Counted, view: View, action: Action, others: _Others) -> None:
    """Count one decision."""
    kind, to_call = action.kind, view.to_call
    last, equity = len(view.board) == 5, strength(view.hole, view.board)
    free_fold = others.said is not None and folded_for_nothing(others.said)
    _count_blunders(tally, view, FOLD if free_fold else action, last=last)
    if to_call and kind == Kind.CALL and others.alone:
        street = {0: 0, 3: 1, 4: 2, 5: 3}[len(view.board)]
        tally.add(f"price_{street}", equity < pot_odds(float(to_call), _pot(view)))
    if view.board:
        _count_strength(tally, view, action, equity)
    if last:
        _count_last_street(tally, view, action, others, equity)
    if others.said is not None:
        _count_answer(tally, view, action, others, equity)


def _count_blunders(tally: _Counted, view: View, action: Action, *, last: bool) -> None:
    wrong, folds = blunder(view, action), action.kind == Kind.FOLD
    tally.blundered |= wrong is not None
    if not view.to_call:
        tally.add("free_fold", folds)
        return
    if not view.board:
        if view.rules.limits == "limit" and all(card // 4 == 12 for card in view.hole):
            tally.add("aces_fold", folds)
        return
    beats, beaten_by = hands_beaten(view.hole, view.board)
    if not beaten_by:
        tally.add("nuts_fold", folds)
    if last and not beats and beaten_by:
        tally.add("nothing_call", action.kind == Kind.CALL)


def _count_strength(tally: _Counted, view: View, action: Action, equity: float) -> None:
    if action.kind == Kind.RAISE:
        by = float(action.to - view.betting.max_bet) / float(view.pot + view.to_call)
        tally.add("bet_large" if by > LARGE else "bet_small", equity)
    elif action.kind == Kind.FOLD:
        tally.add("fold", equity)
    else:
        tally.add("call" if view.to_call else "check", equity)


def _count_last_street(tally: _Counted, view: View, action: Action, others: _Others, equity: float) -> None:
    weak, raises = equity < WEAK, action.kind == Kind.RAISE
    if raises:
        tally.add("bluff", weak)
        if weak:
            tally.add("bluff_works", others.all_fold)
    if weak and not view.to_call:
        tally.add("weak_bet", raises)
    if not view.to_call or not others.alone:
        return
    tally.add("river_call", action.kind == Kind.CALL)
    tally.add("river_fold", action.kind == Kind.FOLD)
    if raises or others.hole is None:
        return
    won = showdown(view.hole, others.hole, view.board)
    worth = won * (_pot(view) + float(view.to_call)) - float(view.to_call)
    mbb = 1000 * worth / float(view.rules.big_blind)
    if action.kind == Kind.CALL:
        tally.add("river_won", won)
    tally.add("river_call_value" if action.kind == Kind.CALL else "river_fold_value", mbb)


def _count_answer(tally: _Counted, view: View, action: Action, others: _Others, equity: float) -> None:
    assert others.said is not None
    for key, done, chances in answer_counts(others.said):
        tally.add(key, done, chances)
    price = pot_odds(float(view.to_call), _pot(view)) if view.to_call else None
    board, won = tuple(card for card in others.board if card is not None), None
    if others.hole is not None and len(board) == 5:
        won = showdown(view.hole, others.hole, board)
    truth = Truth(equity if others.alone else None, won, price)
    for key, done in stated_counts(others.said, action, truth):
        tally.add(key, done)


def _pot(view: View) -> float:
    """Chips that the actor can win: from each player, at most as much as the actor has put in after a call."""
    most = view.betting.spent[view.seat] + view.to_call
    return float(sum(min(spent, most) for spent in view.betting.spent))


def strength(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """Hand strength: equity against a random hand, E[HS].

    >>> from pokerlab.cards.card import cards
    >>> round(strength(cards("AdQc"), cards("3h4cJhQs2d")), 3)
    0.868
    """
    found = mean_hs_by_arrays(hole, board)
    return float(_strengths(board)[combo_index(*hole)]) if found is None else found


@lru_cache(maxsize=64)
def _strengths(board: tuple[int, ...]) -> Floats:
    return np.asarray(strength_of(board).mean_hs)


def showdown(mine: tuple[int, ...], theirs: tuple[int, ...], board: tuple[int, ...]) -> float:
    """Score of `mine` against `theirs` on a full board: 1 for a win, 0.5 for a tie, 0 for a loss."""
    ranks = _ranks(board)
    one, other = ranks[combo_index(*mine)], ranks[combo_index(*theirs)]
    return 1.0 if one > other else 0.5 if one == other else 0.0


@lru_cache(maxsize=64)
def _ranks(board: tuple[int, ...]) -> Floats:
    return np.asarray(rank_combos(board))


# --- from counts to numbers ------------------------------------------------------------------------------------------


class _Counted:
    """Counts of one player: for every row, (number of the hand, done, opportunities) of each hand with an
    opportunity."""

    def __init__(self) -> None:
        self.hands, self.known, self.unknown = 0, 0, 0
        self._by_hand: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
        self._now: dict[str, list[float]] = {}
        self._seen: bool | None = None
        self.blundered = False

    def begin(self) -> None:
        self.hands += 1
        self._now, self._seen, self.blundered = {}, None, False

    def acted(self, *, known: bool) -> None:
        self._seen = known

    def add(self, key: str, done: float, chances: float = 1) -> None:
        sums = self._now.setdefault(key, [0.0, 0.0])
        sums[0] += float(done)
        sums[1] += chances

    def end(self) -> None:
        self.known += self._seen is True
        self.unknown += self._seen is False
        self.add("blunders", self.blundered)
        for key, (done, chances) in self._now.items():
            self._by_hand[key].append((self.hands, done, chances))

    def profile(self, name: str) -> Profile:
        if self.unknown > MOST_UNKNOWN * (self.known + self.unknown) or not self.known:
            return Profile(name, self.hands, self.known)
        numbers, counts = {}, {}
        for key, row in ROWS.items():
            _, done, chances = self._sums(key)
            numbers[key], counts[key] = _number(row, done, chances), (float(done.sum()), float(chances.sum()))
        numbers["bet_gap"] = difference_of_means(self._sums("bet_large"), self._sums("bet_small"))
        return Profile(name, self.hands, self.known, numbers, counts)

    def _sums(self, key: str) -> tuple[Floats, Floats, Floats]:
        """Arrays (number of the hand, done, chances) over the hands with an opportunity."""
        hands, done, chances = np.array(self._by_hand.get(key, []), dtype=np.float64).reshape(-1, 3).T
        return hands, done, chances


def _number(row: Row, done: Floats, chances: Floats) -> Estimate:
    if not len(done):
        return bare(nan, n=0)
    if row.kind == "share":
        products = float(done @ done), float(done @ chances), float(chances @ chances)
        return share_of_sums(float(done.sum()), float(chances.sum()), products, n=len(done))
    return estimate(done, sizes=chances)


def difference_of_means(one: tuple[Floats, Floats, Floats], other: tuple[Floats, Floats, Floats]) -> Estimate:
    """The difference of two means; each is given by arrays (hand, total, count). Errors of the same hand in both are
    added before squaring."""
    n = len(one[0]), len(other[0])
    if not min(n):
        return bare(nan, n=sum(n))
    errors: dict[float, float] = defaultdict(float)
    means = []
    for sign, (hands, totals, sizes) in ((1, one), (-1, other)):
        means.append(float(totals.sum() / sizes.sum()))
        for hand, error in zip(hands, (totals - means[-1] * sizes) / sizes.sum(), strict=True):
            errors[hand] += sign * float(error)
    mean, units = means[0] - means[1], len(errors)
    if min(n) < 2:
        return bare(mean, n=units)
    half = margin(sqrt(sum(error**2 for error in errors.values()) * units / (units - 1)), min(n))
    return Estimate(mean, mean - half, mean + half, units)
