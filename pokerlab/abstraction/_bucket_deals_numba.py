# mypy: ignore-errors
"""Kernels of `deals.BucketDeals`: the cells of dealt cards."""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.abstraction._buckets_numba import (
    FLOP,
    RIVER,
    TURN,
    cells_of_board,
    new_tied,
    place_of_board,
    river_cells,
    score_combos,
    texture,
)
from pokerlab.cards._evaluate_numba import rank_combos
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS


@njit(cache=True)
def _score(combo, ranks):
    """The score of `combo`: twice the number of hands that it beats plus the number that it ties, among possible hands
    that share no card with it."""
    own = ranks[combo]
    below, not_above = 0, 0
    for other in range(N_COMBOS):
        below += ranks[other] < own
        not_above += ranks[other] <= own
    n_blocked = N_COMBOS - 1081  # blocked combos have the rank -1, below every other
    score = below + not_above - 2 * n_blocked
    for side in range(2):
        card = CARDS_OF_COMBO[combo, side]
        for beside in range(52):
            if beside != card:
                high, low = max(card, beside), min(card, beside)
                rank = ranks[high * (high - 1) // 2 + low]
                if rank >= 0:
                    score -= (rank < own) + (rank <= own)
    return score + 1  # the hand itself was counted once (a tie) and subtracted twice


@njit(cache=True)
def _cells_of_deal(dealt, n_players, lookup, ranks, combos, scores, tied, cells, rank):
    """Fill `cells[player, street]` and rank[player] of one deal.

    Working arrays: ranks[combo], combos[player], scores[player], and `tied` from `new_tied(n_players)`.
    """
    board = dealt[2 * n_players :]
    flop_place, turn_place = place_of_board(board, 3), place_of_board(board, 4)
    flop, turn = lookup.flop[lookup.flop_row[flop_place]], lookup.turn[lookup.turn_row[turn_place]]
    on_flop = lookup.relabelled[lookup.flop_relabelling[flop_place]]
    on_turn = lookup.relabelled[lookup.turn_relabelling[turn_place]]
    of_flop, of_turn = texture(board, 3) * lookup.textured, texture(board, 4) * lookup.textured
    rank_combos(board, lookup.evaluator, ranks)
    for player in range(n_players):
        a, b = np.int64(dealt[2 * player]), np.int64(dealt[2 * player + 1])
        high, low = max(a, b), min(a, b)
        combo = high * (high - 1) // 2 + low
        cell = lookup.preflop[combo]
        cells[player, 0] = cell
        cell = lookup.flop_cell[of_flop + cell * lookup.recall, flop[on_flop[combo]]]
        cells[player, FLOP] = cell
        cells[player, TURN] = lookup.turn_cell[of_turn + cell * lookup.recall, turn[on_turn[combo]]]
        combos[player], scores[player], rank[player] = combo, _score(combo, ranks), ranks[combo]
    river_cells(board, combos, cells[:, TURN], scores, lookup, tied, cells[:, RIVER])


@njit(cache=True, nogil=True)
def cells_of_deals(dealt, lookup, cells, rank):
    """Fill `cells[deal, player, street]` and rank[deal, player] from dealt[deal, card]: two cards for each player, then
    the board."""
    n_players = rank.shape[1]
    combos, scores = np.empty(n_players, np.int64), np.empty(n_players, np.int32)
    ranks, tied = np.empty(N_COMBOS, np.int32), new_tied(n_players)
    for d in range(len(dealt)):
        _cells_of_deal(dealt[d], n_players, lookup, ranks, combos, scores, tied, cells[d], rank[d])


@njit(cache=True, nogil=True)
def cells_of_boards(boards, lookup, cells, rank):
    """Fill `cells[board, street, combo]` and rank[board, combo] for boards[board, 5]; -1 for blocked combos."""
    entries, scores, tied = np.empty(N_COMBOS, np.uint32), np.empty(N_COMBOS, np.int32), new_tied(N_COMBOS)
    for b in range(len(boards)):
        score_combos(boards[b], lookup.evaluator, rank[b], entries, scores)
        cells_of_board(boards[b], scores, lookup, tied, cells[b])
