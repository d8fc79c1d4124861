"""Records of a population's play to fit models to: short matches among its members, one file of hands a match.

A match is 120 deals between six members (`population`) who remember nobody from earlier matches. What is kept is
what everybody at the table saw: actions, boards, and the hands that reached a showdown, as PHH
(`DIR/hands/0000.phhs.gz`), which needs no extra to write or to read.

>>> PopulationPlay(matches=375).hands
45000
>>> PopulationPlay(matches=0)
Traceback (most recent call last):
pokerlab.errors.PokerlabError: matches must be 1 or more, not 0

References
----------
Sweeney (2012), section 6.5.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.notation.phh_text import phhs_text
from pokerlab.players.population import GAME, HANDS, POPULATIONS, By, Population, draw_table
from pokerlab.players.registry import agent
from pokerlab.runs.config import typed
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory, directory_for, open_run
from pokerlab.runs.job import Job, Say, now_and_then
from pokerlab.runs.workers import Done, Task, Tick, do_tasks, runner_for
from pokerlab.table.cost import expected_cost
from pokerlab.table.match import MatchPlan, play_match

CODE = ("pokerlab.players.population_play",)
FOLDER = "hands"


@dataclass(frozen=True)
class PopulationPlay:
    """Which matches are played."""

    matches: int = 375
    by: By = "match"  # what a kind of player is drawn for
    seed: int = 7
    population: Population = "published"

    def __post_init__(self) -> None:
        if self.matches < 1:
            raise PokerlabError(f"matches must be 1 or more, not {self.matches}")
        if self.population not in POPULATIONS:
            raise PokerlabError(f"no population is called {self.population!r}; there are {', '.join(POPULATIONS)}")

    @property
    def hands(self) -> int:
        """Deals in all."""
        return self.matches * HANDS

    @property
    def plans(self) -> list[MatchPlan]:
        """The matches."""
        return [
            MatchPlan(GAME, draw_table(self.seed, number, self.by, self.population), HANDS, self.seed, number)
            for number in range(self.matches)
        ]


def record(
    settings: PopulationPlay,
    run: RunDirectory,
    *,
    workers: int | None = 1,
    report: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """Play the matches that `run` does not have yet, and give the files of all; `report(done, total)` counts hands."""
    tasks = [
        Task(f"{__name__}:play", plan, f"{plan.number:04}", list(plan.entrants), f"match {plan.number}", plan.hands)
        for plan in settings.plans
    ]
    do_tasks(tasks, runner=runner_for(workers), run=run, folder="matches", report=report)
    return [run.path / _file(plan) for plan in settings.plans]


def play(plan: MatchPlan, tick: Tick) -> Done:
    """Play a match and bring back its hands as a spectator saw them."""
    hands: list[HandHistory] = []
    play_match(plan, agent, on_hand=lambda hand: hands.append(hand.seen_by()), on_hands=tick)
    return Done(files={_file(plan): gzip.compress(phhs_text(hands).encode(), mtime=0)})


def _file(plan: MatchPlan) -> str:
    return f"{FOLDER}/{plan.number:04}.phhs.gz"


def play_cost(settings: PopulationPlay, workers: int | None = None) -> Cost:
    """An estimate from a few hands of some of the tables; a hand takes about 100 bytes, packed."""
    cost = expected_cost(
        settings.plans, make="pokerlab.players.registry:agent", record=False, workers=workers or usable_cores()
    )
    return Cost(cost.seconds, cost.memory, 100 * settings.hands, cost.counts)


def default_directory(settings: PopulationPlay) -> Path:
    """Where the records are kept when nobody says where."""
    return directory_for("population", GAME, asdict(settings), code=CODE)


def opened(settings: PopulationPlay, path: Path) -> RunDirectory:
    """The run of these settings in a directory."""
    return open_run(path, "population", asdict(settings), code=CODE)


def job(data: Mapping[str, Any]) -> Job:
    """What `python -m pokerlab.run` does for the kind "population"."""
    rest = dict(data)
    workers = rest.pop("workers", None)
    settings = typed(PopulationPlay, rest, "population")

    def run(out: Path, say: Say) -> None:
        with opened(settings, out) as place:
            record(settings, place, workers=workers, report=now_and_then("hands", say))

    return Job(default_directory(settings), lambda: play_cost(settings, workers), run)
