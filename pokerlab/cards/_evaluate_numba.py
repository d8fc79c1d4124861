"""Compiled evaluation: a hand is the sum of its cards' keys, and one hash lookup turns the sum into a rank.

Keys are those of `card_keys`.

Shapes: `row_start[low bits of a sum]`, `rank_of_sum[slot]`, `rank_of_flush[mask of 13 ranks]`; see `evaluate.Tables`.
Array indices are unsigned throughout, because a signed index costs a test for negative values at every load.
"""
# mypy: ignore-errors

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab.arrays import Int16s, Int32s, Uint8s
from pokerlab.cards.card_keys import (
    COLUMN_SHIFT,
    FLUSH_BITS,
    FLUSH_START,
    KEY_OF_CARD,
    NOT_A_CARD,
    ROW_MASK,
    SUITS_OF_CARD,
    SUM_MASK,
    UNUSUAL,
)

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables


@njit(cache=True)
def has_flush(key: int):
    """Whether the cards summed in `key` include five of one suit."""
    return ((key + FLUSH_START) & FLUSH_BITS) != np.uint64(0)


@njit(cache=True)
def rank_without_flush(key: int, tables: Tables):
    """Rank of the 5 to 7 cards summed in `key`, ignoring suits."""
    start = np.uint64(tables.row_start[key & ROW_MASK])
    return tables.rank_of_sum[start + ((key & SUM_MASK) >> COLUMN_SHIFT)]


@njit(cache=True)
def rank_of_suits(key: int, suits: int, tables: Tables):
    """Rank of the flush in `key`; `suits` sums the cards' rank masks by suit. Call it only if `has_flush(key)`."""
    full = (key + FLUSH_START) & FLUSH_BITS
    shift = np.uint64(0)
    if full & np.uint64(0x8800 << 32):
        shift = np.uint64(32)
    if full & np.uint64(0x8080 << 32):
        shift += np.uint64(16)
    return tables.rank_of_flush[(suits >> shift) & np.uint64(0x1FFF)]


@njit(cache=True)
def rank_of_key(key: int, suits: int, tables: Tables):
    """Rank 0..7461 (higher is better) of 5 to 7 cards, from the sums of `KEY_OF_CARD` and of `SUITS_OF_CARD`.

    With seven cards a flush excludes four of a kind and a full house, so a flush, if there is one, is the best hand.
    """
    if has_flush(key):
        return np.int32(rank_of_suits(key, suits, tables))
    return np.int32(rank_without_flush(key, tables))


@njit(cache=True)
def sums_of(cards: Uint8s):
    """Return (key, suits, bits) of a set of cards.

    `key` and `suits` are the sums of the cards' `KEY_OF_CARD` and `SUITS_OF_CARD`; `bits` has one bit for each card.
    """
    key, suits, bits = np.uint64(0), np.uint64(0), np.uint64(0)
    for card in cards:
        key += KEY_OF_CARD[card]
        suits += SUITS_OF_CARD[card]
        bits |= np.uint64(1) << np.uint64(card)
    return key, suits, bits


@njit(cache=True)
def rank_with(key: int, suits: int, a: int, b: int, tables: Tables):
    """Rank of the hand made of cards `a` and `b` and the cards summed in `key` and `suits`."""
    return rank_of_key(key + KEY_OF_CARD[a] + KEY_OF_CARD[b], suits + SUITS_OF_CARD[a] + SUITS_OF_CARD[b], tables)


@njit(cache=True)
def evaluate_batch(hands: Uint8s, tables: Tables, ranks: Int32s):
    """Fill `ranks[n]` of `hands[n, 5..7]` (uint8). Return the number of rows that contain a byte that is not a card
    (their rank is -1).

    The sum is written out, because a loop over a variable number of cards is not unrolled and runs at a quarter of the
    speed. Passing a row `hands[i]` to a function costs as much.
    """
    n_bad = 0
    n_cards = np.uint64(hands.shape[1])
    for i in range(np.uint64(hands.shape[0])):
        key = KEY_OF_CARD[hands[i, 0]] + KEY_OF_CARD[hands[i, 1]] + KEY_OF_CARD[hands[i, 2]]
        key += KEY_OF_CARD[hands[i, 3]] + KEY_OF_CARD[hands[i, 4]]
        if n_cards > np.uint64(5):
            key += KEY_OF_CARD[hands[i, 5]]
        if n_cards > np.uint64(6):
            key += KEY_OF_CARD[hands[i, 6]]
        if not (key + FLUSH_START) & UNUSUAL:
            ranks[i] = rank_without_flush(key, tables)
        elif key & NOT_A_CARD:
            ranks[i] = -1
            n_bad += 1
        else:
            suits = np.uint64(0)
            for j in range(n_cards):
                suits += SUITS_OF_CARD[hands[i, j]]
            ranks[i] = rank_of_suits(key, suits, tables)
    return n_bad


@njit(cache=True)
def rank_combos(board: Uint8s, tables: Tables, ranks: Int16s | Int32s) -> None:
    """Fill `ranks[1326]` of every combo with `board` (uint8, 3 to 5 cards); -1 for combos that conflict with it."""
    board_key, board_suits, dead = sums_of(board)
    combo = np.uint64(0)
    for high in range(np.uint64(52)):
        high_key = board_key + KEY_OF_CARD[high]
        high_suits = board_suits + SUITS_OF_CARD[high]
        high_dead = (dead >> high) & np.uint64(1)
        for low in range(high):
            if high_dead or (dead >> low) & np.uint64(1):
                ranks[combo] = -1
            else:
                ranks[combo] = rank_of_key(high_key + KEY_OF_CARD[low], high_suits + SUITS_OF_CARD[low], tables)
            combo += np.uint64(1)
