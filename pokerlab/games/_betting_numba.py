# mypy: ignore-errors
"""The compiled betting automaton: equivalent to `betting.Betting`, with one int64 array per hand.

`b[BETS + seat]` are a seat's chips on this street, `b[SPENT + seat]` those over the hand; the constants below name the
other indices. Chips are integers. Games in which cards decide who opens are not supported.
`tests/games/test_betting_numba.py` compares the two.
"""

from __future__ import annotations

from numba import njit

from pokerlab.arrays import Floats, Int64s

# Without Numba's reference counting, which takes most of a kernel's time and which its argument arrays do not need.
kernel = njit(cache=True, _nrt=False)

STREET, ACTOR, MAX_BET, FOLDED, ALL_IN, WAITING, ACTED, N_RAISES, FULL_RAISE, MIN_TO = range(10)
BETS = 10
SPENT = 20  # BETS plus the largest number of seats in a game
LENGTH = 30

NOBODY = -1
FOLD, CALL, RAISE = 0, 1, 2
LIMIT, NO_LIMIT, POT_LIMIT = 0, 1, 2
UNLIMITED = 1 << 50  # stands for a stack or a cap that is never reached


# Indices of `r[RULES_LENGTH]`, which holds `Rules` as one array: a tuple would cost a reference count at every call.
N_SEATS, LIMITS, SMALLEST_BET, REOPENS, UNCALLABLE, UNCAPPED, FULL_BLIND, RESPONDERS, LAST_STREET = range(9)
RAISE_SIZE = 10  # + street
FULL_BETS = 20
MAX_RAISES = 30
FIRST = 40
STACKS = 50  # + seat
RULES_LENGTH = 60


@kernel
def _bits(mask: int):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def _able(r: Int64s, b: Int64s):
    return ((1 << r[N_SEATS]) - 1) & ~(b[FOLDED] | b[ALL_IN])


@kernel
def _next(n_seats: int, seat: int, seats: int):
    if seat == n_seats:
        seat = 0
    while not seats >> seat & 1:
        seat += 1
        if seat == n_seats:
            seat = 0
    return seat


@kernel
def _open_street(r: Int64s, b: Int64s) -> None:
    n = r[N_SEATS]
    able = _able(r, b)
    if able & (able - 1) == 0:
        owing = False
        for seat in range(n):
            if able >> seat & 1:
                for other in range(n):
                    owing |= b[BETS + other] > b[BETS + seat]
        if not owing:
            b[STREET] = r[LAST_STREET]
            b[ACTOR] = NOBODY
            return
    if r[RESPONDERS]:
        for seat in range(n):
            if r[RESPONDERS] >> seat & 1 and b[BETS + seat] >= b[MAX_BET]:
                able &= ~(1 << seat)
    b[WAITING] = able
    b[ACTOR] = _next(n, r[FIRST + b[STREET]], able) if able else NOBODY


@kernel
def _next_street(r: Int64s, b: Int64s) -> None:
    while b[STREET] < r[LAST_STREET]:
        b[STREET] += 1
        for seat in range(r[N_SEATS]):
            b[BETS + seat] = 0
        b[MAX_BET] = b[ACTED] = b[N_RAISES] = 0
        b[FULL_RAISE] = r[FULL_BETS + b[STREET]]
        b[MIN_TO] = r[SMALLEST_BET]
        _open_street(r, b)
        if b[ACTOR] != NOBODY:
            return
    b[ACTOR] = NOBODY


@kernel
def _callable(r: Int64s, b: Int64s, seat: int):
    for other in range(r[N_SEATS]):
        most = r[STACKS + other] - b[SPENT + other] + b[BETS + other]
        if other != seat and not b[FOLDED] >> other & 1 and most > b[MAX_BET]:
            return True
    return False


@kernel
def _raising_closed(r: Int64s, b: Int64s, seat: int, owed: int):
    if _able(r, b) == 1 << seat:
        return True
    if not (r[UNCALLABLE] or _callable(r, b, seat)):
        return True
    cap = r[MAX_RAISES + b[STREET]]
    if b[N_RAISES] >= cap:
        heads_up = r[N_SEATS] - _bits(b[FOLDED]) == 2
        if not (r[UNCAPPED] and heads_up and cap):
            return True
    if b[ACTED] >> seat & 1 and not r[REOPENS] and owed < b[FULL_RAISE]:
        return True
    return bool(r[RESPONDERS] >> seat & 1)


@kernel
def legal(r: Int64s, b: Int64s):
    """Return (may fold, chips added by a call, smallest raise-to, largest raise-to); the last two are 0 if raising is
    illegal."""
    seat = b[ACTOR]
    owed = b[MAX_BET] - b[BETS + seat]
    left = r[STACKS + seat] - b[SPENT + seat]
    if owed >= left:
        return True, left, 0, 0
    if _raising_closed(r, b, seat, owed):
        return owed > 0, owed, 0, 0
    all_in_to = b[BETS + seat] + left
    if r[LIMITS] == LIMIT:
        low = b[MAX_BET] + r[RAISE_SIZE + b[STREET]]
        high = low
    else:
        low = b[MIN_TO]
        high = all_in_to
        if r[LIMITS] == POT_LIMIT:
            high = b[MAX_BET] + owed
            for other in range(r[N_SEATS]):
                high += b[SPENT + other]
    return owed > 0, owed, min(low, all_in_to), min(max(high, low), all_in_to)


@kernel
def _pay(r: Int64s, b: Int64s, seat: int, chips: int) -> None:
    b[BETS + seat] += chips
    b[SPENT + seat] += chips
    if b[SPENT + seat] >= r[STACKS + seat]:
        b[ALL_IN] |= 1 << seat


@kernel
def _raised_to(r: Int64s, b: Int64s, seat: int, to: int) -> None:
    by = to - b[MAX_BET]
    b[FULL_RAISE] = max(b[FULL_RAISE], by)
    if r[REOPENS]:
        b[MIN_TO] = max(b[MIN_TO], to + by)
    else:
        b[MIN_TO] = to + max(b[FULL_RAISE], r[SMALLEST_BET])
    b[MAX_BET] = to
    b[N_RAISES] += 1
    b[WAITING] = _able(r, b) & ~(1 << seat)


@kernel
def apply(r: Int64s, b: Int64s, kind: int, to: int) -> None:
    """Update `b` in place to the state after the actor's legal action."""
    seat = b[ACTOR]
    b[ACTED] |= 1 << seat
    b[WAITING] &= ~(1 << seat)
    if kind == FOLD:
        b[FOLDED] |= 1 << seat
    elif kind == CALL:
        _pay(r, b, seat, min(b[MAX_BET] - b[BETS + seat], r[STACKS + seat] - b[SPENT + seat]))
    else:
        _pay(r, b, seat, to - b[BETS + seat])
        _raised_to(r, b, seat, to)
    if r[N_SEATS] - _bits(b[FOLDED]) == 1:
        b[ACTOR] = NOBODY
    elif b[WAITING]:
        if r[FULL_BLIND] and _bits(_able(r, b)) == 1:
            b[MAX_BET] = 0
            for other in range(r[N_SEATS]):
                b[MAX_BET] = max(b[MAX_BET], b[BETS + other])
        b[ACTOR] = _next(r[N_SEATS], seat + 1, b[WAITING])
    else:
        _next_street(r, b)


@kernel
def payoffs(r: Int64s, b: Int64s, strength: Int64s, net: Floats) -> None:
    """Fill `net[seat]` with net chips; `strength[seat]` decides pots with more than one seat. Ties split exactly."""
    n = r[N_SEATS]
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
