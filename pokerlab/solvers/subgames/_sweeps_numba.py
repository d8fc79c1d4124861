# mypy: ignore-errors
"""Kernels that evaluate the terminal nodes of a board, LANES at a time: what each hand of the hero wins from the other
player's hands, weighted by their reach.

Shapes: at[i, lane] is the other player's reach with its i-th hand; won and apart[i, lane] are for the hero's hands;
total[card, lane] sums the other player's reach by card, with the overall sum in row 52. On a final board hands are
numbered from worst to best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Floats32, Int32s

ZERO = np.float32(0)
LANES = 64
"""Number of terminal nodes that are evaluated together. The innermost loops run over them, as vectors of a fixed
length."""
TILE = 32
"""Number of rows that are written or read together, so that they stay in the processor's first cache."""

compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"nnan", "nsz", "contract"})


class Sweeps(NamedTuple):
    """Terminal nodes of a street that are evaluated together: the reach of LANES slots, from which their values follow.

    The terminal nodes of a sweep are padded to a multiple of four by repeating the last one. The hero's folds use slots
    of showdowns, because the hero might have called: `fold_first` and so on refer to them, and they are evaluated in
    the same sweep.
    """

    group: Int32s  # group[group]: first sweep of each group; one more entry ends the last
    slot: Int32s  # slot[sweep, LANES]: slots, padded with the first
    n_lanes: Int32s  # n_lanes[sweep]: lanes in use, rounded up to a multiple of four
    first: Int32s  # first[sweep]: first terminal node of each sweep; one more entry ends the last
    lane: Int32s  # lane[ending]
    place: Int32s  # place[ending]
    stake: Floats32  # stake[ending]: chips; of folds, negative if the hero loses
    rake: Floats32  # rake[ending]: half the rake of a showdown; 0 for folds
    fold_first: Int32s
    fold_lane: Int32s
    fold_place: Int32s
    fold_stake: Floats32
    fold_rake: Floats32


@compiled
def side_by_side(reach, slots, n_lanes, n, at):
    """Fill `at[i, k]` with reach[slots[k], i] for k < n_lanes, four rows at a time."""
    for start in range(0, n, TILE):
        end = min(n, start + TILE)
        for k in range(0, n_lanes, 4):
            a, b, c, d = reach[slots[k]], reach[slots[k + 1]], reach[slots[k + 2]], reach[slots[k + 3]]
            for i in range(start, end):
                at[i, k], at[i, k + 1], at[i, k + 2], at[i, k + 3] = a[i], b[i], c[i], d[i]


@compiled
def add_hand(high, low, at, total):
    """Add at[k] of one of the other player's hands to total[card, k] for both its cards, and to total[52, k]."""
    whole, a, b = total[52], total[high], total[low]
    for k in range(LANES):
        x = at[k]
        all_, of_a, of_b = whole[k] + x, a[k] + x, b[k] + x
        whole[k], a[k], b[k] = all_, of_a, of_b


@compiled
def set_apart(high, low, total, won):
    """Set `won[k]` to the sum of all reach in `total`, minus the reach with hands that hold card `high`, minus the
    reach with hands that hold card `low`."""
    whole, a, b = total[52], total[high], total[low]
    for k in range(LANES):
        won[k] = whole[k] - a[k] - b[k]


@compiled
def add_apart(high, low, total, won):
    """Like `set_apart`, but add to won[k]."""
    whole, a, b = total[52], total[high], total[low]
    for k in range(LANES):
        won[k] += whole[k] - a[k] - b[k]


@compiled
def add_double(double, at, apart):
    """If the other player has the identical hand, at index `double` (otherwise negative), add its reach back to
    `apart[k]`: it was subtracted twice, once for each card."""
    if double >= 0:
        same = at[double]
        for k in range(LANES):
            apart[k] += same[k]


@compiled
def sweep(hands, board, n, n_other, at, total, won, apart):
    """Set `won[i, k]` to the other player's reach `at[j, k]` with the hands j that lose to hand i, minus its reach with
    the hands that beat it; set `apart[i, k]` to its reach with all hands that share no card with hand i.

    As in `_subgame_numba.sweep`, this is (reach with worse hands) + (reach with hands not better) - (reach with all
    hands).
    """
    rank, high, low = hands.rank[board], hands.high[board], hands.low[board]
    other_rank, other_high, other_low = hands.other_rank[board], hands.other_high[board], hands.other_low[board]
    total[:] = ZERO
    i, j = 0, 0
    while i < n:
        level, end = rank[i], i
        while j < n_other and other_rank[j] < level:
            add_hand(other_high[j], other_low[j], at[j], total)
            j += 1
        while end < n and rank[end] == level:
            set_apart(high[end], low[end], total, won[end])
            end += 1
        while j < n_other and other_rank[j] == level:
            add_hand(other_high[j], other_low[j], at[j], total)
            j += 1
        while i < end:
            add_apart(high[i], low[i], total, won[i])
            i += 1
    while j < n_other:
        add_hand(other_high[j], other_low[j], at[j], total)
        j += 1
    double = hands.double[board]
    for i in range(n):
        all_, of_hand = apart[i], won[i]
        set_apart(high[i], low[i], total, all_)
        for k in range(LANES):
            of_hand[k] -= all_[k]
        add_double(double[i], at, all_)


@compiled
def spread(won, n, first, last, lane, place, stake, value):
    """Write the values of a sweep's terminal nodes to `value[place, i]`: each is its stake times `won[i, lane]`.

    A lane is a column of `won`; four are processed together.
    """
    for start in range(0, n, TILE):
        end = min(n, start + TILE)
        for e in range(first, last, 4):
            lane_a, lane_b, lane_c, lane_d = lane[e], lane[e + 1], lane[e + 2], lane[e + 3]
            stake_a, stake_b, stake_c, stake_d = stake[e], stake[e + 1], stake[e + 2], stake[e + 3]
            a, b, c, d = value[place[e]], value[place[e + 1]], value[place[e + 2]], value[place[e + 3]]
            for i in range(start, end):
                a[i] = stake_a * won[i, lane_a]
                b[i] = stake_b * won[i, lane_b]
                c[i] = stake_c * won[i, lane_c]
                d[i] = stake_d * won[i, lane_d]


@compiled
def take_rake(apart, n, first, last, ending_of_lane, place, rake, value):
    """Subtract rake[ending] times apart[i, lane] from the values of the showdowns of a sweep."""
    for e in range(first, last):
        if e > first and place[e] == place[e - 1]:
            continue  # padding: the last one, repeated
        out, lane = value[place[e]], ending_of_lane[e]
        for i in range(n):
            out[i] -= rake[e] * apart[i, lane]
