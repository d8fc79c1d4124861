"""Winnings in matches: the independent units, and means with 95% intervals over them.

The interval is Student's t over independent units, which are:

- **hands**, if every deal is played once by players that do not learn;
- **deals**, if each is played in several seatings (duplicate): seatings share their cards, so they are averaged first,
  and much of the luck of the cards cancels;
- **match sets** (all seatings of one match), if hands of a match depend on each other because a player learns between
  hands or stacks carry over. An interval then needs several matches, and `match_length` plans `ENOUGH_SETS` of them.

If bets are not limited, players that seldom act differently win the same in both seatings of most deals, and a rare
deal in which they differ in a large pot is decisive. A few deals without such a pot look alike, and Student's interval
would be far too narrow. So it is widened as if an additional `HALF_A_DEAL` had been played, in which only one seating
had a result, the largest observed: a large pot can be lost in one seating only. After 200 deals this makes little
difference.

>>> from pokerlab.games.catalog import game
>>> units = Sample(np.array([[4.0, -4.0], [-1.0, 1.0], [3.0, -3.0], [2.0, -2.0]]), np.ones(4), "hands")
>>> print(winnings(units, game("limit2p"), "mbb_per_hand")[0])
+200.0 ± 343.7 mbb/hand, not significant (n = 4 hands)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot, sqrt
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, HalfWidth, estimate, margin
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.table.match import DEFAULT_HANDS, MatchResult

HALF_A_DEAL = 0.5
ENOUGH_SETS = 10
"""Fewer match sets than this give a correct but wide interval: Student's t is above 2.26."""
SETS_TO_STOP_AT = 100
SHORTEST = 50
"""A comparison that may stop early is divided into this many match sets, of at least this many hands; half as many, of
any length, if they are the units of the interval."""


def match_length(hands: int, *, depend: bool, stops: bool = False) -> int:
    """Default match length for `hands` hands: `DEFAULT_HANDS`, or less if hands `depend` on each other.

    In that case matches are the units of the interval, and there are `ENOUGH_SETS` of them. A comparison that `stops`
    once its interval is narrow does so between match sets, and has more of them.

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
    """Independent units of a comparison: `chips[unit, entrant]` won in `hands[unit]` hands (averaged over seatings).
    `unseen` is how many chips a kind of deal that did not occur may decide; 0 if bets are limited."""

    chips: Floats
    hands: Floats
    method: str
    unseen: float = 0.0

    def __len__(self) -> int:
        return len(self.hands)


def sample(results: Sequence[MatchResult], *, dependent: bool | None = None) -> Sample:
    """Independent units of matches between the same entrants. Matches with the same number are seatings of the same
    deals. `dependent` is whether the hands of a match depend on each other; by default they do if any player learns or
    stacks carry over. Hands not played because one player had won all the chips count as zero."""
    if dependent is None:
        dependent = any(result.hands_depend for result in results)
    by_number: dict[int, list[MatchResult]] = {}
    for result in results:
        by_number.setdefault(result.plan.number, []).append(result)
    sets = [np.mean([_padded(result) for result in same], axis=0) for same in by_number.values()]
    seatings = {len(same) for same in by_number.values()}
    what = "hands" if seatings == {1} else f"deals, {max(seatings)} seatings each"
    if not dependent:
        unseen = 0.0
        if max(seatings) > 1 and results[0].plan.rules.limits != "limit":
            unseen = max(float(np.abs(result.chips).max(initial=0)) / max(seatings) for result in results)
        return Sample(np.concatenate(sets), np.ones(sum(map(len, sets))), what, unseen)
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
    scale = units_per_chip(rules, units)
    rule = interval or with_unseen(scale * units_won.unseen)
    return tuple(estimate(column, interval=rule, **about) for column in (units_won.chips * scale).T)


def difference(
    units_won: Sample, one: int, other: int, *, rules: Rules, units: str, interval: HalfWidth | None = None
) -> Estimate:
    """Winnings of `one` minus those of `other`, paired by unit."""
    scale = units_per_chip(rules, units)
    gaps, rule = units_won.chips[:, one] - units_won.chips[:, other], with_unseen(2 * scale * units_won.unseen)
    about: dict[str, Any] = {"sizes": units_won.hands, "units": units, "method": units_won.method}
    return estimate(gaps * scale, interval=interval or rule, **about)


def with_unseen(unseen: float) -> HalfWidth:
    """Student's rule, widened since a deal that decides `unseen` (in the units of the estimate) may not have occurred.

    >>> round(with_unseen(0.0)(1.0, 5), 4), round(with_unseen(20.0)(1.0, 5), 4), round(with_unseen(20.0)(1.0, 200), 4)
    (2.7764, 8.3293, 1.9769)
    """
    return partial(_widened, unseen) if unseen else margin


def _widened(unseen: float, error: float, n: int, *, among: float = 1) -> float:
    return margin(hypot(error, sqrt(HALF_A_DEAL) * unseen / n), n, among=among)
