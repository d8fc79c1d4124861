"""Compiled features that order hands which the printed list leaves equal; `tests/oracles/hand_features.py` is the twin.

Kickers beside quads and trips, the pair of a full house, the second card of a flush.
"""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.arrays import Int8s, Int64s, Uint8s
from pokerlab.cards.feature_names import PRIVATE_NAMES


def _columns(path):
    """The column of a feature by street; -1 on streets without it."""
    names = [f"{street}/{path}" for street in ("pre-flop", "flop", "turn", "river")]
    return np.array([PRIVATE_NAMES.index(name) if name in PRIVATE_NAMES else -1 for name in names])


FULL_QUADS, FULL_PAIR = _columns("full-board/quads/kicker"), _columns("full-board/higher-full/pocket-pair")
FULL_SWAPPED, THREE_QUADS = _columns("full-board/higher-full/swapped"), _columns("three-board/quads/kicker")
ABOVE_PAIRS, KICKER_PAIR = _columns("two-pair-board/full/above-pairs"), _columns("two-pair-board/kicker-pair/kicker")
DEAD_PAIR, TRIPS = _columns("two-pair-board/dead-pocket-pair/rank"), _columns("pair-board/trips/kicker")
FIVE, FOUR = _columns("five-flush/in-play/second"), _columns("four-flush/flush/second")
THREE = _columns("three-flush/flush/second")


@njit(cache=True)
def order_ranks(hi: int, lo: int, street: int, groups: Int64s, n: Int64s, out: Int8s) -> None:
    """Fill the columns about ranks on a board with a pair or three of a kind; `groups` and `n` are the board's."""
    three, pair, low, kicker = groups[3, 0], groups[2, 0], groups[2, 1], groups[1, 0]
    if n[3] and n[2]:
        if hi == three or lo == three:
            out[FULL_QUADS[street]] = (lo if hi == three else hi) + 1
        elif hi == lo and hi > pair:
            out[FULL_PAIR[street]] = hi + 1
        elif hi != lo and (hi == pair or lo == pair) and pair > three:
            out[FULL_SWAPPED[street]] = 1
    elif n[3]:
        if hi == three or lo == three:
            out[THREE_QUADS[street]] = (lo if hi == three else hi) + 1
    elif n[2] == 2 and street == 2:
        if hi == lo and hi < low:
            out[DEAD_PAIR[street]] = hi + 1
    elif n[2] == 2:
        if hi != lo and (hi == kicker or lo == kicker):
            other = lo if hi == kicker else hi
            if other == low:
                out[ABOVE_PAIRS[street]] = kicker > pair
            elif other != pair and kicker > low:
                out[KICKER_PAIR[street]] = other + 1
    elif hi != lo and (hi == pair or lo == pair):
        other = lo if hi == pair else hi
        if other != kicker and other != groups[1, 1] and other != groups[1, 2]:
            out[TRIPS[street]] = other + 1


@njit(cache=True)
def order_suits(hole: Uint8s, board: Uint8s, street: int, on_board: int, out: Int8s) -> None:
    """Set the columns about the lower of a player's two cards of a flush suit; the board has `on_board` (3 or more)
    cards of the suit."""
    second = min(hole[0], hole[1]) >> 2
    if on_board == 5:
        lowest = board[0] >> 2
        for i in range(1, 5):
            lowest = min(lowest, board[i] >> 2)
        if second > lowest:
            out[FIVE[street]] = second + 1
    elif on_board == 4:
        out[FOUR[street]] = second + 1
    elif street == 3:
        out[THREE[street]] = second + 1
