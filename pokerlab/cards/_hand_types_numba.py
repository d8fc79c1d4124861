"""Compiled sub-types of tuples, and distances from a flush and a straight; `hand_types` has the readable twin.

A set of cards is represented by `counts[13]` by rank and `suits[4]` by suit, which callers update card by card.
"""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.arrays import Int64s

# indices in `hand_types.SUBTYPES` at which each kind begins
BUSTED, PAIR, TWO_PAIR, TRIPLE, FULL_HOUSE, FOUR = 0, 5, 18, 22, 25, 26
# by the highest rank: up to eight, nine to jack, queen, king, ace
BUSTED_OF_RANK = np.array([0] * 7 + [1] * 3 + [2, 3, 4], dtype=np.int64)
# by the higher pair: up to eight, nine to queen, king, ace
TWO_PAIR_OF_RANK = np.array([0] * 7 + [1] * 4 + [2, 3], dtype=np.int64)


@njit(cache=True)
def tuple_of_counts(counts: Int64s):
    """Sub-type of some cards by their ranks alone, ignoring straights and flushes."""
    pairs, top_pair, triples, top = 0, -1, 0, 0
    for rank in range(13):
        n = counts[rank]
        if n == 4:
            return FOUR
        if n:
            top = rank
        if n == 3:
            triples += 1
        elif n == 2:
            pairs += 1
            top_pair = rank
    if triples:
        return FULL_HOUSE if pairs or triples > 1 else TRIPLE
    if pairs > 1:
        return TWO_PAIR + TWO_PAIR_OF_RANK[top_pair]
    if pairs:
        return PAIR + top_pair
    return BUSTED + BUSTED_OF_RANK[top]


@njit(cache=True)
def most_of_a_suit(suits: Int64s):
    """Number of cards of the most frequent suit."""
    most = suits[0]
    for suit in range(1, 4):
        most = max(most, suits[suit])
    return most


@njit(cache=True)
def most_of_a_straight(counts: Int64s):
    """Number of ranks present in the straight nearest to completion; an ace is both above the king and below
    the deuce."""
    held = 1 if counts[12] else 0
    for rank in range(4):
        held += 1 if counts[rank] else 0
    most = held
    for top in range(4, 13):
        held += 1 if counts[top] else 0
        low = top - 5
        if counts[12 if low < 0 else low]:
            held -= 1
        most = max(most, held)
    return most
