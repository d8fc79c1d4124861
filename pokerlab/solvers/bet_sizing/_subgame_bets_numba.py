# mypy: ignore-errors
"""What the endings of a street are worth for each chip of their stakes, over all pairs of hands; see `_subgame_numba`.

The first `Pass` is player 0's: it carries player 1's reach and gives values to player 0's hands. The second (`own`) is
player 1's, which carries player 0's reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Floats32, Int32s
from pokerlab.solvers.subgames._subgame_numba import ONE, Entries, HeroWalk, StreetHands, down, endings, enter


class Pass(NamedTuple):
    """A player's pass over a street."""

    walk: HeroWalk
    hands: StreetHands
    entries: Entries
    reach: Floats32  # [slot, hand]; written


class Worths(NamedTuple):
    """The endings of a street: where player 1's pass has the reach of each, and their worths, which are added to."""

    show_slot: Int32s
    fold_slot: Int32s
    show: Floats
    fold: Floats


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
def add_worths(one, own, boards, share, weights, scratch, worths):
    """Add boards[0] .. boards[1] - 1, the i-th of them `share[i]` likely, to the worths of showdowns and folds."""
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
