"""Hand strength against several opponents with jointly sampled hands: the exact value that quick methods approximate.

References
----------
Davidson (2002), section 3.3.5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import MASK_OF_COMBO, N_COMBOS

DRAWS_FOR_EACH = 200  # most samples per accepted one; those in which opponents share cards are rejected


def sampled_strength(
    weights: Sequence[Floats], worth: Floats, *, rng: np.random.Generator, trials: int
) -> float | None:
    """The mean product of `worth[combo]` over `trials` samples of one hand per opponent, without shared cards.

    None when such samples are too rare: the opponents can hold little else than the same cards.

    >>> everything = np.ones(N_COMBOS)
    >>> sampled_strength([everything] * 3, np.full(N_COMBOS, 0.5), rng=np.random.default_rng(1), trials=100)
    0.125
    """
    cumulative = [np.cumsum(table) for table in weights]
    accepted, total, drawn = 0, 0.0, 0
    while accepted < trials:
        if drawn > DRAWS_FOR_EACH * trials:
            return None
        used, value = np.zeros(trials, np.uint64), np.ones(trials)
        alone = np.ones(trials, np.bool_)
        for table in cumulative:
            combos = np.minimum(np.searchsorted(table, rng.random(trials) * table[-1], side="right"), N_COMBOS - 1)
            masks = MASK_OF_COMBO[combos]
            alone &= (used & masks) == 0
            used |= masks
            value *= worth[combos]
        total, accepted, drawn = total + float(value[alone].sum()), accepted + int(alone.sum()), drawn + trials
    return total / accepted
