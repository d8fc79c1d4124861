"""Copycats: players that act by a model of another agent, learned from hands in which its cards were visible.

`copycat:FILE` samples each action from densities of the imitated agent's decisions (`betting_densities`), and
`copycat:FILE?pure` always takes the likeliest action. A pure copycat is a table of actions by E[HS], bets to call,
street and players left, like a Q-learner. So compiled code can play it, and responses to it can be learned. `pokerlab
train copycat` makes the file, from matches of the imitated agent with all its cards known.

>>> from pokerlab.games.actions import CALL
>>> from pokerlab.systems.threeplayer.betting_densities import Point
>>> densities = BettingDensities(SETTINGS)
>>> densities.learn("ann", [Point(3, 2, 0.8, 0.0), Point(3, 1, 0.4, 0.0)])  # raised strong, called weak
>>> table = pure_player(densities.model_of("ann"), n_seats=3)
>>> [int(table.values[(hs * N_TO_CALL + 1) * 4 * 2 + 1].argmax()) for hs in (20, 40)]  # by E[HS]: calls, raises
[1, 2]
>>> from pokerlab.runs.workers import here
>>> plan = CopycatPlan("limit2p", "caller", ("raiser",), matches=1, hands=5, seed=1)
>>> (densities,) = learn_copycats(plan, make="pokerlab.players.registry:agent", runner=here)
>>> densities.names, densities.n_points("caller")
(('caller',), 31)

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import is_a_file, is_a_folder
from pokerlab.games.actions import Action
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent
from pokerlab.games.views import View
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.policies.policy import choose
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Done, Runner, Task, Tick, attribute, do_tasks
from pokerlab.systems.threeplayer.betting_densities import (
    N_LEFT,
    N_TO_CALL,
    BettingDensities,
    DensityPolicy,
    DensitySettings,
    Point,
    points_of,
)
from pokerlab.systems.threeplayer.q_learning import QPlayer
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.matches import file_name, plan_data

SETTINGS = DensitySettings("decisions", ("mean_hs",) * 4, weighted=True)
"""Settings of a copycat's densities: E[HS] by decision, which are the features of a compiled player."""

COPYCAT_FILE = "copycat.bin"
PURE = "?pure"
HS_BUCKETS = 50


class Copycat(DensityPolicy):
    """A density model that plays by sampling its actions."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return choose(*self.probabilities(view), rng)


def pure_player(model: DensityPolicy, *, n_seats: int) -> QPlayer:
    """Make a player that takes the model's likeliest action in every state. The model must be of decisions, by E[HS]
    only."""
    settings = model.settings
    if settings.outcomes != "decisions" or settings.odds or set(settings.metrics) != {"mean_hs"}:
        raise PokerlabError("only a copycat that models decisions by E[HS], without implied odds, can be pure")
    features = ValueFeatures(HS_BUCKETS, 1, N_TO_CALL, street=True, players=True)
    middle = (np.arange(HS_BUCKETS) + 0.5) / HS_BUCKETS
    values = np.zeros((HS_BUCKETS, N_TO_CALL, 4, n_seats - 1, 3))
    for street in range(4):
        for bets in range(N_TO_CALL):
            for left in range(2, n_seats + 1):
                place = (street * N_TO_CALL + bets) * N_LEFT + (left > 2)
                values[:, bets, street, left - 2] = model.chances(place, middle, 0.0)
    return QPlayer(features, values.reshape(-1, 3))


def copycat_path(text: str) -> Path:
    """The file of the agent `copycat:text`."""
    path = Path(text.removesuffix(PURE))
    return path / COPYCAT_FILE if is_a_folder(path) else path


def make_copycat(text: str) -> Agent:
    """Make the agent `copycat:FILE` or `copycat:FILE?pure`; FILE may be a directory of `pokerlab train copycat`."""
    path = copycat_path(text)
    if not is_a_file(path):
        raise FileError(f"no model of an agent at {path}")
    return _loaded(path, path.stat().st_mtime_ns, text.endswith(PURE))


@lru_cache(maxsize=16)
def _loaded(path: Path, modified: int, pure: bool) -> Agent:
    densities = BettingDensities()
    densities.load(path)
    if len(densities.names) != 1:
        raise FileError(f"{path} has models of {len(densities.names)} agents; a copycat needs one")
    model = densities.model_of(densities.names[0])
    return pure_player(model, n_seats=3) if pure else Copycat(model.settings, model.points)


@dataclass(frozen=True)
class CopycatPlan:
    """How an agent to imitate is observed: its opponents and the number of matches. If there are more opponents than
    seats, they take turns."""

    game: str
    original: str
    company: tuple[str, ...]
    matches: int = 10
    hands: int = 1000
    seed: int = 7
    files: Mapping[str, str] = field(default_factory=dict)  # path -> digest of each file that the agents load

    def __post_init__(self) -> None:
        if not self.company:
            raise PokerlabError(f"{self.original} needs at least one opponent to play against while it is observed")
        if self.matches < 1:
            raise PokerlabError(f"a copycat learns from one match or more, not {self.matches}")

    def match(self, number: int) -> MatchPlan:
        """Plan of match number `number`; the imitated agent is the first entrant."""
        n_others = game(self.game).n_seats - 1
        others = tuple(self.company[(number * n_others + i) % len(self.company)] for i in range(n_others))
        return MatchPlan(self.game, (self.original, *others), self.hands, self.seed, number)

    def data(self) -> dict[str, Any]:
        return asdict(self)


def watch(work: tuple[MatchPlan, Sequence[DensitySettings], str], tick: Tick) -> Done:
    """Play a match. For each of the settings, return what entrant 0 did: `[n, (context, outcome, strength, odds)]`."""
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
    """Play all matches, and model the imitated agent with each of `kinds`. What it did is saved in `run`."""
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
