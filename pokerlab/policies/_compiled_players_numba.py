# mypy: ignore-errors
"""Compiled decisions of the players of `compiled_players`: the twins of agents with a method `compiled()`."""

from __future__ import annotations

import math

import numpy as np

from pokerlab.arrays import Floats, Int64s
from pokerlab.games import _betting_numba as betting
from pokerlab.games._betting_numba import kernel
from pokerlab.policies.compiled_players import (
    CALLER,
    CHANCES,
    FOLDER,
    MOST_RAISES,
    N_EARLIER,
    N_FEATURES,
    RAISER,
    RULES,
)


@kernel
def decide(kind: int, numbers: Floats, begin: int, r: Int64s, b: Int64s, mean_hs: float, ppot: float, draw: float):
    """Choose FOLD, CALL or RAISE for the actor. The numbers that describe its player begin at `numbers[begin]`; `draw`
    is the player's random number for the hand."""
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
    state = state_of(numbers, begin, r, b, owed, mean_hs, ppot)
    row = begin + N_FEATURES + 3 * state
    if kind == CHANCES:
        return drawn_action(numbers, row, may_fold, may_raise, state_draw(draw, state))
    return best_action(numbers, row, may_fold, may_raise)


@kernel
def drawn_action(chances: Floats, row: int, may_fold: bool, may_raise: bool, draw: float):
    """Return the legal action at which the cumulative sum of `chances[row : row + 3]` exceeds the share `draw` of their
    total; a call if all are zero."""
    fold = chances[row + betting.FOLD] if may_fold else 0.0
    to_call = fold + chances[row + betting.CALL]
    total = to_call + (chances[row + betting.RAISE] if may_raise else 0.0)
    if draw * total < fold:
        return betting.FOLD
    return betting.RAISE if draw * total >= to_call and total > 0 else betting.CALL


@kernel
def state_draw(draw: float, state: int):
    """Compiled version of `compiled_players.state_draw`."""
    word = np.uint64(int(draw * 9007199254740992.0)) + np.uint64(state + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return float((word ^ (word >> np.uint64(31))) >> np.uint64(11)) / 9007199254740992.0


@kernel
def _by_rules(numbers, begin, r, b, may_fold, owed, may_raise, mean_hs):
    """Compiled version of `agents.rulebot.RuleBot._action`."""
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
    strength = mean_hs * mean_hs if numbers[begin + 8] > 0 else mean_hs
    state = min(int(strength * n_hs), n_hs - 1) * n_ppot + min(int(ppot * n_ppot), n_ppot - 1)
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
        state = state * n_expected + expected_bucket(numbers, begin + 9, r, b)
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
    """Largest bucket among the remaining opponents; an opponent's bucket follows from its chips spent on earlier
    streets."""
    most, row = 0, begin + b[betting.STREET] * N_EARLIER
    for seat in range(r[betting.N_SEATS]):
        if seat != b[betting.ACTOR] and not b[betting.FOLDED] >> seat & 1:
            earlier = (b[betting.SPENT + seat] - b[betting.BETS + seat]) // r[betting.RAISE_SIZE]
            most = max(most, int(numbers[row + min(earlier, N_EARLIER - 1)]))
    return most


@kernel
def pot_bucket(n_pots: int, r: Int64s, b: Int64s, size: int):
    """Bucket of the pot; buckets begin at 0, 2, 4, 8 .. bets of `size`."""
    pot = 0
    for seat in range(r[betting.N_SEATS]):
        pot += b[betting.SPENT + seat]
    bucket, edge = 0, 2 * size
    while bucket < n_pots - 1 and pot >= edge:
        bucket, edge = bucket + 1, 2 * edge
    return bucket


@kernel
def best_action(values: Floats, row: int, may_fold: bool, may_raise: bool):
    """Legal action with the highest value in `values[row : row + 3]`; ties go to call, then raise, then fold."""
    best = betting.CALL
    if may_raise and values[row + betting.RAISE] > values[row + best]:
        best = betting.RAISE
    if may_fold and values[row + betting.FOLD] > values[row + best]:
        best = betting.FOLD
    return best
