"""Compiled card features of many deals; `tests/oracles/hand_features.py` is the readable twin.

Ranks are 0..12 here and stored as 1..13. A group of columns is located by the name of its first one; the others follow
in the order of `feature_names`. `groups[n, place]` lists the ranks that occur n times on a board, highest first.
"""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.arrays import Int8s, Int16s, Int64s, Uint8s
from pokerlab.cards._order_features_numba import order_ranks, order_suits
from pokerlab.cards._straight_features_numba import STRAIGHTS, board_straights, private_straights
from pokerlab.cards._suit_features_numba import board_suits, private_suits
from pokerlab.cards.feature_names import BOARD_NAMES, PRIVATE_NAMES


def _board(name):
    return BOARD_NAMES.index(name)


def _private(name):
    return PRIVATE_NAMES.index(name)


F_THREE, F_PAIR, F_NO_PAIR = _board("flop/three"), _board("flop/pair"), _board("flop/no-pair")
T_RANKS, R_RANKS = _board("turn/quads"), _board("river/quads-card")
U_RANKS = _board("river-unordered/quads")

P_FLOP_THREE, P_FLOP_PAIR = _private("flop/three-board/quads"), _private("flop/pair-board/quads")
P_TURN_THREE, P_TURN_TWO = _private("turn/three-board/quads"), _private("turn/two-pair-board/quads")
P_TURN_QUADS, P_RIVER_QUADS = _private("turn/quads-board/hi-rank"), _private("river/quads-board/best-kicker")
P_RIVER_FULL, P_RIVER_THREE = _private("river/full-board/quads"), _private("river/three-board/quads")
P_RIVER_TWO = _private("river/two-pair-board/quads")
P_PAIR = np.array([0, 0, _private("turn/pair-board/quads"), _private("river/pair-board/quads")])
P_NO_PAIR = np.array([0, *(_private(f"{s}/no-pair-board/set") for s in ("flop", "turn", "river"))])


# --- ranks ------------------------------------------------------------------------------------------------------------


@njit(cache=True)
def _grouped(board: Uint8s, n_board: int, groups: Int64s):
    """Fill `groups[n]` with the ranks that occur n times on the board, highest first, padded with -1. Return their
    number for each n."""
    counts = np.zeros(13, np.int64)
    for i in range(n_board):
        counts[board[i] >> 2] += 1
    n = np.zeros(5, np.int64)
    groups[:] = -1
    for rank in range(12, -1, -1):
        if counts[rank]:
            groups[counts[rank], n[counts[rank]]] = rank
            n[counts[rank]] += 1
    return n


@njit(cache=True)
def _above(ranks: Int64s, rank: int):
    n = 0
    for other in ranks:
        n += other > rank
    return n


@njit(cache=True)
def _below(ranks: Int64s, rank: int):
    n = 0
    for other in ranks:
        n += 0 <= other < rank
    return n


@njit(cache=True)
def _place(ranks: Int64s, rank: int):
    """Position of `rank` in `ranks`, 1 for the highest; 0 if it is missing."""
    for i in range(len(ranks)):
        if ranks[i] == rank:
            return i + 1
    return 0


@njit(cache=True)
def _flop_ranks(groups: Int64s, n: Int64s, out: Int8s) -> None:
    if n[3]:
        out[F_THREE], out[F_THREE + 1] = 1, groups[3, 0] + 1
    elif n[2]:
        pair, kicker = groups[2, 0], groups[1, 0]
        out[F_PAIR], out[F_PAIR + 1], out[F_PAIR + 2], out[F_PAIR + 3] = 1, pair + 1, kicker + 1, pair > kicker
    else:
        out[F_NO_PAIR] = 1
        for i in range(3):
            out[F_NO_PAIR + 1 + i] = groups[1, i] + 1


@njit(cache=True)
def _turn_ranks(groups: Int64s, n: Int64s, card: int, out: Int8s) -> None:
    """Fill the turn's rank columns; `groups` and `n` are the flop's."""
    at, pair, kicker = T_RANKS, groups[2, 0], groups[1, 0]
    if n[3]:
        if card == groups[3, 0]:
            out[at] = 1
        else:
            out[at + 1], out[at + 2] = card + 1, card > groups[3, 0]
    elif n[2]:
        if card == pair:
            out[at + 3] = 1
        elif card == kicker:
            out[at + 4] = 1
        else:
            out[at + 5], out[at + 6], out[at + 7] = card + 1, card > pair, card > kicker
    elif _place(groups[1], card):
        out[at + 8], out[at + 9] = 1, _place(groups[1], card)
    else:
        out[at + 10], out[at + 11] = card + 1, _below(groups[1], card)


@njit(cache=True)
def _river_ranks(groups: Int64s, n: Int64s, flop: Int64s, turn: int, card: int, out: Int8s) -> None:
    """Fill the river's rank columns; `groups` and `n` are the turn's; `flop` lists the ranks that occur once on the
    flop."""
    at = R_RANKS
    if n[4]:
        out[at] = card + 1
    elif n[3]:
        three, kicker = groups[3, 0], groups[1, 0]
        if card == three:
            out[at + 1] = 1
        elif card == kicker:
            out[at + 2] = 1
        else:
            out[at + 5], out[at + 6], out[at + 7] = card + 1, card > three, card > kicker
    elif n[2] == 2:
        if _place(groups[2], card):
            out[at + 3], out[at + 4] = 1, card == groups[2, 0]
        else:
            out[at + 9] = card + 1
    elif n[2]:
        if card == groups[2, 0]:
            out[at + 8] = 1
        elif _place(groups[1], card):
            out[at + 11 if card == turn else at + 10] = 1
        else:
            out[at + 12], out[at + 13], out[at + 14] = card + 1, card < groups[2, 0], _below(groups[1], card)
    elif card == turn:
        out[at + 17] = 1
    elif _place(flop, card):
        out[at + 15], out[at + 16] = 1, _place(flop, card)
    else:
        out[at + 18], out[at + 19] = card + 1, _above(groups[1], card)


@njit(cache=True)
def _unordered_ranks(groups: Int64s, n: Int64s, out: Int8s) -> None:
    at = U_RANKS
    if n[4]:
        out[at], out[at + 1] = 1, groups[1, 0] + 1
    elif n[3] and n[2]:
        out[at + 2], out[at + 3], out[at + 4] = 1, groups[3, 0] + 1, groups[2, 0] + 1
    elif n[3]:
        out[at + 5], out[at + 6], out[at + 7], out[at + 8] = 1, groups[3, 0] + 1, groups[1, 0] + 1, groups[1, 1] + 1
    elif n[2] == 2:
        out[at + 9], out[at + 10], out[at + 11], out[at + 12] = 1, groups[2, 0] + 1, groups[2, 1] + 1, groups[1, 0] + 1
    elif n[2]:
        out[at + 13], out[at + 14] = 1, groups[2, 0] + 1
        for i in range(3):
            out[at + 15 + i] = groups[1, i] + 1
    else:
        for i in range(5):
            out[at + 18 + i] = groups[1, i] + 1


@njit(cache=True)
def _private_ranks(hi: int, lo: int, street: int, groups: Int64s, n: Int64s, out: Int8s) -> None:
    if n[4]:
        if street == 2:
            out[P_TURN_QUADS] = hi + 1
        else:
            out[P_RIVER_QUADS] = max(hi, groups[1, 0]) + 1
    elif n[3] and n[2]:
        _on_full_house(hi, lo, groups[3, 0], groups[2, 0], out)
    elif n[3]:
        if street == 1:
            _on_three_flop(hi, lo, groups[3, 0], out)
        elif street == 2:
            _on_three_turn(hi, lo, groups[3, 0], groups[1, 0], out)
        else:
            _on_three_river(hi, lo, groups[3, 0], groups[1], out)
    elif n[2] == 2:
        if street == 2:
            _on_two_pair_turn(hi, lo, groups[2, 0], groups[2, 1], out)
        else:
            _on_two_pair_river(hi, lo, groups[2, 0], groups[2, 1], groups[1, 0], out)
    elif n[2]:
        if street == 1:
            _on_pair_flop(hi, lo, groups[2, 0], groups[1, 0], out)
        else:
            _on_pair(hi, lo, street, groups[2, 0], groups[1], out)
    else:
        _on_no_pair(hi, lo, street, groups[1], out)


@njit(cache=True)
def _on_full_house(hi: int, lo: int, three: int, pair: int, out: Int8s) -> None:
    at = P_RIVER_FULL
    if hi == three or lo == three:
        out[at], out[at + 1] = 1, pair > three
    elif hi == lo == pair:
        out[at], out[at + 1] = 1, three > pair
    elif (hi == lo and hi > pair) or ((hi == pair or lo == pair) and pair > three):
        out[at + 2] = 1


@njit(cache=True)
def _on_three_flop(hi: int, lo: int, three: int, out: Int8s) -> None:
    at = P_FLOP_THREE
    if hi == three or lo == three:
        out[at] = 1
    elif hi == lo:
        out[at + 1], out[at + 2] = 1, hi + 1
    else:
        out[at + 3], out[at + 4] = hi + 1, lo + 1


@njit(cache=True)
def _on_three_turn(hi: int, lo: int, three: int, kicker: int, out: Int8s) -> None:
    at = P_TURN_THREE
    if hi == three or lo == three:
        out[at] = 1
    elif hi == lo:
        out[at + 4], out[at + 5], out[at + 6] = 1, hi == kicker and kicker > three, hi + 1
    elif hi == kicker or lo == kicker:
        other = lo if hi == kicker else hi
        out[at + 1], out[at + 2], out[at + 3] = 1, other > kicker, other + 1
    else:
        out[at + 7], out[at + 8], out[at + 9] = hi + 1, lo + 1, (hi > kicker) + (lo > kicker)


@njit(cache=True)
def _on_three_river(hi: int, lo: int, three: int, kickers: Int64s, out: Int8s) -> None:
    at = P_RIVER_THREE
    if hi == three or lo == three:
        out[at] = 1
        return
    mine, swapped = -1, -1  # the rank of the pair under `three`, or of a kicker that is three of a kind above it
    if hi == lo:
        mine = hi
        if _place(kickers, hi) and hi > three:
            swapped = hi
    elif _place(kickers, hi):
        mine = hi
    elif _place(kickers, lo):
        mine = lo
    if mine < 0:
        out[at + 3], out[at + 4] = hi + 1, lo + 1
        return
    higher = 0
    for kicker in kickers:
        higher += kicker > three and kicker > swapped
    if swapped < 0:
        higher += 12 - mine - (three > mine)
    out[at + 1], out[at + 2] = 1, higher


@njit(cache=True)
def _on_two_pair_turn(hi: int, lo: int, high: int, low: int, out: Int8s) -> None:
    at = P_TURN_TWO
    has_high, has_low = hi == high or lo == high, hi == low or lo == low
    if hi == lo and (has_high or has_low):
        out[at], out[at + 1] = 1, has_low
    elif has_high or has_low:
        out[at + 2], out[at + 3] = 1, not has_high
    elif hi == lo:
        if hi > low:
            out[at + 4], out[at + 5], out[at + 6] = 1, hi + 1, (hi > low) + (hi > high)
        else:
            out[at + 7] = 1
    else:
        out[at + 8], out[at + 9] = hi + 1, (hi > low) + (hi > high)
        out[at + 10] = (lo > low) + (lo > high)


@njit(cache=True)
def _on_two_pair_river(hi: int, lo: int, high: int, low: int, kicker: int, out: Int8s) -> None:
    at = P_RIVER_TWO
    has_high, has_low, has_kicker = hi == high or lo == high, hi == low or lo == low, hi == kicker or lo == kicker
    if hi == lo and (has_high or has_low):
        out[at], out[at + 1] = 1, has_low
        return
    three, pair = -1, -1
    if hi == lo and has_kicker:
        three, pair = kicker, high
    elif has_high:
        three, pair = high, max(low, kicker if has_kicker else -1)
    elif has_low:
        three, pair = low, high
    if three >= 0:
        higher = _beats(high, low, three, pair) + _beats(low, high, three, pair) + _beats(kicker, high, three, pair)
        higher += kicker > low and _beats(high, kicker, three, pair)
        out[at + 2], out[at + 3] = 1, higher
    elif hi == lo and hi > low:
        out[at + 4], out[at + 5], out[at + 6] = 1, hi + 1, hi > kicker
    elif has_kicker and kicker > low:
        out[at + 7] = 1
    else:
        out[at + 8] = hi + 1


@njit(cache=True)
def _beats(three: int, pair: int, my_three: float, my_pair: float):
    return three > my_three or (three == my_three and pair > my_pair)


@njit(cache=True)
def _on_pair_flop(hi: int, lo: int, pair: int, kicker: int, out: Int8s) -> None:
    at = P_FLOP_PAIR
    has_pair, has_kicker = hi == pair or lo == pair, hi == kicker or lo == kicker
    if hi == lo == pair:
        out[at] = 1
    elif hi == lo == kicker:
        out[at + 1] = 1
    elif has_pair and has_kicker:
        out[at + 2] = 1
    elif has_pair:
        other = lo if hi == pair else hi
        out[at + 3], out[at + 4], out[at + 5] = 1, other > pair, other > kicker
    elif hi == lo:
        out[at + 6], out[at + 7], out[at + 8], out[at + 9] = 1, hi + 1, hi > pair, hi > kicker
    elif has_kicker:
        other = lo if hi == kicker else hi
        out[at + 10], out[at + 11], out[at + 12], out[at + 13] = 1, other + 1, other > pair, other > kicker
    else:
        out[at + 14], out[at + 15] = hi + 1, lo + 1
        out[at + 16], out[at + 17] = (hi > pair) + (lo > pair), (hi > kicker) + (lo > kicker)


@njit(cache=True)
def _on_pair(hi: int, lo: int, street: int, pair: int, kickers: Int64s, out: Int8s) -> None:
    """Fill the private columns of a turn or river with one pair."""
    at = P_PAIR[street]
    has_pair, hi_kicks, lo_kicks = hi == pair or lo == pair, _place(kickers, hi) > 0, _place(kickers, lo) > 0
    if hi == lo == pair:
        out[at] = 1
    elif (hi == lo and hi_kicks) or (has_pair and (hi_kicks or lo_kicks)):
        pocket = hi == lo
        out[at + 1 if pocket else at + 2] = 1
        three, two = (hi, pair) if pocket else (pair, hi if hi_kicks else lo)
        for kicker in kickers:
            if kicker >= 0:
                out[at + 3] += _beats(kicker, pair, three, two)
                out[at + 4] += _beats(pair, kicker, three, two)
    elif has_pair:
        other = lo if hi == pair else hi
        out[at + 5], out[at + 6], out[at + 7] = 1, other > pair, _below(kickers, other)
    elif hi == lo:
        out[at + 8], out[at + 9], out[at + 10], out[at + 11] = 1, hi + 1, hi > pair, _below(kickers, hi)
    elif hi_kicks or lo_kicks:
        matched, other = (hi, lo) if hi_kicks else (lo, hi)
        out[at + 12], out[at + 13], out[at + 14] = 1, matched > pair, _below(kickers, matched)
        out[at + 15], out[at + 16], out[at + 17] = other + 1, other > pair, _below(kickers, other)
    else:
        out[at + 18], out[at + 19], out[at + 20] = hi + 1, lo + 1, (hi > pair) + (lo > pair)
        if street == 2:
            out[at + 21] = _below(kickers, hi) + _below(kickers, lo)
        else:
            out[at + 21] = _below(kickers, hi) + 2 * (pair < hi)
            out[at + 22] = _below(kickers, lo) + 2 * (pair < lo)


@njit(cache=True)
def _on_no_pair(hi: int, lo: int, street: int, board: Int64s, out: Int8s) -> None:
    at = P_NO_PAIR[street]
    hi_place, lo_place = _place(board, hi), _place(board, lo)
    pocket = at + 7 if street == 1 else at + 8  # after two pair, which has a column less on the flop
    if hi == lo and hi_place:
        out[at], out[at + 1], out[at + 2] = 1, hi + 1, hi_place - (street == 3)
    elif hi == lo:
        out[pocket], out[pocket + 1], out[pocket + 2] = 1, hi + 1, _above(board, hi)
    elif hi_place and lo_place:
        out[at + 3], out[at + 4], out[at + 5] = 1, hi + 1, lo + 1
        if street == 1:
            out[at + 6] = 6 - hi_place - lo_place
        else:
            out[at + 6], out[at + 7] = _below(board, hi), _below(board, lo)
    elif hi_place or lo_place:
        rank, kicker = (hi, lo) if hi_place else (lo, hi)
        out[pocket + 3], out[pocket + 4], out[pocket + 5] = 1, rank + 1, _above(board, rank)
        out[pocket + 6], out[pocket + 7] = kicker + 1, _above(board, kicker)
    else:
        out[pocket + 8], out[pocket + 9], out[pocket + 10] = 1, hi + 1, _above(board, hi)
        out[pocket + 11], out[pocket + 12] = lo + 1, _above(board, lo)


# --- everything -------------------------------------------------------------------------------------------------------


@njit(cache=True)
def _preflop(hole: Uint8s, out: Int8s) -> None:
    hi, lo = max(hole[0], hole[1]) >> 2, min(hole[0], hole[1]) >> 2
    if hi == lo:
        out[0], out[1] = 1, hi + 1
        return
    out[2], out[3], out[4] = hi + 1, lo + 1, hole[0] & 3 == hole[1] & 3
    both = (1 << hi) | (1 << lo)
    for straight in STRAIGHTS:
        out[5] += straight & both == both


@njit(cache=True, nogil=True)
def fill(
    holes: Uint8s, boards: Uint8s, n_board: int, draws: tuple[Int8s, Int16s], board_out: Int8s, private_out: Int8s
) -> None:
    """Fill `board_out[deal, column]` and `private_out[deal, seat, column]`, initially zero, for boards of `n_board`
    cards."""
    groups = np.empty((4, 5, 6), np.int64)  # groups[street, times, place]
    n = np.zeros((4, 5), np.int64)
    masks = np.zeros(3, np.int64)
    by_rank = np.zeros((7, 13), np.int64)
    suits = np.zeros((4, 4), np.int64)
    for deal in range(len(holes)):
        board, out = boards[deal], board_out[deal]
        for street in range(1, n_board - 1):
            n[street] = _grouped(board, street + 2, groups[street])
            masks[street - 1] = 0
            for i in range(street + 2):
                masks[street - 1] |= 1 << (board[i] >> 2)
        if n_board >= 3:
            board_suits(board, n_board, suits, out)
            _flop_ranks(groups[1], n[1], out)
            board_straights(masks, n_board, draws, out, by_rank)
        if n_board >= 4:
            _turn_ranks(groups[1], n[1], board[3] >> 2, out)
        if n_board == 5:
            _river_ranks(groups[2], n[2], groups[1, 1], board[3] >> 2, board[4] >> 2, out)
            _unordered_ranks(groups[3], n[3], out)
        for seat in range(holes.shape[1]):
            hole, mine = holes[deal, seat], private_out[deal, seat]
            hi, lo = max(hole[0], hole[1]) >> 2, min(hole[0], hole[1]) >> 2
            _preflop(hole, mine)
            for street in range(1, n_board - 1):
                _private_ranks(hi, lo, street, groups[street], n[street], mine)
                private_suits(hole, board, street, suits, mine)
                private_straights(hole, street, masks, draws, by_rank, mine)
                if n[street, 2] or n[street, 3]:
                    order_ranks(hi, lo, street, groups[street], n[street], mine)
                if hole[0] & 3 == hole[1] & 3 and suits[street, hole[0] & 3] >= 3:
                    order_suits(hole, board, street, suits[street, hole[0] & 3], mine)
