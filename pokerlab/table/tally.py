"""Counts of each seat's actions and opportunities in a hand, from which all behaviour statistics are computed.

Terms: a **check** is a call when there is nothing to call, a **bet** is a raise when there is nothing to call. On the
first street the blinds are the first bet if some player has to add chips to call them, so the first player to raise
there raises; if only antes were posted, or blinds that all have paid, the first player to raise bets. Forced actions
are not opportunities: posts, walks, and every street after a seat is all-in.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> actions = (RaiseTo(300), CALL, FOLD, CALL, RaiseTo(200), FOLD)
>>> hand = HandHistory(game("nolimit3p"), cards("AsAh2c2dKsKd5h6h7hTcJc"), actions, ("sb", "bb", "btn"))
>>> counts = tally(hand, Betting.start(hand.rules))
>>> [[counts[seat * N_COUNTS + AT[name]] for seat in range(3)] for name in ("vpip", "c_bets_1", "folds_to_c_bet_1")]
[[1, 0, 1], [0, 0, 1], [1, 0, 0]]
"""

from __future__ import annotations

from array import array

from pokerlab.errors import RulesError
from pokerlab.games.actions import Chips, Kind
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory

MAX_STREETS = 5

PER_HAND = (
    "asked",  # was to act before the flop: no walk, not all-in by its posts
    "vpip",  # called, bet or raised before the flop
    "pfr",  # bet or raised before the flop
    "volunteered",  # called, bet or raised on any street
    "folded",
    "three_bets",
    "three_bet_chances",
    "folds_to_three_bet",
    "three_bets_faced",
    "saw_flop",  # was in the hand with chips behind when the second street was bet
)
PER_STREET = (
    "checks", "bets", "calls", "raises", "folds", "c_bets", "c_bet_chances", "folds_to_c_bet", "c_bets_faced",
    "check_raises", "check_raise_chances",
)  # fmt: skip
COUNTS = PER_HAND + tuple(f"{name}_{street}" for street in range(MAX_STREETS) for name in PER_STREET)
N_COUNTS = len(COUNTS)
AT = {name: place for place, name in enumerate(COUNTS)}

_FOLD, _CALL = Kind.FOLD, Kind.CALL
_ASKED, _VPIP, _PFR, _VOLUNTEERED, _FOLDED, _THREE_BETS, _THREE_BET_CHANCES = range(7)
_FOLDS_TO_THREE_BET, _THREE_BETS_FACED, _SAW_FLOP = range(7, 10)
_CHECKS, _BETS, _CALLS, _RAISES, _FOLDS, _C_BETS, _C_BET_CHANCES = range(7)
_FOLDS_TO_C_BET, _C_BETS_FACED, _CHECK_RAISES, _CHECK_RAISE_CHANCES = range(7, 11)
_NOBODY = -1


def tally(hand: HandHistory, start: Betting) -> array[int]:
    """`counts[seat * N_COUNTS + AT[name]]` of a hand; `start` is the betting after the posts."""
    rules = hand.rules
    if len(rules.streets) > MAX_STREETS:
        raise RulesError(f"{rules.name}: {len(rules.streets)} streets; statistics know up to {MAX_STREETS}")
    counts = array("H", bytes(2 * N_COUNTS * rules.n_seats))
    street = _Street(counts, 0, start.bets, start.max_bet)
    spent = list(start.spent)
    for at, seat, (kind, to) in hand.steps:
        if at != street.number:
            if street.number == 0:
                _see_flop(hand, counts, spent)
            street = _Street(counts, at, (0,) * rules.n_seats, 0, led_by=street.leader)
        owed = min(street.to_match - street.bets[seat], rules.stacks[seat] - spent[seat])
        if at == 0:
            _before_flop(street, seat, kind, owed)
        if kind is _FOLD:
            street.folded(seat)
        elif kind is _CALL:
            street.called(seat, owed)
            spent[seat] += owed
        else:
            spent[seat] += to - street.bets[seat]
            street.raised(seat, to)
    return counts


def _see_flop(hand: HandHistory, counts: array[int], spent: list[Chips]) -> None:
    for seat, stack in enumerate(hand.rules.stacks):
        if spent[seat] < stack and not counts[seat * N_COUNTS + _FOLDED]:
            counts[seat * N_COUNTS + _SAW_FLOP] = 1


def _before_flop(street: _Street, seat: int, kind: Kind, owed: Chips) -> None:
    """Update the counts that exist only before the flop; `street` is its state before the seat's action."""
    counts, base = street.counts, seat * N_COUNTS
    counts[base + _ASKED] = 1
    if kind is not _FOLD and (owed or kind is not _CALL):
        counts[base + _VPIP] = 1
        if kind is not _CALL:
            counts[base + _PFR] = 1
    if street.n_raises == 1:
        counts[base + _THREE_BET_CHANCES] += 1
        counts[base + _THREE_BETS] += kind is not _FOLD and kind is not _CALL
    elif street.n_raises == 2 and seat == street.opener:
        counts[base + _THREE_BETS_FACED] += 1
        counts[base + _FOLDS_TO_THREE_BET] += kind is _FOLD


class _Street:
    """State of one betting street, as far as the counts need it."""

    __slots__ = (
        "at", "bets", "c_bettor", "checked", "counts", "leader", "led_by", "n_bets", "number", "opener", "to_match",
    )  # fmt: skip

    def __init__(
        self, counts: array[int], number: int, bets: tuple[Chips, ...], to_match: Chips, *, led_by: int = _NOBODY
    ) -> None:
        self.counts, self.number, self.bets, self.to_match = counts, number, list(bets), to_match
        self.at = len(PER_HAND) + number * len(PER_STREET)
        self.n_bets = int(to_match > min(bets))  # the blinds count as a bet if a player has to call them
        self.led_by = led_by  # who bet or raised last on the street before
        self.leader = self.opener = self.c_bettor = (
            _NOBODY  # seats that bet or raised last, raised first, bet as `led_by`
        )
        self.checked = 0

    @property
    def n_raises(self) -> int:
        """Number of bets after the first."""
        return max(self.n_bets - 1, 0)

    def folded(self, seat: int) -> None:
        base = self._count_chances(seat, 0)
        self.counts[base + _FOLDS] += 1
        self.counts[seat * N_COUNTS + _FOLDED] = 1
        self.counts[base + _FOLDS_TO_C_BET] += self._faces_c_bet(seat)

    def called(self, seat: int, owed: Chips) -> None:
        """Count a call of `owed` chips by `seat`, or a check."""
        base = self._count_chances(seat, 0)
        if not owed:
            self.counts[base + _CHECKS] += 1
            self.checked |= 1 << seat
            return
        self.counts[base + _CALLS] += 1
        self.counts[seat * N_COUNTS + _VOLUNTEERED] = 1
        self.bets[seat] += owed

    def raised(self, seat: int, to: Chips) -> None:
        """Count a bet or raise to `to` by `seat`."""
        base = self._count_chances(seat, 1)
        opening = self.n_bets == 0
        self.counts[base + (_BETS if opening else _RAISES)] += 1
        self.counts[seat * N_COUNTS + _VOLUNTEERED] = 1
        if opening and seat == self.led_by:
            self.counts[base + _C_BETS] += 1
            self.c_bettor = seat
        self.n_bets += 1
        if self.n_bets == 2:
            self.opener = seat
        self.leader, self.bets[seat], self.to_match = seat, to, to

    def _count_chances(self, seat: int, raises: int) -> int:
        """Count the opportunities of `seat`. Return the index of its counts on this street."""
        base = seat * N_COUNTS + self.at
        if self.n_bets == 0:
            self.counts[base + _C_BET_CHANCES] += seat == self.led_by
            return base
        self.counts[base + _C_BETS_FACED] += self._faces_c_bet(seat)
        if self.checked >> seat & 1:
            self.checked &= ~(1 << seat)
            self.counts[base + _CHECK_RAISE_CHANCES] += 1
            self.counts[base + _CHECK_RAISES] += raises
        return base

    def _faces_c_bet(self, seat: int) -> bool:
        return self.n_bets == 1 and self.c_bettor not in (_NOBODY, seat)
