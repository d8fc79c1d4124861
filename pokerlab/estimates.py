"""Estimates are numbers with their uncertainty; every result has this form.

There are three kinds:

- **exact**: computed without sampling;
- **bounds**: the true value lies between two computed bounds, and the mean is their midpoint;
- **interval**: estimated from `n` independent units, which `method` names, with a 95% interval. The ends are NaN if
  unknown: a single unit gives no interval, and published numbers often lack one.

>>> print(estimate(np.array([40.0, -10.0, 30.0, 20.0]), units="mbb_per_hand", method="hands"))
+20.0 ± 34.4 mbb/hand, not significant (n = 4 hands)
>>> print(bounds(-0.086, -0.085, units="chips_per_hand"))
-0.086 to -0.085 chips/hand
>>> print(exact(-1 / 18, units="chips_per_hand"))
-0.056 chips/hand, exact

References
----------
Cochran (1977), "Sampling Techniques", third edition, chapter 6: the ratio estimate, where units differ in size. Wilson
(1927), Journal of the American Statistical Association 22: shares. Kish (1965), "Survey Sampling", section 8.2: the
design effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan, sqrt
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import PokerlabError

Kind: TypeAlias = Literal["exact", "bounds", "interval"]
Units: TypeAlias = Literal["mbb_per_hand", "small_bets_per_hand", "small_blinds_per_hand", "bb_per_100"]
UNITS: tuple[Units, ...] = get_args(Units)
"""Units of winnings that the user can choose; `games.units` converts chips to each."""
SHORT = {
    "mbb_per_hand": "mbb/hand",
    "small_bets_per_hand": "small bets/hand",
    "small_blinds_per_hand": "small blinds/hand",
    "bb_per_100": "bb/100",
    "chips_per_hand": "chips/hand",
}
Z95 = 1.959963984540054
"""Half the width of a 95% interval in standard errors, if these are known or n is large."""
LEAST_EFFECT = 0.25
"""The smallest design effect of a ratio, because in a few hands the two parts may be proportional by chance."""
ENOUGH_ALIKE = 20
"""Fewer units than this with identical values give no interval, since they do not show how units vary."""


class HalfWidth(Protocol):
    """A rule for 95% intervals: the half-width, given the standard error of `n` units; infinite if `n` is too small.

    `margin` is the rule by Student's t for a fixed number of units; `table.confidence_sequences` has a rule that allows
    repeated looks. With `among` > 1 that many intervals hold simultaneously.
    """

    def __call__(self, error: float, n: int, *, among: float = 1) -> float: ...


@dataclass(frozen=True)
class Estimate:
    """A number with its interval, the number of independent units behind it, and its unit of measurement."""

    mean: float
    low: float
    high: float
    n: int | None
    units: str = ""
    method: str = ""
    kind: Kind = "interval"

    @property
    def half_width(self) -> float:
        """The number printed after ±: 0 if the estimate is exact, NaN if its interval is unknown."""
        return (self.high - self.low) / 2

    @property
    def significant(self) -> bool:
        """Whether zero lies outside the interval."""
        return self.low > 0 or self.high < 0

    def scaled(self, by: float, units: str) -> Estimate:
        """Multiply the estimate by `by` and change its units; a negative `by` exchanges the ends.

        >>> bounds(1.0, 3.0, units="chips_per_hand").scaled(-500.0, "mbb_per_hand")
        Estimate(mean=-1000.0, low=-1500.0, high=-500.0, n=None, units='mbb_per_hand', method='', kind='bounds')
        """
        low, high = (self.low, self.high) if by >= 0 else (self.high, self.low)
        return Estimate(by * self.mean, by * low, by * high, self.n, units, self.method, self.kind)

    def among(self, n_numbers: int, interval: HalfWidth | None = None) -> Estimate:
        """Widen the interval for a comparison of `n_numbers` estimates.

        All `n_numbers` intervals then hold simultaneously with probability 95%, whichever is picked (Bonferroni).
        `interval` is the rule that produced the interval (default: `margin`).

        >>> print(estimate(np.array([40.0, -10.0, 30.0, 20.0]), units="mbb_per_hand", method="hands").among(5))
        +20.0 ± 63.1 mbb/hand, not significant (n = 4 hands, one of 5 compared)
        """
        if self.kind != "interval" or self.n is None or n_numbers == 1:
            return self
        rule, method = interval or margin, f"{self.method}, one of {n_numbers} compared"
        wider = rule(1.0, self.n, among=n_numbers) / rule(1.0, self.n) if self.n > 1 else 1.0
        if not isfinite(half := self.half_width * wider):
            return bare(self.mean, n=self.n, units=self.units, method=method)
        return Estimate(self.mean, self.mean - half, self.mean + half, self.n, self.units, method)

    def data(self) -> dict[str, Any]:
        """The estimate as JSON values. Units and method are omitted, since they are stored once for many estimates.

        Ends are null if they are unknown or the number is exact.

        >>> exact(2.0).data(), Estimate.from_data({"mean": 2.0, "low": 1.0, "high": 3.0, "n": 7}).half_width
        ({'mean': 2.0, 'low': None, 'high': None, 'n': None, 'kind': 'exact'}, 1.0)
        """
        ends = (nan, nan) if self.kind == "exact" else (self.low, self.high)
        mean, low, high = (None if isnan(number) else number for number in (self.mean, *ends))
        return {"mean": mean, "low": low, "high": high, "n": self.n, "kind": self.kind}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], *, units: str = "", method: str = "") -> Estimate:
        """Inverse of `data`; if no kind is stored, the estimate is an interval."""
        kind: Kind = data.get("kind", "interval")
        mean, low, high = (nan if data[key] is None else float(data[key]) for key in ("mean", "low", "high"))
        low, high = (mean, mean) if kind == "exact" else (low, high)
        return cls(mean, low, high, data["n"], units, method, kind)

    def __str__(self) -> str:
        digits = 1 if self.units in ("mbb_per_hand", "bb_per_100") else 3
        unit = SHORT.get(self.units, self.units)
        if self.kind == "exact":
            return f"{self.mean:+.{digits}f} {unit}, exact"
        if self.kind == "bounds":
            return f"{self.low:+.{digits}f} to {self.high:+.{digits}f} {unit}"
        about = "" if self.n is None else f" (n = {self.n:,} {self.method})"
        if isnan(self.low):
            return f"{self.mean:+.{digits}f} {unit}, no interval{about}"
        verdict = "" if self.significant else ", not significant"
        return f"{self.mean:+.{digits}f} ± {self.half_width:.{digits}f} {unit}{verdict}{about}"


def exact(value: float, *, units: str = "", method: str = "") -> Estimate:
    """Make an estimate computed without sampling."""
    return Estimate(value, value, value, None, units, method, "exact")


def bounds(low: float, high: float, *, units: str = "", method: str = "") -> Estimate:
    """Make an estimate known to lie between `low` and `high`."""
    return Estimate((low + high) / 2, low, high, None, units, method, "bounds")


def bare(value: float, *, n: int | None = None, units: str = "", method: str = "") -> Estimate:
    """Make an estimate of unknown uncertainty."""
    return Estimate(value, nan, nan, n, units, method)


def estimate(
    totals: NDArray[np.float64],
    *,
    sizes: NDArray[np.float64] | None = None,
    units: str = "",
    method: str = "",
    interval: HalfWidth | None = None,
) -> Estimate:
    """Estimate total / size with Student's 95% interval, from independent `totals[unit]` of `sizes[unit]` (1 by
    default).

    Units of equal size give the textbook mean ± t s / sqrt(n); otherwise it is the ratio estimate with its linearised
    variance. `interval` may be another rule than Student's. There is no interval for a single unit, or for fewer than
    `ENOUGH_ALIKE` units with identical values.

    >>> result = estimate(np.array([1.0, 2.0, 3.0]), units="bb_per_100", method="hands")
    >>> round(result.mean, 3), round(result.low, 3), round(result.high, 3)
    (2.0, -0.484, 4.484)
    """
    n = len(totals)
    if n == 0:
        raise PokerlabError("nothing to estimate from: no hands were played")
    sizes = np.ones(n) if sizes is None else sizes
    mean = float(totals.sum() / sizes.sum())
    residuals = totals - mean * sizes
    alike = float(residuals @ residuals) <= 1e-20 * float(totals @ totals)  # all alike, up to rounding
    if n == 1 or (alike and n < ENOUGH_ALIKE):
        return bare(mean, n=n, units=units, method=method)
    half = (interval or margin)(sqrt(float(residuals @ residuals) * n / (n - 1)) / float(sizes.sum()), n)
    if not isfinite(half):
        return bare(mean, n=n, units=units, method=method)
    return Estimate(mean, mean - half, mean + half, n, units, method)


def margin(error: float, n: int, *, among: float = 1) -> float:
    """Half-width of Student's 95% interval, given the standard error of `n` units.

    With `among` > 1 the interval is widened such that `among` intervals hold simultaneously (Bonferroni).

    >>> round(margin(1.0, 5), 4), round(margin(1.0, 5, among=2), 4)
    (2.7764, 3.4954)
    """
    from scipy.special import stdtrit  # only the quantile, since scipy.stats takes a second to import

    return float(stdtrit(n - 1, 1 - 0.025 / among)) * error


def holm(chances: Sequence[float]) -> list[float]:
    """P-values of several tests, adjusted by Holm's procedure: if all null hypotheses hold, the chance that any value
    is below 0.05 is at most 5%.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure".
    """
    adjusted, least = [1.0] * len(chances), 0.0
    for rank, test in enumerate(sorted(range(len(chances)), key=lambda i: chances[i])):
        least = max(least, (len(chances) - rank) * chances[test])
        adjusted[test] = min(1.0, least)
    return adjusted


def share(done: float, chances: float, *, n: int | None = None, units: str = "", method: str = "") -> Estimate:
    """Estimate the proportion `done` / `chances` with Wilson's 95% interval; `done` may be a fraction.

    >>> result = share(7, 20)
    >>> round(result.mean, 4), round(result.low, 4), round(result.high, 4), result.n
    (0.35, 0.1812, 0.5671, 20)
    """
    n = int(chances) if n is None else n
    if not chances:
        return bare(nan, n=n, units=units, method=method)
    part, z2 = done / chances, Z95 * Z95
    centre = (part + z2 / (2 * chances)) / (1 + z2 / chances)
    half = Z95 * sqrt(max(part * (1 - part), 0.0) / chances + z2 / (4 * chances**2)) / (1 + z2 / chances)
    # at 0 and 1 the interval ends there exactly
    low, high = (0.0 if done <= 0 else centre - half), (1.0 if done >= chances else centre + half)
    return Estimate(part, low, high, n, units, method)


def share_of_sums(done: float, chances: float, products: tuple[float, float, float], *, n: int) -> Estimate:
    """Estimate the proportion `done` / `chances` over `n` hands, with Wilson's 95% interval.

    Opportunities within a hand are correlated. Their number is therefore replaced by the smaller number of independent
    ones with the same variance (Kish's design effect). If all or none were taken, each hand counts once. `products` are
    the sums over hands of done * done, done * chances and chances * chances.

    >>> result = share_of_sums(20, 40, (40, 40, 80), n=20)  # twenty hands of two chances, both taken or neither
    >>> (result.low, result.high, result.n) == (share(9.5, 19).low, share(9.5, 19).high, 20)
    True
    """
    if not chances:
        return share(done, chances, n=n)
    part, (dd, dc, cc) = done / chances, products
    independent = part * (1 - part) * chances
    effect = (dd - 2 * part * dc + part**2 * cc) / independent if independent > 0 else chances / n
    # the design effect is estimated from n hands; it is exactly 1 if every hand has one chance
    if cc > chances and n > 1 and independent > 0:
        effect *= n / (n - 1)
    return share(done / max(effect, 1.0), chances / max(effect, 1.0), n=n)


def mean_of_sums(total: float, n: int, variance: float | None) -> Estimate:
    """Estimate a mean with Student's 95% interval, from the total of `n` values and their sample variance."""
    if n < 2 or variance is None or (variance == 0 and n < ENOUGH_ALIKE):
        return bare(total / n if n else nan, n=n)
    mean, half = total / n, margin(sqrt(variance / n), n)
    return Estimate(mean, mean - half, mean + half, n)


def ratio_of_sums(
    done: float, chances: float, products: tuple[float, float, float], *, hands: int, n: int | None = None
) -> Estimate:
    """Estimate the ratio `done` / `chances` of two sums over hands, with a 95% interval that is not below 0.

    The interval is that of the proportion `done` / (`done` + `chances`), converted to odds. The two numbers of a hand
    are correlated, so the proportion has Wilson's interval for the number of independent opportunities with the same
    variance (Kish's design effect, at least `LEAST_EFFECT`), widened by Student's quantile. There is no interval if
    `chances` is 0 or `hands` is 1. `products` are the sums of done * done, done * chances and chances * chances; `n` is
    the number of hands with an opportunity.

    >>> result = ratio_of_sums(12, 8, (20, 12, 8), hands=10)
    >>> round(result.mean, 3), round(result.low, 3), round(result.high, 3)
    (1.5, 0.9, 2.5)
    """
    n = hands if n is None else n
    if not chances or hands < 2:
        return bare(done / chances if chances else nan, n=n)
    (dd, dc, cc), both, units = products, done + chances, max(n, 2)
    part, effect = done / both, both / units
    if done:
        spread = dd - 2 * part * (dd + dc) + part**2 * (dd + 2 * dc + cc)
        effect = max(spread / (part * (1 - part) * both) * units / (units - 1), LEAST_EFFECT)
        effect *= (margin(1.0, units) / Z95) ** 2
    odds = share(done / effect, both / effect)
    return Estimate(done / chances, odds.low / (1 - odds.low), odds.high / (1 - odds.high), n)
