"""Compiled showdowns of all pairs of hand classes, board by board, summed by flop.

On one board the possible combos are sorted once. `shares[card, class]` counts the combos of a class that contain a card
(row 52: all combos of the class). Those worse than the current combo count twice, equal ones once. A combo's wins
against every class are then row 52 minus the rows of its two cards.
"""
# mypy: ignore-errors

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab.arrays import Int32s, Int64s, Uint8s
from pokerlab.cards._evaluate_numba import sums_of
from pokerlab.cards._showdown_numba import rank_live, sort_by_rank

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

N_CLASSES = 169


@njit(cache=True)
def _add(shares, a, b, hand_class):
    shares[a, hand_class] += 1
    shares[b, hand_class] += 1
    shares[52, hand_class] += 1


@njit(cache=True)
def win_shares(entries, n, combos, class_of_combo, shares, won):
    """Fill `won[class, class]`: summed over all pairs of possible combos, 2 for a win of the first, 1 for a tie.

    `entries[:n]` are sorted by rank; `shares` is scratch. A combo shares both cards with itself: as an equal hand
    it is subtracted twice and added back once.
    """
    shares[:] = 0
    won[:] = 0
    start = 0
    while start < n:
        end = start
        while end < n and entries[end] >> np.uint32(11) == entries[start] >> np.uint32(11):
            number = entries[end] & np.uint32(2047)
            _add(shares, combos[number, 0], combos[number, 1], class_of_combo[number])
            end += 1
        for i in range(start, end):
            number = entries[i] & np.uint32(2047)
            own, every = won[class_of_combo[number]], shares[52]
            with_high, with_low = shares[combos[number, 0]], shares[combos[number, 1]]
            for other in range(N_CLASSES):
                own[other] += every[other] - with_high[other] - with_low[other]
            own[class_of_combo[number]] += 1
        for i in range(start, end):
            number = entries[i] & np.uint32(2047)
            _add(shares, combos[number, 0], combos[number, 1], class_of_combo[number])
        start = end


@njit(cache=True, nogil=True)
def add_boards(
    boards: Uint8s,
    counts: Int64s,
    flops: Int64s,
    combos: Uint8s,
    class_of_combo: Uint8s,
    tables: Tables,
    total: Int32s,
) -> None:
    """Add `win_shares` of `boards[k, 5]`, multiplied by `counts[k]`, to `total[flop, pair]` for its flops `flops[k,
    10]`.

    Pairs consist of a class and itself or a later class, ordered by the first.
    """
    entries, scratch = np.empty(len(combos), np.uint32), np.empty(len(combos), np.uint32)
    shares, won = np.empty((53, N_CLASSES), np.int16), np.empty((N_CLASSES, N_CLASSES), np.int16)
    for k in range(len(boards)):
        key, suits, blocked = sums_of(boards[k])
        n = rank_live(combos, blocked, key, suits, tables, entries)
        sort_by_rank(entries, n, scratch)
        win_shares(entries, n, combos, class_of_combo, shares, won)
        times = np.int32(counts[k])
        for flop in flops[k]:
            row, at = total[flop], 0
            for first in range(N_CLASSES):
                for second in range(first, N_CLASSES):
                    row[at] += times * won[first, second]
                    at += 1
