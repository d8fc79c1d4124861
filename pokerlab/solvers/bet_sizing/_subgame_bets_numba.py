# mypy: ignore-errors
"""What the endings of a street are worth for each chip of their stakes, over all pairs of hands; see `_subgame_numba`.

`cards`, `walk` and `reach[slot, hand]` are those of player 0's pass: they carry player 1's reach and give values to
player 0's hands. `own_..` are those of player 1's pass, which carry player 0's reach.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.solvers.subgames._subgame_numba import ONE, down, endings, enter


@njit(cache=True, nogil=True, error_model="numpy")
def meet(places, own_slots, first, last, value, own_reach, share, worth):
    """Add to worth[e] what ending e is worth: value[place, hand] times how likely player 0 brings the hand there."""
    for e in range(len(places)):
        v, r = value[places[e]], own_reach[own_slots[e]]
        total = 0.0
        for h in range(first, last):
            total += np.float64(v[h]) * r[h]
        worth[e] += share * total


@njit(cache=True, nogil=True, error_model="numpy")
def add_worths(
    walk, cards, own_walk, own_cards, first, last, share, before, exits, own_before, own_exits, show_own, fold_own,
    weights, reach, own_reach, value, p, room, show_worth, fold_worth,
):  # fmt: skip
    """Add boards first .. last - 1, each `share[board - first]` likely, to the worths of showdowns and folds."""
    for board in range(first, last):
        enter(cards, board, before, exits, reach)
        enter(own_cards, board, own_before, own_exits, own_reach)
        down(walk, cards, board, weights, weights, -ONE, reach, p)
        down(own_walk, own_cards, board, weights, weights, -ONE, own_reach, p)
        endings(walk, cards, board, reach, value, room)
        hands = (cards.first, cards.last)
        meet(walk.show_place, show_own, hands[0], hands[1], value, own_reach, share[board - first], show_worth)
        meet(walk.fold_place, fold_own, hands[0], hands[1], value, own_reach, share[board - first], fold_worth)
