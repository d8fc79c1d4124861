# mypy: ignore-errors
"""Kernels of `strength`: all combos on a board at once, compared now and later, over all run-outs.

Two ideas make it fast.

*Kinds.* On a final board at most one suit can make a flush. Remaining cards of one rank that are not of that suit are
then interchangeable. So against an opponent without weights, cards fall into 13 to 23 kinds and the 1081 combos into 91
to 266 kinds of hands, and run-outs of equal kinds are evaluated once. With weights every combo is separate
(`_weighted_strength_numba`).

*Cumulative rows.* Kinds of hands are processed from the worst to the best by their current rank. Row 0 has, for each
level of later rank, the weight of the hands processed so far that are below it; row 1 + k has the same for hands with
one given card of kind k. Reading a hand's rows just before and just after its equals are added gives its opponents by
(worse, worse or equal) now and (worse, worse or equal) later. Subtracting the rows of its two cards removes the
opponents that contain one of them (and the hand itself twice, once too often: hence `own`).

Shapes: now_rank[combo] (-1 when blocked), sums[combo, N_SUMS], rows[1 + kind, level],
runouts[runout, 2], keys[runout].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from pokerlab.arrays import Floats, Int16s, Int32s, Int64s, Uint8s, Uint64s
from pokerlab.cards._evaluate_numba import KEY_OF_CARD, SUITS_OF_CARD, rank_combos, rank_of_key, sums_of

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

MAX_HANDS = 1176  # most kinds of hands (the combos on a flop if every card is its own kind), and most run-outs
MAX_LEVELS = 136  # most different ranks on one board; all boards of 3, 4 and 5 cards were tried
NO_CARD = 52
N_WORDS = 117  # 64-bit words that hold one bit for each of the 7,462 ranks

# sums[combo, 3 * now + later] is the weight of the opponents that are worse (0), worse or equal (1) or any (2), now and
# later. sums[combo, SQUARED_HS] is the sum over boards of their weight times the squared HS on the board.
N_SUMS = 10
WORSE_LATER, NOT_BETTER_LATER, ANY, SQUARED_HS = 6, 7, 8, 9


class Kinds(NamedTuple):
    """Working arrays: the kinds of cards and of hands on one final board."""

    kind_of_card: Int64s  # kind_of_card[card]
    copies: Int64s  # copies[kind]: number of live cards of the kind
    first: Int64s  # first[kind]: one card of the kind
    last: Int64s  # last[kind]: another card of the kind, if there are two
    hand_of_kinds: Int64s  # hand_of_kinds[kind, kind]: the kind of hand made of two kinds of cards
    a: Int64s  # a[hand]: kind of one card
    b: Int64s  # b[hand]: kind of the other card
    combo: Int64s  # combo[hand]: one combo of this kind of hand
    level: Int64s  # level[hand]: rank on the final board; later replaced by its place among the ranks on the board
    everyone: Floats | Int16s  # everyone[hand]: weight of all combos of this kind
    beside_a: Floats | Int16s  # beside_a[hand]: weight of the combos of this kind with one given card of kind a
    beside_b: Floats | Int16s  # beside_b[hand]: the same with one given card of kind b
    own: Floats | Int16s  # own[hand]: weight of one combo


@njit(cache=True)
def _new_kinds(weights: Floats | Int16s):
    """Allocate working arrays, with weights of the dtype of `weights`."""
    return Kinds(
        np.zeros(52, np.int64), np.zeros(52, np.int64), np.zeros(52, np.int64), np.zeros(52, np.int64),
        np.zeros((52, 52), np.int64),
        np.zeros(MAX_HANDS, np.int64), np.zeros(MAX_HANDS, np.int64), np.zeros(MAX_HANDS, np.int64),
        np.zeros(MAX_HANDS, np.int64),
        np.zeros(MAX_HANDS, weights.dtype), np.zeros(MAX_HANDS, weights.dtype), np.zeros(MAX_HANDS, weights.dtype),
        np.zeros(MAX_HANDS, weights.dtype),
    )  # fmt: skip


@intrinsic
def _popcount(typing_context, word):
    """Number of set bits in a 64-bit word."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@njit(cache=True)
def _levels_of_ranks(ranks: Int32s | Int64s, n: int, words: Uint64s):
    """Replace ranks[:n] by their places among the distinct ranks, 0 for the worst. Return the number of distinct ranks.
    Skips -1."""
    words[:] = 0
    for h in range(n):
        if ranks[h] >= 0:
            words[0, ranks[h] >> 6] |= np.uint64(1) << np.uint64(ranks[h] & 63)
    n_levels = np.uint64(0)
    for word in range(N_WORDS):
        words[1, word] = n_levels
        n_levels += _popcount(words[0, word])
    for h in range(n):
        if ranks[h] >= 0:
            below = (np.uint64(1) << np.uint64(ranks[h] & 63)) - np.uint64(1)
            ranks[h] = np.int64(words[1, ranks[h] >> 6] + _popcount(words[0, ranks[h] >> 6] & below))
    return np.int64(n_levels)


@njit(cache=True)
def _flush_suit(board: Uint8s, size: int):
    """Suit that occurs three or more times among the `size` cards of a final board; -1 if none."""
    for suit in range(4):
        n = 0
        for at in range(size):
            n += (board[at] & 3) == suit
        if n >= 3:
            return suit
    return -1


@njit(cache=True)
def _deal(board: Uint8s, runout: Int64s, later: Uint8s):
    """Write the board and the cards of a run-out to `later`. Return the number of cards."""
    size = 0
    for card in board:
        later[size] = card
        size += 1
    for card in runout:
        if card != NO_CARD:
            later[size] = card
            size += 1
    return size


@njit(cache=True)
def _sort_cards_into_kinds(flush_suit: int, dead: int, kinds: Kinds):
    """Divide the cards into kinds: a card's kind is its rank, plus 13 in the flush suit.

    Returns the number of possible kinds. Every card has a kind; `dead` cards are not counted in `copies`.
    """
    kinds.copies[:] = 0
    for card in range(52):
        kind = (card >> 2) + (13 if (card & 3) == flush_suit else 0)
        kinds.kind_of_card[card] = kind
        if (dead >> np.uint64(card)) & np.uint64(1):
            continue
        if kinds.copies[kind] == 0:
            kinds.first[kind] = card
        kinds.last[kind] = card
        kinds.copies[kind] += 1
    return 13 if flush_suit < 0 else 26


@njit(cache=True)
def _sort_hands_into_kinds(board, size, n_kinds, tables, kinds):
    """Divide the hands on a final board into kinds, and set `kinds.level` to the kinds' ranks. Return the number of
    kinds."""
    board_key, board_suits, _ = sums_of(board[:size])
    h = 0
    for a in range(n_kinds):
        if kinds.copies[a] == 0:
            continue
        high = kinds.last[a]
        key_a, suits_a = board_key + KEY_OF_CARD[high], board_suits + SUITS_OF_CARD[high]
        copies_a = kinds.copies[a]
        for b in range(a + 1):
            if kinds.copies[b] == 0 or (a == b and copies_a == 1):
                continue
            low, copies_b = kinds.first[b], kinds.copies[b]
            combo = high * (high - 1) // 2 + low if high > low else low * (low - 1) // 2 + high
            kinds.hand_of_kinds[a, b] = kinds.hand_of_kinds[b, a] = h
            kinds.a[h], kinds.b[h], kinds.combo[h] = a, b, combo
            kinds.level[h] = rank_of_key(key_a + KEY_OF_CARD[low], suits_a + SUITS_OF_CARD[low], tables)
            if a == b:
                kinds.everyone[h] = copies_a * (copies_a - 1) // 2
                kinds.beside_a[h], kinds.beside_b[h], kinds.own[h] = copies_a - 1, 0, 1
            else:
                kinds.everyone[h] = copies_a * copies_b
                kinds.beside_a[h], kinds.beside_b[h], kinds.own[h] = copies_b, copies_a, 1
            h += 1
    return h


@njit(cache=True)
def _order_by_now(now_level: Int32s, n_now: int, n_hands: int, kinds: Kinds, start: Int64s, order: Int64s) -> None:
    """Sort the kinds of hands by current rank (a counting sort): `order[start[level] : start[level + 1]]` are the kinds
    of hands with rank `level`."""
    start[: n_now + 1] = 0
    for h in range(n_hands):
        start[now_level[kinds.combo[h]] + 1] += 1
    for level in range(n_now):
        start[level + 1] += start[level]
    for h in range(n_hands - 1, -1, -1):  # fills each run from its end, leaving start[level + 1] at its beginning
        level = now_level[kinds.combo[h]]
        start[level + 1] -= 1
        order[start[level + 1]] = h
    for level in range(n_now):
        start[level] = start[level + 1]
    start[n_now] = n_hands


@njit(cache=True, inline="always")
def _add_above(row, weight):
    """Add `weight` to every element of `row`. If the caller's slice starts at 0 the loop is vectorised; with a computed
    start it is not."""
    for level in range(row.size):
        row[level] += weight


@njit(cache=True)
def _add_hand(h: int, n_levels: int, kinds: Kinds, rows: Floats | Int16s) -> None:
    """Add a kind of hand to the rows that it belongs to."""
    a, b, above = kinds.a[h], kinds.b[h], kinds.level[h] + 1
    _add_above(rows[0, above : n_levels + 1], kinds.everyone[h])
    _add_above(rows[1 + a, above : n_levels + 1], kinds.beside_a[h])
    _add_above(rows[1 + b, above : n_levels + 1], kinds.beside_b[h])  # nothing when a == b


@njit(cache=True, inline="always")
def _opponents(h, level, kinds, rows):
    """Weight, among the rows so far, of hands below `level` that share no card with a hand of this kind (minus
    `own`)."""
    return np.float64(rows[0, level] - rows[1 + kinds.a[h], level] - rows[1 + kinds.b[h], level])


@njit(cache=True, inline="always")
def _read_rows(h, n_levels, own, kinds, rows, found):
    """Fill `found[3]` with a hand's opponents among the rows so far: worse later, worse or equal later, all."""
    found[0] = _opponents(h, kinds.level[h], kinds, rows)
    found[1] = _opponents(h, kinds.level[h] + 1, kinds, rows) + own
    found[2] = _opponents(h, n_levels, kinds, rows) + own


@njit(cache=True)
def _sweep(n_now, n_levels, kinds, start, order, rows, found):
    """Fill `found[hand, N_SUMS]` for one final board, going through the hands from worst to best now."""
    for group in range(n_now):
        for at in range(start[group], start[group + 1]):
            _read_rows(order[at], n_levels, 0.0, kinds, rows, found[order[at], 0:3])
        for at in range(start[group], start[group + 1]):
            _add_hand(order[at], n_levels, kinds, rows)
        for at in range(start[group], start[group + 1]):
            _read_rows(order[at], n_levels, kinds.own[order[at]], kinds, rows, found[order[at], 3:6])
    for h in range(start[n_now]):
        _read_rows(h, n_levels, kinds.own[h], kinds, rows, found[h, 6:9])
        won, total = 0.5 * (found[h, WORSE_LATER] + found[h, NOT_BETTER_LATER]), found[h, ANY]
        found[h, SQUARED_HS] = won * won / total if total > 0 else 0.0


@njit(cache=True)
def _scatter(board, runouts, at, end, kinds, found, n_dealing, sums):
    """Add the sums of each kind of hand to its combos, once for each run-out in runouts[at:end] that deals neither
    card.

    n_dealing[combo] is scratch, all zeros: how many of the run-outs deal a card of the combo.
    """
    n_of_card = np.zeros(NO_CARD + 1, np.int64)
    for card in board:
        n_of_card[card] = end - at
    for runout in range(at, end):
        first, second = runouts[runout, 0], runouts[runout, 1]
        n_of_card[first] += 1
        n_of_card[second] += 1
        if second != NO_CARD:  # this combo's cards come together: one run-out, not two
            n_dealing[first * (first - 1) // 2 + second] = -1
    combo = 0
    for high in range(1, 52):
        for low in range(high):
            n = end - at - n_of_card[high] - n_of_card[low] - n_dealing[combo]
            if n > 0:
                h = kinds.hand_of_kinds[kinds.kind_of_card[high], kinds.kind_of_card[low]]
                for s in range(N_SUMS):
                    sums[combo, s] += n * found[h, s]
            combo += 1
    for runout in range(at, end):
        first, second = runouts[runout, 0], runouts[runout, 1]
        if second != NO_CARD:
            n_dealing[first * (first - 1) // 2 + second] = 0


@njit(cache=True)
def list_runouts(board: Uint8s, dead: int, n_to_come: int, merge: bool, runouts: Int64s, keys: Int64s):
    """Fill `runouts[runout, 2]` (`NO_CARD` beyond `n_to_come`) and keys[runout]. Return the number of run-outs.

    Equal keys guarantee the same kinds of cards, and equally many of each. A key contains the suit that makes flushes
    and, for each card, its rank and whether it is of that suit. If run-outs are not merged, every one has its own key.
    """
    later = np.zeros(5, np.uint8)
    n = 0
    for first in range(52) if n_to_come > 0 else range(NO_CARD, NO_CARD + 1):
        for second in range(first) if n_to_come > 1 else range(NO_CARD, NO_CARD + 1):
            runouts[n, 0], runouts[n, 1], keys[n] = first, second, n
            size = _deal(board, runouts[n], later)
            if _popcount(dead | sums_of(later[:size])[2]) - _popcount(dead) != np.uint64(n_to_come):
                continue  # a card that was dealt before
            if merge:
                suit = _flush_suit(later, size)
                keys[n] = suit + 1
                for at in range(board.size, size):
                    keys[n] = keys[n] * 26 + (later[at] >> 2) * 2 + ((later[at] & 3) == suit)
            n += 1
    return n


@njit(cache=True)
def _run_end(keys: Int64s, at: int):
    """Return the end of the run of equal keys that begins at index `at`."""
    end = at + 1
    while end < keys.size and keys[end] == keys[at]:
        end += 1
    return end


@njit(cache=True, nogil=True)
def sum_over_runouts(
    board: Uint8s, runouts: Int64s, keys: Int64s, counts: Floats | Int16s, tables: Tables, sums: Floats
) -> None:
    """Sum sums[combo, N_SUMS] over `runouts`, which are sorted by key, with all hands equally likely.

    `counts` only determines the dtype of counts; 16 bits are enough.
    """
    words, now_level = np.zeros((2, N_WORDS), np.uint64), np.zeros(sums.shape[0], np.int32)
    start, order = np.zeros(MAX_LEVELS + 2, np.int64), np.zeros(MAX_HANDS, np.int64)
    found, n_dealing = np.zeros((MAX_HANDS, N_SUMS)), np.zeros(sums.shape[0], np.int64)
    kinds, rows = _new_kinds(counts), np.zeros((53, MAX_LEVELS + 1), counts.dtype)
    rank_combos(board, tables, now_level)
    n_now = _levels_of_ranks(now_level, now_level.size, words)
    later = np.zeros(5, np.uint8)
    at = np.int64(0)  # not a literal: callees would be compiled for literals as well
    while at < keys.size:
        end = _run_end(keys, at)
        size = _deal(board, runouts[at], later)
        n_kinds = _sort_cards_into_kinds(_flush_suit(later, size), sums_of(later[:size])[2], kinds)
        n_hands = _sort_hands_into_kinds(later, size, n_kinds, tables, kinds)
        n_levels = _levels_of_ranks(kinds.level, n_hands, words)
        _order_by_now(now_level, n_now, n_hands, kinds, start, order)
        for row in range(n_kinds + 1):
            rows[row, : n_levels + 1] = 0
        _sweep(n_now, n_levels, kinds, start, order, rows, found)
        _scatter(board, runouts, at, end, kinds, found, n_dealing, sums)
        at = end


@njit(cache=True)
def _weigh_kinds(dead: int, weights: Floats | Int16s, n_hands: int, kinds: Kinds) -> None:
    """Fill `everyone[hand]` with the weights of its possible combos."""
    kinds.everyone[:n_hands] = 0
    for high in range(1, 52):
        if (dead >> np.uint64(high)) & np.uint64(1):
            continue
        start, of_kind = high * (high - 1) // 2, kinds.hand_of_kinds[kinds.kind_of_card[high]]
        for low in range(high):
            if not (dead >> np.uint64(low)) & np.uint64(1):
                kinds.everyone[of_kind[kinds.kind_of_card[low]]] += weights[start + low]


@njit(cache=True)
def _compare_kinds(our_now, our_later, now_rank, n_hands, times, kinds, table):
    """Add `times` the weight of every kind of opponent hand to table[now, later]. Return `times` the total weight times
    the squared HS on this board."""
    won, total = 0.0, 0.0
    for h in range(n_hands):
        now = 1 + (now_rank[kinds.combo[h]] > our_now) - (now_rank[kinds.combo[h]] < our_now)
        later = 1 + (kinds.level[h] > our_later) - (kinds.level[h] < our_later)
        weight = np.float64(kinds.everyone[h])
        table[now, later] += times * weight
        won += (1.0 - 0.5 * later) * weight
        total += weight
    return times * won * won / total if total > 0 else 0.0


@njit(cache=True, nogil=True)
def table_of_hand(hole, board, runouts, keys, alike, weights, tables, table):
    """Compute table[now, later] (0 ahead, 1 tied, 2 behind) of one hand. Return the sum of weight times squared HS.

    With `alike` all opponent hands are equally likely, whatever the weights. Kinds work in both cases: since only one
    hand is compared, no cards need to be removed, so weights can be summed by kind, anew for each run-out.
    """
    kinds, now_rank, later = _new_kinds(weights), np.zeros(weights.size, np.int32), np.zeros(5, np.uint8)
    rank_combos(board, tables, now_rank)
    our_now = now_rank[max(hole[0], hole[1]) * (max(hole[0], hole[1]) - 1) // 2 + min(hole[0], hole[1])]
    hole_key, hole_suits, hole_mask = sums_of(hole)
    squared, at = 0.0, np.int64(0)
    once = np.int64(1)  # not a literal, so that the callee is compiled once
    while at < keys.size:
        end = _run_end(keys, at)
        size = _deal(board, runouts[at], later)
        key, suits, mask = sums_of(later[:size])
        n_kinds = _sort_cards_into_kinds(_flush_suit(later, size), mask | hole_mask, kinds)
        n_hands = _sort_hands_into_kinds(later, size, n_kinds, tables, kinds)
        our_later = rank_of_key(key + hole_key, suits + hole_suits, tables)
        if alike:
            squared += _compare_kinds(our_now, our_later, now_rank, n_hands, end - at, kinds, table)
        else:
            for runout in range(at, end):
                _deal(board, runouts[runout], later)
                _weigh_kinds(sums_of(later[:size])[2] | hole_mask, weights, n_hands, kinds)
                squared += _compare_kinds(our_now, our_later, now_rank, n_hands, once, kinds, table)
        at = end
    return squared
