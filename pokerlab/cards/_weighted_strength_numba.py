# mypy: ignore-errors
"""Kernels of `strength` against weighted hands: all combos on a board at once, compared now and later, over all
run-outs.

Cumulative rows are as in `_strength_numba`, with a row for each card. Hands are sorted by their current rank once, and
the evaluator's sums over board and hand are computed once for all run-outs.

Shapes: weights[combo], now_level[combo] (-1 when blocked), sums[combo, N_SUMS], rows[1 + card, level],
runouts[runout, 2].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Int32s, Int64s, Uint8s, Uint64s
from pokerlab.cards._evaluate_numba import KEY_OF_CARD, SUITS_OF_CARD, rank_combos, rank_of_key, sums_of
from pokerlab.cards._strength_numba import (
    ANY,
    MAX_HANDS,
    MAX_LEVELS,
    N_SUMS,
    N_WORDS,
    NO_CARD,
    NOT_BETTER_LATER,
    SQUARED_HS,
    WORSE_LATER,
    _add_above,
    _levels_of_ranks,
)

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables


class Placed(NamedTuple):
    """Working arrays: the hands on a board by their current rank, worst first, and those that remain on a run-out."""

    combo: Int64s  # combo[place]
    group: Int32s  # group[place]: rank now, counted from the worst rank on the board
    cards: Int64s  # cards[place, (row of its high card, row of its low card)]
    key: Uint64s  # key[place, (key, suits)]: the evaluator's sums over board and hand
    left: Int64s  # left[hand]: place of each hand that remains
    level: Int64s  # level[hand]: rank later; then replaced by its place among the later ranks


@njit(cache=True)
def _place_hands(board: Uint8s, now_level: Int32s, n_now: int, start: Int64s, placed: Placed):
    """Fill in the hands on a board by their current rank, equal ones by combo. Return their number."""
    board_key, board_suits, _ = sums_of(board)
    start[: n_now + 1] = 0
    for combo in range(now_level.size):
        if now_level[combo] >= 0:
            start[now_level[combo] + 1] += 1
    for level in range(n_now):
        start[level + 1] += start[level]
    combo = 0
    for high in range(1, 52):
        for low in range(high):
            if now_level[combo] >= 0:
                at = start[now_level[combo]]
                start[now_level[combo]] += 1
                placed.combo[at], placed.group[at] = combo, now_level[combo]
                placed.cards[at, 0], placed.cards[at, 1] = 1 + high, 1 + low
                placed.key[at, 0] = board_key + KEY_OF_CARD[high] + KEY_OF_CARD[low]
                placed.key[at, 1] = board_suits + SUITS_OF_CARD[high] + SUITS_OF_CARD[low]
            combo += 1
    return start[n_now - 1]


@njit(cache=True)
def _leave_hands(runout: Int64s, n_placed: int, tables: Tables, placed: Placed):
    """Fill in the hands that remain on a run-out, with their later ranks in `level`. Return their number."""
    key, suits = np.uint64(0), np.uint64(0)
    for card in runout:
        if card != NO_CARD:
            key += KEY_OF_CARD[card]
            suits += SUITS_OF_CARD[card]
    first, second = 1 + runout[0], 1 + runout[1]
    n = 0
    for at in range(n_placed):
        high, low = placed.cards[at, 0], placed.cards[at, 1]
        if high != first and low != first and high != second and low != second:
            placed.left[n] = at
            placed.level[n] = rank_of_key(placed.key[at, 0] + key, placed.key[at, 1] + suits, tables)
            n += 1
    return n


@njit(cache=True, inline="always")
def _others_below(level, high, low, rows):
    """Weight, among the rows so far, of hands below `level` without the two cards (minus the hand itself)."""
    return rows[0, level] - rows[high, level] - rows[low, level]


@njit(cache=True)
def _sweep_weights(n_left, n_levels, placed, weight, rows, found):
    """Add the sums of one final board to found[place, N_SUMS], going through the hands from worst to best now."""
    left, levels, cards = placed.left, placed.level, placed.cards
    begin = 0
    while begin < n_left:
        end = begin + 1
        while end < n_left and placed.group[left[end]] == placed.group[left[begin]]:
            end += 1
        for hand in range(begin, end):
            at, level = left[hand], levels[hand]
            high, low = cards[at, 0], cards[at, 1]
            found[at, 0] += _others_below(level, high, low, rows)
            found[at, 1] += _others_below(level + 1, high, low, rows)
            found[at, 2] += _others_below(n_levels, high, low, rows)
        for hand in range(begin, end):
            at, above = left[hand], levels[hand] + 1
            _add_above(rows[0, above : n_levels + 1], weight[at])
            _add_above(rows[cards[at, 0], above : n_levels + 1], weight[at])
            _add_above(rows[cards[at, 1], above : n_levels + 1], weight[at])
        for hand in range(begin, end):
            at, level = left[hand], levels[hand]
            high, low, own = cards[at, 0], cards[at, 1], weight[at]
            found[at, 3] += _others_below(level, high, low, rows)
            found[at, 4] += _others_below(level + 1, high, low, rows) + own
            found[at, 5] += _others_below(n_levels, high, low, rows) + own
        begin = end
    for hand in range(n_left):
        at, level = left[hand], levels[hand]
        high, low, own = cards[at, 0], cards[at, 1], weight[at]
        worse = _others_below(level, high, low, rows)
        not_better = _others_below(level + 1, high, low, rows) + own
        total = _others_below(n_levels, high, low, rows) + own
        found[at, WORSE_LATER] += worse
        found[at, NOT_BETTER_LATER] += not_better
        found[at, ANY] += total
        won = 0.5 * (worse + not_better)
        found[at, SQUARED_HS] += won * won / total if total > 0 else 0.0


@njit(cache=True, nogil=True)
def sum_weights_over_runouts(board: Uint8s, runouts: Int64s, weights: Floats, tables: Tables, sums: Floats) -> None:
    """Add up sums[combo, N_SUMS] (see `_strength_numba`) over `runouts`."""
    words, now_level = np.zeros((2, N_WORDS), np.uint64), np.zeros(sums.shape[0], np.int32)
    rows, start = np.zeros((53, MAX_LEVELS + 1)), np.zeros(MAX_LEVELS + 2, np.int64)
    placed = Placed(
        np.zeros(MAX_HANDS, np.int64), np.zeros(MAX_HANDS, np.int32), np.zeros((MAX_HANDS, 2), np.int64),
        np.zeros((MAX_HANDS, 2), np.uint64), np.zeros(MAX_HANDS, np.int64), np.zeros(MAX_HANDS, np.int64),
    )  # fmt: skip
    rank_combos(board, tables, now_level)
    n_now = _levels_of_ranks(now_level, now_level.size, words)
    n_placed = _place_hands(board, now_level, n_now, start, placed)
    weight, found = np.zeros(n_placed), np.zeros((n_placed, N_SUMS))
    for at in range(n_placed):
        weight[at] = weights[placed.combo[at]]
    for runout in range(runouts.shape[0]):
        n_left = _leave_hands(runouts[runout], n_placed, tables, placed)
        n_levels = _levels_of_ranks(placed.level, n_left, words)
        rows[:, : n_levels + 1] = 0
        _sweep_weights(n_left, n_levels, placed, weight, rows, found)
    for at in range(n_placed):
        sums[placed.combo[at]] = found[at]


@njit(cache=True, nogil=True)
def sum_weights_now(board: Uint8s, weights: Floats, tables: Tables, sums: Floats) -> None:
    """Fill `sums[combo, (worse now, worse or equal now, any)]`, without cards to come."""
    words, level = np.zeros((2, N_WORDS), np.uint64), np.zeros(sums.shape[0], np.int32)
    rank_combos(board, tables, level)
    n_levels = _levels_of_ranks(level, level.size, words)
    start, placed = np.zeros(n_levels + 2, np.int64), np.empty((level.size, 3), np.int64)
    for combo in range(level.size):
        start[level[combo] + 2] += 1  # blocked combos, of level -1, come first
    for place in range(n_levels):
        start[place + 2] += start[place + 1]
    combo = 0
    for high in range(1, 52):
        for low in range(high):
            at = start[level[combo] + 1]
            start[level[combo] + 1] += 1
            placed[at, 0], placed[at, 1], placed[at, 2] = combo, high, low
            combo += 1
    below, end = np.zeros(53), start[0]  # weights of worse hands by card (0 .. 51), and of all of them (52)
    for group in range(n_levels):
        begin, end = end, start[group + 1]
        for at in range(begin, end):
            combo, high, low = placed[at, 0], placed[at, 1], placed[at, 2]
            sums[combo, 0] = below[52] - below[high] - below[low]
        for at in range(begin, end):
            combo, high, low = placed[at, 0], placed[at, 1], placed[at, 2]
            below[52] += weights[combo]
            below[high] += weights[combo]
            below[low] += weights[combo]
        for at in range(begin, end):
            combo, high, low = placed[at, 0], placed[at, 1], placed[at, 2]
            sums[combo, 1] = below[52] - below[high] - below[low] + weights[combo]
    for at in range(start[0], end):
        combo, high, low = placed[at, 0], placed[at, 1], placed[at, 2]
        sums[combo, 2] = below[52] - below[high] - below[low] + weights[combo]


@njit(cache=True)
def potentials(sums: Floats, found: Floats) -> None:
    """Fill `found[(HS, PPot, NPot), combo]` from sums[combo, N_SUMS]; zeros where there is no opponent."""
    for combo in range(sums.shape[0]):
        s = sums[combo]
        total = s[ANY]
        if total <= 0:
            found[:, combo] = 0.0
            continue
        ahead, not_behind = s[2], s[5]
        tied, behind = max(not_behind - ahead, 0.0), max(total - not_behind, 0.0)
        ahead_tied, ahead_behind = max(s[1] - s[0], 0.0), max(s[2] - s[1], 0.0)
        tied_ahead, tied_behind = max(s[3] - s[0], 0.0), max((s[5] - s[4]) - (s[2] - s[1]), 0.0)
        behind_ahead, behind_tied = max(s[6] - s[3], 0.0), max((s[7] - s[6]) - (s[4] - s[3]), 0.0)
        may_gain, may_lose = behind + 0.5 * tied, ahead + 0.5 * tied
        found[0, combo] = may_lose / total
        found[1, combo] = (behind_ahead + 0.5 * (behind_tied + tied_ahead)) / may_gain if may_gain > 0 else 0.0
        found[2, combo] = (ahead_behind + 0.5 * (ahead_tied + tied_behind)) / may_lose if may_lose > 0 else 0.0
