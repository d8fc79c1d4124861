"""Best poker hand among 5, 6 or 7 cards, as a single rank: 0 (7-5-4-3-2) .. 7461 (royal flush), higher is better.

Two hands tie exactly when their ranks are equal. The ranks number the 7,462 classes of five-card hands without gaps.

>>> from pokerlab.cards.card import cards
>>> evaluate(cards("AsKsQsJsTs")), evaluate(cards("7c5d4h3s2c"))
(7461, 0)
>>> rank_label(evaluate(cards("KhKd AcQd9s 4h2c")))
'pair of kings, A-Q-9 kickers'

`evaluate_batch` is for arrays of hands; kernels elsewhere sum card keys themselves (`_evaluate_numba`) and take
`tables()`, which are computed at first use in a quarter of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import AnyArray, Int32s, Int64s, Uint8s, Uint16s, Uint32s
from pokerlab.caches import compiled
from pokerlab.cards import card_keys
from pokerlab.cards.card import RANKS, check_distinct
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, live_combos
from pokerlab.errors import CardError

N_RANKS = card_keys.N_RANKS
kernels = compiled("pokerlab.cards._evaluate_numba")

CATEGORIES = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush",
)  # fmt: skip
"""The nine categories, worst first; a royal flush is the best straight flush."""

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)


class Tables(NamedTuple):
    """Lookup tables of the compiled evaluator, to be passed to the kernels."""

    row_start: Uint32s
    """Where a row of the hash table begins in `rank_of_sum`."""
    rank_of_sum: Uint16s
    """Rank of a multiset of 5, 6 or 7 card ranks, suits ignored."""
    rank_of_flush: Uint16s
    """`rank_of_flush[mask]`: rank of the best flush or straight flush among the ranks set in the 13-bit mask."""


def evaluate(cards: Sequence[int]) -> int:
    """Rank 0..7461 of the best hand among 5, 6 or 7 different cards; higher is better.

    >>> evaluate([51, 47, 43, 39, 35, 0, 1])
    7461
    """
    try:
        a, b, c, d, e, f, g = cards
        total = _PAIR_KEYS[a][b] + _PAIR_KEYS[c][d] + _PAIR_KEYS[e][f] + _LAST_KEYS[g]
        if (total >> _SUM_BITS).bit_count() == _PLAIN_BITS:
            total &= _SUM_MASK
            return _RANKS[_ROWS[total & _ROW_MASK] + (total >> _ROW_BITS)]
        full_suit = total & _FULL_SUITS
        if full_suit and (total >> _CARD_BITS).bit_count() == 7:
            return _FLUSHES[total >> (_CARD_BITS + 13 * (full_suit.bit_length() // 9 - 4)) & 0x1FFF]
    except (ValueError, TypeError, IndexError):  # another number of cards, not a card, or the first call
        pass
    return _evaluate_any(cards)


def _evaluate_any(cards: Sequence[int]) -> int:
    """`evaluate` for 5 or 6 cards, for invalid hands and at the first call."""
    global _ROWS, _RANKS, _FLUSHES
    if not _ROWS:
        _ROWS, _RANKS, _FLUSHES = [table.data for table in tables()]
    if len(cards) not in (5, 6, 7) or not set(cards) <= _CARDS or len(set(cards)) < len(cards):
        check_distinct(hand=(int(card) for card in cards))
        raise CardError(f"a hand to evaluate has 5, 6 or 7 cards, not {len(cards)}")
    hand = [int(card) for card in cards]
    total = sum([_PLAIN_KEYS[card] for card in hand])
    full_suits = (total >> 32) + 0x3333 & 0x8888
    if full_suits:
        suit = full_suits.bit_length() // 4 - 1
        return _FLUSHES[sum([1 << (card >> 2) for card in hand if card & 3 == suit])]
    total &= _SUM_MASK
    return _RANKS[_ROWS[total & _ROW_MASK] + (total >> _ROW_BITS)]


def evaluate_batch(hands: ArrayLike) -> Int32s:
    """`ranks[n]` of `hands[n, 5..7]`, an array of card ids; fastest if it is contiguous uint8.

    The cards of a row must be different; that is not checked.

    >>> evaluate_batch([[51, 47, 43, 39, 35, 0, 1], [0, 5, 10, 15, 20, 25, 50]])
    array([7461, 5853], dtype=int32)
    """
    rows = _hand_bytes(hands)
    ranks = np.empty(len(rows), dtype=np.int32)
    if kernels.evaluate_batch(rows, tables(), ranks):
        row = int(np.argmax(ranks < 0))
        raise CardError(f"hand {row} holds {rows[row].max()}, which is not a card: cards are 0..51")
    return ranks


def rank_combos(board: Sequence[int]) -> Int32s:
    """Fill `ranks[1326]` of every combo with a board of 3, 4 or 5 cards; -1 for combos that conflict with the board.

    >>> ranks = rank_combos([51, 47, 43, 39, 35])
    >>> int((ranks == -1).sum()), set(ranks[ranks >= 0].tolist())
    (245, {7461})
    """
    if not 3 <= len(board) <= 5:
        raise CardError(f"a board to rank combos on has 3, 4 or 5 cards, not {len(board)}")
    check_distinct(board=(int(card) for card in board))
    ranks = np.full(N_COMBOS, -1, dtype=np.int32)
    if card_keys.may_use_arrays(N_COMBOS):
        live = live_combos(sum(1 << int(card) for card in board))
        of_hands, of_board = (
            card_keys.sums_of(CARDS_OF_COMBO[live].astype(np.uint8)),
            card_keys.sums_of(np.array(board, np.uint8)),
        )
        ranks[live] = card_keys.rank_keys(of_hands[0] + of_board[0], of_hands[1] + of_board[1], tables())
    else:
        kernels.rank_combos(np.array(board, dtype=np.uint8), tables(), ranks)
    return ranks


def _hand_bytes(hands: ArrayLike) -> Uint8s:
    """`hands` as contiguous uint8 rows; raises if the conversion would change a value."""
    rows: AnyArray = np.asarray(hands)
    if rows.ndim != 2 or not 5 <= rows.shape[1] <= 7:
        raise CardError(f"hands must be an array [n, 5..7] of card ids, not of shape {list(rows.shape)}")
    if rows.dtype != np.uint8:
        if not np.issubdtype(rows.dtype, np.integer):
            raise CardError(f"hands must be card ids 0..51, not {rows.dtype}")
        bad = (rows < 0) | (rows > 51)
        if bad.any():
            row = int(np.argmax(bad.any(axis=1)))
            raise CardError(f"hand {row} holds {rows[bad][0]}, which is not a card: cards are 0..51")
    return np.ascontiguousarray(rows, dtype=np.uint8)


# --- the meaning of a rank -------------------------------------------------------------------------------------------

_SINGULARS = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_PLURALS = tuple("sixes" if one == "six" else f"{one}s" for one in _SINGULARS)


def category_of_rank(rank: int) -> int:
    """Category of a rank: 0..8, an index into `CATEGORIES`.

    >>> CATEGORIES[category_of_rank(7461)]
    'straight flush'
    """
    return _score_of_rank(rank) >> 20


def rank_label(rank: int) -> str:
    """Describe a rank in words.

    >>> rank_label(0), rank_label(7461), rank_label(7140)
    ('seven high, 5-4-3-2 kickers', 'royal flush', 'full house, deuces full of threes')
    """
    score = _score_of_rank(rank)
    ranks = [score >> shift & 15 for shift in (16, 12, 8, 4, 0)]
    one, many, also = _SINGULARS[ranks[0]], _PLURALS[ranks[0]], _PLURALS[ranks[1]]
    dashed = "-".join(RANKS[rank] for rank in ranks)  # two characters a card
    labels = (
        f"{one} high, {dashed[2:]} kickers",
        f"pair of {many}, {dashed[2:7]} kickers",
        f"two pair, {many} and {also}, {dashed[4]} kicker",
        f"three {many}, {dashed[2:5]} kickers",
        f"straight, {one} high",
        f"flush, {dashed}",
        f"full house, {many} full of {also}",
        f"four {many}, {dashed[2]} kicker",
        "royal flush" if ranks[0] == 12 else f"straight flush, {one} high",
    )
    return labels[score >> 20]


def _score_of_rank(rank: int) -> int:
    if not 0 <= rank < N_RANKS:
        raise CardError(f"{rank} is not a hand rank: ranks are 0..{N_RANKS - 1}")
    return int(rank_scores()[rank])


# --- the tables ------------------------------------------------------------------------------------------------------
#
# A score is `category << 20 | r1 << 16 | r2 << 12 | ..`: the card ranks that decide, most important first.
# Scores order hands; the sorted scores of all five-card hands are the 7,462 classes, and a rank is an index into them.

# Plain Python evaluates seven cards by adding up longer keys: the sum for their ranks in the low 30 bits, then 9 bits
# for each suit, then one bit for each card. A suit's part starts at 188 and grows by 15 a card, so that it has five
# bits set up to four cards, and from five to seven cards four, the ninth among them. So the sum has 4 * 5 + 7 bits set
# above the ranks exactly if the seven cards are different and hold no flush: one test for both.

_SUM_BITS, _CARD_BITS = 30, 30 + 4 * 9
_SUM_MASK, _PLAIN_BITS = (1 << _SUM_BITS) - 1, 4 * 5 + 7
_FULL_SUITS = sum(1 << (_SUM_BITS + 9 * suit + 8) for suit in range(4))
_ROW_BITS, _ROW_MASK = card_keys.ROW_BITS, int(card_keys.ROW_MASK)
_CARDS = frozenset(range(52))
_PLAIN_KEYS: list[int] = card_keys.KEY_OF_CARD[:52].tolist()


def _long_key(card: int) -> int:
    rank, suit = card >> 2, card & 3
    return int(_PLAIN_KEYS[card] & _SUM_MASK | 15 << (_SUM_BITS + 9 * suit) | 1 << (_CARD_BITS + 13 * suit + rank))


# Bytes that are no card, negative ones too, add nothing: then bits are missing from the sum.
_LONG_KEYS = [_long_key(card) for card in range(52)] + [0] * 204
_PAIR_KEYS = [[one + other for other in _LONG_KEYS] for one in _LONG_KEYS[:52]] + [_LONG_KEYS] * 204
_LAST_KEYS = [key + sum(188 << (_SUM_BITS + 9 * suit) for suit in range(4)) for key in _LONG_KEYS]
_ROWS = _RANKS = _FLUSHES = memoryview(b"")
"""The tables, from the first call on; plain Python reads integers faster from a memory view than from an array."""


@cache
def tables() -> Tables:
    """The lookup tables, computed at the first call."""
    sums, scores = [], []
    for n_cards in (5, 6, 7):
        masks, total = _rank_multisets(n_cards)
        sums.append(total + n_cards * card_keys.ONE_CARD)
        scores.append(_scores_of_masks(masks))
    row_start, slots = _displaced_rows(np.concatenate(sums))
    rank_of_sum = np.zeros(int(row_start.max()) + card_keys.N_COLUMNS, dtype=np.uint16)
    rank_of_sum[slots] = np.searchsorted(rank_scores(), np.concatenate(scores))
    rank_of_flush = np.searchsorted(rank_scores(), _flush_scores()).astype(np.uint16)
    result = Tables(row_start, rank_of_sum, rank_of_flush)
    for table in result:
        table.setflags(write=False)
    return result


@cache
def rank_scores() -> Int64s:
    """`scores[rank]` of the 7,462 ranks: `category << 20`, plus the deciding card ranks below it, four bits each."""
    five_ranks = np.flatnonzero(_BIT_COUNT == 5)
    scores = np.concatenate([_scores_of_masks(_rank_multisets(5)[0]), _flush_scores()[five_ranks]])
    distinct: Int64s = np.unique(scores)
    assert len(distinct) == N_RANKS
    return distinct


def _rank_multisets(n_cards: int) -> tuple[list[Int64s], Int64s]:
    """Every multiset of ranks with at most four of each: masks of ranks that occur at least 1, 2, 3, 4 times, and its
    sum."""
    flat = chain.from_iterable(combinations_with_replacement(range(13), n_cards))
    ranks = np.fromiter(flat, dtype=np.int64).reshape(-1, n_cards)
    ranks = ranks[(ranks[:, 4:] != ranks[:, :-4]).all(axis=1)]  # rows are sorted: drop those with five of a rank
    masks = []
    for times in (1, 2, 3, 4):
        again = ranks[:, times - 1 :] == ranks[:, : n_cards - times + 1]
        bits = np.where(again, 1 << ranks[:, times - 1 :], 0)
        masks.append(np.bitwise_or.reduce(bits, axis=1))
    return masks, np.asarray(card_keys.SUM_OF_RANK)[ranks].sum(axis=1)


_MASKS = np.arange(1 << 13)
_BIT_COUNT = np.bitwise_count(_MASKS)
_TOP = np.array([max(mask.bit_length() - 1, 0) for mask in range(1 << 13)])  #: the highest rank in a mask


def _straight_tops() -> Int64s:
    """For each mask of ranks, the top rank of its best straight, or -1. The ace is also below the deuce."""
    top = np.full(1 << 13, -1)
    for high in range(3, 13):
        run = 0b11111 << (high - 4) if high > 3 else 0b1000000001111
        top[_MASKS & run == run] = high
    return top


_STRAIGHT_TOP = _straight_tops()


def _packed(mask: Int64s, n_ranks: int, first: int = 0) -> Int64s:
    """The top `n_ranks` of a mask, highest first, written to a score starting at place `first`."""
    score = np.zeros_like(mask)
    for place in range(first, first + n_ranks):
        top = _TOP[mask]
        score |= top << (16 - 4 * place)
        mask = mask & ~(1 << top)
    return score


def _scores_of_masks(masks: list[Int64s]) -> Int64s:
    """Scores of hands, ignoring suits; `masks` are the ranks that occur at least 1, 2, 3 and 4 times."""
    any_rank, paired, tripled, quadrupled = masks
    top_pair, top_trip, top_quad = (1 << _TOP[mask] for mask in (paired, tripled, quadrupled))
    other_pairs, full = paired & ~top_pair, paired & ~top_trip
    second_pair = 1 << _TOP[other_pairs]
    straight = _STRAIGHT_TOP[any_rank]
    cases = [
        (quadrupled > 0, QUADS, _packed(top_quad, 1) | _packed(any_rank & ~top_quad, 1, 1)),
        ((tripled > 0) & (full > 0), FULL_HOUSE, _packed(top_trip, 1) | _packed(full, 1, 1)),
        (straight >= 0, STRAIGHT, straight << 16),
        (tripled > 0, TRIPS, _packed(top_trip, 1) | _packed(any_rank & ~top_trip, 2, 1)),
        (other_pairs > 0, TWO_PAIR, _packed(paired, 2) | _packed(any_rank & ~top_pair & ~second_pair, 1, 2)),
        (paired > 0, PAIR, _packed(paired, 1) | _packed(any_rank & ~top_pair, 3, 1)),
    ]
    high_cards = _packed(any_rank, 5)
    return np.select([c for c, _, _ in cases], [category << 20 | score for _, category, score in cases], high_cards)


def _flush_scores() -> Int64s:
    """Score of the best flush in each mask of ranks of one suit (meaningless below five ranks)."""
    straight = _STRAIGHT_TOP
    return np.where(straight >= 0, STRAIGHT_FLUSH << 20 | straight << 16, FLUSH << 20 | _packed(_MASKS, 5))


def _displaced_rows(sums: Int64s) -> tuple[Uint32s, Int64s]:
    """Perfect hash of `sums` by row displacement. Return where each row begins, and each sum's slot.

    A sum is split into a row and a column. Rows, fullest first, are placed on top of each other at the first position
    where no entries collide. Python's long integers test all positions at once: bit `p` of `taken >> column` says
    whether the entry in that column would collide with another if the row began at `p`.

    References
    ----------
    Tarjan and Yao (1979), "Storing a sparse table", Communications of the ACM 22(11).
    """
    rows, columns = sums & int(card_keys.ROW_MASK), sums >> card_keys.ROW_BITS
    order = np.argsort(rows, kind="stable")
    starts = np.flatnonzero(np.diff(rows[order], prepend=-1))
    groups = sorted(np.split(order, starts[1:]), key=len, reverse=True)
    row_start = np.zeros(1 << card_keys.ROW_BITS, dtype=np.uint32)
    taken = 0
    for group in groups:
        entries = columns[group].tolist()
        collides = 0
        for column in entries:
            collides |= taken >> column
        place = (~collides & (collides + 1)).bit_length() - 1  # the lowest bit that is not set
        row_start[rows[group[0]]] = place
        taken |= sum(1 << column for column in entries) << place
    return row_start, row_start[rows] + columns
