"""Equity with NumPy only: twins of the kernels in `_equity_numba` and `_equity_random_numba`, for questions that are
answered sooner than the kernels could be compiled. Both give the same counts, and the same deals for the same seed.

Suits matter only to flushes, so run-outs are counted by their ranks as if there were none; those that give a player a
flush are counted again by their cards of its suit. A random hand is counted by its ranks as well, on all run-outs at
once.

Shapes: `outcomes[player, k - 1]` counts deals in which the player is one of k winners; a random hand is the last
player. `ranks[player, run-out]`; P is the axis of the 91 pairs of ranks.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Floats32, Int16s, Int32s, Int64s, Uint8s, Uint64s
from pokerlab.cards.card_keys import RANK_KEY, SUITS_OF_CARD, rank_keys
from pokerlab.cards.evaluate import tables

_MASKS = np.arange(1 << 13)
_BITS = (_MASKS[:, None] >> np.arange(13) & 1).astype(np.uint8)  # _BITS[mask, rank]
_N_BITS = _BITS.sum(axis=1)
_KEY_OF_MASK = _BITS.astype(np.uint64) @ RANK_KEY
_CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(5)])  # _CHOOSE[n, k]: ways to take k of n suits
_HIGH, _LOW = np.array([(high, low) for high in range(13) for low in range(high + 1)]).T
_PAIRED = _HIGH == _LOW
_KEY_OF_PAIR = RANK_KEY[_HIGH] + RANK_KEY[_LOW]


class RankSets(NamedTuple):
    """Multisets of ranks that can still be dealt: their keys, numbers of cards of each rank, and ways to deal them."""

    keys: Uint64s
    held: Uint8s  #: [multiset, rank]
    ways: Int64s


@cache
def _multisets(size: int) -> tuple[Uint64s, Uint8s]:
    """Return (keys, held[multiset, rank]) of all multisets of `size` ranks, by ascending key."""
    listed = np.array(list(combinations_with_replacement(range(13), size)), np.intp).reshape(
        comb(12 + size, size), size
    )
    keys = RANK_KEY[listed].sum(axis=1, dtype=np.uint64)
    held = np.zeros((len(listed), 13), np.uint8)
    for place in range(size):
        held[np.arange(len(listed)), listed[:, place]] += 1
    order = np.argsort(keys)
    return keys[order], held[order]


def _rank_sets(n_of_rank: Int64s, size: int) -> RankSets:
    """The multisets of `size` ranks that can be made from `n_of_rank[13]` cards."""
    keys, held = _multisets(size)
    ways = _CHOOSE[n_of_rank, held].prod(axis=1)
    possible = ways > 0
    return RankSets(keys[possible], held[possible], ways[possible])


def _plain_ranks(keys: Uint64s) -> Int32s:
    """Rank hands as if no flush existed. Each of `keys` is the sum of `RANK_KEY` over the cards of one hand."""
    return rank_keys(keys, np.zeros_like(keys), tables())


class Deal:
    """One deal of hole cards on a board; `gone` is the mask of further cards that cannot come."""

    def __init__(self, holes: Uint8s, board: Uint8s, gone: int) -> None:
        for card in holes.ravel().tolist():
            gone |= 1 << card
        self.n_players, self.n_to_come = len(holes), 5 - len(board)
        self.board_key = RANK_KEY[board >> 2].sum(dtype=np.uint64)
        self.keys = RANK_KEY[holes >> 2].sum(axis=1, dtype=np.uint64) + self.board_key
        board_suits = SUITS_OF_CARD[board].sum(dtype=np.uint64)
        suits = SUITS_OF_CARD[holes].sum(axis=1, dtype=np.uint64) + board_suits
        free = np.array([not gone >> card & 1 for card in range(52)]).reshape(13, 4)
        self.n_of_rank: Int64s = free.sum(axis=1)
        free_masks = (free << np.arange(13)[:, None]).sum(axis=0).tolist()
        #: For each suit the masks of its ranks in the deck, on the board, and in each player's hand and board; then
        #: the number of suits with the same masks.
        self.suits = Counter(
            (free_masks[suit], *(int(of_suits) >> 16 * suit & 0x1FFF for of_suits in (board_suits, *suits)))
            for suit in range(4)
        )

    def outcomes(self) -> Int64s:
        """Outcomes of all run-outs: the twin of the kernel `deal_outcomes`."""
        run_outs = _rank_sets(self.n_of_rank, self.n_to_come)
        outcomes = tally(_plain_ranks(self.keys[:, None] + run_outs.keys), run_outs.ways)
        for (free, _, *masks), times in self.suits.items():
            for n_suited in range(max(0, 5 - int(_N_BITS[masks].max())), self.n_to_come + 1):
                suited, others = self._with_suited(free, n_suited)
                keys = (_KEY_OF_MASK[suited][:, None] + others.keys).ravel()
                ways = np.tile(others.ways, len(suited))
                plain = _plain_ranks(self.keys[:, None] + keys)
                flushes = np.repeat(_flushes(np.array(masks)[:, None] | suited), len(others.keys), axis=1)
                outcomes += times * (tally(np.where(flushes >= 0, flushes, plain), ways) - tally(plain, ways))
        return outcomes

    def _with_suited(self, free: int, n_suited: int) -> tuple[Int64s, RankSets]:
        """Run-outs with `n_suited` cards of a suit: the masks of these cards, and the multisets of the others."""
        suited = _MASKS[(n_suited == _N_BITS) & (_MASKS & ~free == 0)]
        return suited, _rank_sets(self.n_of_rank - _BITS[free], self.n_to_come - n_suited)

    # --- with a random hand ------------------------------------------------------------------------------------------

    def random_outcomes(self) -> Int64s:
        """Outcomes of all run-outs with all hands of one more player: the twin of the kernel `random_outcomes`."""
        run_outs = _rank_sets(self.n_of_rank, self.n_to_come)
        pair_ranks = _plain_ranks(self.board_key + run_outs.keys[:, None] + _KEY_OF_PAIR).astype(np.int16)
        ranks = _plain_ranks(self.keys[:, None] + run_outs.keys)
        won = _won(pair_ranks, ranks.max(axis=0), _pairs_of(self.n_of_rank - run_outs.held))
        outcomes = _tally_random(ranks, run_outs.ways, won)
        for (free, board_mask, *masks), times in self.suits.items():
            for n_suited in range(max(0, 3 - int(_N_BITS[board_mask])), self.n_to_come + 1):
                suited, others = self._with_suited(free, n_suited)
                flushes = _flushes(np.array(masks)[:, None] | suited)
                for has_flush in (True, False):  # one of the given hands
                    chosen = (flushes >= 0).any(axis=0) == has_flush
                    if chosen.any() and len(others.keys):
                        spot = _Suited(self, free, board_mask, suited[chosen], others, flushes[:, chosen])
                        on_board = pair_ranks[np.searchsorted(run_outs.keys, spot.keys)]
                        outcomes += times * spot.correction(on_board, whole=has_flush)
        return outcomes


class _Suited:
    """Run-outs with `suited[n]` of the `free` ranks of a suit, and with other cards; `flushes[player, n]` are the ranks
    of the given hands' flushes, or -1. Arrays are [suited, others]; a random hand adds the pairs of ranks as the last
    axis."""

    def __init__(
        self, deal: Deal, free: int, board_mask: int, suited: Int64s, others: RankSets, flushes: Int32s
    ) -> None:
        self.keys: Uint64s = _KEY_OF_MASK[suited][:, None] + others.keys
        self.ranks = _plain_ranks(deal.keys[:, None, None] + self.keys)
        self.flushed = np.where(flushes[:, :, None] >= 0, flushes[:, :, None], self.ranks)
        self.ways = np.broadcast_to(others.ways, self.keys.shape).ravel()
        self.base = (board_mask | suited)[:, None, None]
        self.n_on_board = int(_N_BITS[self.base[0, 0, 0]])
        self.of_suit = _BITS[free & ~suited].astype(np.float32)[:, None]
        left = deal.n_of_rank - _BITS[free] - others.held
        self.left, self.unsuited = left.astype(np.float32), _pairs_of(left)

    def correction(self, pair_ranks: Int16s, *, whole: bool) -> Int64s:
        """Outcomes of the run-outs and hands that give a player a flush, minus those without counting the flush; over
        all hands if `whole`, otherwise over those that have a flush. `pair_ranks` are the hands' ranks without it."""
        best, best_flushed = self.ranks.max(axis=0), self.flushed.max(axis=0)
        plain = flushed = np.zeros((3, *best.shape))
        for n_suited, held, ways in self._hands():
            if n_suited + self.n_on_board >= 5:
                plain = plain + _won(pair_ranks, best, ways)
                flushed = flushed + _won(tables().rank_of_flush[self.base | held].astype(np.int16), best_flushed, ways)
            elif whole:
                plain = plain + _won(pair_ranks, best, ways)
                flushed = flushed + _won(pair_ranks, best_flushed, ways)
        n_players = len(self.ranks)
        after = _tally_random(self.flushed.reshape(n_players, -1), self.ways, flushed.reshape(3, -1))
        return after - _tally_random(self.ranks.reshape(n_players, -1), self.ways, plain.reshape(3, -1))

    def _hands(self) -> list[tuple[int, Int64s, Floats32]]:
        """(cards of the suit, their mask, ways) of the random hands by pairs of ranks."""
        high, low = 1 << _HIGH, 1 << _LOW
        of_high, of_low = self.of_suit[..., _HIGH], self.of_suit[..., _LOW]
        return [
            (2, high | low, of_high * of_low * ~_PAIRED),
            (1, high, of_high * self.left[:, _LOW]),
            (1, low, of_low * self.left[:, _HIGH] * ~_PAIRED),
            (0, 0 * high, self.unsuited),
        ]


def _flushes(masks: Int64s) -> Int32s:
    """Ranks of the flushes in masks of ranks, -1 if there are fewer than five."""
    return np.where(_N_BITS[masks] >= 5, tables().rank_of_flush[masks].astype(np.int32), -1)


def _pairs_of(left: Int64s) -> Floats32:
    """Ways to have each pair of ranks when `left[..., 13]` cards of each rank remain, ignoring suits."""
    ways = left[..., _HIGH] * (left[..., _LOW] - _PAIRED)
    return np.asarray(np.where(_PAIRED, ways // 2, ways), np.float32)


def _won(ranks: Int16s, best: Int32s, ways: Floats32) -> Floats:
    """Numbers of hands with `ranks[..., P]` that lose, tie and win against `best`; each occurs in `ways` ways."""
    bound = best[..., None].astype(np.int16)
    lost, tied = (np.einsum("...p,...p", held.astype(np.float32), ways) for held in (ranks < bound, ranks == bound))
    return np.stack([lost, tied, ways.sum(axis=-1) - lost - tied]).astype(np.float64)


def tally(ranks: Int32s, ways: Int64s) -> Int64s:
    """Return `outcomes[player, k - 1]`: in how many deals each player is one of k winners.

    The winners on a run-out have the best of `ranks[player, run-out]`; a run-out counts for `ways[run-out]` deals.
    """
    wins = ranks == ranks.max(axis=0)
    n_winners = wins.sum(axis=0)
    counts = [np.bincount(n_winners[own], ways[own], minlength=len(ranks) + 1)[1:] for own in wins]
    return np.stack(counts).astype(np.int64)


def _tally_random(ranks: Int32s, ways: Int64s, won: Floats) -> Int64s:
    """Do the same as `tally` with one more player, who has a random hand.

    `won[3, run-out]` are the numbers of random hands that lose, tie and win against the best of the other hands.
    """
    wins = ranks == ranks.max(axis=0)
    n_best, n_players = wins.sum(axis=0), len(ranks)
    lost, tied, alone = won * ways
    outcomes = np.zeros((n_players + 1, n_players + 2))
    for player, own in enumerate(wins):
        outcomes[player] = np.bincount(n_best[own], lost[own], minlength=n_players + 2)
        outcomes[player, 1:] += np.bincount(n_best[own], tied[own], minlength=n_players + 1)[: n_players + 1]
    outcomes[-1, 1:] = np.bincount(n_best, tied, minlength=n_players + 1)[: n_players + 1]
    outcomes[-1, 1] += alone.sum()
    return outcomes[:, 1:].astype(np.int64)
