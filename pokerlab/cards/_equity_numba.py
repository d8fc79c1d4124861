"""Compiled equity: all run-outs for given hands, and random deals.

- `deal_outcomes`: all run-outs for given hole cards of any number of players. Since suits matter only to flushes,
  boards are counted by their ranks, and then corrected for boards on which a player has a flush: 40,000 classes of
  boards instead of 1,712,304 before the flop, without assumptions about the hands.
- `sample_outcomes`: random deals.

`equity_arrays` and `equity_sampled` have the same methods in NumPy.

Shapes: `outcomes[player, k - 1]` counts deals in which the player is one of k winners; `holes[player, 2]` card ids.
`tables` are `evaluate.tables()`. Two ranges against each other are in `_showdown_numba`.
"""
# mypy: ignore-errors

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab._rng_numba import STATE_WORDS, begin, multiply_high, next_word, skip_word
from pokerlab.arrays import Int32s, Int64s, Uint8s, Uint64s
from pokerlab.cards._evaluate_numba import KEY_OF_CARD, SUITS_OF_CARD, rank_of_key, rank_without_flush
from pokerlab.cards.card_keys import RANK_KEY
from pokerlab.cards.equity_question import DRAWS_PER_WORD, MAX_TRIES

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

MAX_MULTISETS = 6188  # multisets of five of the thirteen ranks: C(17, 5)
BITS_OF_MASK = np.bitwise_count(np.arange(1 << 13, dtype=np.uint16))

CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(5)])  # CHOOSE[n, k]: ways to take k of n suits
KEY_OF_MASK = np.array(
    [sum(int(RANK_KEY[r]) for r in range(13) if m >> r & 1) for m in range(1 << 13)], dtype=np.uint64
)

_FRACTION = np.uint64((1 << 58) - 1)
_POSSIBLE = np.uint64(1 << 63)  # marks a draw that was possible, so that its mask is never zero
_ONE = np.uint64(1)
_RANKS = np.uint64(0x1FFF)


@njit(cache=True)
def tally(ranks: Int32s, weight: int, outcomes: Int64s) -> None:
    """Add `weight` for each player with the best of `ranks[player]`, in the column for the number of such players."""
    if (
        len(ranks) == 2
    ):  # no branches: which of two wins cannot be predicted, and a wrong guess costs more than the sums
        tied = weight * np.int64(ranks[0] == ranks[1])
        outcomes[0, 0] += weight * np.int64(ranks[0] > ranks[1])
        outcomes[1, 0] += weight * np.int64(ranks[0] < ranks[1])
        outcomes[0, 1] += tied
        outcomes[1, 1] += tied
        return
    best = ranks[0]
    n_best = 1
    for player in range(1, len(ranks)):
        if ranks[player] > best:
            best = ranks[player]
            n_best = 1
        elif ranks[player] == best:
            n_best += 1
    for player in range(len(ranks)):
        if ranks[player] == best:
            outcomes[player, n_best - 1] += weight


# --- every run-out of given hands ------------------------------------------------------------------------------------


@njit(cache=True)
def list_multisets(n_of_rank: Int64s, size: int, keys: Uint64s, counts: Int64s, members: Uint8s):
    """List the multisets of `size` ranks: each as a sum of `RANK_KEY`, with the number of ways to choose its cards, and
    its ranks.

    `n_of_rank[13]` counts the cards of each rank. The search is depth first, by descending ranks: `held[depth]` counts
    the cards of the last rank in the multiset, `before[depth]` the choices of its other cards.
    """
    if size == 0:
        keys[0], counts[0] = 0, 1
        return 1
    rank, held, before = np.zeros(6, np.int64), np.zeros(6, np.int64), np.ones(6, np.int64)
    key = np.zeros(6, np.uint64)
    n, depth = 0, 0
    rank[0] = 13
    while depth >= 0:
        rank[depth] -= 1
        r = rank[depth]
        if r < 0:
            depth -= 1
            continue
        again = depth > 0 and r == rank[depth - 1]
        n_held = held[depth] + 1 if again else 1
        base = before[depth] if again or depth == 0 else before[depth] * CHOOSE[n_of_rank[rank[depth - 1]], held[depth]]
        count = base * CHOOSE[n_of_rank[r], n_held]
        if count == 0:
            continue
        if depth == size - 1:
            keys[n], counts[n] = key[depth] + RANK_KEY[r], count
            for i in range(size):
                members[n, i] = rank[i]
            n += 1
        else:
            key[depth + 1] = key[depth] + RANK_KEY[r]
            depth += 1
            rank[depth], held[depth], before[depth] = r + 1, n_held, base
    return n


@njit(cache=True)
def _suit_counts(cards: Uint8s):
    count = np.zeros(4, np.int64)
    for card in cards:
        count[card & 3] += 1
    return count


@njit(cache=True)
def suit_of(suits: Uint64s, suit: int):
    """The mask of ranks of one suit in sums of `SUITS_OF_CARD`."""
    return (suits >> np.uint64(16 * suit)) & _RANKS


@njit(cache=True)
def _count_by_ranks(hand_keys: Uint64s, n_of_rank: Int64s, n_to_come: int, tables: Tables, outcomes: Int64s) -> None:
    """Count the outcomes of all run-outs as if there were no flushes."""
    keys, counts = np.empty(MAX_MULTISETS, np.uint64), np.empty(MAX_MULTISETS, np.int64)
    ranks, members = np.empty(len(hand_keys), np.int32), np.empty((MAX_MULTISETS, 5), np.uint8)
    for i in range(list_multisets(n_of_rank, n_to_come, keys, counts, members)):
        for player in range(len(hand_keys)):
            ranks[player] = rank_without_flush(hand_keys[player] + keys[i], tables)
        tally(ranks, counts[i], outcomes)


@njit(cache=True)
def _count_flushes(hand_keys, hand_masks, free, n_of_rank, n_to_come, tables, outcomes):
    """Correct the counts for run-outs on which a player has a flush in one suit.

    `hand_masks[player]` are the ranks of the suit in hole cards and board, `free` those still in the deck; `n_of_rank`
    counts the free cards of all suits.
    """
    n_players = len(hand_keys)
    n_other = n_of_rank.copy()
    for rank in range(13):
        n_other[rank] -= (free >> np.uint64(rank)) & _ONE
    most = 0
    for player in range(n_players):
        most = max(most, BITS_OF_MASK[hand_masks[player]])
    keys, counts, members = np.empty(91, np.uint64), np.empty(91, np.int64), np.empty((91, 5), np.uint8)
    # at most two cards of the run-out are of other suits
    flush_ranks, plain, flushed = np.empty((3, n_players), np.int32)
    for n_suited in range(max(0, 5 - most), n_to_come + 1):
        n_others = list_multisets(n_other, n_to_come - n_suited, keys, counts, members)
        suited = free
        while True:  # every subset of the free ranks, the empty one last
            if BITS_OF_MASK[suited] == n_suited:
                for player in range(n_players):
                    mask = hand_masks[player] | suited
                    flush_ranks[player] = tables.rank_of_flush[mask] if BITS_OF_MASK[mask] >= 5 else -1
                for i in range(n_others):
                    key = KEY_OF_MASK[suited] + keys[i]
                    for player in range(n_players):
                        plain[player] = rank_without_flush(hand_keys[player] + key, tables)
                        flushed[player] = flush_ranks[player] if flush_ranks[player] >= 0 else plain[player]
                    tally(plain, -counts[i], outcomes)
                    tally(flushed, counts[i], outcomes)
            if suited == np.uint64(0):
                break
            suited = (suited - _ONE) & free


@njit(cache=True)
def free_cards(holes: Uint8s, board: Uint8s, used: int):
    """Return `keys[player]` and `suits[player]` of hole cards and board, and the cards that can come: `n_of_rank[13]`,
    and masks of ranks `free[suit]`. The mask `used` has further cards that cannot come."""
    n_players = len(holes)
    keys, suits = np.zeros(n_players, np.uint64), np.zeros(n_players, np.uint64)
    for player in range(n_players):
        for card in holes[player]:
            keys[player] += RANK_KEY[card >> 2]
            suits[player] += SUITS_OF_CARD[card]
            used |= _ONE << np.uint64(card)
        for card in board:
            keys[player] += RANK_KEY[card >> 2]
            suits[player] += SUITS_OF_CARD[card]
    n_of_rank = np.zeros(13, np.int64)
    free = np.zeros(4, np.uint64)
    for card in range(np.uint64(52)):
        if not (used >> card) & _ONE:
            n_of_rank[card >> np.uint64(2)] += 1
            free[card & np.uint64(3)] |= _ONE << (card >> np.uint64(2))
    return keys, suits, n_of_rank, free


@njit(cache=True)
def _one_deal(holes: Uint8s, board: Uint8s, used: int, tables: Tables, outcomes: Int64s) -> None:
    """Count the outcomes of all run-outs for `holes[player, 2]`; `used` has the bits of all cards that cannot come."""
    n_to_come = 5 - len(board)
    keys, suits, n_of_rank, free = free_cards(holes, board, used)
    _count_by_ranks(keys, n_of_rank, n_to_come, tables, outcomes)
    n_on_board = _suit_counts(board)
    for suit in range(4):
        if n_on_board[suit] + n_to_come >= 3:  # with fewer on the final board no player has a flush
            _count_flushes(keys, suit_of(suits, suit), free[suit], n_of_rank, n_to_come, tables, outcomes)


@njit(cache=True, nogil=True)
def deal_outcomes(deals: Uint8s, board: Uint8s, used: int, tables: Tables, outcomes: Int64s) -> None:
    """Fill `outcomes[deal, player, k - 1]` (int64, initially zero) over all run-outs, for `deals[deal, player, 2]`."""
    for deal in range(len(deals)):
        _one_deal(deals[deal], board, used, tables, outcomes[deal])


# --- random deals ----------------------------------------------------------------------------------------------------


@njit(cache=True)
def skip_words(state, n):
    """Skip the stream's next `n` words."""
    for _ in range(n):
        skip_word(state)


@njit(cache=True)
def draw_cards(state: Uint64s, taken: int, places: Uint64s, n_words: int, dealt: Uint8s):
    """Fill the `places` of `dealt` with different cards that are not in the mask `taken`, from `n_words` words of the
    stream. Return whether these sufficed.

    One word gives five draws: each multiplies its upper 58 bits by 52, and the bits of the product above the 58th are a
    card. Even the fifth card is uniform to one part in 2**29. Cards already taken are skipped, which is independent of
    the cards that are dealt, so a deal that runs out of words can be dropped without bias.
    """
    i = 0
    for _ in range(n_words):
        if i == len(places):
            skip_word(state)
            continue
        fraction = next_word(state) >> np.uint64(6)
        for _ in range(DRAWS_PER_WORD):
            if i == len(places):
                break
            fraction *= np.uint64(52)
            card = fraction >> np.uint64(58)
            fraction &= _FRACTION
            if not (taken >> card) & _ONE:
                taken |= _ONE << card
                dealt[places[i]] = card
                i += 1
    return i == len(places)


@njit(cache=True)
def draw_ranges(state: Uint64s, ranges: tuple[Uint64s, Uint64s, Uint64s, Uint64s, Uint8s], used: int, dealt: Uint8s):
    """Draw a combo from each range into `dealt`. Return the mask of all cards used, or 0 if two combos share a card.

    Each range takes one word, by the alias method: its upper part chooses a column, the rest the column's combo or its
    alias.
    """
    place, size, keep, alias, combos = ranges
    for i in range(np.uint64(len(place))):
        word = next_word(state)
        column = multiply_high(word, size[i])
        if word * size[i] >= keep[i, column]:
            column = alias[i, column]
        a, b = np.uint64(combos[i, column, 0]), np.uint64(combos[i, column, 1])
        mask = (_ONE << a) | (_ONE << b)
        if used & mask:
            skip_words(state, len(place) - i - 1)
            return np.uint64(0)
        used |= mask
        dealt[place[i]] = a
        dealt[place[i] + _ONE] = b
    return used | _POSSIBLE


@njit(cache=True)
def rank_players(dealt: Uint8s, ranks: Int32s, tables: Tables) -> None:
    """Write the players' ranks to `ranks`. `dealt` has the five cards of the board, then two of each player."""
    key, suits = np.uint64(0), np.uint64(0)
    for i in range(np.uint64(5)):
        key += KEY_OF_CARD[dealt[i]]
        suits += SUITS_OF_CARD[dealt[i]]
    for player in range(np.uint64(len(ranks))):
        place = np.uint64(2) * player + np.uint64(5)
        a, b = dealt[place], dealt[place + _ONE]
        hole_key, hole_suits = KEY_OF_CARD[a] + KEY_OF_CARD[b], SUITS_OF_CARD[a] + SUITS_OF_CARD[b]
        ranks[player] = rank_of_key(key + hole_key, suits + hole_suits, tables)


@njit(cache=True, nogil=True)
def sample_outcomes(n_samples, key, index, dealt, places, n_words, ranges, used, tables, outcomes):
    """Add `n_samples` deals of the stream (`key`, `index`) to `outcomes`. Return the number of deals made.

    `dealt`, modified in place, has the five cards of the board, then two of each player. Known cards are already filled
    in, and the mask `used` has them and the dead cards; combos of ranges (`equity_sampled`) and cards at `places` are
    drawn. Every attempt uses one word per range and `n_words` for the cards. If drawn combos share a card, the attempt
    does not count, which preserves the joint distribution of disjoint combos. Sampling stops after `MAX_TRIES` attempts
    per deal.
    """
    state = np.empty(STATE_WORDS, np.uint64)
    begin(state, key, index)
    ranks = np.empty(len(outcomes), np.int32)
    made, n_tries = 0, 0
    while made < n_samples:
        if n_tries == MAX_TRIES * (made + 1):
            break
        n_tries += 1
        taken = draw_ranges(state, ranges, used, dealt)
        if taken == np.uint64(0):
            skip_words(state, n_words)
        elif draw_cards(state, taken, places, n_words, dealt):
            rank_players(dealt, ranks, tables)
            tally(ranks, 1, outcomes)
            made += 1
    return made
