# mypy: ignore-errors
"""Kernel of `ending_pots`: payoffs at a terminal node of the betting, given the players' ranks."""

from __future__ import annotations

from numba import njit

from pokerlab.arrays import Floats, Int32s, Int64s


@njit(cache=True, error_model="numpy")
def payoff(fixed: Floats, first_pot: Int32s, pot: Floats, pot_seats: Int64s, ending: int, player: int, rank: Int32s):
    """Chips that `player` wins or loses at a terminal node; ties divide a pot exactly."""
    won = fixed[ending, player]
    for k in range(first_pot[ending], first_pot[ending + 1]):
        seats = pot_seats[k]
        if not seats >> player & 1:
            continue
        n_best, beaten = 1, False
        for other in range(len(rank)):
            if other != player and seats >> other & 1:
                beaten |= rank[other] > rank[player]
                n_best += rank[other] == rank[player]
        if not beaten:
            won += pot[k] / n_best
    return won
