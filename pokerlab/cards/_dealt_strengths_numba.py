# mypy: ignore-errors
"""Kernel of `dealt_strengths`: HS and rank of every seat's hand on the river."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Int32s, Uint8s
from pokerlab.cards._evaluate_numba import KEY_OF_CARD, SUITS_OF_CARD, rank_of_key, rank_with, sums_of

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

N_OPPONENTS = 990.0  # hands that an opponent can have: pairs of the 45 cards that one does not see


@njit(cache=True, nogil=True)
def river_strengths(holes: Uint8s, boards: Uint8s, tables: Tables, hs: Floats, rank: Int32s) -> None:
    """Fill `hs[deal, seat]` and `rank[deal, seat]` of `holes[deal, seat, 2]` on `boards[deal, 5]`.

    The two cards of every opponent's hand are evaluated once per board, and compared with all seats.
    """
    n_seats = holes.shape[1]
    twice_beaten = np.empty(n_seats, np.int64)
    live = np.empty(47, np.int64)
    for deal in range(len(holes)):
        key, suits, on_board = sums_of(boards[deal])
        for seat in range(n_seats):
            rank[deal, seat] = rank_with(key, suits, holes[deal, seat, 0], holes[deal, seat, 1], tables)
            twice_beaten[seat] = 0
        n_live = 0
        for card in range(52):
            if not on_board >> np.uint64(card) & np.uint64(1):
                live[n_live] = card
                n_live += 1
        for i in range(n_live):
            high = live[i]
            high_key, high_suits = key + KEY_OF_CARD[high], suits + SUITS_OF_CARD[high]
            for j in range(i):
                low = live[j]
                theirs = rank_of_key(high_key + KEY_OF_CARD[low], high_suits + SUITS_OF_CARD[low], tables)
                for seat in range(n_seats):
                    one, two = holes[deal, seat, 0], holes[deal, seat, 1]
                    if one != high and one != low and two != high and two != low:
                        ours = rank[deal, seat]
                        twice_beaten[seat] += 2 * (ours > theirs) + (ours == theirs)
        for seat in range(n_seats):
            hs[deal, seat] = twice_beaten[seat] / 2 / N_OPPONENTS
