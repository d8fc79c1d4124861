"""What a match says about its players: means with 95% intervals, the number of independent things behind them, units.

The interval is Student's t over units that are independent of each other. Which units those are is the question:

- a **hand**, when every deal is played once by players that do not learn;
- a **deal**, when it is played in several seatings (duplicate): the seatings share their cards, so they are averaged
  first, and much of the luck of the cards cancels;
- a **match set** (all seatings of one match), when hands of a match depend on each other: a player learns between
  hands, or stacks run. With fewer than `MIN_SETS` sets the interval falls back on deals, and its `method` says that it
  may be too narrow.

>>> print(estimate(np.array([40.0, -10.0, 30.0, 20.0]), units="mbb_per_hand", method="hands"))
+20.0 ± 34.4 mbb/hand, not significant (n = 4 hands)

References
----------
Cochran (1977), "Sampling Techniques", third edition, chapter 6: the ratio estimate, where match sets differ in length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import PokerlabError
from pokerlab.games.rules import Rules
from pokerlab.table.match import MatchResult

Units: TypeAlias = Literal["mbb_per_hand", "small_bets_per_hand", "small_blinds_per_hand", "bb_per_100"]
UNITS: tuple[Units, ...] = get_args(Units)
SHORT = {
    "mbb_per_hand": "mbb/hand",
    "small_bets_per_hand": "small bets/hand",
    "small_blinds_per_hand": "small blinds/hand",
    "bb_per_100": "bb/100",
}
MIN_SETS = 10
"""Fewer match sets than this give an interval too wide to use (t is above 2.26) and too unsure of its own width."""


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95% interval. `n` counts the independent units, which `method` names."""

    mean: float
    low: float
    high: float
    n: int
    units: str
    method: str

    @property
    def half_width(self) -> float:
        """What stands after ±; NaN when one unit is all there is."""
        return (self.high - self.low) / 2

    @property
    def significant(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        digits = 1 if self.units in ("mbb_per_hand", "bb_per_100") else 3
        unit = SHORT.get(self.units, self.units)
        about = f"(n = {self.n:,} {self.method})"
        if isnan(self.low):
            return f"{self.mean:+.{digits}f} {unit}, no interval {about}"
        verdict = "" if self.significant else ", not significant"
        return f"{self.mean:+.{digits}f} ± {self.half_width:.{digits}f} {unit}{verdict} {about}"


@dataclass(frozen=True)
class Sample:
    """Independent units of a comparison: `chips[unit, entrant]` won in `hands[unit]` hands (averaged over seatings)."""

    chips: NDArray[np.float64]
    hands: NDArray[np.float64]
    method: str

    def __len__(self) -> int:
        return len(self.hands)


def estimate(
    totals: NDArray[np.float64],
    *,
    sizes: NDArray[np.float64] | None = None,
    units: str,
    method: str,
) -> Estimate:
    """Total over size with its 95% interval, from independent units `totals[unit]` of `sizes[unit]` hands (default 1).

    Units of one size give the textbook mean ± t s / sqrt(n); others the ratio estimate with its linearised variance.
    One unit has no interval: its ends are NaN.

    >>> found = estimate(np.array([1.0, 2.0, 3.0]), units="bb_per_100", method="hands")
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (2.0, -0.484, 4.484)
    """
    n = len(totals)
    if n == 0:
        raise PokerlabError("nothing to estimate from: no hands were played")
    sizes = np.ones(n) if sizes is None else sizes
    mean = float(totals.sum() / sizes.sum())
    if n == 1:
        return Estimate(mean, nan, nan, n, units, method)
    from scipy.special import stdtrit  # the quantile alone; scipy.stats takes a second to import

    residuals = totals - mean * sizes
    error = sqrt(float(residuals @ residuals) * n / (n - 1)) / float(sizes.sum())
    half = float(stdtrit(n - 1, 0.975)) * error
    return Estimate(mean, mean - half, mean + half, n, units, method)


def units_per_chip(rules: Rules, units: str) -> float:
    """What one chip a hand is in `units`.

    >>> from pokerlab.games.catalog import game
    >>> [units_per_chip(game("limit2p"), units) for units in UNITS]
    [100.0, 0.1, 0.2, 10.0]
    """
    if units == "mbb_per_hand":
        return 1000 / float(rules.big_blind)
    if units == "bb_per_100":
        return 100 / float(rules.big_blind)
    if units == "small_bets_per_hand":
        if rules.limits != "limit":
            raise PokerlabError(f"{rules.name} has no small bet; use mbb_per_hand or bb_per_100")
        return 1 / float(rules.streets[0].raise_size)
    if units == "small_blinds_per_hand":
        blinds = [blind for blind in rules.blinds if blind]
        if not blinds:
            raise PokerlabError(f"{rules.name} has no blinds; use mbb_per_hand")
        return 1 / float(min(blinds))
    raise PokerlabError(f"no units are called {units!r}; known: {', '.join(UNITS)}")


def sample(results: Sequence[MatchResult], *, dependent: bool | None = None) -> Sample:
    """The independent units of matches between the same entrants.

    Matches with the same number are seatings of the same deals. `dependent` says whether the hands of a match depend on
    each other; by default they do if any player learns or stacks run. Hands not played because one player had won all
    the chips count as zero.
    """
    if dependent is None:
        dependent = any(result.hands_depend for result in results)
    by_number: dict[int, list[MatchResult]] = {}
    for result in results:
        by_number.setdefault(result.plan.number, []).append(result)
    sets = [np.mean([_padded(result) for result in same], axis=0) for same in by_number.values()]
    seatings = {len(same) for same in by_number.values()}
    what = "hands" if seatings == {1} else f"deals, {max(seatings)} seatings each"
    if not dependent:
        return Sample(np.concatenate(sets), np.ones(sum(map(len, sets))), what)
    if len(sets) >= MIN_SETS:
        lengths = np.array([len(deals) for deals in sets], dtype=np.float64)
        kind = "matches" if seatings == {1} else "match sets"
        return Sample(np.array([deals.sum(axis=0) for deals in sets]), lengths, kind)
    warning = f"; hands of a match depend on each other, so with fewer than {MIN_SETS} matches this may be too narrow"
    return Sample(np.concatenate(sets), np.ones(sum(map(len, sets))), what + warning)


def _padded(result: MatchResult) -> NDArray[np.float64]:
    missing = result.plan.hands - len(result.chips)
    return np.pad(result.chips, ((0, missing), (0, 0))) if missing else result.chips


def winnings(found: Sample, rules: Rules, units: str) -> tuple[Estimate, ...]:
    """What each entrant wins a hand."""
    scale = units_per_chip(rules, units)
    columns = (found.chips * scale).T
    return tuple(estimate(column, sizes=found.hands, units=units, method=found.method) for column in columns)


def difference(found: Sample, one: int, other: int, *, rules: Rules, units: str) -> Estimate:
    """How much more `one` wins than `other`, paired unit by unit."""
    gaps = (found.chips[:, one] - found.chips[:, other]) * units_per_chip(rules, units)
    return estimate(gaps, sizes=found.hands, units=units, method=found.method)


def verdict(one: str, other: str, gap: Estimate) -> str:
    """A difference in words.

    >>> verdict("rulebot", "caller", Estimate(12.0, -3.0, 27.0, 9, "mbb_per_hand", "deals"))
    'rulebot and caller: no significant difference (+12.0 ± 15.0 mbb/hand)'
    """
    unit = SHORT.get(gap.units, gap.units)
    if gap.significant:
        ahead, behind = (one, other) if gap.mean > 0 else (other, one)
        return f"{ahead} does better than {behind} by {abs(gap.mean):.1f} ± {gap.half_width:.1f} {unit}"
    if isnan(gap.low):
        return f"{one} and {other}: {gap.mean:+.1f} {unit}, too little to judge"
    return f"{one} and {other}: no significant difference ({gap.mean:+.1f} ± {gap.half_width:.1f} {unit})"
