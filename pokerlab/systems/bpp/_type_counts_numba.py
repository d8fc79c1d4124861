"""Compiled counting of hand types: hold'em by random deals, five-card stud by enumerating all hands.

Shapes are those of `type_counts.HoldemCounts` and `StudCounts`; all arrays are int64 and modified in place.
"""
# mypy: ignore-errors

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab._rng_numba import STATE_WORDS, begin, shuffle
from pokerlab.arrays import Int64s, Uint8s
from pokerlab.cards._evaluate_numba import KEY_OF_CARD, SUITS_OF_CARD, rank_of_key
from pokerlab.cards._hand_types_numba import most_of_a_straight, most_of_a_suit, tuple_of_counts

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

DEALS_A_STREAM = 1 << 20
SEEN_BOARD = (0, 3, 4, 5)


@njit(cache=True)
def level(most: int, n_cards: int):
    """Index of `hand_types.LEVELS`: how near a hand that will have seven cards is to a flush or a straight. Of its
    `n_cards` so far, at most `most` fit one flush or straight."""
    if most >= 5:
        return 2
    if n_cards == 2:
        return 1 if most == 2 else 0
    return 1 if most == 4 and n_cards < 7 else 0


@njit(cache=True)
def _subtype_of_cards(cards: Uint8s, n: int, counts: Int64s, tables: Tables, subtype_of_rank: Int64s):
    """Sub-type of the first `n` of `cards`. `counts` is how often each rank occurs among them."""
    if n < 5:
        return tuple_of_counts(counts)
    key = np.uint64(0)
    suits = np.uint64(0)
    for i in range(n):
        key += KEY_OF_CARD[cards[i]]
        suits += SUITS_OF_CARD[cards[i]]
    return subtype_of_rank[rank_of_key(key, suits, tables)]


@njit(cache=True)
def count_holdem(key, first, n_streams, places, tables, subtype_of_rank, counts):
    """Count random deals of two hands and a board: `n_streams` random streams from number `first` on, each with
    `DEALS_A_STREAM` deals.

    `places` is (`tuple[subtype]`, `board_tuple[subtype]`, `type16[subtype]`), `counts` a `HoldemCounts`.
    """
    board_counts, partial, win, flush, current, final, both = counts
    tuple_of, board_tuple_of, type_of = places
    state = np.empty(STATE_WORDS, dtype=np.uint64)
    deck = np.arange(52).astype(np.uint8)
    seen = np.empty(7, dtype=np.uint8)
    ranks = np.empty(13, dtype=np.int64)
    suits = np.empty(4, dtype=np.int64)
    board = np.empty(4, dtype=np.int64)
    board_flush = np.empty(4, dtype=np.int64)
    hand = np.empty((2, 4), dtype=np.int64)
    hand_flush = np.empty((2, 4), dtype=np.int64)
    hand_now = np.empty((2, 4), dtype=np.int64)
    last = np.empty(2, dtype=np.int64)
    subtype = np.empty(2, dtype=np.int64)
    for index in range(first, first + n_streams):
        begin(state, key, np.uint64(index))
        for _ in range(DEALS_A_STREAM):
            shuffle(state, deck, 9)
            ranks[:] = 0
            suits[:] = 0
            board[0] = 0
            board_flush[0] = 0
            for street in range(1, 4):
                for i in range(SEEN_BOARD[street - 1], SEEN_BOARD[street]):
                    ranks[deck[4 + i] >> 2] += 1
                    suits[deck[4 + i] & 3] += 1
                by_suit = min(max(most_of_a_suit(suits) - 2, 0), 2)
                by_rank = min(max(most_of_a_straight(ranks) - 2, 0), 2)
                board[street] = (board_tuple_of[tuple_of_counts(ranks)] * 3 + by_suit) * 3 + by_rank
                board_flush[street] = by_suit
            for who in range(2):
                ranks[:] = 0
                suits[:] = 0
                for i in range(7):
                    seen[i] = deck[2 * who + i] if i < 2 else deck[2 + i]
                n = 0
                for street in range(4):
                    while n < 2 + SEEN_BOARD[street]:
                        ranks[seen[n] >> 2] += 1
                        suits[seen[n] & 3] += 1
                        n += 1
                    by_suit = level(most_of_a_suit(suits), n)
                    by_rank = level(most_of_a_straight(ranks), n)
                    hand[who, street] = (tuple_of[tuple_of_counts(ranks)] * 3 + by_suit) * 3 + by_rank
                    hand_flush[who, street] = by_suit
                    hand_now[who, street] = _subtype_of_cards(seen, n, ranks, tables, subtype_of_rank)
                rank_key = np.uint64(0)
                rank_suits = np.uint64(0)
                for i in range(7):
                    rank_key += KEY_OF_CARD[seen[i]]
                    rank_suits += SUITS_OF_CARD[seen[i]]
                last[who] = rank_of_key(rank_key, rank_suits, tables)
                subtype[who] = subtype_of_rank[last[who]]
            for who in range(2):
                other = 1 - who
                outcome = 0 if last[who] > last[other] else 1 if last[who] == last[other] else 2
                win[subtype[who], subtype[other], outcome] += 1
                for street in range(4):
                    board_counts[street, board[street]] += 1
                    partial[street, board[street], hand[who, street], type_of[subtype[who]]] += 1
                    flush[street, board_flush[street], hand_flush[who, street]] += 1
                    now, how = hand_now[who, street], hand_flush[who, street]
                    current[street, now] += 1
                    final[street, now, how, subtype[who]] += 1
                    both[street, now, how, subtype[other], subtype[who]] += 1


@njit(cache=True)
def count_stud(tables, subtype_of_rank, counts):
    """`counts[street, final, current, up]` over every five-card hand and every order of its cards.

    On street s a player has s + 2 cards, one of them face down. Every way of dealing them is counted.
    """
    cards = np.empty(5, dtype=np.uint8)
    ranks = np.zeros(13, dtype=np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        cards[0], cards[1], cards[2], cards[3], cards[4] = a, b, c, d, e
                        key = np.uint64(0)
                        suits = np.uint64(0)
                        for i in range(5):
                            key += KEY_OF_CARD[cards[i]]
                            suits += SUITS_OF_CARD[cards[i]]
                        final = subtype_of_rank[rank_of_key(key, suits, tables)]
                        for chosen in range(32):
                            n = 0
                            for i in range(5):
                                n += chosen >> i & 1
                            if n < 2:
                                continue
                            ranks[:] = 0
                            for i in range(5):
                                if chosen >> i & 1:
                                    ranks[cards[i] >> 2] += 1
                            now = final if n == 5 else tuple_of_counts(ranks)
                            for i in range(5):
                                if chosen >> i & 1:
                                    ranks[cards[i] >> 2] -= 1
                                    counts[n - 2, final, now, tuple_of_counts(ranks)] += 1
                                    ranks[cards[i] >> 2] += 1


@njit(cache=True)
def count_stud_pairs(key, first, n_streams, tables, subtype_of_rank, win):
    """Count `win[BPP's type, opponent's type, outcome]` over `n_streams` times `DEALS_A_STREAM` random deals of two
    five-card hands."""
    state = np.empty(STATE_WORDS, dtype=np.uint64)
    deck = np.arange(52).astype(np.uint8)
    for index in range(first, first + n_streams):
        begin(state, key, np.uint64(index))
        for _ in range(DEALS_A_STREAM):
            shuffle(state, deck, 10)
            mine = _rank_of_five(deck, 0, tables)
            yours = _rank_of_five(deck, 5, tables)
            outcome = 0 if mine > yours else 1 if mine == yours else 2
            win[subtype_of_rank[mine], subtype_of_rank[yours], outcome] += 1
            win[subtype_of_rank[yours], subtype_of_rank[mine], 2 - outcome] += 1


@njit(cache=True)
def _rank_of_five(deck, at, tables):
    key = np.uint64(0)
    suits = np.uint64(0)
    for i in range(at, at + 5):
        key += KEY_OF_CARD[deck[i]]
        suits += SUITS_OF_CARD[deck[i]]
    return rank_of_key(key, suits, tables)
