"""A candidate's winnings against others, with an interval, and differences between candidates.

A `Contest` seats a candidate, or several copies of it, with other players. Its matches are played in every seating
(duplicate) or in one. Cards depend only on the seed and the match number, so all candidates get the same cards and
differences between them are paired, unit by unit. `table.winnings` defines the independent units.

>>> from pokerlab.runs.workers import here
>>> contests = {name: Contest("leduc", (name, "caller"), deals=50, matches=2) for name in ("random", "folder")}
>>> how = {"seed": 7, "make": "pokerlab.players.registry:agent", "runner": here}
>>> played = play_contests(contests, units="mbb_per_hand", **how)
>>> print(played["random"].mean)
-80.0 ± 281.6 mbb/hand, not significant (n = 100 deals, 2 seatings each)
>>> print((played["random"] - played["folder"]).mean)
-80.0 ± 281.6 mbb/hand, not significant (n = 100 deals, 2 seatings each)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate, holm
from pokerlab.games.protocols import Agent
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Runner
from pokerlab.table.match import MatchPlan, MatchResult, OnHand, plans, play_match, seatings
from pokerlab.table.matches import run_plans
from pokerlab.table.players import MakeAgent
from pokerlab.table.winnings import sample

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Contest:
    """A candidate at a table: `matches` matches of `deals` deals each, in every seating if `duplicate`.

    The candidate is the first of the `entrants`. With several `copies` it occupies places at equal distances (every
    second place, every third ..), and seatings that only exchange two copies are played once.
    """

    game: str | Rules
    entrants: tuple[str, ...]
    deals: int
    matches: int = 1
    first: int = 0  # number of the first match; other numbers are dealt other cards
    copies: int = 1
    duplicate: bool = True

    def plans(self, seed: int) -> list[MatchPlan]:
        """Plans of the matches; all seatings of the same deals are consecutive."""
        plan = MatchPlan(self.game, self.entrants, self.deals, seed, self.first)
        every = plans(plan, hands=self.deals * self.matches, duplicate=self.duplicate)
        return [each for each in every if each.seating[0] < len(self.entrants) // self.copies]


@dataclass(frozen=True, eq=False)
class Winnings:
    """A candidate's winnings in independent units: `total[unit]` over `hands[unit]`."""

    total: Floats
    hands: Floats
    units: str = ""
    method: str = "matches"

    @property
    def mean(self) -> Estimate:
        return estimate(self.total, sizes=self.hands, units=self.units, method=self.method)

    def __sub__(self, other: Winnings) -> Winnings:
        """Paired difference from another candidate's winnings with the same cards, in the larger of the two kinds of
        units."""
        coarse = self if len(self.hands) <= len(other.hands) else other
        mine, theirs = (each.merged(coarse.hands) for each in (self, other))
        return replace(coarse, total=mine - theirs)

    def merged(self, hands: Floats) -> Floats:
        """`total[unit]` merged to larger units of `hands[unit]` hands each."""
        starts = np.searchsorted(np.cumsum(self.hands), np.cumsum(hands) - hands, side="right")
        if not np.array_equal(np.add.reduceat(self.hands, starts), hands):
            raise PokerlabError("winnings of different matches cannot be paired")
        return np.asarray(np.add.reduceat(self.total, starts))


def by_match(totals: Sequence[float] | Floats, *, hands: float = 1, units: str = "") -> Winnings:
    """Winnings in matches of equal length, given the total of each.

    >>> print((by_match([3.0, 6.0], hands=10) - by_match([1.0, 2.0], hands=10)).mean)
    +0.300 ± 1.271 , not significant (n = 2 matches)
    """
    values = np.asarray(totals, dtype=np.float64)
    return Winnings(values, np.full(len(values), float(hands)), units)


def winnings_of(
    results: Sequence[MatchResult], units: str, *, entrant: int = 0, copies: int = 1, dependent: bool | None = None
) -> Winnings:
    """Winnings of an entrant (the mean of its copies, if several); see `winnings.sample` for `dependent`."""
    units_found = sample(results, dependent=dependent)
    plan = results[0].plan
    mine = units_found.chips[:, entrant :: len(plan.entrants) // copies].mean(axis=1)
    return Winnings(mine * units_per_chip(plan.rules, units), units_found.hands, units, units_found.method)


def play_contests(
    contests: Mapping[Key, Contest],
    *,
    units: str,
    seed: int,
    make: str,
    runner: Runner,
    run: RunDirectory | None = None,
    report: Callable[[int, int], None] | None = None,
) -> dict[Key, Winnings]:
    """Play all contests and return each candidate's winnings; all matches are given to the workers at once
    (`run_plans`)."""
    todo = {key: contest.plans(seed) for key, contest in contests.items()}
    every = [plan for matches in todo.values() for plan in matches]
    results = iter(run_plans(every, make=make, runner=runner, run=run, report=report))
    return {
        key: winnings_of([next(results) for _ in matches], units, copies=contests[key].copies)
        for key, matches in todo.items()
    }


def play_seatings(
    plan: MatchPlan,
    make: MakeAgent,
    *,
    on_hand: OnHand = None,
    on_end: Callable[[Sequence[Agent]], None] | None = None,
) -> list[MatchResult]:
    """Play one match in every seating in this process; callbacks can observe the hands."""
    every = [replace(plan, seating=seating) for seating in seatings(len(plan.entrants), duplicate=True)]
    return [play_match(each, make, on_hand=on_hand, on_end=on_end) for each in every]


def won_by_hand(results: Sequence[MatchResult], units: str, *, entrant: int = 0) -> Floats:
    """`[hand]`: an entrant's winnings in each deal, summed over its seatings."""
    scale = units_per_chip(results[0].plan.rules, units)
    return np.asarray(np.sum([result.chips[:, entrant] for result in results], axis=0) * scale)


def adjusted_chances(differences: Mapping[Key, Winnings]) -> dict[Key, float]:
    """P-values of the hypotheses that differences are zero, adjusted for their number (Holm's procedure)."""
    return dict(zip(differences, holm([chance(each) for each in differences.values()]), strict=True))


def chance(difference: Winnings) -> float:
    """Two-sided p-value of the hypothesis that the mean is zero, by Student's t test.

    >>> round(chance(by_match([1.0, 2.0, 3.0])), 4)
    0.0742
    """
    from scipy.special import stdtr

    gap = difference.total / difference.hands
    n, error = len(gap), float(gap.std(ddof=1)) / np.sqrt(len(gap))
    return 1.0 if error == 0 else float(2 * stdtr(n - 1, -abs(float(gap.mean())) / error))
