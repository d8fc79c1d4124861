# mypy: ignore-errors
"""Kernel that deals cards from numbered decks."""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab._rng_numba import STATE_WORDS, begin, shuffle
from pokerlab.arrays import Uint64s


@njit(cache=True, nogil=True)
def deal_places(key: Uint64s, first: int, n: int, n_deck: int, n_dealt: int):
    """Return places[deal, i]: the i-th card of deck number first + deal, as an index in the unshuffled deck."""
    state, deck = np.empty(STATE_WORDS, np.uint64), np.empty(n_deck, np.uint8)
    places = np.empty((n, n_dealt), np.uint8)
    for i in range(n):
        for card in range(n_deck):
            deck[card] = card
        begin(state, key, np.uint64(first + i))
        shuffle(state, deck, n_dealt)
        places[i] = deck[:n_dealt]
    return places
