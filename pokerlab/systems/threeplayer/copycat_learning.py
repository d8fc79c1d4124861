"""Copycats learn from matches of the agent that they imitate, with all its cards known.

>>> from pokerlab.runs.workers import here
>>> plan = CopycatPlan("limit2p", "caller", ("raiser",), matches=1, hands=5, seed=1)
>>> (densities,) = learn_copycats(plan, make="pokerlab.players.registry:agent", runner=here)
>>> densities.names, densities.n_points("caller")
(('caller',), 31)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Done, Runner, Task, Tick, attribute, do_tasks
from pokerlab.systems.threeplayer.betting_densities import BettingDensities, DensitySettings, Point, points_of
from pokerlab.systems.threeplayer.copycat import SETTINGS
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.matches import file_name, plan_data


@dataclass(frozen=True)
class CopycatPlan:
    """The agent to imitate, its opponents, and the number of matches; opponents beyond the seats take turns."""

    game: str
    original: str
    company: tuple[str, ...]
    matches: int = 10
    hands: int = 1000
    seed: int = 7
    files: Mapping[str, str] = field(default_factory=dict)  # digests of the files that agents load

    def __post_init__(self) -> None:
        if not self.company:
            raise PokerlabError(f"{self.original} needs at least one opponent to be watched against")
        if self.matches < 1:
            raise PokerlabError(f"a copycat learns from one match or more, not {self.matches}")

    def match(self, number: int) -> MatchPlan:
        """Match number `number`; the original is the first entrant."""
        n_others = game(self.game).n_seats - 1
        others = tuple(self.company[(number * n_others + i) % len(self.company)] for i in range(n_others))
        return MatchPlan(self.game, (self.original, *others), self.hands, self.seed, number)

    def data(self) -> dict[str, Any]:
        """The plan as JSON values."""
        return asdict(self)


def watch(work: tuple[MatchPlan, Sequence[DensitySettings], str], tick: Tick) -> Done:
    """Play a match; `[n, (context, outcome, strength, odds)]` of its first entrant for each of the settings."""
    plan, kinds, make = work
    points_by_kind: list[list[Point]] = [[] for _ in kinds]

    def see(hand: HandHistory) -> None:
        seat = next(s for s, name in enumerate(hand.names) if name == plan.entrants[0])
        for points, settings in zip(points_by_kind, kinds, strict=True):
            points.extend(points_of(hand, seat, settings))

    play_match(plan, attribute(make), on_hand=see, on_hands=tick)
    rows = [[(p.context, p.outcome, p.strength, p.odds) for p in points] for points in points_by_kind]
    return Done(None, {str(i): np.array(points, np.float64).reshape(-1, 4) for i, points in enumerate(rows)})


def learn_copycats(
    plan: CopycatPlan,
    *,
    kinds: Sequence[DensitySettings] = (SETTINGS,),
    make: str,
    runner: Runner,
    run: RunDirectory | None = None,
    report: Callable[[int, int], None] | None = None,
) -> list[BettingDensities]:
    """Watch the original in all matches, and model it in one or several ways; `run` saves the observations."""
    tasks = []
    for number in range(plan.matches):
        match = plan.match(number)
        used = {name: plan.files[name] for name in match.entrants if name in plan.files}
        about = json.loads(json.dumps([plan_data(match), used, [asdict(settings) for settings in kinds]]))
        digest = sha256(json.dumps(about).encode()).hexdigest()[:8]
        key, name = f"{file_name(plan.original)}-{digest}", f"match {number} of {' and '.join(match.entrants)}"
        tasks.append(Task(f"{__name__}:watch", (match, tuple(kinds), make), key, about, name, plan.hands))
    models = [BettingDensities(settings) for settings in kinds]
    for done in do_tasks(tasks, runner=runner, run=run, folder="watched", report=report):
        for i, densities in enumerate(models):
            rows = done.arrays[str(i)].tolist()
            densities.learn(plan.original, [Point(int(c), int(o), strength, odds) for c, o, strength, odds in rows])
    return models
