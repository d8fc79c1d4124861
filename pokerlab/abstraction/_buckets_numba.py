# mypy: ignore-errors
"""Kernels of the card buckets: all combos on a board at once.

Shapes: board[5] in order of dealing; ranks[combo], scores[combo] and cells[street, combo] are -1 for combos that
conflict with the board. A *score* is twice the number of hands beaten plus the number of hands tied on a final board.
With 990 possible opponents it is 0 .. 1980; it is HS without rounding.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Uint8s
from pokerlab.cards._evaluate_numba import rank_combos
from pokerlab.cards._isomorphism_numba import index_hands
from pokerlab.cards._showdown_numba import sort_by_rank
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS

CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(53)], dtype=np.int64)
MOST_SCORE = 1980
COMBO_BITS = np.uint32(11)
COMBO_MASK = np.uint32(2047)
MET_BITS = np.int64(32)
MET = np.int64(1) << MET_BITS
FLOP, TURN, RIVER = 1, 2, 3
N_TEXTURES = {3: 6, 4: 6, 5: 12}  #: number of textures by number of cards on the board
EVERY_COMBO = np.arange(N_COMBOS, dtype=np.int64)


class Lookup(NamedTuple):
    """Arrays that the kernels read; made by `Buckets.lookup`."""

    preflop: np.ndarray  # preflop[combo] -> cell
    flop_row: np.ndarray  # flop_row[index of the flop] -> row
    flop_relabelling: np.ndarray  # flop_relabelling[index of the flop]
    turn_row: np.ndarray  # turn_row[index of the four cards] -> row
    turn_relabelling: np.ndarray
    relabelled: np.ndarray  # relabelled[relabelling, combo]
    flop: np.ndarray  # flop[row, combo] -> segment
    flop_cell: np.ndarray  # flop_cell[parent, segment] -> cell
    turn: np.ndarray  # turn[row, combo] -> segment
    turn_cell: np.ndarray  # turn_cell[parent, segment] -> cell
    river_low: np.ndarray  # river_low[parent, score] -> cell if the hand's index is the lowest
    river_high: np.ndarray  # river_high[parent, score] -> cell if its index is the highest
    river_index: np.ndarray  # river_index[cell] -> index from which on a tied hand is in this cell or a higher one
    recall: Any  # 1: the parent is the cell on the previous street; 0: it is the board's texture (if `textured`) or 0
    textured: Any  # 1 if hands are divided within textures (`texture`)
    river_hands: Any  # arrays of the indexer of hands with 2 private and 5 board cards
    evaluator: Any  # the evaluator's tables


@njit(cache=True)
def place_of_board(board: Uint8s, size: int):
    """The colexicographic index of the first `size` cards among all sets of that size."""
    place = np.int64(0)
    for i in range(size):
        below = 1
        for j in range(size):
            below += board[j] < board[i]
        place += CHOOSE[board[i], below]
    return place


@njit(cache=True)
def texture(board: Uint8s, size: int):
    """Texture of the first `size` cards as a number below N_TEXTURES[size]: suits, pairs and, on the river, straights.
    There are few textures, since a solver trains the cells of a texture only when it is dealt."""
    of_suit, present = np.zeros(4, np.int64), 0  # bit 0 of `present` is the ace as lowest card
    for i in range(size):
        of_suit[board[i] & 3] += 1
        present |= 1 << ((np.int64(board[i]) >> 2) + 1)
    distinct, most, nearest = 0, of_suit.max(), 0
    for rank in range(1, 14):
        distinct += present >> rank & 1
    present |= present >> 13 & 1
    for low in range(10):
        held = 0
        for rank in range(low, low + 5):
            held += present >> rank & 1
        nearest = max(nearest, held)  # most ranks on the board of one straight
    paired = 1 if distinct < size else 0
    if size < 5:
        return (min(most, 3) - 1) * 2 + paired
    return (max(min(most, 4), 2) - 2) * 4 + paired * 2 + (1 if nearest >= 4 else 0)


@njit(cache=True)
def score_combos(board, tables, ranks, entries, scores):
    """Fill `ranks[combo]`, scores[combo] and entries (`rank << 11 | combo`, sorted). Return the number of possible
    combos."""
    rank_combos(board, tables, ranks)
    n = 0
    for combo in range(N_COMBOS):
        scores[combo] = -1
        if ranks[combo] >= 0:
            entries[n] = (np.uint32(ranks[combo]) << COMBO_BITS) | np.uint32(combo)
            n += 1
    sort_by_rank(entries, n, np.empty(N_COMBOS, np.uint32))
    # number of hands with each card; entry 52 is the number of all hands
    below, level = np.zeros(53, np.int32), np.zeros(53, np.int32)
    start = 0
    while start < n:
        end, rank = start, entries[start] >> COMBO_BITS
        while end < n and entries[end] >> COMBO_BITS == rank:
            combo = entries[end] & COMBO_MASK
            level[CARDS_OF_COMBO[combo, 0]] += 1
            level[CARDS_OF_COMBO[combo, 1]] += 1
            level[52] += 1
            end += 1
        for i in range(start, end):
            combo = entries[i] & COMBO_MASK
            a, b = CARDS_OF_COMBO[combo, 0], CARDS_OF_COMBO[combo, 1]
            beaten, tied = below[52] - below[a] - below[b], level[52] - level[a] - level[b] + 1
            scores[combo] = 2 * beaten + tied
        below += level
        level[:] = 0
        start = end
    return n


@njit(cache=True)
def cells_to_turn(board, lookup, cells):
    """Set `cells[0..2, combo]` on a board of four or more cards. Blocked combos get an arbitrary cell."""
    flop_place, turn_place = place_of_board(board, 3), place_of_board(board, 4)
    flop = lookup.flop[lookup.flop_row[flop_place]]
    turn = lookup.turn[lookup.turn_row[turn_place]]
    on_flop = lookup.relabelled[lookup.flop_relabelling[flop_place]]
    on_turn = lookup.relabelled[lookup.turn_relabelling[turn_place]]
    of_flop, of_turn = texture(board, 3) * lookup.textured, texture(board, 4) * lookup.textured
    for combo in range(N_COMBOS):
        preflop = lookup.preflop[combo]
        on_the_flop = lookup.flop_cell[of_flop + preflop * lookup.recall, flop[on_flop[combo]]]
        cells[0, combo] = preflop
        cells[FLOP, combo] = on_the_flop
        cells[TURN, combo] = lookup.turn_cell[of_turn + on_the_flop * lookup.recall, turn[on_turn[combo]]]


class Tied(NamedTuple):
    """Working arrays for tied hands, whose cells depend on their canonical index."""

    hands: np.ndarray  # hands[tied, 7]: their cards
    index: np.ndarray  # index[tied]
    place: np.ndarray  # place[tied]: number of the hand


@njit(cache=True)
def new_tied(n):
    """Working arrays for up to `n` tied hands."""
    return Tied(np.empty((n, 7), np.int64), np.empty(n, np.int64), np.empty(n, np.int64))


@njit(cache=True)
def river_cells(board, combos, turn_cells, scores, lookup, tied, cells):
    """Fill `cells[hand]` on the river for hands given by combos[hand], turn_cells[hand], scores[hand] (-1: blocked).

    Tied hands are collected and indexed together, because calls that pass the lookup tables are slow.
    """
    n_tied, of_board = 0, texture(board, 5) * lookup.textured
    for h in range(len(combos)):
        if scores[h] < 0:
            cells[h] = -1
            continue
        parent = of_board + turn_cells[h] * lookup.recall
        cells[h] = lookup.river_low[parent, scores[h]]
        if cells[h] != lookup.river_high[parent, scores[h]]:
            tied.hands[n_tied, 0], tied.hands[n_tied, 1] = CARDS_OF_COMBO[combos[h], 0], CARDS_OF_COMBO[combos[h], 1]
            for i in range(5):
                tied.hands[n_tied, 2 + i] = board[i]
            tied.place[n_tied] = h
            n_tied += 1
    if n_tied == 0:
        return
    t = lookup.river_hands
    index_hands(tied.hands[:n_tied], t[0], t[1], t[2], t[3], t[4], t[5], t[6], tied.index)
    for k in range(n_tied):
        h = tied.place[k]
        high = lookup.river_high[of_board + turn_cells[h] * lookup.recall, scores[h]]
        while cells[h] < high and lookup.river_index[cells[h] + 1] <= tied.index[k]:
            cells[h] += 1


@njit(cache=True)
def cells_of_board(board, scores, lookup, tied, cells):
    """Fill `cells[street, combo]` on a final board where the combos have scores[combo]."""
    cells_to_turn(board, lookup, cells)
    for combo in range(N_COMBOS):
        if scores[combo] < 0:
            cells[0, combo] = cells[FLOP, combo] = cells[TURN, combo] = -1
    river_cells(board, EVERY_COMBO, cells[TURN], scores, lookup, tied, cells[RIVER])


# --- building nested percentiles -------------------------------------------------------------------------------------


@njit(cache=True)
def _values_of_turn(board, lookup, values):
    """Set `values[combo]` on a turn, -1 for blocked combos. `lookup.turn` must have values in place of segments."""
    place = place_of_board(board, 4)
    row, relabelled = lookup.turn[lookup.turn_row[place]], lookup.relabelled[lookup.turn_relabelling[place]]
    dead = np.uint64(0)
    for i in range(4):
        dead |= np.uint64(1) << np.uint64(board[i])
    for combo in range(N_COMBOS):
        a, b = np.uint64(CARDS_OF_COMBO[combo, 0]), np.uint64(CARDS_OF_COMBO[combo, 1])
        values[combo] = -1 if ((dead >> a) | (dead >> b)) & np.uint64(1) else row[relabelled[combo]]


@njit(cache=True)
def _values_of_street(board, street, lookup, ranks, entries, cells, values):
    """Set `values[combo]`, by which hands are divided into cells (-1 for blocked combos), and cells[street - 1, combo],
    the parent cells."""
    cells_to_turn(board, lookup, cells)
    if street == TURN:
        _values_of_turn(board, lookup, values)
    else:
        score_combos(board, lookup.evaluator, ranks, entries, values)


@njit(cache=True, nogil=True)
def count_values(boards, weights, street, lookup, count):
    """Add the weights of all hands on the boards to count[parent, value]."""
    ranks, entries = np.empty(N_COMBOS, np.int32), np.empty(N_COMBOS, np.uint32)
    cells, values = np.empty((4, N_COMBOS), np.int32), np.empty(N_COMBOS, np.int32)
    parents = cells[street - 1]
    for b in range(len(boards)):
        _values_of_street(boards[b], street, lookup, ranks, entries, cells, values)
        for combo in range(N_COMBOS):
            if values[combo] >= 0:
                count[parents[combo], values[combo]] += weights[b]


@njit(cache=True, nogil=True)
def list_hands(boards, street, lookup, wanted, found):
    """Write (board, combo, parent, value) of the hands with wanted[parent, value] to found[hand, 4].

    Returns the number of boards done (it stops before a board whose hands might not fit) and the number of hands
    written.
    """
    ranks, entries = np.empty(N_COMBOS, np.int32), np.empty(N_COMBOS, np.uint32)
    cells, values = np.empty((4, N_COMBOS), np.int32), np.empty(N_COMBOS, np.int32)
    parents = cells[street - 1]
    n = 0
    for b in range(len(boards)):
        if n + N_COMBOS > len(found):
            return b, n
        _values_of_street(boards[b], street, lookup, ranks, entries, cells, values)
        for combo in range(N_COMBOS):
            if values[combo] >= 0 and wanted[parents[combo], values[combo]]:
                found[n, 0], found[n, 1], found[n, 2], found[n, 3] = b, combo, parents[combo], values[combo]
                n += 1
    return len(boards), n


# --- pairs of hands --------------------------------------------------------------------------------------------------


@njit(cache=True)
def _number_cells(cells, entries, n, number_of_cell, cell_of_number, local):
    """Number the cells that occur on a board, in ascending order. Set `local[i]` to the number for entries[i]. Return
    how many there are."""
    number_of_cell[:] = -1
    for i in range(n):
        number_of_cell[cells[entries[i] & COMBO_MASK]] = 0
    n_local = 0
    for cell in range(len(number_of_cell)):
        if number_of_cell[cell] == 0:
            number_of_cell[cell] = n_local
            cell_of_number[n_local] = cell
            n_local += 1
    for i in range(n):
        local[i] = number_of_cell[cells[entries[i] & COMBO_MASK]]
    return n_local


@njit(cache=True)
def _count_all(entries, n, local, n_local, below, level, pairs):
    """Add all ordered pairs of hands to pairs[cell, cell], also pairs with a common card and of a hand with itself.

    A pair adds MET, plus 1 if the first hand wins, so that one sum contains both counts. `below` and `level` are the
    numbers of worse and of equal hands by cell.
    """
    below[:n_local] = 0
    level[:n_local] = 0
    start = 0
    while start < n:
        end, rank = start, entries[start] >> COMBO_BITS
        while end < n and entries[end] >> COMBO_BITS == rank:
            level[local[end]] += 1
            end += 1
        for i in range(start, end):
            times = level[local[i]]
            if times > 0:  # all equal hands of a cell are added at once
                row = pairs[local[i], :n_local]
                for other in range(n_local):
                    row[other] += times * below[other]
                level[local[i]] = -times
        for i in range(start, end):
            below[local[i]] -= level[local[i]]
            level[local[i]] = 0
        start = end
    for one in range(n_local):
        for other in range(n_local):
            pairs[one, other] += MET * below[one] * below[other]


@njit(cache=True)
def _remove_shared(entries, n, local, held, n_held, pairs):
    """Subtract pairs of hands that share a card. `held[card, k]` (`rank << 11 | local cell`) is the k-th worst hand
    that contains `card`.

    A pair in both orders is subtracted from the row of the better hand (of either hand if they are equal);
    `count_pairs` explains why this is enough.
    """
    n_held[:] = 0
    for i in range(n):
        combo, rank = entries[i] & COMBO_MASK, entries[i] >> COMBO_BITS
        row = pairs[local[i]]
        for side in range(2):
            card = CARDS_OF_COMBO[combo, side]
            for k in range(n_held[card]):
                other = held[card, k]
                row[other & COMBO_MASK] -= 2 * MET + (other >> COMBO_BITS < rank)
            held[card, n_held[card]] = rank << COMBO_BITS | np.uint32(local[i])
            n_held[card] += 1
        row[local[i]] -= MET  # a hand cannot be dealt together with itself


@njit(cache=True, nogil=True)
def count_pairs(boards, weights, lookup, met_in_all, won_in_all):
    """Add weights[board] times numbers of ordered pairs of hands without a common card: of all such pairs to
    met_in_all[cell, cell], of those that the first hand wins to won_in_all.

    Only met_in_all plus its transpose is meaningful; it is twice the number of ordered pairs.
    """
    ranks, entries = np.empty(N_COMBOS, np.int32), np.empty(N_COMBOS, np.uint32)
    scores, cells = np.empty(N_COMBOS, np.int32), np.empty((4, N_COMBOS), np.int32)
    number_of_cell, cell_of_number = np.empty(len(met_in_all), np.int32), np.empty(N_COMBOS, np.int32)
    local, below, level = np.empty(N_COMBOS, np.int32), np.zeros(N_COMBOS, np.int64), np.zeros(N_COMBOS, np.int64)
    held, n_held = np.empty((52, 51), np.uint32), np.zeros(52, np.int64)
    room, tied = np.empty(N_COMBOS * N_COMBOS, np.int64), new_tied(N_COMBOS)
    for b in range(len(boards)):
        n = score_combos(boards[b], lookup.evaluator, ranks, entries, scores)
        cells_of_board(boards[b], scores, lookup, tied, cells)
        n_local = _number_cells(cells[RIVER], entries, n, number_of_cell, cell_of_number, local)
        pairs = room[: n_local * n_local].reshape(n_local, n_local)
        pairs[:] = 0
        _count_all(entries, n, local, n_local, below, level, pairs)
        _remove_shared(entries, n, local, held, n_held, pairs)
        for one in range(n_local):
            met_row, won_row = met_in_all[cell_of_number[one]], won_in_all[cell_of_number[one]]
            for other in range(n_local):
                both = pairs[one, other]
                met = (both + MET // 2) >> MET_BITS  # won may be slightly below 0 here, but never near half of MET
                met_row[cell_of_number[other]] += weights[b] * met
                won_row[cell_of_number[other]] += weights[b] * (both - (met << MET_BITS))
