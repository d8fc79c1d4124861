"""Cards as numbers to be summed: the sum of a hand's keys gives its rank by one table lookup (`evaluate.tables`).

A card's 64-bit key has, from the low bits up,

- bits 0..31: a number for its rank (`SUM_OF_RANK`) plus one count. Sums of five, six or seven of them differ for
  different multisets of ranks, so the sum identifies the ranks, whatever the order of the cards;
- bits 32..47: one in the four-bit counter of its suit. After `FLUSH_START` is added, bit 3 of a counter is set from
  five up;
- bits 56..63: one, for a byte that is not a card, so that the summation also validates a batch.

Keys are additive: a kernel that walks boards keeps the board's sum and adds two hole cards to it. `SUITS_OF_CARD` sums
in the same way to four 13-bit masks of ranks; it is needed only for the hands (3% of them) whose key shows a flush.

`rank_keys` looks up many hands with NumPy only, so that a small question needs no compilation; `_evaluate_numba` is its
compiled twin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab.arrays import Int32s, Uint8s, Uint64s
from pokerlab.caches import may_run_uncompiled

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

N_RANKS = 7462

# Chosen in order: each is the smallest number for which all sums of seven (at most four of a rank) are different.
SUM_OF_RANK = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
ONE_CARD = 1 << 23  # larger than any sum of seven, so that sums of different sizes are different as well
ROW_BITS = 13  # the low bits of a sum are its row in the hash table, the others its column
N_COLUMNS = 1 << (27 - ROW_BITS)  # seven times the largest card is below 2**27: any seven bytes stay inside the tables

ROW_MASK = np.uint64((1 << ROW_BITS) - 1)
SUM_MASK = np.uint64(0xFFFFFFFF)
COLUMN_SHIFT = np.uint64(ROW_BITS)
FLUSH_START = np.uint64(0x3333 << 32)
FLUSH_BITS = np.uint64(0x8888 << 32)
NOT_A_CARD = np.uint64(0xFF << 56)
UNUSUAL = FLUSH_BITS | NOT_A_CARD


def _key(card: int) -> int:
    return (SUM_OF_RANK[card >> 2] + ONE_CARD) | 1 << (32 + 4 * (card & 3)) if card < 52 else 1 << 56


KEY_OF_CARD = np.array([_key(card) for card in range(256)], dtype=np.uint64)
SUITS_OF_CARD = np.array([1 << (16 * (c & 3) + (c >> 2)) if c < 52 else 0 for c in range(256)], dtype=np.uint64)
RANK_KEY = KEY_OF_CARD[0:52:4] & SUM_MASK  #: a card's key without its suit, by rank

MOST_HANDS = 6_000_000  # most hands that NumPy ranks for one question; more would take too much memory
_SECONDS_PER_HAND = 1e-7  # seconds that NumPy takes to rank a hand, rounded up


def may_use_arrays(n_hands: int) -> bool:
    """Whether to rank this many hands with NumPy instead of kernels (`caches.may_run_uncompiled`)."""
    return n_hands <= MOST_HANDS and may_run_uncompiled(n_hands * _SECONDS_PER_HAND)


def rank_keys(keys: Uint64s, suits: Uint64s, tables: Tables) -> Int32s:
    """Ranks of hands of 5 to 7 cards, from the sums of `KEY_OF_CARD` and of `SUITS_OF_CARD`.

    >>> from pokerlab.cards.evaluate import tables
    >>> royal = np.array([51, 47, 43, 39, 35, 0, 1])
    >>> rank_keys(KEY_OF_CARD[royal].sum(keepdims=True), SUITS_OF_CARD[royal].sum(keepdims=True), tables())
    array([7461], dtype=int32)
    """
    start = tables.row_start[keys & ROW_MASK]
    ranks: Int32s = tables.rank_of_sum[start + ((keys & SUM_MASK) >> COLUMN_SHIFT)].astype(np.int32)
    flushes = np.nonzero((keys + FLUSH_START) & FLUSH_BITS)
    full = (keys[flushes] + FLUSH_START) & FLUSH_BITS
    suit = (np.log2(full.astype(np.float64)).astype(np.uint64) - np.uint64(35)) // np.uint64(4)
    ranks[flushes] = tables.rank_of_flush[(suits[flushes] >> (suit * np.uint64(16))) & np.uint64(0x1FFF)]
    return ranks


def sums_of(cards: Uint8s) -> tuple[Uint64s, Uint64s]:
    """Return (keys, suits) of hands `cards[..., card]`, summed over their cards."""
    return KEY_OF_CARD[cards].sum(axis=-1), SUITS_OF_CARD[cards].sum(axis=-1)


def all_combinations(deck: Uint8s, n: int) -> Uint8s:
    """`cards[combination, n]` of a deck, each in the order of the deck.

    >>> all_combinations(np.arange(4, dtype=np.uint8), 2).tolist()
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    places = np.zeros((1, 0), np.int64)
    for _ in range(n):
        first = places[:, -1] + 1 if places.shape[1] else np.zeros(1, np.int64)
        times = len(deck) - first
        began = np.repeat(np.cumsum(times) - times, times)
        last = np.arange(times.sum()) - began + np.repeat(first, times)
        places = np.column_stack([np.repeat(places, times, axis=0), last])
    return np.asarray(deck)[places]
