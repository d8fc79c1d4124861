"""Record matches of a population, as data for models: short matches between members, one file of hands per match.

A match is 120 deals between six members (`population`) without memory of earlier matches. Only public information is
saved: actions, boards, and the hands that reached a showdown, as PHH (`DIR/hands/0000.phhs.gz`), for which no optional
library is required.

>>> PopulationPlay(matches=375).hands
45000
>>> PopulationPlay(matches=0)
Traceback (most recent call last):
pokerlab.errors.PokerlabError: matches must be at least 1, not 0

References
----------
Sweeney (2012), section 6.5.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from pokerlab.games.history import HandHistory
from pokerlab.notation.phh_text import phhs_text
from pokerlab.players.population import GAME, HANDS, By, Population, draw_table
from pokerlab.players.registry import agent, usual_seconds
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.request import Request, setting
from pokerlab.runs.workers import Done, Runner, Task, Tick, do_tasks, here
from pokerlab.table.cost import expected_cost
from pokerlab.table.match import MatchPlan, play_match

FOLDER = "hands"


@dataclass(frozen=True, kw_only=True)
class PopulationPlay(Request):
    """Request for recorded matches of a population."""

    kind: ClassVar[str] = "population"
    code: ClassVar[tuple[str, ...]] = (__name__,)

    matches: int = setting(375, "Each has 120 deals.", least=1)
    drawn_by: By = setting("match", "Draw the type of the opponents per match, as published, or per seat.")
    of: Population = setting(
        "published",
        "Population: published, or characters, three equally common players that differ as much as possible "
        "(caller, random:smallest and rulebot:tight).",
    )
    seed: int = setting(7, least=0)

    @property
    def hands(self) -> int:
        return self.matches * HANDS

    @property
    def plans(self) -> list[MatchPlan]:
        return [
            MatchPlan(GAME, draw_table(self.seed, number, self.drawn_by, self.of), HANDS, self.seed, number)
            for number in range(self.matches)
        ]


def record(
    settings: PopulationPlay,
    run: RunDirectory,
    *,
    runner: Runner = here,
    report: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """Play the matches that `run` does not have yet. Return the files of all matches. `report(done, total)` counts
    hands."""
    tasks = [
        Task(f"{__name__}:play", plan, f"{plan.number:04}", list(plan.entrants), f"match {plan.number}", plan.hands)
        for plan in settings.plans
    ]
    do_tasks(tasks, runner=runner, run=run, folder="matches", report=report)
    return [run.path / _file(plan) for plan in settings.plans]


def play(plan: MatchPlan, tick: Tick) -> Done:
    """Play a match and return its hands as a spectator saw them."""
    hands: list[HandHistory] = []
    play_match(plan, agent, on_hand=lambda hand: hands.append(hand.seen_by()), on_hands=tick)
    return Done(files={_file(plan): gzip.compress(phhs_text(hands).encode(), mtime=0)})


def _file(plan: MatchPlan) -> str:
    return f"{FOLDER}/{plan.number:04}.phhs.gz"


def play_cost(settings: PopulationPlay, workers: int | None = None) -> Cost:
    """Estimate the cost from a few hands at some of the tables; a compressed hand takes about 100 bytes."""
    make = "pokerlab.players.registry:agent"
    names = {name for plan in settings.plans for name in plan.entrants}
    usual = {name: seconds for name in names if (seconds := usual_seconds(name)) is not None}
    cost = expected_cost(settings.plans, make=make, record=False, workers=workers or usable_cores(), usual=usual)
    what = f"{settings.matches:,} matches, {settings.hands:,} deals"
    return replace(cost, disk=100 * settings.hands, what=what)
