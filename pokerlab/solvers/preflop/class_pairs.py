"""Pairs of hand classes before the flop: how often they are dealt together, and what each wins in an all-in.

>>> from pokerlab.cards.combos import class_index
>>> aces, kings = class_index("AA"), class_index("KK")
>>> pairs = class_pairs()
>>> (1225 * pairs.chance[[aces, kings], aces]).round(3).tolist(), float(pairs.share[aces, kings].round(4))
([1.0, 6.0], 0.8195)
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import CLASS_OF_COMBO, COMBOS_OF_CLASS, MASK_OF_COMBO, N_CLASSES
from pokerlab.cards.matchups import edge_against

CLASS_SIZE: Floats = np.bincount(CLASS_OF_COMBO).astype(np.float64)
"""`CLASS_SIZE[class]`: 6, 4 or 12 combos."""
CLASS_SIZE.setflags(write=False)


class ClassPairs(NamedTuple):
    """Preflop tables for pairs of hand classes: `[own class, other class]`. Each row of `chance` adds up to one."""

    chance: Floats  # probability of the other player's class, given one's own
    share: Floats  # share of the pot that one's own class wins in an all-in
    won: Floats  # chance * share


@lru_cache(maxsize=1)
def class_pairs() -> ClassPairs:
    """Compute the tables from the shipped table of all-ins between single hands (`cards.matchups`)."""
    chance, won = np.zeros((2, N_CLASSES, N_CLASSES))
    for own, combos in enumerate(COMBOS_OF_CLASS):
        combo = int(combos[0])  # all combos of a class meet the others equally often
        apart = (MASK_OF_COMBO & MASK_OF_COMBO[combo]) == 0
        chance[own] = np.bincount(CLASS_OF_COMBO[apart], minlength=N_CLASSES)
        share = 0.5 - 0.5 * edge_against(combo)[apart]  # the edge is that of the other hand
        won[own] = np.bincount(CLASS_OF_COMBO[apart], weights=share, minlength=N_CLASSES)
    total = chance.sum(axis=1, keepdims=True)
    share = won / np.where(chance > 0, chance, 1)
    tables = ClassPairs(chance / total, share, won / total)
    for table in tables:
        table.setflags(write=False)
    return tables
