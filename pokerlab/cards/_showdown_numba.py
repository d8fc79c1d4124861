"""Compiled showdowns of two ranges, board by board.

For one board the combos are ranked, sorted and swept once: a combo beats all earlier ones, except those that contain
one of its cards, which inclusion and exclusion removes. This takes O(n log n) for n combos instead of n squared pairs.

Shapes: `combos[number, 2]` card ids, `weights[number, player]` with two players, `run_outs[n, cards to come]`.
"""
# mypy: ignore-errors

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Int8s, Int64s, Uint8s, Uint32s
from pokerlab.cards._evaluate_numba import rank_with, sums_of

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

_ONE = np.uint64(1)


@njit(cache=True)
def permute_suits(mask: int, suit_to: Int64s):
    """Replace each suit `s` of the cards in a 52-bit `mask` by `suit_to[s]`."""
    one_suit = np.uint64(0x1111111111111)
    moved = np.uint64(0)
    for suit in range(4):
        moved |= ((mask >> np.uint64(suit)) & one_suit) << np.uint64(suit_to[suit])
    return moved


@njit(cache=True)
def list_run_outs(deck: Uint8s, n_to_come: int, symmetries: Int64s, run_outs: Uint8s, counts: Int64s):
    """List the run-outs of `n_to_come` cards of `deck`, one for each class of equivalent run-outs under suit
    permutations.

    `symmetries[i, suit]` is a group of permutations that leave the question unchanged. The run-out of a class with
    the lowest mask is written to `run_outs[n, n_to_come]`, and the size of the class to `counts[n]`.
    """
    place = np.arange(n_to_come)  # places of the run-out's cards in the deck, in ascending order
    n = 0
    while True:
        mask = np.uint64(0)
        for i in range(n_to_come):
            mask |= _ONE << np.uint64(deck[place[i]])
        n_same, first = 0, True
        for symmetry in symmetries:
            moved = permute_suits(mask, symmetry)
            if moved < mask:
                first = False
                break
            n_same += moved == mask
        if first:
            for i in range(n_to_come):
                run_outs[n, i] = deck[place[i]]
            counts[n] = len(symmetries) // n_same
            n += 1
        i = n_to_come - 1
        while i >= 0 and place[i] == len(deck) - n_to_come + i:
            i -= 1
        if i < 0:
            return n
        place[i] += 1
        for later in range(i + 1, n_to_come):
            place[later] = place[later - 1] + 1


@njit(cache=True)
def sort_by_rank(entries: Uint32s, n: int, scratch: Uint32s) -> None:
    """Sort `entries[:n]` (uint32, `rank << 11 | number`) by rank in place: two passes of a radix sort, 7 bits each."""
    for shift in (np.uint32(11), np.uint32(18)):
        ends = np.zeros(129, np.int64)
        for i in range(n):
            ends[((entries[i] >> shift) & np.uint32(127)) + 1] += 1
        for digit in range(128):
            ends[digit + 1] += ends[digit]
        for i in range(n):
            digit = (entries[i] >> shift) & np.uint32(127)
            scratch[ends[digit]] = entries[i]
            ends[digit] += 1
        entries[:n] = scratch[:n]


@njit(cache=True)
def rank_live(combos: Int8s | Uint8s, blocked: int, key: int, suits: int, tables: Tables, entries: Uint32s):
    """Write `rank << 11 | number` for the combos that contain no `blocked` card, on the board in `key` and `suits`."""
    n = 0
    for number in range(np.uint64(len(combos))):
        a, b = np.uint64(combos[number, 0]), np.uint64(combos[number, 1])
        if not ((blocked >> a) | (blocked >> b)) & _ONE:
            rank = rank_with(key, suits, a, b, tables)
            entries[n] = (np.uint32(rank) << np.uint32(11)) | np.uint32(number)
            n += 1
    return n


@njit(cache=True)
def sweep(entries: Uint32s, n: int, combos: Uint8s, weights: Floats, result: Floats) -> None:
    """Add to `result` the weight of pairs of combos that the first player wins, of ties, and of all pairs.

    `entries[:n]` are sorted by rank. `below` and `level` are the second player's weight on worse and on equal hands, by
    card (0..51) and in total (52). A combo paired with itself shares both cards: it is subtracted twice and added back
    once, among the equal ones.
    """
    below, level = np.zeros(53), np.zeros(53)
    start = 0
    while start < n:
        end = start
        while end < n and entries[end] >> np.uint32(11) == entries[start] >> np.uint32(11):
            number = entries[end] & np.uint32(2047)
            weight = weights[number, 1]
            level[combos[number, 0]] += weight
            level[combos[number, 1]] += weight
            level[52] += weight
            end += 1
        for i in range(start, end):
            number = entries[i] & np.uint32(2047)
            a, b = combos[number, 0], combos[number, 1]
            result[0] += weights[number, 0] * (below[52] - below[a] - below[b])
            result[1] += weights[number, 0] * (level[52] - level[a] - level[b] + weights[number, 1])
        below += level
        level[:] = 0.0
        start = end
    for i in range(n):
        number = entries[i] & np.uint32(2047)
        a, b = combos[number, 0], combos[number, 1]
        result[2] += weights[number, 0] * (below[52] - below[a] - below[b] + weights[number, 1])


@njit(cache=True, nogil=True)
def board_outcomes(
    run_outs: Uint8s, counts: Int64s, board: Uint8s, combos: Uint8s, weights: Floats, tables: Tables, result: Floats
) -> None:
    """Sum `sweep` over the boards made of `board` and each of `run_outs[n, n_to_come]`, multiplied by `counts[n]`."""
    entries, scratch = np.empty(len(combos), np.uint32), np.empty(len(combos), np.uint32)
    one = np.empty(3)
    board_key, board_suits, _ = sums_of(board)
    for i in range(len(run_outs)):
        key, suits, blocked = sums_of(run_outs[i])
        n = rank_live(combos, blocked, board_key + key, board_suits + suits, tables, entries)
        sort_by_rank(entries, n, scratch)
        one[:] = 0.0
        sweep(entries, n, combos, weights, one)
        for j in range(3):
            result[j] += counts[i] * one[j]
