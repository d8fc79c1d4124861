# mypy: ignore-errors
"""Kernels of `isomorphism`: number hands up to a relabelling of the suits, and recover hands from numbers.

A hand is described suit by suit. A suit's `code` says how many of its cards came in each round (mixed radix, first
round most significant); its `rank` says which ranks these are, counting only ranks that remain in the suit. Suits are
sorted by (code, rank), highest first; the four sorted codes are the hand's configuration. Within a configuration the
index is mixed radix over runs of equal codes; a run of k suits with n possible ranks each is a multiset, ranked
colexicographically.

Shapes: cards[hand, position], n_in_round[round], choose[n, k], popcount[mask of ranks], size_of_code[code],
config_of_codes[code0, code1, code2] (the fourth follows), codes_of_config[config, 4], offset[config + 1];
left_of_config[config, 4] counts the suits of a run from this one on, scale_of_config[config, 4] is the run's radix.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.arrays import Int64s

_CODE_SHIFT = 40  # key = code << 40 | rank: the rank of one suit never reaches 2^40


@njit(cache=True, inline="always")
def _multisets(n, k):
    """Number of multisets of `k` (1..4) elements out of `n`."""
    two = (n * (n + 1)) >> 1
    three = two * (n + 2) // 3
    four = (three * (n + 3)) >> 2
    return (n if k == 1 else two) if k < 3 else (three if k == 3 else four)


@njit(cache=True, inline="always")
def _swap_down(keys, a, b):
    """Put the larger of two keys first, without branching."""
    high, low = max(keys[a], keys[b]), min(keys[a], keys[b])
    keys[a], keys[b] = high, low


@njit(cache=True)
def _suit_keys(cards, n_in_round, choose, popcount, suits, keys):
    """Set `keys` to the four suits' keys, highest first. `suits[4, 4]` is scratch: ranks used, ranks of this round,
    code, scale.

    A card's contribution to its suit's rank depends only on how many lower ranks of the suit were used in earlier
    rounds, and how many are in this round. So cards are processed in any order, without sorting or branching.
    """
    suits[:] = 0
    for suit in range(4):
        suits[suit, 3] = 1
        keys[suit] = 0
    start = 0
    for r in range(n_in_round.size):
        stop = start + n_in_round[r]
        for p in range(start, stop):
            suits[cards[p] & 3, 1] |= 1 << (cards[p] >> 2)
        for p in range(start, stop):
            suit, below = cards[p] & 3, (1 << (cards[p] >> 2)) - 1
            place = popcount[suits[suit, 1] & below] + 1
            free_below = popcount[~suits[suit, 0] & below]
            keys[suit] += suits[suit, 3] * choose[free_below, place]
        for suit in range(4):
            n = popcount[suits[suit, 1]]
            suits[suit, 2] = suits[suit, 2] * (n_in_round[r] + 1) + n
            suits[suit, 3] *= choose[13 - popcount[suits[suit, 0]], n]
            suits[suit, 0] |= suits[suit, 1]
            suits[suit, 1] = 0
        start = stop
    for suit in range(4):
        keys[suit] |= suits[suit, 2] << _CODE_SHIFT
    _swap_down(keys, 0, 1)
    _swap_down(keys, 2, 3)
    _swap_down(keys, 0, 2)
    _swap_down(keys, 1, 3)
    _swap_down(keys, 1, 2)


@njit(cache=True)
def _index_of_keys(keys, scale_of_config, left_of_config, config_of_codes, offset):
    low = (np.int64(1) << _CODE_SHIFT) - 1
    config = config_of_codes[keys[0] >> _CODE_SHIFT, keys[1] >> _CODE_SHIFT, keys[2] >> _CODE_SHIFT]
    index = offset[config]
    for s in range(4):
        index += scale_of_config[config, s] * _multisets(keys[s] & low, left_of_config[config, s])
    return index


@njit(cache=True, nogil=True)
def index_hands(cards, n_in_round, choose, popcount, scale_of_config, left_of_config, config_of_codes, offset, out):
    """Fill `out[hand]` with indices; -1 where a card repeats or is not 0..51."""
    suits = np.zeros((4, 4), np.int64)
    keys = np.zeros(4, np.int64)
    for hand in range(cards.shape[0]):
        seen, n_good = np.uint64(0), 0
        for p in range(cards.shape[1]):
            bit = np.uint64(1) << np.uint64(cards[hand, p] & 63)
            n_good += (seen & bit) == 0 and 0 <= cards[hand, p] < 52
            seen |= bit
        if n_good < cards.shape[1]:
            out[hand] = -1
        else:
            _suit_keys(cards[hand], n_in_round, choose, popcount, suits, keys)
            out[hand] = _index_of_keys(keys, scale_of_config, left_of_config, config_of_codes, offset)


@njit(cache=True)
def _keys_of_index(index: int, size_of_code: Int64s, codes_of_config: Int64s, offset: Int64s, keys: Int64s) -> None:
    """Set `keys` to the four suits' sorted keys of one index."""
    config = np.searchsorted(offset, index, side="right") - 1
    left, start = index - offset[config], 0
    while start < 4:
        code, stop = codes_of_config[config, start], start + 1
        while stop < 4 and codes_of_config[config, stop] == code:
            stop += 1
        size = size_of_code[code]
        total = _multisets(size, stop - start)
        within = left % total
        left //= total
        for s in range(start, stop):
            lo, hi = 0, size - 1  # the largest rank whose multiset count does not exceed `within`
            while lo < hi:
                middle = (lo + hi + 1) >> 1
                if _multisets(middle, stop - s) <= within:
                    lo = middle
                else:
                    hi = middle - 1
            within -= _multisets(lo, stop - s)
            keys[s] = (code << _CODE_SHIFT) | lo
        start = stop


@njit(cache=True)
def _cards_of_key(key, suit, n_in_round, choose, start_of_round, filled, cards):
    """Append the cards of one suit to each round in `cards`; filled[round] counts the cards written."""
    code, rank = key >> _CODE_SHIFT, key & ((np.int64(1) << _CODE_SHIFT) - 1)
    radix = 1
    for r in range(n_in_round.size):
        radix *= n_in_round[r] + 1
    used, n_used = 0, 0
    for r in range(n_in_round.size):
        radix //= n_in_round[r] + 1
        n = code // radix
        code %= radix
        total = choose[13 - n_used, n]
        colex = rank % total
        rank //= total
        fresh = 0
        for k in range(n, 0, -1):
            free = k - 1
            while choose[free + 1, k] <= colex:
                free += 1
            colex -= choose[free, k]
            at = 0  # the free-th rank this suit did not hold in earlier rounds
            while (used >> at) & 1 or free > 0:
                free -= 1 - ((used >> at) & 1)
                at += 1
            fresh |= 1 << at
            cards[start_of_round[r] + filled[r]] = 4 * at + suit
            filled[r] += 1
        used |= fresh
        n_used += n


@njit(cache=True, nogil=True)
def unindex_hands(indices, n_in_round, choose, size_of_code, codes_of_config, offset, out):
    """Fill `out[hand, position]` with each index's canonical hand, high cards first within a round."""
    keys = np.zeros(4, np.int64)
    filled = np.zeros(n_in_round.size, np.int64)
    start_of_round = np.zeros(n_in_round.size + 1, np.int64)
    for r in range(n_in_round.size):
        start_of_round[r + 1] = start_of_round[r] + n_in_round[r]
    for hand in range(indices.size):
        _keys_of_index(indices[hand], size_of_code, codes_of_config, offset, keys)
        filled[:] = 0
        cards = out[hand]
        for s in range(4):
            _cards_of_key(keys[s], 3 - s, n_in_round, choose, start_of_round, filled, cards)
        for r in range(n_in_round.size):
            for p in range(start_of_round[r] + 1, start_of_round[r + 1]):
                card, q = cards[p], p
                while q > start_of_round[r] and cards[q - 1] < card:
                    cards[q] = cards[q - 1]
                    q -= 1
                cards[q] = card


@njit(cache=True, nogil=True)
def count_relabellings(
    indices: Int64s, size_of_code: Int64s, codes_of_config: Int64s, offset: Int64s, out: Int64s
) -> None:
    """For each index, set out[i] to the number of hands that have it: 24 / (number of relabellings of the suits that
    leave such a hand unchanged)."""
    keys = np.zeros(4, np.int64)
    for hand in range(indices.size):
        _keys_of_index(indices[hand], size_of_code, codes_of_config, offset, keys)
        same, run = 1, 1
        for s in range(1, 4):
            run = run + 1 if keys[s] == keys[s - 1] else 1
            same *= run
        out[hand] = 24 // same
