"""Methods of measuring the winnings in the same hands, and how many fewer hands each method needs.

- **raw**: chips won, as if every hand had been dealt separately;
- **all-in**: cards after the last bet are replaced by the mean over all run-outs (`table.all_in`);
- **AIVAT**: the luck of all cards, and of the random choices of players with known policies, is removed
  (`valuing.aivat`);
- each of them **duplicate**, if deals were played in every seating: the seatings of a deal are averaged first.

A method's *factor* is the variance of the raw mean divided by the variance of the method's mean, for the same number of
hands. It says how many times as many raw hands would give the same interval. The factor has a 95% interval too. It is
computed on a logarithmic scale from how much the units contribute to the two variances; units are deals, or match sets
if hands depend on each other.

>>> from pokerlab.table.match import MatchPlan, play_match, plans
>>> from pokerlab.players.registry import agent
>>> todo = plans(MatchPlan("leduc", ("caller", "random"), seed=7), hands=1000, duplicate=True)
>>> for way in measures({"raw": [play_match(plan, agent) for plan in todo]}, units="mbb_per_hand"):
...     print(way.name, way.duplicate, way.winnings[0], round(way.factor.mean, 2))
raw False +41.0 ± 180.9 mbb/hand, not significant (n = 2,000 hands) 1.0
raw True +41.0 ± 90.5 mbb/hand, not significant (n = 1,000 deals, 2 seatings each) 4.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, nan, sqrt
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.estimates import Estimate, HalfWidth, bare, margin
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.table.match import MatchPlan, MatchResult, unique_names
from pokerlab.table.matches import match_keys
from pokerlab.table.player_hands import player_hands
from pokerlab.table.players import MakeAgent
from pokerlab.table.winnings import sample, winnings
from pokerlab.valuing.aivat import ValueFunction, aivat, known_policy

# function: index of a match in the list of results -> its hands
HandsOf: TypeAlias = Callable[[int], Iterable[HandHistory]]

RAW, ALL_IN, AIVAT = "raw", "all-in", "AIVAT"


@dataclass(frozen=True)
class Way:
    """The result of one measuring method: each entrant's winnings, and how much the method helps the first one."""

    name: str
    duplicate: bool
    winnings: tuple[Estimate, ...]
    factor: Estimate  # how many times as many raw hands give the same interval


def measures(
    ways: Mapping[str, Sequence[MatchResult]],
    *,
    units: str,
    dependent: bool | None = None,
    interval: HalfWidth | None = None,
) -> list[Way]:
    """Winnings by every method: without duplicate and, if deals were played in several seatings, with duplicate.
    `ways["raw"]` is the reference. All methods have the same matches in the same order; only their `chips` differ.
    `dependent` says whether the hands of a match depend on each other (see `sample`). A tournament sets it for all
    tables, so that intervals agree with its cross-table. `interval` is the rule for intervals, Student's by default."""
    raw = ways[RAW]
    rules = raw[0].plan.rules
    if dependent is None:
        dependent = any(result.hands_depend for result in raw)
    many = len({result.plan.seating for result in raw}) > 1
    scatter = _squares(raw, dependent, duplicate=False)
    measured = []
    for duplicate in (False, True) if many else (False,):
        for name, results in ways.items():
            sampled = sample(results if duplicate else _apart(results), dependent=dependent)
            factor = ratio(scatter, _squares(results, dependent, duplicate=duplicate))
            won = winnings(sampled, rules, units, interval=interval)
            measured.append(Way(name, duplicate, won, factor))
    return measured


def ratio(raw: Floats, way: Floats) -> Estimate:
    """The factor of a method, from each unit's contribution to the variance: `raw[unit]`, and `way[unit]` with the
    method.

    It is infinite if the method leaves no variance, and NaN if there are too few units.

    >>> factor = ratio(np.array([4.0, 4.0, 4.0]), np.array([1.0, 1.0, 1.0]))
    >>> factor.mean, factor.low, factor.high
    (4.0, 4.0, 4.0)
    """
    n, above, below = len(raw), float(raw.sum()), float(way.sum())
    if below <= 1e-18 * above or n < 2 or above == 0:
        return bare(nan, n=n) if above == 0 or n < 2 else Estimate(inf, inf, inf, n)
    share = raw / above - way / below
    half = margin(sqrt(float(share @ share) * n / (n - 1)), n)
    times = above / below
    return Estimate(times, times * exp(-half), times * exp(half), n)


def _apart(results: Sequence[MatchResult]) -> list[MatchResult]:
    """The same matches with different numbers, so that they count as played with different cards."""
    return [replace(result, plan=replace(result.plan, number=i)) for i, result in enumerate(results)]


def _squares(results: Sequence[MatchResult], dependent: bool, *, duplicate: bool) -> Floats:
    """`squares[unit]`: what each deal or match set contributes to the variance of the first entrant's mean, up to a
    constant factor. Without duplicate, seatings count as independent; with duplicate, their errors are added before
    squaring."""
    n_hands = sum(result.plan.hands for result in results)
    mean = sum(float(result.chips[:, 0].sum()) for result in results) / n_hands
    sets: dict[int, list[Floats]] = {}
    for result in results:
        errors = np.zeros(result.plan.hands)
        errors[: len(result.chips)] = result.chips[:, 0]
        sets.setdefault(result.plan.number, []).append(errors - mean)
    squares = []
    for seatings in sets.values():
        errors = np.array(seatings)  # errors[seating, hand]
        errors = errors.sum(axis=1, keepdims=True) if dependent else errors
        squares.append(errors.sum(axis=0) ** 2 if duplicate else (errors**2).sum(axis=0))
    return np.concatenate(squares)


# --- from recorded hands ---------------------------------------------------------------------------------------------


def ways_of(
    results: Sequence[MatchResult],
    hands_of: HandsOf,
    *,
    policies: Mapping[str, Any],
    value: ValueFunction | None,
    report: Callable[[int, int], None] | None = None,
) -> dict[str, list[MatchResult]]:
    """The results by each method, computed from the hands of each match: raw, all-in and, if a value function is given,
    AIVAT. `policies` are the known policies, by the player's name at the table. `report(done, total)` counts hands."""
    ways: dict[str, list[MatchResult]] = {RAW: list(results), ALL_IN: []}
    if value is not None:
        ways[AIVAT] = []
    done, total = 0, sum(len(result.chips) for result in results)
    for number, result in enumerate(results):
        hands = list(hands_of(number))
        if len(hands) != len(result.chips):
            raise PokerlabError(f"match {result.plan.number} has {len(result.chips)} hands, its record {len(hands)}")
        ways[ALL_IN].append(_with_chips(result, hands, all_in_adjusted(hands)))
        if value is not None:
            ways[AIVAT].append(_with_chips(result, hands, aivat(hands, policies, value)))
        done += len(hands)
        if report is not None:
            report(done, total)
    return ways


def measured_ways(
    results: Sequence[MatchResult],
    hands: Path,
    *,
    make: MakeAgent,
    known: Sequence[str] | None = None,
    report: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Measure the matches of a run, whose hands are recorded in the folder `hands`, by every method that applies.

    `make` makes players from their names. AIVAT removes the luck of players whose policies can be queried: all of them,
    or only those in `known`, given by their names at the table. Returns keyword arguments for `valuing.summary`:
    `ways`, and `aivat`, which says how AIVAT was done or why it was not.
    """
    measuring = Measuring([result.plan for result in results], hands, make=make, known=known)
    measuring.add(results, match_keys(len(results)), report=report)
    return measuring.summarised


class Measuring:
    """Measures the matches of a run by every method that applies, also while the run continues. Its arguments are those
    of `measured_ways`; together, the `plans` must seat every player."""

    def __init__(
        self, plans: Sequence[MatchPlan], hands: Path, *, make: MakeAgent, known: Sequence[str] | None = None
    ) -> None:
        from pokerlab.valuing.aivat_baselines import value_function

        self._hands, self._policies = hands, _policies(plans, make, known)
        self.ways: dict[str, list[MatchResult]] = {}
        try:
            self._value: ValueFunction | None = value_function(plans[0].rules)
            self._about: dict[str, Any] = {"value_function": self._value.name, "known_policies": list(self._policies)}
        except RulesError as error:
            self._value, self._about = None, {"left_out": str(error)}

    def add(
        self,
        results: Sequence[MatchResult],
        keys: Sequence[str],
        *,
        report: Callable[[int, int], None] | None = None,
    ) -> None:
        """Measure further matches; `keys` names the files of their hands, and `report(done, total)` counts hands."""
        from pokerlab.table.records import read_hands

        files = [self._hands / f"{key}.parquet" for key in keys]
        how: dict[str, Any] = {"policies": self._policies, "value": self._value, "report": report}
        for name, measured in ways_of(results, lambda i: read_hands(files[i]), **how).items():
            self.ways.setdefault(name, []).extend(measured)

    @property
    def summarised(self) -> dict[str, Any]:
        """Keyword arguments for the functions in `valuing.summary`."""
        return {"ways": self.ways, "aivat": self._about}


def _policies(plans: Sequence[MatchPlan], make: MakeAgent, known: Sequence[str] | None) -> dict[str, Policy]:
    """Policies that can be queried, by the names of the players at the table."""
    rules = plans[0].rules
    seated = dict.fromkeys(plan.entrants for plan in plans)
    entrants = {name: text for each in seated for name, text in zip(unique_names(each), each, strict=True)}
    made = {name: known_policy(make(text), rules) for name, text in entrants.items() if "://" not in text}
    policies = {name: policy for name, policy in made.items() if policy is not None}
    for name in known or ():
        if name not in policies:
            raise PokerlabError(f"the policy of {name!r} cannot be queried; these can: {', '.join(policies)}")
    return policies if known is None else {name: policies[name] for name in known}


def all_in_adjusted(hands: Sequence[HandHistory]) -> Floats:
    """`chips[hand, seat]`, where the cards after the last bet are replaced by the mean over all run-outs. Hands with
    fewer seats than others are padded with 0."""
    rows = player_hands(hands)
    adjusted = np.zeros((len(hands), max(hand.rules.n_seats for hand in hands)))
    adjusted[np.asarray(rows["hand"]), np.asarray(rows["seat"])] = rows["adjusted"]
    return adjusted


def _with_chips(result: MatchResult, hands: Sequence[HandHistory], by_seat: Floats) -> MatchResult:
    """Copy of the result with the chips `by_seat[hand, seat]` in place of those won."""
    chips = np.zeros_like(result.chips)
    column = {name: i for i, name in enumerate(result.names)}
    for number, hand in enumerate(hands):
        for seat, name in enumerate(hand.names):
            chips[number, column[name]] = by_seat[number, seat]
    return replace(result, chips=chips)
