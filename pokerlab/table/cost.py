"""Estimate the cost of matches from the speed of the last similar match on this machine, from a few hands, or from a
typical speed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pokerlab.caches import compile_now
from pokerlab.errors import PokerlabError
from pokerlab.runs.cost import Cost, peak_memory
from pokerlab.runs.rates import Rate, expected_rate
from pokerlab.table.match import MatchPlan
from pokerlab.table.matches import RATE, SHORT_HANDS, MatchTask, play, rate_settings

TABLES = 20  # number of tables to try, spread evenly over the plans
SECONDS, SECONDS_EACH = 2.0, 0.2  # seconds of trials at all tables together, and at one table
DECISIONS_A_HAND = 4, 2.5  # decisions of one player in a hand: heads-up, and at larger tables
DEALING_SECONDS = 1e-4  # seconds to deal a hand and record it
RECORDED_BYTES = 100  # bytes of a compressed hand


class _Trial(NamedTuple):
    seconds: float  # seconds per hand
    size: float  # bytes per hand


def expected_cost(
    plans: Sequence[MatchPlan], *, make: str, record: bool, workers: int = 1, usual: Mapping[str, float] | None = None
) -> Cost:
    """Estimate the cost from stored speeds, or from a few hands at some of the tables unless that would require
    compilation; `usual` has the typical seconds per decision by entrant, if known."""
    tables = {plan.entrants: plan for plan in plans}
    chosen = list(tables.values())[:: -(-len(tables) // TABLES)]
    hands, sizes, rates = sum(plan.hands for plan in plans), list[float](), list[Rate]()
    started = time.perf_counter()
    for plan in chosen:
        if rates and time.perf_counter() - started > SECONDS:
            break

        def trial(plan: MatchPlan = plan) -> float:
            if hands > SHORT_HANDS:  # in a long run everything that can be compiled is compiled
                compile_now()
            found = _measure(plan, make, record)
            sizes.append(found.size)
            return found.seconds

        def by_decisions(plan: MatchPlan = plan) -> float | None:
            each = [(usual or {}).get(name) for name in plan.entrants]
            decisions = DECISIONS_A_HAND[len(each) > 2]
            return None if None in each else DEALING_SECONDS + decisions * sum(filter(None, each))

        rates.append(expected_rate(RATE, rate_settings(plan, record), trial=trial, usual=by_decisions))
    known = [rate.seconds for rate in rates if rate.seconds is not None]
    seconds = sum(known) / len(known) * hands / min(workers, len(plans)) if len(known) == len(rates) else None
    sources = {rate.source for rate in rates}
    chips = 8 * len(plans[0].entrants) + RECORDED_BYTES * record
    size = sum(sizes) / len(sizes) if sizes else chips
    counts = {"matches": len(plans), "hands": hands, "workers": workers}
    source = "usual" if "usual" in sources else rates[0].source
    return Cost(seconds, peak_memory() * workers, int(size * hands), counts, rate=source)


def _measure(plan: MatchPlan, make: str, record: bool) -> _Trial:
    """Measure seconds and bytes per hand by playing more and more hands until the time is long enough to measure."""
    hands = 1
    while True:
        start = time.perf_counter()
        played = play(MatchTask(replace(plan, hands=min(hands, plan.hands)), make, record=record), lambda hands: None)
        seconds = time.perf_counter() - start
        chips = played.arrays["chips"]
        n = len(chips)
        if seconds > SECONDS_EACH * (1 if hands > 1 else 5) or n < hands:  # the first hand also loads what it needs
            break
        hands *= 4 if hands > 1 else 10
    if n == 0:
        raise PokerlabError("the cost cannot be estimated: no hand could be played")
    kept = sum(map(len, played.files.values())) if record else 0
    return _Trial(seconds / n, chips.itemsize * len(plan.entrants) + kept / n)
