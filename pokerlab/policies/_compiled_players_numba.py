# mypy: ignore-errors
"""Compiled decisions of the players of `compiled_players`: the twins of agents with a method `compiled()`."""

from __future__ import annotations

import math

from pokerlab.arrays import Floats, Int64s
from pokerlab.games import _betting_numba as betting
from pokerlab.games._betting_numba import kernel
from pokerlab.policies.compiled_players import CALLER, FOLDER, MOST_RAISES, N_EARLIER, N_FEATURES, RAISER, RULES


@kernel
def decide(kind: int, numbers: Floats, begin: int, r: Int64s, b: Int64s, mean_hs: float, ppot: float):
    """The actor's choice of FOLD, CALL or RAISE; its numbers are in `numbers` from `begin` on."""
    may_fold, owed, raise_to, _ = betting.legal(r, b)
    may_raise = raise_to > 0
    if kind == CALLER:
        return betting.CALL
    if kind == RAISER:
        return betting.RAISE if may_raise else betting.CALL
    if kind == FOLDER:
        return betting.FOLD if may_fold else betting.CALL
    if kind == RULES:
        return _by_rules(numbers, begin, r, b, may_fold, owed, may_raise, mean_hs)
    row = begin + N_FEATURES + 3 * state_of(numbers, begin, r, b, owed, mean_hs, ppot)
    return best_action(numbers, row, may_fold, may_raise)


@kernel
def _by_rules(numbers, begin, r, b, may_fold, owed, may_raise, mean_hs):
    """`agents.rulebot.RuleBot._action`."""
    left = players_left(r, b)
    chance = math.pow(mean_hs, float(left - 1))
    if may_raise and chance * left >= numbers[begin]:
        return betting.RAISE
    if not may_fold:
        return betting.CALL
    pot, later = 0, 0
    for seat in range(r[betting.N_SEATS]):
        pot += b[betting.SPENT + seat]
    for street in range(b[betting.STREET] + 1, r[betting.LAST_STREET] + 1):
        later += r[betting.RAISE_SIZE + street]
    to_call = float(owed)
    odds = to_call / (float(pot) + numbers[begin + 2] * float(later) + to_call) if owed > 0 else 0.0
    return betting.CALL if chance >= numbers[begin + 1] * odds else betting.FOLD


@kernel
def players_left(r: Int64s, b: Int64s):
    """Number of players who have not folded."""
    left = 0
    for seat in range(r[betting.N_SEATS]):
        left += not b[betting.FOLDED] >> seat & 1
    return left


@kernel
def state_of(numbers: Floats, begin: int, r: Int64s, b: Int64s, owed: int, mean_hs: float, ppot: float):
    """Index of the actor's state, by the features in `numbers[begin : begin + N_FEATURES]`."""
    n_hs, n_ppot, n_call = int(numbers[begin]), int(numbers[begin + 1]), int(numbers[begin + 2])
    size = r[betting.RAISE_SIZE + b[betting.STREET]]
    bets = min((owed + size - 1) // size, n_call - 1)
    state = min(int(mean_hs * n_hs), n_hs - 1) * n_ppot + min(int(ppot * n_ppot), n_ppot - 1)
    state = state * n_call + bets
    if numbers[begin + 3] > 0:
        state = state * (r[betting.LAST_STREET] + 1) + b[betting.STREET]
    if numbers[begin + 4] > 0:
        state = state * (r[betting.N_SEATS] - 1) + players_left(r, b) - 2
    n_pots = int(numbers[begin + 5])
    if n_pots > 1:
        state = state * n_pots + pot_bucket(n_pots, r, b, size)
    n_expected = int(numbers[begin + 6])
    if n_expected > 1:
        state = state * n_expected + expected_bucket(numbers, begin + 8, r, b)
    if numbers[begin + 7] > 0:
        state = betting_history(state, r, b)
    return state


@kernel
def betting_history(state: int, r: Int64s, b: Int64s):
    """`state` extended by the actor's position, the others who are still in, and the raises of the street."""
    n_seats, actor = r[betting.N_SEATS], b[betting.ACTOR]
    state = state * n_seats + actor
    for after in range(1, n_seats):
        state = 2 * state + (not b[betting.FOLDED] >> ((actor + after) % n_seats) & 1)
    return state * (MOST_RAISES + 1) + min(b[betting.N_RAISES], MOST_RAISES)


@kernel
def expected_bucket(numbers: Floats, begin: int, r: Int64s, b: Int64s):
    """The largest bucket among the remaining opponents, each by its chips spent on earlier streets."""
    most, row = 0, begin + b[betting.STREET] * N_EARLIER
    for seat in range(r[betting.N_SEATS]):
        if seat != b[betting.ACTOR] and not b[betting.FOLDED] >> seat & 1:
            earlier = (b[betting.SPENT + seat] - b[betting.BETS + seat]) // r[betting.RAISE_SIZE]
            most = max(most, int(numbers[row + min(earlier, N_EARLIER - 1)]))
    return most


@kernel
def pot_bucket(n_pots: int, r: Int64s, b: Int64s, size: int):
    """The bucket of the pot; buckets begin at 0, 2, 4, 8 .. bets of `size`."""
    pot = 0
    for seat in range(r[betting.N_SEATS]):
        pot += b[betting.SPENT + seat]
    bucket, edge = 0, 2 * size
    while bucket < n_pots - 1 and pot >= edge:
        bucket, edge = bucket + 1, 2 * edge
    return bucket


@kernel
def best_action(values: Floats, row: int, may_fold: bool, may_raise: bool):
    """The legal action of the highest value in `values[row : row + 3]`; of equal ones call, then raise, then fold."""
    best = betting.CALL
    if may_raise and values[row + betting.RAISE] > values[row + best]:
        best = betting.RAISE
    if may_fold and values[row + betting.FOLD] > values[row + best]:
        best = betting.FOLD
    return best
