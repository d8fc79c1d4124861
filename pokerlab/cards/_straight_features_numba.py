"""Compiled straights among the card features; `tests/oracles/straight_features.py` is the twin.

A set of ranks (0..12) is a mask of 13 bits. The draws of all pairs of ranks on all boards come from a lookup table.
"""
# mypy: ignore-errors

from __future__ import annotations

from functools import cache

import numpy as np
from numba import njit

from pokerlab.arrays import Int8s, Int16s, Int64s, Uint8s
from pokerlab.cards.feature_names import BOARD_NAMES, PRIVATE_NAMES

N_PAIRS = 78
NONE, SINGLE, DOUBLE, STRAIGHT, ON_BOARD = 0, 1, 2, 3, 4
# Draws on the turn, by what they were on the flop.
FLOP_SINGLE, NEW_SINGLE, FLOP_DOUBLE, DOUBLED_SINGLE, NEW_DOUBLE = 0, 1, 2, 3, 4
# The turn's column of each kind among the board features, counted from one-gaps; draws of the flop have no column.
TURN_COLUMN = np.array([0, 3, 0, 5, 4])
RIVER_COLUMN = np.array([3, 5, 4, 7, 6])  # the river's column of each kind, counted from straight

_STRAIGHTS = [0b1000000001111, *(0b11111 << low for low in range(9))]
STRAIGHTS = np.array(_STRAIGHTS, np.int64)
COUNT = np.array([bin(mask).count("1") for mask in range(1 << 13)], np.int8)
BEST = np.max([np.where((np.arange(1 << 13) & s) == s, i, -1) for i, s in enumerate(_STRAIGHTS)], axis=0).astype(
    np.int8
)
"""The number of the highest straight within a set of ranks, or -1."""
PAIR_A, PAIR_B = np.triu_indices(13, 1)

F_STRAIGHTS, T_STRAIGHTS = BOARD_NAMES.index("flop/two-gaps"), BOARD_NAMES.index("turn/one-gaps")
R_STRAIGHTS, U_STRAIGHTS = BOARD_NAMES.index("river/straight"), BOARD_NAMES.index("river-unordered/straight")
P_FLOP, P_TURN = PRIVATE_NAMES.index("flop/straight"), PRIVATE_NAMES.index("turn/one-gap-straight")
P_RIVER = PRIVATE_NAMES.index("river/one-gap-straight")


@njit(cache=True)
def _fill_pair_draws(kinds: Int8s, completing: Int16s) -> None:
    for board in range(1 << 13):
        if COUNT[board] > 4:
            continue
        for pair in range(N_PAIRS):
            mine = (1 << PAIR_A[pair]) | (1 << PAIR_B[pair])
            if board & mine:
                kinds[board, pair] = ON_BOARD
            elif BEST[board | mine] > BEST[board]:
                kinds[board, pair] = STRAIGHT
            else:
                missing = 0
                for straight in STRAIGHTS:
                    if straight & mine == mine and COUNT[straight & board] == 2:
                        missing |= straight & ~(board | mine)
                completing[board, pair] = missing
                kinds[board, pair] = min(COUNT[missing], 2)


@cache
def pair_draws():
    """`kind[board ranks, pair]` and `completing[board ranks, pair]` for all boards of up to four ranks."""
    kinds, completing = np.zeros((1 << 13, N_PAIRS), np.int8), np.zeros((1 << 13, N_PAIRS), np.int16)
    _fill_pair_draws(kinds, completing)
    return kinds, completing


@njit(cache=True)
def _turn_kind(before: int, after: int):
    if after == SINGLE:
        return FLOP_SINGLE if before == SINGLE else NEW_SINGLE
    if after == DOUBLE:
        return FLOP_DOUBLE if before == DOUBLE else DOUBLED_SINGLE if before == SINGLE else NEW_DOUBLE
    return -1


@njit(cache=True)
def _gaps(board: int, on_board: int, above: int):
    n = 0
    for i in range(above + 1, 10):
        n += COUNT[STRAIGHTS[i] & board] == on_board
    return n


@njit(cache=True)
def board_straights(masks: Int64s, n_board: int, draws: tuple[Int8s, Int16s], out: Int8s, by_rank: Int64s) -> None:
    """Fill the board's columns, and `by_rank[kind, 13]` with the number of draws that each rank completes: two kinds
    on the flop, then five on the turn."""
    kinds, completing = draws
    flop = masks[0]
    by_rank[:] = 0
    singles, doubles = 0, 0
    for pair in range(N_PAIRS):
        kind = kinds[flop, pair]
        if SINGLE <= kind <= DOUBLE:
            singles += kind == SINGLE
            doubles += kind == DOUBLE
            _add_bits(by_rank[kind - SINGLE], completing[flop, pair])
    out[F_STRAIGHTS] = _gaps(flop, 3, -1)
    out[F_STRAIGHTS + 1], out[F_STRAIGHTS + 2] = singles, doubles
    if n_board < 4:
        return
    turn_mask = masks[1]
    turned = turn_mask & ~flop
    river = masks[2] & ~turn_mask
    at, last = T_STRAIGHTS, R_STRAIGHTS
    out[at] = _gaps(turn_mask, 4, -1)
    for pair in range(N_PAIRS):
        before, after = kinds[flop, pair], kinds[turn_mask, pair]
        if SINGLE <= before <= DOUBLE and completing[flop, pair] & turned:
            out[at + before] += 1
            if n_board == 5 and ((1 << PAIR_A[pair]) | (1 << PAIR_B[pair])) & river:
                out[last + before] += 1
        kind = _turn_kind(before, after)
        if kind >= 0:
            _add_bits(by_rank[2 + kind], completing[turn_mask, pair])
            if TURN_COLUMN[kind]:
                out[at + TURN_COLUMN[kind]] += 1
            if n_board == 5 and completing[turn_mask, pair] & river:
                out[last + RIVER_COLUMN[kind]] += 1
    if n_board == 5:
        board = masks[2]
        out[last] = out[U_STRAIGHTS] = BEST[board] >= 0
        out[U_STRAIGHTS + 1], out[U_STRAIGHTS + 2] = _gaps(board, 4, -1), _gaps(board, 3, -1)


@njit(cache=True)
def _add_bits(counts: Int64s, mask: int) -> None:
    for rank in range(13):
        counts[rank] += mask >> rank & 1


@njit(cache=True)
def private_straights(
    hole: Uint8s, street: int, masks: Int64s, draws: tuple[Int8s, Int16s], by_rank: Int64s, out: Int8s
) -> None:
    board = masks[street - 1]
    mine = ((1 << (hole[0] >> 2)) | (1 << (hole[1] >> 2))) & ~board
    best = BEST[board | mine]
    made = best > BEST[board]
    one_gap = made and COUNT[STRAIGHTS[best] & board] == 4
    if street == 3:
        if made:
            at = P_RIVER
            out[at if one_gap else at + 1] = 1
            out[at + 2], out[at + 3] = _gaps(board, 4, best), _gaps(board, 3, best)
        return
    at = P_FLOP if street == 1 else P_TURN
    higher = at + 5 if street == 1 else at + 6
    if made:
        above = _gaps(board, 3, best) + _gaps(board, 4, best)
        if street == 1:
            out[at], out[at + 1] = 1, above
        else:
            out[at if one_gap else at + 1] = 1
            out[at + 2] = above
        _higher(mine, board, 0x1FFF & ~board, higher, out)
        return
    by_one, by_two = 0, 0
    for straight in STRAIGHTS:
        missing = straight & ~(board | mine)
        used = COUNT[straight & mine]
        if used and COUNT[missing] == 1:
            if used == 1:
                by_one |= missing
            else:
                by_two |= missing
    first = higher - 3  # one-gap-draw, single-draw, double-draw, higher ..
    out[first], n_two = COUNT[by_one], COUNT[by_two]
    out[first + 1], out[first + 2] = n_two == 1, n_two > 1
    mine_kind, mine_completing = _own_pair(mine, board, draws)
    if by_one | by_two:
        _higher(mine, board, by_one | by_two, higher, out)
        if street == 1:
            _shared(mine, board, by_one | by_two, by_rank[:2], mine_kind - SINGLE, mine_completing, higher + 2, out)
        else:
            kind = _turn_kind(_own_pair(mine, masks[0], draws)[0], mine_kind)
            _shared(mine, board, by_one | by_two, by_rank[2:], kind, mine_completing, higher + 2, out)
    if street == 1:
        if COUNT[mine] == 2:
            _back_doors(mine, board, by_rank[:2], mine_kind - SINGLE, mine_completing, higher + 5, out)
        if not by_one | by_two:
            for rank in range(13):
                if mine >> rank & 1:
                    out[higher + 10] += by_rank[0, rank]
                    out[higher + 11] += by_rank[1, rank]


@njit(cache=True)
def _own_pair(mine: int, board: int, draws: tuple[Int8s, Int16s]):
    """Look up the draw of a player's two ranks: return (its kind, the ranks that complete it). There is no draw if the
    board contains either rank."""
    kinds, completing = draws
    if COUNT[mine] == 2 and not mine & board:
        low = 0
        while not mine >> low & 1:
            low += 1
        high = low + 1
        while not mine >> high & 1:
            high += 1
        pair = low * 13 - low * (low + 1) // 2 + high - low - 1
        return kinds[board, pair], completing[board, pair]
    return np.int8(NONE), np.int16(0)


@njit(cache=True)
def _higher(mine: int, board: int, completing: int, at: int, out: Int8s) -> None:
    for rank in range(13):
        if completing >> rank & 1:
            after = board | (1 << rank)
            best = BEST[after | mine]
            out[at] += _gaps(after, 4, best)
            out[at + 1] += _gaps(after, 3, best)


@njit(cache=True)
def _shared(mine, board, completing, by_rank, mine_kind, mine_completing, at, out):
    """Count other players' draws that a rank in `completing` makes a straight. `out[at]` counts draws with one hole
    card; the columns after it count draws with two hole cards, by kind."""
    for rank in range(13):
        if completing >> rank & 1:
            one_gaps = 0
            for straight in STRAIGHTS:
                if straight >> rank & 1 and COUNT[straight & board] == 3:
                    one_gaps |= straight & ~board & ~(1 << rank)
            out[at] += COUNT[one_gaps & ~mine]
            for kind in range(len(by_rank)):
                out[at + 1 + kind] += by_rank[kind, rank] - (kind == mine_kind and mine_completing >> rank & 1)


@njit(cache=True)
def _back_doors(mine, board, by_rank, mine_kind, mine_completing, at, out):
    for i in range(10):
        straight = STRAIGHTS[i]
        if straight & mine == mine and COUNT[straight & board] == 1:
            missing = straight & ~(board | mine)
            after = board | missing
            out[at] += 1
            out[at + 1] += _gaps(after, 3, i) + _gaps(after, 4, i)
            _shared(mine, board, missing, by_rank, mine_kind, mine_completing, at + 2, out)
