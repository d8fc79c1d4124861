# mypy: ignore-errors
"""The betting automaton compiled: the twin of `betting.Betting`, on one int64 array a hand.

`b[BETS + seat]` are this street's totals, `b[SPENT + seat]` the hand's; the other places are named below. Chips are
whole. Games in which cards decide who opens are not supported. `tests/games/test_betting_numba.py` walks both in step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

STREET, ACTOR, MAX_BET, FOLDED, ALL_IN, WAITING, ACTED, N_RAISES, FULL_RAISE, MIN_TO = range(10)
BETS = 10
SPENT = 20  # BETS + the most seats a game has
LENGTH = 30

NOBODY = -1
FOLD, CALL, RAISE = 0, 1, 2
LIMIT, NO_LIMIT, POT_LIMIT = 0, 1, 2
UNLIMITED = 1 << 50  # a stack or a cap that is never reached


class RulesArrays(NamedTuple):
    """`Rules` as scalars and arrays that kernels can read."""

    n_seats: int
    limits: int
    smallest_bet: int
    short_all_in_reopens: bool
    uncallable_raises: bool
    uncapped_heads_up: bool
    call_full_blind: bool
    responders: int  # bit mask
    raise_size: np.ndarray  # [street]
    full_bets: np.ndarray  # [street]
    max_raises: np.ndarray  # [street]
    first: np.ndarray  # [street]
    blinds: np.ndarray  # [seat]
    antes: np.ndarray  # [seat]
    stacks: np.ndarray  # [seat]


@njit(cache=True)
def _bits(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(cache=True)
def _able(rules, b):
    return ((1 << rules.n_seats) - 1) & ~(b[FOLDED] | b[ALL_IN])


@njit(cache=True)
def _next(n_seats, seat, seats):
    seat %= n_seats
    while not seats >> seat & 1:
        seat = seat + 1 if seat + 1 < n_seats else 0
    return seat


@njit(cache=True)
def _open_street(rules, b):
    n = rules.n_seats
    able = _able(rules, b)
    if able & (able - 1) == 0:
        owing = False
        for seat in range(n):
            if able >> seat & 1:
                for other in range(n):
                    owing |= b[BETS + other] > b[BETS + seat]
        if not owing:
            b[STREET] = len(rules.first) - 1
            b[ACTOR] = NOBODY
            return
    if rules.responders:
        for seat in range(n):
            if rules.responders >> seat & 1 and b[BETS + seat] >= b[MAX_BET]:
                able &= ~(1 << seat)
    b[WAITING] = able
    b[ACTOR] = _next(n, rules.first[b[STREET]], able) if able else NOBODY


@njit(cache=True)
def _next_street(rules, b):
    while b[STREET] < len(rules.first) - 1:
        b[STREET] += 1
        for seat in range(rules.n_seats):
            b[BETS + seat] = 0
        b[MAX_BET] = b[ACTED] = b[N_RAISES] = 0
        b[FULL_RAISE] = rules.full_bets[b[STREET]]
        b[MIN_TO] = rules.smallest_bet
        _open_street(rules, b)
        if b[ACTOR] != NOBODY:
            return
    b[ACTOR] = NOBODY


@njit(cache=True)
def start(rules, b):
    """Fill `b` with the state after antes and blinds."""
    b[:] = 0
    largest_blind, largest_bet = 0, 0
    for seat in range(rules.n_seats):
        stack = rules.stacks[seat]
        ante = min(rules.antes[seat], stack)
        bet = min(rules.blinds[seat], stack - ante)
        b[BETS + seat] = bet
        b[SPENT + seat] = ante + bet
        if ante + bet >= stack:
            b[ALL_IN] |= 1 << seat
        largest_blind = max(largest_blind, rules.blinds[seat])
        largest_bet = max(largest_bet, bet)
    b[MAX_BET] = largest_blind if rules.call_full_blind else largest_bet
    b[FULL_RAISE] = rules.full_bets[0]
    b[MIN_TO] = b[MAX_BET] + (largest_blind if largest_blind else rules.smallest_bet)
    _open_street(rules, b)
    if b[ACTOR] == NOBODY:
        _next_street(rules, b)


@njit(cache=True)
def _callable(rules, b, seat):
    for other in range(rules.n_seats):
        most = rules.stacks[other] - b[SPENT + other] + b[BETS + other]
        if other != seat and not b[FOLDED] >> other & 1 and most > b[MAX_BET]:
            return True
    return False


@njit(cache=True)
def _raising_closed(rules, b, seat, owed):
    if _able(rules, b) == 1 << seat:
        return True
    if not (rules.uncallable_raises or _callable(rules, b, seat)):
        return True
    cap = rules.max_raises[b[STREET]]
    if b[N_RAISES] >= cap:
        heads_up = rules.n_seats - _bits(b[FOLDED]) == 2
        if not (rules.uncapped_heads_up and heads_up and cap):
            return True
    if b[ACTED] >> seat & 1 and not rules.short_all_in_reopens and owed < b[FULL_RAISE]:
        return True
    return bool(rules.responders >> seat & 1)


@njit(cache=True)
def legal(rules, b):
    """(may fold, chips a call adds, smallest raise-to, largest raise-to); the last two are 0 if raising is illegal."""
    seat = b[ACTOR]
    owed = b[MAX_BET] - b[BETS + seat]
    left = rules.stacks[seat] - b[SPENT + seat]
    if owed >= left:
        return True, left, 0, 0
    if _raising_closed(rules, b, seat, owed):
        return owed > 0, owed, 0, 0
    all_in_to = b[BETS + seat] + left
    if rules.limits == LIMIT:
        low = b[MAX_BET] + rules.raise_size[b[STREET]]
        high = low
    else:
        low = b[MIN_TO]
        high = all_in_to
        if rules.limits == POT_LIMIT:
            high = b[MAX_BET] + owed
            for other in range(rules.n_seats):
                high += b[SPENT + other]
    return owed > 0, owed, min(low, all_in_to), min(max(high, low), all_in_to)


@njit(cache=True)
def _pay(rules, b, seat, chips):
    b[BETS + seat] += chips
    b[SPENT + seat] += chips
    if b[SPENT + seat] >= rules.stacks[seat]:
        b[ALL_IN] |= 1 << seat


@njit(cache=True)
def _raised_to(rules, b, seat, to):
    by = to - b[MAX_BET]
    b[FULL_RAISE] = max(b[FULL_RAISE], by)
    if rules.short_all_in_reopens:
        b[MIN_TO] = max(b[MIN_TO], to + by)
    else:
        b[MIN_TO] = to + max(b[FULL_RAISE], rules.smallest_bet)
    b[MAX_BET] = to
    b[N_RAISES] += 1
    b[WAITING] = _able(rules, b) & ~(1 << seat)


@njit(cache=True)
def apply(rules, b, kind, to):
    """Change `b` to the state after the actor's legal action."""
    seat = b[ACTOR]
    b[ACTED] |= 1 << seat
    b[WAITING] &= ~(1 << seat)
    if kind == FOLD:
        b[FOLDED] |= 1 << seat
    elif kind == CALL:
        _pay(rules, b, seat, min(b[MAX_BET] - b[BETS + seat], rules.stacks[seat] - b[SPENT + seat]))
    else:
        _pay(rules, b, seat, to - b[BETS + seat])
        _raised_to(rules, b, seat, to)
    if rules.n_seats - _bits(b[FOLDED]) == 1:
        b[ACTOR] = NOBODY
    elif b[WAITING]:
        if rules.call_full_blind and _bits(_able(rules, b)) == 1:
            b[MAX_BET] = b[BETS : BETS + rules.n_seats].max()
        b[ACTOR] = _next(rules.n_seats, seat + 1, b[WAITING])
    else:
        _next_street(rules, b)


@njit(cache=True)
def payoffs(rules, b, strength, net):
    """Fill `net[seat]` with net chips; `strength[seat]` decides pots with more than one seat. Ties split exactly."""
    n = rules.n_seats
    for seat in range(n):
        net[seat] = -b[SPENT + seat]
    below = 0
    while True:
        level = UNLIMITED
        for seat in range(n):
            spent = b[SPENT + seat]
            if not b[FOLDED] >> seat & 1 and below < spent < level:
                level = spent
        if level == UNLIMITED:
            return
        top = True  # chips folded above the last level belong to the last pot
        for seat in range(n):
            top &= b[FOLDED] >> seat & 1 or b[SPENT + seat] <= level
        amount, best, winners = 0, -1, 0
        for seat in range(n):
            spent = b[SPENT + seat]
            amount += max(spent - below, 0) if top else max(min(spent, level) - below, 0)
            if not b[FOLDED] >> seat & 1 and spent >= level:
                if strength[seat] > best:
                    best, winners = strength[seat], 0
                winners += strength[seat] == best
        for seat in range(n):
            if not b[FOLDED] >> seat & 1 and b[SPENT + seat] >= level and strength[seat] == best:
                net[seat] += amount / winners
        below = level
