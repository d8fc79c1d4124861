"""The update of a bet size in BETS (`bets`): in each iteration the size moves towards a target between its limits.

All engines of BETS use it. It is plain arithmetic, so the same lines work on single numbers in code compiled by Numba
and on arrays of NumPy and JAX.

References
----------
Hawkin (2014), equation 4.10. Its "effective size" is the size that is currently played.
"""

from __future__ import annotations

from typing import Any


def resized(
    size: Any, for_low: Any, for_high: Any, slope: Any, low: Any, high: Any, rate: Any, keep: Any, drop: Any
) -> tuple[Any, Any, Any]:
    """Update a size, and the regrets for the ends of its range `low` and `high`, in one iteration.

    `slope` is the slope of the bettor's value in the size. Regret matching on the two regrets gives a target size, and
    the effective size moves the fraction `rate` of the way towards it. The rate is 1 / min(t, N); in equation 4.11 it
    is multiplied by the probability of the bet. Before the iteration is added, positive regrets are multiplied by
    `keep` and the others by `drop`.

    >>> resized(0.5, 0.0, 0.0, 1.0, 0.4, 0.8, rate=0.5, keep=1.0, drop=1.0)  # towards the high end
    (0.65, -0.09..., 0.3...)
    >>> resized(0.5, 0.0, 0.0, 0.0, 0.4, 0.8, rate=0.5, keep=1.0, drop=1.0)[0].__round__(9)  # no regret: the middle
    0.55
    """
    for_low = for_low * (keep * (for_low > 0) + drop * (for_low <= 0)) + slope * (low - size)
    for_high = for_high * (keep * (for_high > 0) + drop * (for_high <= 0)) + slope * (high - size)
    good_low, good_high = for_low * (for_low > 0), for_high * (for_high > 0)
    both = good_low + good_high
    share = (good_high + 0.5 * (both == 0)) / (both + (both == 0))
    return size + rate * (low + share * (high - low) - size), for_low, for_high
