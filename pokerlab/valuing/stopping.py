"""Comparisons that stop once their interval is narrow enough: when to stop, and how many hands to expect.

Match sets (all seatings of one match) are played in order, in rounds. After each round the winnings are measured by the
method that removes most luck, with intervals that may be looked at repeatedly (`table.confidence_sequences`). The
comparison stops if every interval is narrow enough. The number of sets in the next round depends only on the sets
before it, so the result does not depend on the number of workers, their speed or interruptions.

>>> from pokerlab.games.catalog import game
>>> target_of("100mbb", "bb_per_100", game("limit2p"))
10.0
>>> 10_000 < expected_units(game("limit2p"), "raw", duplicate=False, half_width=100.0, units="mbb_per_hand") < 50_000
True
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import ceil, isfinite, isnan, nan, sqrt
from pathlib import Path
from typing import Any

from pokerlab.errors import PokerlabError, RulesError, name_hint
from pokerlab.estimates import SHORT, UNITS, Estimate
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.table.confidence_sequences import FIRST_LOOK, ConfidenceSequence, largest_stakes
from pokerlab.table.match import MatchPlan, MatchResult
from pokerlab.table.match import seatings as seatings_of
from pokerlab.table.winnings import difference, sample, winnings
from pokerlab.valuing.aivat import check_rules
from pokerlab.valuing.measures import AIVAT, ALL_IN, RAW
from pokerlab.valuing.summary import way_name

LEAST_HANDS, LEAST_SETS = 300, 30
"""Confidence sequences are tuned for at least this many hands and match sets."""
FIRST_ROUND, FINEST = 8, 16
"""The first round has at least the share 1 / `FIRST_ROUND` of the expected hands. Every later round has at least the
share 1 / `FINEST` of the match sets played so far."""
NARROW, MOST = "narrow enough", "maximum number of deals"
"""Reasons to stop."""

Ways = Mapping[str, Sequence[MatchResult]]
PlayMore = Callable[[int, int], Ways]
"""A function that plays the plans from one number to another, and returns all matches so far by every method of
measuring."""


@dataclass(frozen=True)
class Stopped:
    """How a comparison ended: the widest half-width, the number of looks at the intervals, and the reason."""

    half_width: float
    n_looks: int
    why: str


@dataclass(frozen=True)
class Stopping:
    """A comparison by `plans` that stops as soon as the half-widths of all its intervals are at most `half_width`."""

    plans: Sequence[MatchPlan]
    half_width: float
    units: str
    aivat: bool = False
    duplicate: bool = False

    @cached_property
    def n_seatings(self) -> int:
        """Number of plans in a match set."""
        return sum(plan.number == self.plans[0].number for plan in self.plans)

    @cached_property
    def most_deals(self) -> int:
        """Number of deals if all plans are played."""
        return sum(plan.hands for plan in self.plans) // self.n_seatings

    # --- before the first hand ---------------------------------------------------------------------------------------

    @cached_property
    def way(self) -> str:
        """The method of measuring that will decide when to stop, as far as this is known before the first hand."""
        if not self.aivat:
            return RAW
        try:
            check_rules(self.plans[0].rules)
        except RulesError:
            return ALL_IN
        return AIVAT

    @cached_property
    def expected_deals(self) -> int | None:
        """Expected number of deals; None if nothing is known about the game."""
        about: dict[str, Any] = {"duplicate": self.duplicate, "half_width": self.half_width, "units": self.units}
        expected = expected_units(self.plans[0].rules, self.way, **about)
        return None if expected is None else ceil(expected)

    @property
    def expected_plans(self) -> Sequence[MatchPlan]:
        """The plans that are expected to be played."""
        sets = ceil(min(self.expected_deals or self.most_deals, self.most_deals) / self.plans[0].hands)
        return self.plans[: sets * self.n_seatings]

    @property
    def expectation(self) -> str:
        """Sentence on the expected number of deals."""
        rules, most = self.plans[0].rules, f"{self.most_deals:,} deals"
        target = f"±{self.half_width:g} {SHORT[self.units]}"
        by = {RAW: "chips", ALL_IN: "all-ins at their value", AIVAT: "AIVAT"}[self.way]
        by += " of duplicate deals" if self.duplicate else ""
        if self.expected_deals is None:
            return f"playing until {target}: how many deals of {rules.name} that takes is not known; at most {most}"
        seatings = f" in {self.n_seatings} seatings" if self.n_seatings > 1 else ""
        usual = f"{target} by {by} usually takes about {round_up(self.expected_deals):,} deals{seatings}"
        if self.expected_deals <= self.most_deals:
            return f"{usual}; at most {most} will be played"
        return f"{usual}; {self._usually_reached}"

    @property
    def _usually_reached(self) -> str:
        """Sentence on the half-width to expect after all plans."""
        rules, n = self.plans[0].rules, self.most_deals
        deviation = usual_deviation(rules, self.way, duplicate=self.duplicate) or nan
        half = self.sequence(())(deviation * float(rules.big_blind) * units_per_chip(rules, self.units) / sqrt(n), n)
        given = f"give ±{_width(half)}" if isfinite(half) else "are too few for an interval"
        return f"the {n:,} deals that may be played usually {given}"

    # --- while playing -----------------------------------------------------------------------------------------------

    def sequence(self, results: Sequence[MatchResult]) -> ConfidenceSequence:
        """The rule for intervals, tuned so that they are narrowest at the expected end. It depends on the plans and on
        whether players learn, but never on winnings."""
        expected, rules = min(self.expected_deals or self.most_deals / 3, self.most_deals), self.plans[0].rules
        extreme = largest_stakes(rules, self.n_seatings) * units_per_chip(rules, self.units)
        if any(result.hands_depend for result in results):
            hands = self.plans[0].hands
            return ConfidenceSequence(max(expected / hands, LEAST_SETS), extreme / hands)
        return ConfidenceSequence(max(expected, LEAST_HANDS), extreme)

    def intervals(self, results: Sequence[MatchResult]) -> list[Estimate]:
        """The estimates that must be narrow: the winnings of two players, or all pairwise differences of more
        players."""
        units_won, rules, sequence = sample(results), results[0].plan.rules, self.sequence(results)
        if len(results[0].names) == 2:
            return list(winnings(units_won, rules, self.units, interval=sequence))
        pairs = list(combinations(range(len(results[0].names)), 2))
        how: dict[str, Any] = {"rules": rules, "units": self.units, "interval": sequence}
        return [difference(units_won, *pair, **how).among(len(pairs), sequence) for pair in pairs]

    def widest(self, results: Sequence[MatchResult]) -> float:
        """The widest half-width; NaN as long as some estimate has no interval."""
        halves = [number.half_width for number in self.intervals(results)]
        return nan if any(map(isnan, halves)) else max(halves)

    # --- after the last hand -----------------------------------------------------------------------------------------

    def summarised(
        self, summary: Mapping[str, Any], results: Sequence[MatchResult], stopped: Stopped
    ) -> dict[str, Any]:
        """Add to a match's `summary` how it stopped and, for two players, the hands needed by each method of
        measuring."""
        sequence, way, two = self.sequence(results), summary["measures"][-1], len(summary["agents"]) == 2
        measured = []
        for each in summary["measures"]:
            won, hands = Estimate.from_data(each["agents"][0]), summary["played"]
            needed = hands_needed(won, sequence, half_width=self.half_width, hands=hands) if two else None
            measured.append({**each, "hands_needed": None if needed is None else ceil(needed)})
        until = {
            "half_width": self.half_width,
            "interval": "confidence sequence",
            "way": way["way"],
            "duplicate": way["duplicate"],
            "reached": None if isnan(stopped.half_width) else stopped.half_width,
            "stopped": stopped.why,
            "most_deals": self.most_deals,
            "expected_deals": self.expected_deals,
            "looks": stopped.n_looks,
        }
        return {**summary, "measures": measured, "until": until}


def play_until(stopping: Stopping, play: PlayMore) -> Stopped:
    """Play match sets in order until the intervals are narrow enough or all plans are played."""
    each, n_sets = stopping.n_seatings, len(stopping.plans) // stopping.n_seatings
    done, looks = 0, 0
    first = max(FIRST_LOOK, (stopping.expected_deals or 0) / FIRST_ROUND)
    upto = min(n_sets, ceil(first / stopping.plans[0].hands))
    while True:
        ways = play(done * each, upto * each)
        done, looks = upto, looks + 1
        widest = stopping.widest(list(ways.values())[-1])  # the last way removes most luck
        if widest <= stopping.half_width or done == n_sets:
            return Stopped(widest, looks, NARROW if widest <= stopping.half_width else MOST)
        upto = min(n_sets, next_look(done, widest / stopping.half_width))


def next_look(n_sets: int, ratio: float) -> int:
    """Number of match sets at the next look after `n_sets` sets, if the interval is `ratio` times too wide.

    Most of the sets that seem to be missing are played before the next look, but the number at most doubles, because
    early standard deviations are uncertain. If there is no interval yet (NaN), the number doubles.

    >>> next_look(20, 1.2), next_look(20, 3.0), next_look(20, 1.01), next_look(20, nan)
    (27, 40, 21, 40)
    """
    missing = n_sets if isnan(ratio) else 0.8 * n_sets * (ratio**2 - 1)
    return n_sets + max(1, n_sets // FINEST, min(n_sets, int(missing)))


def hands_needed(won: Estimate, sequence: ConfidenceSequence, *, half_width: float, hands: int) -> float | None:
    """Expected number of hands until an interval has this half-width. `won` is the estimate after `hands` hands, and
    `sequence` the rule for its interval. None if there is no interval yet."""
    if won.n is None or isnan(won.half_width):
        return None
    deviation = sequence.deviation(won.half_width, won.n)
    return sequence.units_for(deviation, half_width) * hands / won.n


def stopping_lines(summary: Mapping[str, Any]) -> list[str]:
    """Sentences on when and why a match with a target stopped; empty without a target.

    >>> until = {"half_width": 100.0, "reached": 98.2, "way": "AIVAT", "duplicate": True, "stopped": NARROW}
    >>> until |= {"most_deals": 5000}
    >>> stopping_lines({"until": until, "units": "mbb_per_hand", "hands": 1200, "measures": []})[0]
    'stopped after 1,200 of at most 5,000 deals: ±98.2 mbb/hand by AIVAT, duplicate, within the target of ±100'
    """
    until = summary.get("until")
    if until is None:
        return []
    deals, target = f"{summary['hands']:,}", f"the target of ±{until['half_width']:g}"
    by = "chips" if way_name(until) == RAW else way_name(until)
    reached = "no interval" if until["reached"] is None else f"±{_width(until['reached'])} {SHORT[summary['units']]}"
    if until["stopped"] == NARROW:
        first = f"stopped after {deals} of at most {until['most_deals']:,} deals: {reached} by {by}, within {target}"
    else:
        needed = summary["measures"][-1]["hands_needed"]
        more = "" if needed is None else f", which would take about {round_up(needed):,} hands"
        first = f"stopped at the maximum of {deals} deals: {reached} by {by}, short of {target}{more}"
    return [first, "confidence sequences hold at all looks together, so that choosing the end leaves them valid"]


# --- targets and usual deviations ------------------------------------------------------------------------------------

_NUMBER = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*([^\s0-9.].*?)?\s*")


def target_of(text: str | float, units: str, rules: Rules) -> float:
    """Parse a half-width such as 100mbb and convert it to `units`; a bare number is in `units` already.

    >>> from pokerlab.games.catalog import game
    >>> target_of("0.1 small bets/hand", "mbb_per_hand", game("limit2p")), target_of(50.0, "bb_per_100", game("kuhn"))
    (100.0, 50.0)
    """
    known: dict[str, str] = {"mbb": "mbb_per_hand"}
    known |= {written: name for name in UNITS for written in (name, SHORT[name])}
    matched = _NUMBER.fullmatch(str(text))
    if matched is None or float(matched[1]) <= 0:
        raise PokerlabError(f"until cannot be {str(text)[:40]!r}; write a half-width above 0, such as 100mbb")
    number, unit = float(matched[1]), matched[2]
    if unit is None or known.get(unit) == units:
        return number
    if unit not in known:
        raise PokerlabError(f"until has no unit {unit[:40]!r}; {name_hint(unit, known)}")
    return number / units_per_chip(rules, known[unit]) * units_per_chip(rules, units)


DEVIATIONS: dict[str, dict[str, float]] = tomllib.loads(
    Path(__file__).with_name("usual_deviations.toml").read_text(encoding="utf-8")
)
"""Typical standard deviations in big blinds: game -> method of measuring -> number."""


def usual_deviation(rules: Rules, way: str, *, duplicate: bool) -> float | None:
    """Typical standard deviation, in big blinds, of a hand or, with `duplicate`, of a deal (the mean over its
    seatings). None if nothing is known about the game."""
    family = f"{rules.limits} {'2p' if rules.n_seats == 2 else 'more'}" if rules.holdem_hands else ""
    game = DEVIATIONS.get(rules.name.partition(":")[0], DEVIATIONS.get(family, {}))
    return game.get(f"{way}, duplicate" if duplicate else way)


def expected_units(rules: Rules, way: str, *, duplicate: bool, half_width: float, units: str) -> float | None:
    """Typical number of hands (or of deals, with `duplicate`) until an interval has this half-width. With more than two
    players this is for all pairwise differences, whose deviation is about sqrt(2) times as large."""
    deviation, scale, n = usual_deviation(rules, way, duplicate=duplicate), units_per_chip(rules, units), rules.n_seats
    if deviation is None:
        return None
    in_units = deviation * float(rules.big_blind) * scale * (1 if n == 2 else sqrt(2))
    seatings = len(seatings_of(n, duplicate=duplicate))
    sequence = ConfidenceSequence(LEAST_HANDS, largest_stakes(rules, seatings) * scale)
    return sequence.units_for(in_units, half_width, among=1 if n == 2 else n * (n - 1) / 2)


def _width(half_width: float) -> str:
    """Format a half-width with at least three digits.

    >>> _width(1234.5), _width(98.21), _width(0.1)
    ('1,234', '98.2', '0.1')
    """
    return f"{half_width:,.0f}" if half_width >= 100 else f"{half_width:.3g}"


def round_up(n: int) -> int:
    """Round `n` up to two significant digits, since expectations are inexact.

    >>> round_up(12_345), round_up(7)
    (13000, 7)
    """
    step: int = 10 ** max(len(str(n)) - 2, 0)
    return -(-n // step) * step
