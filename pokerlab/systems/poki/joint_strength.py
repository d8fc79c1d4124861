"""Hand strength against several opponents whose hands are drawn together: what the quick methods approximate.

References
----------
Davidson (2002), section 3.3.5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import MASK_OF_COMBO, N_COMBOS

DRAWS_FOR_EACH = 200  # draws in which opponents share cards are thrown away, at most this many for each one kept


def sampled_strength(
    weights: Sequence[Floats], worth: Floats, *, rng: np.random.Generator, trials: int
) -> float | None:
    """The mean product of `worth[combo]` over `trials` draws of one hand for each opponent, none sharing a card.

    None when draws without a shared card are too rare: opponents that can hold little else than the same cards.

    >>> everything = np.ones(N_COMBOS)
    >>> sampled_strength([everything] * 3, np.full(N_COMBOS, 0.5), rng=np.random.default_rng(1), trials=100)
    0.125
    """
    cumulative = [np.cumsum(each) for each in weights]
    kept, total, drawn = 0, 0.0, 0
    while kept < trials:
        if drawn > DRAWS_FOR_EACH * trials:
            return None
        used, value = np.zeros(trials, np.uint64), np.ones(trials)
        alone = np.ones(trials, np.bool_)
        for each in cumulative:
            combos = np.minimum(np.searchsorted(each, rng.random(trials) * each[-1], side="right"), N_COMBOS - 1)
            masks = MASK_OF_COMBO[combos]
            alone &= (used & masks) == 0
            used |= masks
            value *= worth[combos]
        total, kept, drawn = total + float(value[alone].sum()), kept + int(alone.sum()), drawn + trials
    return total / kept
