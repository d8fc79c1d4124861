"""What local best response wins from an agent, in matches: chips as they fell, and by LBR's estimates.

Every deal is played from both seats. The estimates (`agents.local_best_response`) have the same mean as the chips and
less luck in them; `factor` says how many times fewer hands they need for the same interval.

>>> from pokerlab.games.catalog import game
>>> found = lbr_winnings("folder", game("limit2p"), hands=20, seed=1)
>>> print(found.chips)
+750.0 ± 0.0 mbb/hand (n = 20 deals, 2 seatings each)

Half of the time the folder pays a small blind of 500 thousandths, half of the time a big one of 1000.

References
----------
Lisy and Bowling (2017); see `agents.local_best_response`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.agents.local_best_response import KIND, LocalBestResponse
from pokerlab.agents.registry import agent
from pokerlab.errors import PokerlabError
from pokerlab.files import read_arrays
from pokerlab.games.protocols import Observer
from pokerlab.games.rules import Rules
from pokerlab.table.answers import check_asks
from pokerlab.table.estimate import Estimate, sample, winnings
from pokerlab.table.jobs import UnfinishedError, here
from pokerlab.table.match import MatchPlan, MatchResult, check_supported, plans
from pokerlab.table.work import Runner, Task

Floats: TypeAlias = NDArray[np.float64]
MAKE = "pokerlab.agents.registry:agent"
MATCH_HANDS = 500
"""Hands of one match, after which opponents that learn start from nothing."""


@dataclass(frozen=True)
class LbrWinnings:
    """What LBR won a hand. Both estimates are of the same quantity."""

    agent: str
    game: str
    sizes: str
    chips: Estimate
    estimates: Estimate

    @property
    def factor(self) -> float:
        """How many times fewer hands the estimates need than the chips."""
        return (self.chips.half_width / self.estimates.half_width) ** 2 if self.estimates.half_width else float("inf")


def lbr_winnings(
    opponent: str,
    rules: Rules,
    *,
    hands: int,
    seed: int,
    sizes: str | None = None,
    units: str = "mbb_per_hand",
    runner: Runner = here,
    match_hands: int = MATCH_HANDS,
    report: Callable[[int, int], None] | None = None,
) -> LbrWinnings:
    """Play `hands` deals from both seats; `sizes` is LBR's menu, by default the game's."""
    lbr = f"lbr({sizes}):{opponent}" if sizes is not None else f"lbr:{opponent}"
    _check(lbr, opponent, rules)
    todo = plans(MatchPlan(rules, (lbr, opponent), hands=match_hands, seed=seed), hands=hands, duplicate=True)
    played = _played(todo, runner, report)
    learns = isinstance(agent(opponent), Observer)
    found = []
    for results in ([result for result, _ in played], [_with(result, by) for result, by in played]):
        found.append(winnings(sample(results, dependent=learns), rules, units)[0])
    return LbrWinnings(opponent, rules.name, _lbr(lbr).knowledge(rules).sizes, found[0], found[1])


def _lbr(text: str) -> LocalBestResponse:
    made = agent(text)
    assert isinstance(made, LocalBestResponse)
    return made


def _check(lbr: str, opponent: str, rules: Rules) -> None:
    """Before the work."""
    made = [agent(lbr), agent(opponent)]
    if rules.n_seats != 2:
        raise PokerlabError(f"{rules.name} is for {rules.n_seats} players; local best response is for two")
    check_supported(made, (lbr, opponent), rules)
    try:
        check_asks(made[1], rules)
    except PokerlabError as error:
        raise PokerlabError(f"{opponent}: {error}") from error
    _lbr(lbr).knowledge(rules)


def _played(
    todo: Sequence[MatchPlan], runner: Runner, report: Callable[[int, int], None] | None
) -> list[tuple[MatchResult, Floats]]:
    """Each match with LBR's estimates by hand."""
    done, total = 0, sum(plan.hands for plan in todo)

    def on_hands(more: int) -> None:
        nonlocal done
        done += more
        if report is not None:
            report(done, total)

    found: dict[int, tuple[MatchResult, Floats]] = {}
    failures = []
    for which, outcome in runner([Task(plan, MAKE, save=True) for plan in todo], on_hands):
        if isinstance(outcome, str):
            failures.append((todo[which], outcome))
            continue
        kept = next(content for name, content in outcome.files.items() if name.startswith("memory/lbr"))
        found[which] = (outcome.result, _estimates(kept))
    if failures:
        raise UnfinishedError(failures, len(found))
    return [found[which] for which in range(len(todo))]


def _estimates(content: bytes) -> Floats:
    with tempfile.TemporaryDirectory(prefix="pokerlab-") as where:
        path = Path(where) / "estimates"
        path.write_bytes(content)
        return np.array(read_arrays(path, KIND)[1]["chips"])


def _with(result: MatchResult, estimates: Floats) -> MatchResult:
    return replace(result, chips=np.stack([estimates, -estimates], axis=1))
