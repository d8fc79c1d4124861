# mypy: ignore-errors
"""Kernels that compute the values of a street's terminal nodes, per chip at stake, over all pairs of hands. Terms are
those of `_subgame_numba`.

The first `Pass` belongs to player 0: it has player 1's reach and gives the values of player 0's hands. The second
(`own`) belongs to player 1 and has player 0's reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Floats32, Int32s
from pokerlab.solvers.subgames._subgame_numba import ONE, Entries, HeroWalk, StreetHands, down, endings, enter


class Pass(NamedTuple):
    """Arrays of one player's pass over a street."""

    walk: HeroWalk
    hands: StreetHands
    entries: Entries
    reach: Floats32  # reach[slot, hand]; written by the kernel


class Worths(NamedTuple):
    """The terminal nodes of a street: the slots of player 0's reach (in player 1's pass), and the sums of values that
    `meet` fills."""

    show_slot: Int32s
    fold_slot: Int32s
    show: Floats
    fold: Floats


@njit(cache=True, nogil=True, error_model="numpy")
def meet(places, own_slots, first, last, value, own_reach, share, worth):
    """Add to worth[e] the value of terminal node e: the sum over hands of value[place, hand] times player 0's reach."""
    for e in range(len(places)):
        v, r = value[places[e]], own_reach[own_slots[e]]
        total = 0.0
        for h in range(first, last):
            total += np.float64(v[h]) * r[h]
        worth[e] += share * total


@njit(cache=True, nogil=True, error_model="numpy")
def add_worths(one, own, boards, share, weights, scratch, worths):
    """Add to `worths` the values of terminal nodes on boards[0] .. boards[1] - 1, which have probabilities
    `share[i]`."""
    walk, cards, entries, reach = one
    own_walk, own_cards, own_entries, own_reach = own
    value, p, room = scratch
    first, last = boards
    for board in range(first, last):
        enter(cards, board, entries.before, entries.slots, reach)
        enter(own_cards, board, own_entries.before, own_entries.slots, own_reach)
        down(walk, cards, board, weights, weights, -ONE, reach, p)
        down(own_walk, own_cards, board, weights, weights, -ONE, own_reach, p)
        endings(walk, cards, board, reach, value, room)
        hands = (cards.first, cards.last)
        here = share[board - first]
        meet(walk.show_place, worths.show_slot, hands[0], hands[1], value, own_reach, here, worths.show)
        meet(walk.fold_place, worths.fold_slot, hands[0], hands[1], value, own_reach, here, worths.fold)
