# mypy: ignore-errors
"""Find the thresholds on hand strength that reproduce a player's counted frequencies. A test compares it with NumPy.

`order` lists the possible hands from weakest to strongest; `weight[hand]` is the probability of each. Sums over the
first n hands in this order are computed once; each threshold that is tried then costs two searches instead of a pass
over all hands.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Int64s

N_HALVINGS = 26


@njit(cache=True)
def _first_above(place: float, sorted_strength: Floats):
    """Number of hands with a strength of at most `place`."""
    low, high = 0, sorted_strength.size
    while low < high:
        middle = (low + high) // 2
        if sorted_strength[middle] <= place:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def _threshold(sorted_strength: Floats, sums: Floats, share: float, band: float):
    """Strength below which a `share` of the total weight lies. Hands within `band` of the threshold count in part.

    `sums[(weight, weight times strength), n]` are the sums over the first n hands.
    """
    low, high = -band, 1.0 + band
    for _ in range(N_HALVINGS):
        middle = 0.5 * (low + high)
        first, last = _first_above(middle - band, sorted_strength), _first_above(middle + band, sorted_strength)
        near, moment = sums[0, last] - sums[0, first], sums[1, last] - sums[1, first]
        if sums[0, first] + 0.5 * near + (middle * near - moment) / (2 * band) < share:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@njit(cache=True)
def fitted(order: Int64s, strength: Floats, weight: Floats, fold: float, raises: float, band: float, p: Floats) -> None:
    """Set `p[hand, (fold, call, raise)]` so that the hands, weighted by `weight` (which sums to one), fold with
    frequency `fold` and raise with frequency `raises`."""
    sorted_strength, sums = np.empty(order.size), np.zeros((2, order.size + 1))
    for n in range(order.size):
        hand = order[n]
        sorted_strength[n] = strength[hand]
        sums[0, n + 1] = sums[0, n] + weight[hand]
        sums[1, n + 1] = sums[1, n] + weight[hand] * strength[hand]
    fold_below = _threshold(sorted_strength, sums, fold, band)
    raise_above = _threshold(sorted_strength, sums, 1.0 - raises, band)
    for hand in range(len(strength)):
        folds = min(max(0.5 + (fold_below - strength[hand]) / (2 * band), 0.0), 1.0) if fold > 0.0 else 0.0
        more = min(max(0.5 + (strength[hand] - raise_above) / (2 * band), 0.0), 1.0) if raises > 0.0 else 0.0
        p[hand, 0], p[hand, 1], p[hand, 2] = folds, 1.0 - folds - more, more
