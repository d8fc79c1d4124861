# mypy: ignore-errors
"""Compiled code for thresholds that reproduce counted shares; a test compares it with NumPy.

`order` lists the possible hands from weakest to strongest, `weight[hand]` is the probability of each.
"""

from __future__ import annotations

from numba import njit

from pokerlab.arrays import Floats, Int64s

N_HALVINGS = 26


@njit(cache=True)
def _below(order: Int64s, strength: Floats, weight: Floats, place: float, band: float):
    """The share of weight below the threshold `place`, hands within `band` of it in proportion."""
    total = 0.0
    for hand in order:
        part = 0.5 + (place - strength[hand]) / (2 * band)
        if part <= 0.0:
            break
        total += weight[hand] * min(part, 1.0)
    return total


@njit(cache=True)
def _threshold(order: Int64s, strength: Floats, weight: Floats, share: float, band: float):
    """The strength below which `share` of the weight lies."""
    low, high = -band, 1.0 + band
    for _ in range(N_HALVINGS):
        middle = 0.5 * (low + high)
        if _below(order, strength, weight, middle, band) < share:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@njit(cache=True)
def fitted(order: Int64s, strength: Floats, weight: Floats, fold: float, raises: float, band: float, p: Floats) -> None:
    """Fill `p[hand, (fold, call, raise)]` so that its mean by `weight`, which sums to one, has the given shares."""
    fold_below = _threshold(order, strength, weight, fold, band)
    raise_above = _threshold(order, strength, weight, 1.0 - raises, band)
    for hand in range(len(strength)):
        folds = min(max(0.5 + (fold_below - strength[hand]) / (2 * band), 0.0), 1.0) if fold > 0.0 else 0.0
        more = min(max(0.5 + (strength[hand] - raise_above) / (2 * band), 0.0), 1.0) if raises > 0.0 else 0.0
        p[hand, 0], p[hand, 1], p[hand, 2] = folds, 1.0 - folds - more, more
