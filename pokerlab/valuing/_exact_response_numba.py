# mypy: ignore-errors
"""Kernels that prepare cards for `exact_response`: the boards of a flop (only one of those that are equal up to suits)
and their hands.

Shapes: suits[relabelling, suit]; board[n, 5] in order of dealing; cells[board, street, combo] and ranks[board, combo]
as filled by `cells_of_boards`; packed[board, field] is the data of one board for the device (see `pack_boards`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.cards.combos import N_COMBOS

N_HANDS = 1081  # number of hands on a final board
WIDTH = 1088  # hands of a board as sent to the device; a multiple of 64
COMBO, RANK, COLUMN, PLACE = 0, WIDTH, 2 * WIDTH, 3 * WIDTH  # index at which each field of a packed board begins
SYMMETRIES = PLACE + N_COMBOS
COLUMNS = SYMMETRIES + 2  # takes two places, so that the next field begins at an even index


@njit(cache=True, nogil=True)
def _relabel(card, suits):
    return (card & ~3) | suits[card & 3]


@njit(cache=True, nogil=True)
def stabiliser(card, group, n, suits, out):
    """Fill `out[:]` with the relabellings of group[:n] that fix a card. Return their number, or 0 if some relabelling
    gives a lower card."""
    n_out = 0
    for i in range(n):
        moved = _relabel(card, suits[group[i]])
        if moved < card:
            return 0
        if moved == card:
            out[n_out] = group[i]
            n_out += 1
    return n_out


@njit(cache=True, nogil=True)
def boards_of_flop(flop, group, suits, board, turn_of_board, symmetries, turns, turn_group, n_turn_group):
    """List the turns and rivers of a flop, one for each class that is equal up to suits. Return (number of turns,
    number of boards).

    `group` are the relabellings of suits that leave the flop unchanged. Fills in: board[b, 5]; turn_of_board[b];
    symmetries[b], the number of relabellings that leave the whole board unchanged; turns[t]; turn_group[t, i] and
    n_turn_group[t], the relabellings that leave flop and turn unchanged, and their number.
    """
    n_boards, n_turns = 0, 0
    left = np.empty(24, np.int64)
    for turn in range(52):
        if turn == flop[0] or turn == flop[1] or turn == flop[2]:
            continue
        n_left = stabiliser(turn, group, len(group), suits, turn_group[n_turns])
        if n_left == 0:
            continue
        for river in range(52):
            if river == flop[0] or river == flop[1] or river == flop[2] or river == turn:
                continue
            n_same = stabiliser(river, turn_group[n_turns], n_left, suits, left)
            if n_same > 0:
                board[n_boards, :3], board[n_boards, 3], board[n_boards, 4] = flop, turn, river
                turn_of_board[n_boards], symmetries[n_boards] = n_turns, n_same
                n_boards += 1
        turns[n_turns], n_turn_group[n_turns] = turn, n_left
        n_turns += 1
    return n_turns, n_boards


@njit(cache=True, nogil=True)
def _column(cells, combo, heads, following, packed, n):
    """Find the column of a hand by its four buckets, or append one. Return (column number, number of columns)."""
    number = heads[cells[3, combo]]
    while number >= 0:
        at = COLUMNS + 4 * number
        if packed[at] == cells[0, combo] and packed[at + 1] == cells[1, combo] and packed[at + 2] == cells[2, combo]:
            return number, n
        number = following[number]
    at = COLUMNS + 4 * n
    for street in range(4):
        packed[at + street] = cells[street, combo]
    following[n] = heads[cells[3, combo]]
    heads[cells[3, combo]] = n
    return n, n + 1


@njit(cache=True, nogil=True)
def pack_boards(cells, ranks, symmetries, n_cells, packed, n_columns):
    """Set `packed[board, field]` and `n_columns[board]`.

    A *column* is the group of hands of a board with the same buckets on all streets. The fields of a board are: the
    combos of its hands; their ranks; their columns (-1 past the last hand); for every combo its index among the hands
    (`N_HANDS` for combos that conflict with the board); the number of symmetries; four buckets for each column.
    """
    heads, following = np.full(n_cells, -1, np.int32), np.empty(WIDTH, np.int32)
    for b in range(len(cells)):
        out, n, hand = packed[b], 0, 0
        out[COLUMN : COLUMN + WIDTH] = -1
        for combo in range(N_COMBOS):
            out[PLACE + combo] = N_HANDS
            if ranks[b, combo] < 0:
                continue
            column, n = _column(cells[b], combo, heads, following, out, n)
            out[COMBO + hand], out[RANK + hand], out[COLUMN + hand] = combo, ranks[b, combo], column
            out[PLACE + combo] = hand
            hand += 1
        for number in range(n):
            heads[out[COLUMNS + 4 * number + 3]] = -1
        out[SYMMETRIES] = symmetries[b]
        n_columns[b] = n
