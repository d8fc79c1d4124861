"""Tournament equities: the prize money that stacks are worth (the independent chip model, ICM).

A player finishes first with a probability proportional to its chips; among the others the same holds for second place,
and so on (Malmuth and Harville). The probability that a set of players takes the first places follows from smaller
sets, so computing it for all 2**n sets gives the exact answer. For more than `MOST_EXACT` players, finishing orders are
sampled: if each player draws an exponential time divided by its stack, the order of these times has the same
probabilities.

>>> [round(value.mean, 2) for value in icm((5000, 3000, 2000), (50, 30, 20))]
[38.39, 32.75, 28.86]

References
----------
Harville (1973), "Assigning Probabilities to the Outcomes of Multi-Entry Competitions", Journal of the American
Statistical Association 68. Malmuth (1987), "Gambling Theory and Other Topics".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Z95, Estimate, exact
from pokerlab.rng import stream

MOST_EXACT = 20
MOST_PLAYERS = 10_000
AT_ONCE = 1_000_000
"""Random numbers drawn at a time."""


def icm(
    stacks: Sequence[float], prizes: Sequence[float], *, samples: int | None = None, seed: int = 7
) -> list[Estimate]:
    """Expected prize of each player, in the units of the prizes. `samples` is the number of random finishing orders to
    use instead of the exact computation; by default 100,000 if there are more than `MOST_EXACT` players."""
    check_prizes(stacks, prizes)
    if samples is None and len(stacks) <= MOST_EXACT:
        places = finishing_chances(stacks, len(prizes))
        return [exact(float(value), units="prize", method="Malmuth-Harville") for value in places @ np.array(prizes)]
    n = 100_000 if samples is None else samples
    if n < 2:
        raise PokerlabError(f"an interval takes two or more samples, not {n}")
    return _sampled(np.array(stacks, dtype=np.float64), np.array(prizes, dtype=np.float64), n, seed)


def finishing_chances(stacks: Sequence[float], n_places: int) -> Floats:
    """Exact `p[player, place]` of the first `n_places` places.

    >>> finishing_chances((3, 1), 2).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    n = len(stacks)
    chips = np.array(stacks, dtype=np.float64) / sum(stacks)
    sets = np.arange(1 << n)
    held = np.zeros(1 << n)  # total chips of each set of players
    for player in range(n):
        held[1 << player : 2 << player] = held[: 1 << player] + chips[player]
    size = np.bitwise_count(sets)
    reached = np.zeros(1 << n)  # probability that exactly this set takes the first places
    reached[0] = 1.0
    p = np.zeros((n, n_places))
    for place in range(n_places):
        first = sets[size == place]
        each = reached[first] / np.maximum(1 - held[first], chips.min())
        for player in range(n):
            free = (first >> player) & 1 == 0
            taken = each[free] * chips[player]
            p[player, place] = taken.sum()
            reached[first[free] | 1 << player] += taken
    return p


def _sampled(chips: Floats, prizes: Floats, n: int, seed: int) -> list[Estimate]:
    rng = stream(seed, "icm")
    paid = np.zeros(len(chips))
    paid[: len(prizes)] = prizes
    total, squares, left = np.zeros(len(chips)), np.zeros(len(chips)), n
    while left:
        batch = min(left, max(1, AT_ONCE // len(chips)))
        order = (rng.exponential(size=(batch, len(chips))) / chips).argsort(axis=1)
        won = np.empty_like(order, dtype=np.float64)
        np.put_along_axis(won, order, np.broadcast_to(paid, order.shape), axis=1)
        total, squares, left = total + won.sum(axis=0), squares + (won**2).sum(axis=0), left - batch
    ends = float(paid.min()), float(paid.max())
    return [_interval(*sums, n, *ends) for sums in zip(total, squares, strict=True)]


def _interval(total: float, squares: float, n: int, least: float, most: float) -> Estimate:
    """A normal interval of a mean of prizes from `least` to `most`. As for a share (Agresti and Coull 1998), two prizes
    of `least` and two of `most` are added to the sample: a player that won nothing in a few orders may still be worth
    something."""
    mean, more = total / n, n + 4
    centre, square = (total + 2 * (least + most)) / more, (squares + 2 * (least**2 + most**2)) / more
    half = Z95 * (max(square - centre**2, 0.0) / more) ** 0.5
    low, high = max(least, min(mean, centre - half)), min(most, max(mean, centre + half))
    return Estimate(float(mean), float(low), float(high), n, "prize", "finishing orders")


def check_prizes(stacks: Sequence[float], prizes: Sequence[float]) -> None:
    """Refuse stacks and prizes for which equities are undefined."""
    if not 2 <= len(stacks) <= MOST_PLAYERS:
        raise PokerlabError(f"equities are of 2 to {MOST_PLAYERS:,} players, not {len(stacks)}")
    if not 1 <= len(prizes) <= len(stacks):
        raise PokerlabError(f"{len(stacks)} players share 1 to {len(stacks)} prizes, not {len(prizes)}")
    if not all(0 < stack < inf for stack in stacks):
        raise PokerlabError("every stack must be more than 0: a player without chips has finished")
    if not all(0 <= prize < inf for prize in prizes) or sorted(prizes, reverse=True) != list(prizes):
        raise PokerlabError("prizes are numbers from the first place down, none larger than the one before it")
