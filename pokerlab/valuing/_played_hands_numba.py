# mypy: ignore-errors
"""Kernel of `played_values`: whole hands played by strategies, one after another.

Shapes: strategy[s, number], where number = offset[street] + row[edge] * n_cells[street] + cell; which[seat] is the
strategy of a seat; cells[hand, player, street] and rank[hand, player] are deals.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab._rng_numba import STATE_WORDS, begin, next_double
from pokerlab.trees._ending_pots_numba import payoff


@njit(cache=True, error_model="numpy", nogil=True)
def play(key, first, cells, rank, tree, row, offset, n_cells, strategy, which):
    """chips[hand, player] of hands number `first` ..; one uniform number for each action, from stream (key, hand)."""
    actor, street, first_edge, child = tree.actor, tree.street, tree.first_edge, tree.child
    n_hands, n_players = rank.shape
    chips, state = np.empty((n_hands, n_players)), np.empty(STATE_WORDS, np.uint64)
    for hand in range(n_hands):
        begin(state, key, np.uint64(first + hand))
        place = 0
        while place >= 0:
            seat, on = actor[place], street[place]
            at = offset[on] + cells[hand, seat, on]
            left, edge = next_double(state), first_edge[place]
            while edge < first_edge[place + 1] - 1:
                left -= strategy[which[seat], at + row[edge] * n_cells[on]]
                if left < 0:
                    break
                edge += 1
            place = child[edge]
        for player in range(n_players):
            chips[hand, player] = payoff(
                tree.fixed, tree.first_pot, tree.pot, tree.pot_seats, ~place, player, rank[hand]
            )
    return chips
