"""Winnings in matches: the independent units, and means with 95% intervals over them.

The interval is Student's t over independent units, which are:

- **hands**, when every deal is played once by players that do not learn;
- **deals**, when each is played in several seatings (duplicate): the seatings share their cards, so they are averaged
  first, and much of the luck of the cards cancels;
- **match sets** (all seatings of one match), when hands of a match depend on each other: a player learns between
  hands, or stacks run. An interval then takes several matches, and `match_length` makes `ENOUGH_SETS` of them.

>>> from pokerlab.games.catalog import game
>>> units = Sample(np.array([[4.0, -4.0], [-1.0, 1.0], [3.0, -3.0], [2.0, -2.0]]), np.ones(4), "hands")
>>> print(winnings(units, game("limit2p"), "mbb_per_hand")[0])
+200.0 ± 343.7 mbb/hand, not significant (n = 4 hands)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, HalfWidth, estimate
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.table.match import DEFAULT_HANDS, MatchResult

ENOUGH_SETS = 10
"""Fewer match sets than this give a correct but wide interval: Student's t is above 2.26."""
SETS_TO_STOP_AT = 100
SHORTEST = 50
"""A comparison that may stop early is divided into this many match sets, of at least this many hands; half as many, of
any length, if they are the units of the interval."""


def match_length(hands: int, *, depend: bool, stops: bool = False) -> int:
    """The default match length for `hands` hands: `DEFAULT_HANDS`, or less where hands `depend` on each other.

    Then matches are the units of the interval, and there are `ENOUGH_SETS` of them. A comparison that `stops` when its
    interval is narrow stops between match sets, and has more of them.

    >>> match_length(500, depend=True), match_length(500, depend=False), match_length(10**6, depend=True)
    (50, 1000, 1000)
    >>> match_length(20_000, depend=True, stops=True), match_length(2000, depend=False, stops=True)
    (400, 50)
    """
    if stops:
        length = max(1, 2 * hands // SETS_TO_STOP_AT) if depend else max(SHORTEST, hands // SETS_TO_STOP_AT)
        return min(DEFAULT_HANDS, length)
    return max(1, min(DEFAULT_HANDS, hands // ENOUGH_SETS)) if depend else DEFAULT_HANDS


@dataclass(frozen=True)
class Sample:
    """Independent units of a comparison: `chips[unit, entrant]` won in `hands[unit]` hands (averaged over seatings)."""

    chips: Floats
    hands: Floats
    method: str

    def __len__(self) -> int:
        return len(self.hands)


def sample(results: Sequence[MatchResult], *, dependent: bool | None = None) -> Sample:
    """The independent units of matches between the same entrants. Matches with the same number are seatings of the same
    deals. `dependent` tells whether the hands of a match depend on each other; by default they do if any player learns
    or stacks run. Hands not played because one player had won all the chips count as zero."""
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
    lengths = np.array([len(deals) for deals in sets], dtype=np.float64)
    kind = "matches" if seatings == {1} else "match sets"
    if len(sets) == 1:
        kind = "match, whose hands depend on each other; an interval takes several matches"
    return Sample(np.array([deals.sum(axis=0) for deals in sets]), lengths, kind)


def _padded(result: MatchResult) -> Floats:
    missing = result.plan.hands - len(result.chips)
    return np.pad(result.chips, ((0, missing), (0, 0))) if missing else result.chips


def winnings(units_won: Sample, rules: Rules, units: str, *, interval: HalfWidth | None = None) -> tuple[Estimate, ...]:
    """Each entrant's winnings per hand; `interval` is the rule for intervals, Student's by default."""
    about: dict[str, Any] = {"sizes": units_won.hands, "units": units, "method": units_won.method}
    columns = (units_won.chips * units_per_chip(rules, units)).T
    return tuple(estimate(column, interval=interval, **about) for column in columns)


def difference(
    units_won: Sample, one: int, other: int, *, rules: Rules, units: str, interval: HalfWidth | None = None
) -> Estimate:
    """Winnings of `one` minus those of `other`, paired unit by unit."""
    gaps = (units_won.chips[:, one] - units_won.chips[:, other]) * units_per_chip(rules, units)
    return estimate(gaps, sizes=units_won.hands, units=units, method=units_won.method, interval=interval)
