"""Compiled five-card stud: equity of a hand against an opponent's upcards, over the cards to come."""
# mypy: ignore-errors

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab._rng_numba import STATE_WORDS, begin, shuffle
from pokerlab.arrays import Uint8s, Uint64s
from pokerlab.cards._evaluate_numba import KEY_OF_CARD, SUITS_OF_CARD, rank_of_key

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables


@njit(cache=True)
def share_of_deals(mine: Uint8s, theirs: Uint8s, rest: Uint8s, tables: Tables, key: Uint64s, n_deals: int):
    """Share of the pot that the cards `mine` win against the upcards `theirs`, if both are completed to five cards from
    `rest`."""
    state = np.empty(STATE_WORDS, dtype=np.uint64)
    begin(state, key, np.uint64(0))
    n_mine, n_theirs = len(mine), len(theirs)
    need = 10 - n_mine - n_theirs
    won = 0
    for deal in range(n_deals):
        if need == 1:  # only one card is unknown: try every card
            rest[0], rest[deal] = rest[deal], rest[0]
        else:
            shuffle(state, rest, need)
        my_key = np.uint64(0)
        my_suits = np.uint64(0)
        their_key = np.uint64(0)
        their_suits = np.uint64(0)
        at = 0
        for i in range(5):
            card = mine[i] if i < n_mine else rest[at]
            at += 0 if i < n_mine else 1
            my_key += KEY_OF_CARD[card]
            my_suits += SUITS_OF_CARD[card]
        for i in range(5):
            card = theirs[i] if i < n_theirs else rest[at]
            at += 0 if i < n_theirs else 1
            their_key += KEY_OF_CARD[card]
            their_suits += SUITS_OF_CARD[card]
        ours, other = rank_of_key(my_key, my_suits, tables), rank_of_key(their_key, their_suits, tables)
        won += 2 if ours > other else 1 if ours == other else 0
        if need == 1:
            rest[0], rest[deal] = rest[deal], rest[0]
    return won / (2 * n_deals)
