"""Expected cost of matches, from playing a few hands of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from pokerlab.errors import PokerlabError
from pokerlab.runs.cost import Cost
from pokerlab.table.match import MatchPlan
from pokerlab.table.matches import MatchTask, play

TABLES = 20  # number of tables to try, spread over all
SECONDS_EACH = 0.2


def expected_cost(plans: Sequence[MatchPlan], *, make: str, record: bool, workers: int = 1) -> Cost:
    """An estimate from a few hands at some of the tables, after one hand each to compile."""
    tables = {plan.entrants: plan for plan in plans}
    step = -(-len(tables) // TABLES)
    rates = [_measure(plan, make, record) for plan in list(tables.values())[::step]]
    hands = sum(plan.hands for plan in plans)
    seconds, size = (sum(rate[i] for rate in rates) / len(rates) * hands for i in range(2))
    at_once = min(workers, len(plans))
    counts = {"matches": len(plans), "hands": hands, "workers": workers}
    return Cost(seconds / at_once, _memory() * workers, int(size), counts)


def _measure(plan: MatchPlan, make: str, record: bool) -> tuple[float, float]:
    """(seconds, bytes) per hand."""
    play(MatchTask(replace(plan, hands=1), make, record=record), lambda hands: None)
    hands = 10
    while True:
        start = time.perf_counter()
        played = play(MatchTask(replace(plan, hands=min(hands, plan.hands)), make, record=record), lambda hands: None)
        seconds = time.perf_counter() - start
        chips = played.arrays["chips"]
        n = len(chips)
        if seconds > SECONDS_EACH or n < hands:
            break
        hands *= 4
    if n == 0:
        raise PokerlabError("the cost cannot be estimated: no hand could be played")
    kept = sum(map(len, played.files.values())) if record else 0
    return seconds / n, chips.itemsize * len(plan.entrants) + kept / n


def _memory() -> int:
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
