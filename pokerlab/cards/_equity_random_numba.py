"""Compiled equity of given hands against one random hand: all run-outs with all hands that the last player may have.

The random hand is counted by its ranks, like the run-outs in `_equity_numba`: 91 pairs of ranks instead of 1,000 hands.
Suits matter only to flushes. Run-outs and hands that give a player a flush are counted again by their cards of its
suit, and their count without the flush is subtracted.

Shapes are as in `_equity_numba`. The random hand is the last player of `outcomes[player, k - 1]`; `ranks[player]`,
`keys[player]` and `masks[player]` are those of the other players.
"""
# mypy: ignore-errors

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab.arrays import Int32s, Int64s, Uint8s
from pokerlab.cards._equity_numba import (
    BITS_OF_MASK,
    KEY_OF_MASK,
    MAX_MULTISETS,
    RANK_KEY,
    free_cards,
    list_multisets,
    suit_of,
)
from pokerlab.cards._evaluate_numba import SUITS_OF_CARD, rank_without_flush

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

_ONE = np.uint64(1)
MAX_FEW = 91  # multisets of at most two ranks
HIGH_OF_PAIR = np.array([high for high in range(13) for low in range(high + 1)])
LOW_OF_PAIR = np.array([low for high in range(13) for low in range(high + 1)])
KEY_OF_PAIR = RANK_KEY[HIGH_OF_PAIR] + RANK_KEY[LOW_OF_PAIR]


@njit(cache=True)
def tally_random(ranks: Int32s, weight: int, won: Int64s, outcomes: Int64s) -> None:
    """Add `weight` times the numbers of random hands that lose, tie and win (`won[0]`, `won[1]`, `won[2]`) against
    `ranks`."""
    best, n_best = best_of(ranks)
    last = len(ranks)
    outcomes[last, 0] += weight * won[2]
    outcomes[last, n_best] += weight * won[1]
    for player in range(last):
        if ranks[player] == best:
            outcomes[player, n_best] += weight * won[1]
            outcomes[player, n_best - 1] += weight * won[0]


@njit(cache=True)
def best_of(ranks: Int32s):
    """Return (the best of `ranks`, the number of players that have it)."""
    best, n_best = ranks[0], 1
    for player in range(1, len(ranks)):
        if ranks[player] > best:
            best, n_best = ranks[player], 1
        elif ranks[player] == best:
            n_best += 1
    return best, n_best


@njit(cache=True)
def count_pairs(key: int, left: Int64s, best: int, tables: Tables, won: Int64s) -> None:
    """Add to `won` the hands made of two of the `left[rank]` cards on the board `key`, ignoring suits."""
    for pair in range(len(KEY_OF_PAIR)):
        high, low = HIGH_OF_PAIR[pair], LOW_OF_PAIR[pair]
        ways = left[high] * (left[high] - 1) // 2 if high == low else left[high] * left[low]
        if ways:
            rank = rank_without_flush(key + KEY_OF_PAIR[pair], tables)
            won[np.int64(rank >= best) + np.int64(rank > best)] += ways


@njit(cache=True)
def _count_by_ranks(keys, board_key, n_of_rank, n_to_come, tables, outcomes):
    """Count the outcomes of all run-outs and random hands as if there were no flushes."""
    sums, counts = np.empty(MAX_MULTISETS, np.uint64), np.empty(MAX_MULTISETS, np.int64)
    members = np.empty((MAX_MULTISETS, 5), np.uint8)
    ranks, won, left = np.empty(len(keys), np.int32), np.empty(3, np.int64), np.empty(13, np.int64)
    for i in range(list_multisets(n_of_rank, n_to_come, sums, counts, members)):
        for player in range(len(keys)):
            ranks[player] = rank_without_flush(keys[player] + sums[i], tables)
        left[:] = n_of_rank
        for card in range(n_to_come):
            left[members[i, card]] -= 1
        won[:] = 0
        count_pairs(board_key + sums[i], left, best_of(ranks)[0], tables, won)
        tally_random(ranks, counts[i], won, outcomes)


@njit(cache=True)
def _count_suited(key, left, n_left, n_board, best, best_flushed, suited, tables, plain, flushed):
    """Add to `plain` and `flushed` the hands that have two cards of the suit and, if `n_left` is not 0, the hands that
    have one card of the suit and one of the cards in `left`.

    `left[rank]` counts the cards of other suits. `suited` has two masks of the suit's ranks: those left in the deck,
    and those on the board, of which there are `n_board`.
    """
    mask, first_mask = suited
    for high in range(13):
        if not (mask >> np.uint64(high)) & _ONE:
            continue
        with_high = first_mask | _ONE << np.uint64(high)
        key_high = key + RANK_KEY[high]
        for low in range(high):
            if (mask >> np.uint64(low)) & _ONE:
                rank = rank_without_flush(key_high + RANK_KEY[low], tables)
                plain[np.int64(rank >= best) + np.int64(rank > best)] += 1
                rank = tables.rank_of_flush[with_high | _ONE << np.uint64(low)]
                flushed[np.int64(rank >= best_flushed) + np.int64(rank > best_flushed)] += 1
        if not n_left:
            continue
        flush = tables.rank_of_flush[with_high]
        for other in range(13):
            if left[other]:
                rank = rank_without_flush(key_high + RANK_KEY[other], tables)
                plain[np.int64(rank >= best) + np.int64(rank > best)] += left[other]
                if n_board >= 4:
                    rank = flush
                flushed[np.int64(rank >= best_flushed) + np.int64(rank > best_flushed)] += left[other]


@njit(cache=True)
def _count_flushes(keys, masks, board_key, board_mask, free, n_of_rank, n_to_come, tables, outcomes):
    """Correct the counts for run-outs and random hands that give a player a flush in one suit.

    `masks[player]` are the ranks of the suit in hole cards and board, `free` those still in the deck.
    """
    n_players = len(keys)
    n_other = n_of_rank.copy()
    for rank in range(13):
        n_other[rank] -= (free >> np.uint64(rank)) & _ONE
    sums, counts = np.empty(MAX_FEW, np.uint64), np.empty(MAX_FEW, np.int64)
    members = np.empty((MAX_FEW, 5), np.uint8)
    ranks, flush_ranks, flushed_ranks = np.empty((3, n_players), np.int32)
    plain, flushed, left = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(13, np.int64)
    on_board = BITS_OF_MASK[board_mask]
    for n_suited in range(max(0, 3 - on_board), n_to_come + 1):
        n_board = on_board + n_suited
        n_others = list_multisets(n_other, n_to_come - n_suited, sums, counts, members)
        suited = free
        while True:  # every subset of the free ranks, the empty one last
            if BITS_OF_MASK[suited] == n_suited:
                any_flush = False
                for player in range(n_players):
                    mask = masks[player] | suited
                    has = BITS_OF_MASK[mask] >= 5
                    flush_ranks[player] = tables.rank_of_flush[mask] if has else -1
                    any_flush |= has
                for i in range(n_others):
                    key = KEY_OF_MASK[suited] + sums[i]
                    for player in range(n_players):
                        ranks[player] = rank_without_flush(keys[player] + key, tables)
                        flushed_ranks[player] = flush_ranks[player] if flush_ranks[player] >= 0 else ranks[player]
                    best, best_flushed = best_of(ranks)[0], best_of(flushed_ranks)[0]
                    left[:] = n_other
                    for card in range(n_to_come - n_suited):
                        left[members[i, card]] -= 1
                    plain[:] = 0
                    flushed[:] = 0
                    _count_suited(
                        board_key + key, left, any_flush or n_board >= 4, n_board, best, best_flushed,
                        (free & ~suited, board_mask | suited), tables, plain, flushed,
                    )  # fmt: skip
                    if n_board >= 5 or any_flush:
                        count_pairs(board_key + key, left, best, tables, plain)
                        if n_board >= 5:
                            rank = tables.rank_of_flush[board_mask | suited]
                            place = np.int64(rank >= best_flushed) + np.int64(rank > best_flushed)
                            n_left = left.sum()
                            flushed[place] += n_left * (n_left - 1) // 2
                        else:
                            count_pairs(board_key + key, left, best_flushed, tables, flushed)
                    tally_random(ranks, -counts[i], plain, outcomes)
                    tally_random(flushed_ranks, counts[i], flushed, outcomes)
            if suited == np.uint64(0):
                break
            suited = (suited - _ONE) & free


@njit(cache=True, nogil=True)
def random_outcomes(deals: Uint8s, board: Uint8s, used: int, tables: Tables, outcomes: Int64s) -> None:
    """Fill `outcomes[deal, player, k - 1]` (int64, initially zero) over all run-outs and all hands of one more player,
    for `deals[deal, player, 2]`; the cards in the mask `used` cannot come."""
    n_to_come = 5 - len(board)
    board_key, board_suits = np.uint64(0), np.uint64(0)
    for card in board:
        board_key += RANK_KEY[card >> 2]
        board_suits += SUITS_OF_CARD[card]
    for deal in range(len(deals)):
        keys, suits, n_of_rank, free = free_cards(deals[deal], board, used)
        _count_by_ranks(keys, board_key, n_of_rank, n_to_come, tables, outcomes[deal])
        for suit in range(4):
            masks, board_mask = suit_of(suits, suit), suit_of(board_suits, suit)
            if BITS_OF_MASK[board_mask] + n_to_come >= 3:
                _count_flushes(
                    keys, masks, board_key, board_mask, free[suit], n_of_rank, n_to_come, tables, outcomes[deal]
                )
