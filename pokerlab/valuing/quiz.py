"""A quiz: an agent acts at spots with known answers (`quiz_spots`) and is scored by the expected chips that it loses.

The kinds of spots alternate. Each spot belongs to a separate hand; the agent gets a view as at a table and does not
learn how the hand ends. Drawn spots are saved in the cache directory, each in a file with checksums. The file name
depends on the version of the drawing code, on the strategy from which spots are drawn, and on the game.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.caches import cache_directory
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.protocols import Agent, Talker
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.rng import stream
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Done, Runner, Task, Tick, attribute, do_tasks
from pokerlab.table.apart_messages import action_text
from pokerlab.table.clock import Clock, clock_for
from pokerlab.table.dealer import acted
from pokerlab.table.matches import TALK, file_name, game_data
from pokerlab.table.players import made
from pokerlab.valuing.quiz_spots import QuizSpot, Source, draw_spot

FORMAT = 1
"""Version of the files of spots."""
DRAWING = 2
"""Version of the drawing code. Raise it after a change with which a seed draws different spots or values."""
SPOT_FILE = "quiz spot"
SPOTS_A_TASK = 10
OPPONENT = "opponent"
REAL_CARDS = "turn and river"
"""Name for turn and river spots together. These are solved with real cards, not with card buckets."""
MBB, PERCENT = "mbb_per_decision", "percent_of_pot"


@dataclass(frozen=True)
class Quiz:
    """The questions: spots of a game, alternating between kinds, drawn by seed. `strategy` is the file of the source
    strategy; '' for a game small enough to be solved here."""

    rules: Rules
    strategy: str
    kinds: tuple[str, ...]
    spots: int
    seed: int

    def place(self, number: int) -> tuple[str, int]:
        """Return the kind of spot `number`, and its index among the spots of that kind."""
        return self.kinds[number % len(self.kinds)], number // len(self.kinds)

    def is_solved(self, number: int) -> bool:
        """Whether a spot is in the cache, or its game can be solved at once."""
        return not self.strategy or saved_spot(_file(self, number), self.rules) is not None


@dataclass(frozen=True)
class Drawing:
    """Task for a worker: draw spots number `first` to `first + n` (excluded) of a quiz."""

    quiz: Quiz
    first: int
    n: int


@dataclass(frozen=True)
class Asking:
    """Task for a worker: let an agent answer some spots, beginning with number `first`."""

    agent: str
    make: str
    rules: Rules
    seed: int
    seconds: float | None
    first: int
    spots: tuple[QuizSpot, ...]
    talk: str = ""  # file for the transcript of a language model; '' for none


@dataclass(frozen=True)
class QuizAnswer:
    """An agent's answer to a spot: its action, the expected chips it loses compared with the best action, the pot,
    whether the solution also plays that action, and whether the answer came too late."""

    kind: str
    action: str
    lost: float
    pot: float
    known: bool
    late: bool = False


@dataclass(frozen=True)
class QuizPaper:
    """An agent's answers to all spots; for language models also counts, such as calls and repaired answers."""

    answers: tuple[QuizAnswer, ...]
    talk: Mapping[str, int]

    @classmethod
    def of(cls, parts: Sequence[Done]) -> QuizPaper:
        """Join the parts of an agent's answers."""
        talk: Counter[str] = sum((Counter(part.value["talk"]) for part in parts), Counter())
        return cls(tuple(QuizAnswer(**data) for part in parts for data in part.value["answers"]), dict(talk))

    @property
    def lost(self) -> Floats:
        """Expected chips lost, by spot."""
        return np.array([answer.lost for answer in self.answers])


def draw_spots(
    quiz: Quiz,
    *,
    runner: Runner,
    run: RunDirectory | None = None,
    report: Callable[[int, int], None] | None = None,
) -> list[QuizSpot]:
    """Draw the spots of a quiz, or read them from the cache if they are there."""
    about = {**asdict(quiz), "rules": game_data(quiz.rules), "strategy": source_digest(quiz.strategy)}
    about["drawing"] = DRAWING
    del about["spots"]
    tasks = [
        Task(f"{__name__}:draw", Drawing(quiz, first, n), f"{first:06}", about | {"first": first, "n": n}, name, n)
        for first, n in _parts(quiz.spots)
        for name in [f"spots {first} to {first + n - 1}"]
    ]
    done = do_tasks(tasks, runner=runner, run=run, folder="spots", report=report)
    return [QuizSpot.from_data(data) for part in done for data in part.value]


def draw(plan: Drawing, tick: Tick) -> Done:
    """Draw the spots of a task, as JSON values; new ones are written to the cache."""
    spots = []
    for number in range(plan.first, plan.first + plan.n):
        path = _file(plan.quiz, number) if plan.quiz.strategy else None  # small games are solved again, which is quick
        spot = None if path is None else saved_spot(path, plan.quiz.rules)
        if spot is None:
            kind, index = plan.quiz.place(number)
            spot = draw_spot(_source(plan.quiz.rules, plan.quiz.strategy), kind, seed=plan.quiz.seed, index=index)
            with suppress(OSError):  # it is no error if the cache cannot be written
                if path is not None:
                    write_arrays(path, SPOT_FILE, {"format": FORMAT, "spot": spot.data()}, {})
        spots.append(spot.data())
        tick(1)
    return Done(spots)


def ask_agents(
    agents: Sequence[str],
    spots: Sequence[QuizSpot],
    *,
    make: str,
    rules: Rules,
    seed: int,
    seconds: float | None = None,
    runner: Runner,
    run: RunDirectory | None = None,
    report: Callable[[int, int], None] | None = None,
) -> list[QuizPaper]:
    """Return each agent's answers to all spots; `make` ("module:function") makes agents from their names. Language
    models write their transcripts to files of `run` while they answer."""
    tasks, talk = list[Task](), None if run is None else (run.path / TALK).absolute()
    for number, agent in enumerate(agents):
        for first, n in _parts(len(spots)):
            part = tuple(spots[first : first + n])
            key = f"{number:03}-{first:06}"
            said = "" if talk is None else str(talk / f"{file_name(agent)}.{key}")
            plan = Asking(agent, make, rules, seed, seconds, first, part, said)
            about = {"agent": agent, "seed": seed, "first": first, "spots": [spot.data() for spot in part]}
            name = f"spots {first} to {first + n - 1} for {agent}"
            tasks.append(Task(f"{__name__}:ask", plan, key, about, name, n))
    done = do_tasks(tasks, runner=runner, run=run, folder="answers", report=report)
    each = len(done) // len(agents)
    return [QuizPaper.of(done[i : i + each]) for i in range(0, len(done), each)]


def ask(plan: Asking, tick: Tick) -> Done:
    """Return the answers of a task as JSON values."""
    answers = []
    with clock_for(plan.seconds, tick) as clock:
        agent = made(attribute(plan.make), plan.agent, clock)
        talker = agent if plan.talk and isinstance(agent, Talker) else None
        if talker is not None:
            talker.keep_talk(Path(plan.talk))
        for number, spot in enumerate(plan.spots, plan.first):
            rng = stream(plan.seed, "quiz answers", index=number)
            answers.append(asdict(_answer(spot, agent, plan, number, rng, clock)))
            tick(1)
        if talker is not None:
            talker.end_talk()
    return Done({"answers": answers, "talk": dict(getattr(agent, "talk_counts", {}))})


def _answer(
    spot: QuizSpot, agent: Agent, plan: Asking, number: int, rng: np.random.Generator, clock: Clock | None
) -> QuizAnswer:
    state = spot.state(plan.rules)
    betting = state.betting
    names = tuple(plan.agent if seat == betting.actor else OPPONENT for seat in range(plan.rules.n_seats))
    before = 0 if clock is None else clock.late.total()
    action = acted(state, agent, rng, names, number, clock=clock).actions[-1].action
    value, known = spot.value(betting, action)
    late = clock is not None and clock.late.total() > before
    return QuizAnswer(spot.kind, action_text(action), max(0.0, spot.best - value), float(betting.pot), known, late)


@dataclass(frozen=True)
class QuizScore:
    """Mean loss of expected value on spots of one kind, in thousandths of a big blind and in percent of the pot."""

    mbb: Estimate
    percent: Estimate


def scores(lost: Floats, spots: Sequence[QuizSpot], rules: Rules) -> dict[str, QuizScore]:
    """Return scores from `lost[spot]` in chips: for each kind of spot, for `all` spots and, in hold'em, for
    `REAL_CARDS` if spots on both streets are present."""
    pots = np.array([float(spot.state(rules).betting.pot) for spot in spots])
    kinds = np.array([spot.kind for spot in spots])
    by_kind = {kind: kinds == kind for kind in dict.fromkeys(kinds.tolist())} | {"all": np.full(len(spots), True)}
    if rules.is_holdem and {"turn", "river"} <= set(by_kind):
        by_kind[REAL_CARDS] = by_kind["turn"] | by_kind["river"]
    per_chip = units_per_chip(rules, "mbb_per_hand")
    return {
        kind: QuizScore(
            estimate(lost[which] * per_chip, units=MBB, method="spots"),
            estimate(100 * lost[which] / pots[which], units=PERCENT, method="spots"),
        )
        for kind, which in by_kind.items()
    }


@lru_cache(maxsize=2)
def _source(rules: Rules, strategy: str) -> Source:
    return Source.of(rules, Path(strategy) if strategy else None)


@lru_cache(maxsize=8)
def source_digest(strategy: str) -> str:
    """Digest (12 hexadecimal digits) of a strategy file; `solved` for a game that is solved here."""
    return hashlib.sha256(Path(strategy).read_bytes()).hexdigest()[:12] if strategy else "solved"


def _file(quiz: Quiz, number: int) -> Path:
    kind, index = quiz.place(number)
    name = hashlib.sha256(json.dumps(game_data(quiz.rules), sort_keys=True).encode()).hexdigest()[:12]
    source = f"{FORMAT}.{DRAWING}-{source_digest(quiz.strategy)}-{name}"
    return cache_directory() / "quiz" / source / f"{kind}-{quiz.seed}-{index}.bin"


def saved_spot(path: Path, rules: Rules) -> QuizSpot | None:
    """The spot in a file; None if there is none or it is damaged."""
    try:
        about, _ = read_arrays(path, SPOT_FILE)
        if about["format"] != FORMAT:
            return None
        spot = QuizSpot.from_data(about["spot"])
        spot.check(rules)
    except (PokerlabError, LookupError, TypeError, ValueError, AttributeError):
        return None
    return spot


def _parts(n: int) -> list[tuple[int, int]]:
    """Divide `n` spots into parts: (first, number) of each."""
    return [(first, min(SPOTS_A_TASK, n - first)) for first in range(0, n, SPOTS_A_TASK)]
