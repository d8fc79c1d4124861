"""Gaussian kernel density estimates, and the probabilities of outcomes that follow from them.

The width of a kernel is Scott's: the points' standard deviation times n^(-1/(d + 4)), in each of `d` dimensions, with a
minimum so that a single point has a density. In one dimension this is SciPy's `gaussian_kde`. In more dimensions,
kernels are products over the dimensions, while SciPy's follow the points' covariance. Densities are computed as
logarithms, so that they do not underflow far from all points.

>>> round(float(np.exp(log_density(np.array([[0.2], [0.4], [0.6]]), np.array([[0.4]]))[0])), 4)
1.5908

References
----------
Scott (1992), "Multivariate density estimation: theory, practice, and visualization".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, pi

import numpy as np

from pokerlab.arrays import Bools, Floats, Int64s


def widths(points: Floats, *, least: float = 1e-12) -> Floats:
    """Width of the kernel in each dimension of `points[n, dimension]`."""
    n, dimensions = points.shape
    spread = points.std(axis=0, ddof=1) if n > 1 else np.zeros(dimensions)
    return np.asarray(np.maximum(spread * n ** (-1 / (dimensions + 4)), least))


def log_density(points: Floats, places: Floats, *, least: float = 1e-12) -> Floats:
    """Logarithm of the density of `points[n, dimension]` at `places[m, dimension]`; -inf without points."""
    if len(points) == 0:
        return np.full(len(places), -np.inf)
    width = widths(points, least=least)
    near = -0.5 * (((places[:, None] - points) / width) ** 2).sum(axis=2)
    top = near.max(axis=1)
    scale = log(len(points)) + np.log(width).sum() + 0.5 * points.shape[1] * log(2 * pi)
    return np.asarray(top + np.log(np.exp(near - top[:, None]).sum(axis=1)) - scale)


def outcome_chances(
    points: Sequence[Floats], places: Floats, *, weighted: bool, least: float, doubt: float = 0.0
) -> Floats:
    """`p[place, outcome]`: probability of each outcome at each place, from densities of `points[outcome][n,
    dimension]`.

    With `weighted` the frequencies of the outcomes are priors, as in Bayes' rule; otherwise only the shapes of the
    densities count. `doubt` is the weight of the uniform distribution, as a number of observations; without points the
    result is uniform.

    >>> one, other = np.array([[0.1], [0.2], [0.3]]), np.array([[0.9]])
    >>> outcome_chances([one, other], np.array([[0.2], [0.9]]), weighted=False, least=0.1).round(3).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    logs = np.stack([log_density(outcome, places, least=least) for outcome in points], axis=1)
    seen = np.tile([len(outcome) for outcome in points], (len(places), 1))
    return _normalised(logs, seen, weighted=weighted, doubt=doubt)


def _normalised(logs: Floats, seen: Int64s, *, weighted: bool, doubt: float) -> Floats:
    """Turn the log-densities of the outcomes into `p[place, outcome]`. `seen[place, outcome]` is the number of points
    behind each density."""
    n_seen = seen.sum(axis=1, keepdims=True)
    even = np.full(logs.shape, 1 / logs.shape[1])
    if weighted:
        with np.errstate(divide="ignore"):
            logs = logs + np.log(seen)
    top = np.where(n_seen > 0, logs.max(axis=1, keepdims=True), 0.0)
    shares = np.where(n_seen > 0, np.exp(logs - top), even)
    shares /= shares.sum(axis=1, keepdims=True)
    return np.asarray(np.where(n_seen > 0, (n_seen * shares + doubt * even) / np.maximum(n_seen + doubt, 1e-300), even))


def running_chances(
    points: Floats,
    outcomes: Int64s,
    learns: Bools,
    *,
    n_outcomes: int,
    weighted: bool,
    least: float,
    doubt: float = 0.0,
) -> Floats:
    """`p[n, outcome]`: the outcome of each of `points[n, dimension]` predicted from the earlier points that are marked
    in `learns`.

    Equal to calling `outcome_chances` for each point before it is added, but computed for all points at once.

    >>> points, outcomes = np.array([[0.1], [0.9], [0.85]]), np.array([0, 1, 1])
    >>> settings = {"n_outcomes": 2, "weighted": False, "least": 0.1}
    >>> running_chances(points, outcomes, np.array([True, True, True]), **settings).round(3).tolist()
    [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]
    """
    n, dimensions = points.shape
    logs, seen = np.full((n, n_outcomes), -np.inf), np.zeros((n, n_outcomes), np.int64)
    for outcome in range(n_outcomes):
        where = np.flatnonzero(learns & (outcomes == outcome))
        count = np.searchsorted(where, np.arange(n))
        any_seen = count > 0
        if not any_seen.any():
            continue
        own = points[where]
        total, squares = (np.cumsum(np.r_[np.zeros((1, dimensions)), each], axis=0)[count] for each in (own, own**2))
        variance = (squares - total**2 / np.maximum(count, 1)[:, None]) / np.maximum(count - 1, 1)[:, None]
        spread = np.sqrt(np.maximum(variance, 0.0))
        width = np.maximum(spread * np.maximum(count, 1)[:, None] ** (-1 / (dimensions + 4)), least)
        near = -0.5 * (((points[:, None] - own) / width[:, None]) ** 2).sum(axis=2)
        near[np.arange(len(where)) >= count[:, None]] = -np.inf
        top = np.where(any_seen, near.max(axis=1), 0.0)
        scale = np.log(np.maximum(count, 1)) + np.log(width).sum(axis=1) + 0.5 * dimensions * log(2 * pi)
        with np.errstate(divide="ignore"):
            logs[:, outcome] = top + np.log(np.exp(near - top[:, None]).sum(axis=1)) - scale
        seen[:, outcome] = count
    return _normalised(logs, seen, weighted=weighted, doubt=doubt)
