"""Solved games for the study pages: requests computed in the background, saved in run directories, browsed by spot.

A *question* is the spot that a user wants solved. A solve publishes its solution after every measurement, so the user
can explore it while the solve continues. A stopped solve is saved, and the same question resumes it. The name of a
solve follows from its question. So a question that was solved before is opened at once, and a link with the name always
opens the same solve. Questions are requests (`solve subgame`, or `bets spot` with automatic bet sizes), so the commands
of these names can resume them too.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.files import write_whole
from pokerlab.games.narration import action_words
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy
from pokerlab.requests.bets_spot import FindSpotSizes
from pokerlab.requests.solve import Solve
from pokerlab.requests.subgame import SolveSubgame
from pokerlab.runs.cost import Cost
from pokerlab.runs.queue import Followed, Queue, Submission
from pokerlab.runs.request import RESULT
from pokerlab.runs.steps import steps_done
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.core.solve import Solution
from pokerlab.solvers.memory import check_size, memory_of
from pokerlab.solvers.runs import CHECKPOINT
from pokerlab.valuing.comparison import both_actions, compare_strategies
from pokerlab.valuing.river_again import spot_in
from pokerlab.valuing.simplified import STEPS, costs_of, simplified
from pokerlab.valuing.spot_values import spot_values
from pokerlab.web.automatic_sizes import largest_problem, sizes_request, tried_rows
from pokerlab.web.spot_combos import KINDS, RANGE_FORMS, combo_data, range_now, runouts
from pokerlab.web.spot_data import plain_number, plain_numbers, spot_data

MOST_ITERATIONS = 10_000
MOST_MEMORY = 2_000_000_000
"""Maximum bytes of all open strategies together; also of the solve of one board in a report."""
MOST_SOLVING = 8_000_000_000
"""Maximum bytes of a running solve."""
MOST_OPEN = 8  # maximum number of solves in memory; others are read from their directories
MOST_LISTED = 200
"""Maximum number of solved spots or reports that a page lists."""
MOST_WAITING = 20  # maximum number of waiting solves
MOST_CHECKPOINT = 100_000_000
"""When a solve has reached its target, its checkpoint is kept only up to this many bytes; that of a flop may have a
gigabyte."""
SMALL_GAMES = ("kuhn", "leduc")
SIZES = {"sizes", "bets", "raises", "reraises", "donks", "all_in_from", "merge_within", "max_raises"}
KEYS = {"board", "ranges", "pot", "stack", "stacks", *SIZES, "rake", "rake_cap", "lock", "target_percent", "automatic"}
"""Settings that a page may choose: those of `pokerlab solve subgame` that name no file, and `automatic`."""
ASKED = "asked.json"
TRIED_FILE = "tried_sizes.json"  # file in which earlier versions saved the sizes tried

StudyRequest: TypeAlias = Solve | SolveSubgame | FindSpotSizes


@dataclass
class StudySolve(Followed):
    """One solve and its progress."""

    name: str
    asked: Mapping[str, Any]
    request: StudyRequest
    pot: float
    work: Submission | None = None
    tried: list[dict[str, Any]] | None = None  # rows of the table of sizes tried
    iterations: int = 0  # iterations of the published solution
    exploitability: float | None = None  # in chips per hand
    strategy: Strategy | None = None
    looks: list[dict[str, Any]] = field(default_factory=list)  # measurements so far, for the page

    @property
    def automatic(self) -> bool:
        """Whether the solve searches for bet sizes."""
        return isinstance(self.request, FindSpotSizes)

    @property
    def steps(self) -> tuple[int, int] | None:
        """Return (finished steps, approximate total) of a search for bet sizes."""
        known = self.automatic and self.work is not None and self.work.total
        return (self.work.done, self.work.total) if known and self.work is not None else None

    @property
    def target(self) -> float | None:
        """Target exploitability in chips."""
        return self.request.target if isinstance(self.request, Solve) else self.request.target_percent / 100 * self.pot

    @property
    def most(self) -> int:
        """Maximum number of iterations."""
        return MOST_ITERATIONS if isinstance(self.request, FindSpotSizes) else self.request.iterations

    @property
    def held(self) -> int:
        """Size of the strategy in bytes."""
        return 0 if self.strategy is None else sum(p.nbytes for p in self.strategy.p)

    @property
    def done(self) -> bool:
        """Whether the solve is finished."""
        if self.automatic:
            return self.strategy is not None
        reached = self.exploitability is not None and self.exploitability <= (self.target or 0.0)
        return reached or self.iterations >= self.most

    def publish(self, solution: Solution) -> None:
        """Store the current solution."""
        self.strategy, self.iterations = solution.strategy, solution.iterations
        self.exploitability = solution.exploitability
        self.looks = [self._look(look.iteration, look.exploitability, look.value) for look in solution.looks]

    def _look(self, iterations: int, exploitability: float, value: float) -> dict[str, Any]:
        """A measurement: exploitability as a share of the pot, and the first player's expected chips."""
        half = self.pot / 2 if isinstance(self.request, SolveSubgame) else 0.0
        share = plain_number(max(0.0, exploitability / self.pot), 6)
        return {"iterations": iterations, "exploitability": share, "expected": plain_number(half + value, 4)}

    def take(self, answer: Answer) -> bool:
        """Store the answer of a run. Return whether the solve is finished."""
        out = answer.path
        assert out is not None
        if self.automatic:
            self.tried = tried_rows(answer.data)
            self.read(out)
        else:
            self.publish(answer.result)
        checkpoint = out / CHECKPOINT
        if self.done and checkpoint.exists() and checkpoint.stat().st_size > MOST_CHECKPOINT:
            checkpoint.unlink()
        return self.done

    def read(self, out: Path) -> None:
        """Read the strategy that was saved in the run directory `out`."""
        saved = load_strategy(out)
        self.strategy, self.iterations = saved.strategy, int(saved.about["iterations"])
        self.exploitability = saved.about.get("exploitability")
        if self.exploitability is not None and "value" in saved.about and not self.automatic:
            self.looks = [self._look(self.iterations, self.exploitability, float(saved.about["value"]))]

    def data(self) -> dict[str, Any]:
        """Data of the solve for the page: its state and progress."""
        share = None if self.exploitability is None else max(0.0, self.exploitability / self.pot)
        under_way = self.work.done if self.work is not None and not self.automatic else 0
        return {
            "name": self.name,
            "asked": dict(self.asked),
            "iterations": self.iterations,
            "under_way": max(under_way, self.iterations),
            "most": self.most,
            "exploitability": share,
            "looks": self.looks,
            "target": None if self.target is None else self.target / self.pot,
            "steps": self.steps,
            "tried": plain_numbers(self.tried),
            "running": self.running,
            "waiting": self.work is not None and self.work.waiting,
            "ready": self.strategy is not None,
            "wrong": self.wrong,
        }


class Solves:
    """All solves requested from pages. One runs at a time; at most `MOST_WAITING` others wait in line."""

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self._folder, self._threads = folder, threads
        self._solves: dict[str, StudySolve] = {}
        self._costs: dict[str, Cost] = {}
        self._queue = Queue("solve", line=True)
        self._lock = threading.Lock()

    def begin(self, asked: Any) -> StudySolve:
        """Answer a question: start or resume its solve in the background, or open the finished solve."""
        solve = self._of(asked)
        if (self._folder / solve.name / "run" / STRATEGY_FILE).exists():
            solve = self.solve(solve.name)
        if solve.done:
            return solve
        with self._lock:
            solve = self._solves.get(solve.name, solve)
            if solve.running:
                return solve
            if len(self._queue.line) > MOST_WAITING:
                raise PokerlabError(f"{MOST_WAITING} solves are waiting already; stop one first")
            solve.work = self._submit(solve)
            self._opened(solve)
        save_question(self._folder / solve.name, solve.asked)
        return solve

    def adopt(self, asked: Mapping[str, Any], strategy: Path) -> StudySolve:
        """Open a strategy file (the solved board of a report) as the answer to a question, without solving."""
        solve = self._of(asked)
        out = self._folder / solve.name / "run"
        if not (out / STRATEGY_FILE).exists():
            write_whole(out / STRATEGY_FILE, strategy.read_bytes())
            save_question(self._folder / solve.name, solve.asked)
        return self.solve(solve.name)

    def _submit(self, solve: StudySolve) -> Submission:
        out, request = self._folder / solve.name / "run", solve.request
        if isinstance(request, FindSpotSizes):
            return self._queue.submit([request], out, finished=solve.take)

        def so_far() -> StudyRequest | None:
            done = steps_done(out / CHECKPOINT)
            return replace(request, iterations=done) if done else None

        return self._queue.submit([request], out, finished=solve.take, after_stop=so_far, part=solve.publish)

    def _opened(self, solve: StudySolve) -> StudySolve:
        """Return `solve`, or the open solve of the same name, and mark it as most recently used. Close the least
        recently used ones beyond the limits."""
        solve = self._solves[solve.name] = self._solves.pop(solve.name, solve)
        for name in [name for name, other in self._solves.items() if not other.running and other is not solve]:
            if len(self._solves) > MOST_OPEN or sum(open_.held for open_ in self._solves.values()) > MOST_MEMORY:
                del self._solves[name]
        return solve

    def _of(self, asked: Any) -> StudySolve:
        request: StudyRequest
        if isinstance(asked, Mapping) and asked.get("game") in SMALL_GAMES and set(asked) == {"game"}:
            request, pot = Solve(game=str(asked["game"]), iterations=5000, target=1e-4), 1.0
        else:
            asked = question(asked, "a spot", KEYS)
            request = self._subgame(asked)
            pot = float(request.pot)
        target = request.target if isinstance(request, Solve) else request.target_percent
        return StudySolve(digest_of(request.kind, request.identity(), target), asked, request, pot)

    def _subgame(self, asked: Mapping[str, Any]) -> SolveSubgame | FindSpotSizes:
        spot = {key: value for key, value in asked.items() if key != "automatic"}
        whole = SolveSubgame.from_data({**spot, "iterations": MOST_ITERATIONS, "threads": self._threads})
        config, room = whole.solve, f"a page may use {MOST_SOLVING / 1e9:g} GB"
        if "automatic" not in asked:
            check_size(config, MOST_SOLVING, room)
            return whole
        if len(config.rules.board) < 4:
            raise PokerlabError(
                "the page finds bet sizes on turns and rivers; `pokerlab bets spot` finds those of a flop, which takes "
                "minutes to hours and can be resumed"
            )
        request = sizes_request(spot, asked["automatic"], threads=self._threads)
        need = memory_of(config, largest_problem(request))
        if need > MOST_SOLVING:
            raise PokerlabError(
                f"this spot needs {need / 1e9:.1f} GB of memory, and {room}; choose fewer sizes or hands"
            )
        return request

    def cost(self, asked: Any) -> Cost:
        """Estimate the cost of a question: of solving to its target, or of the search for bet sizes. This measures the
        speed for about a second."""
        solve = self._of(asked)
        request, cost = solve.request, solve.request.cost()
        if isinstance(request, FindSpotSizes):
            cost = replace(cost, memory=memory_of(_plain_config(request), largest_problem(request)))
        self._costs[solve.name] = cost
        return cost

    def line(self) -> list[dict[str, Any]]:
        """Data of the running solve, then of the solves that wait for it, in order; each with its estimated cost."""
        with self._lock:
            solves = {id(solve.work): solve for solve in self._solves.values() if solve.work is not None}
        found = [solves[id(work)] for work in self._queue.line if id(work) in solves]
        costs = [self._costs.get(solve.name) for solve in found]
        return [
            {**solve.data(), "seconds": cost and cost.seconds, "memory": cost and cost.memory}
            for solve, cost in zip(found, costs, strict=True)
        ]

    def solve(self, name: str) -> StudySolve:
        """The solve of this name, from memory or from its directory."""
        path = self._folder / name / ASKED
        with self._lock:
            opened = self._solves.get(name)
        if opened is None and name.isalnum() and path.is_file():
            solve = replace(self._of(json.loads(path.read_text())), name=name)
            solve.read(self._folder / name / "run")
            if solve.automatic:
                solve.tried = _tried(self._folder / name)
            with self._lock:
                opened = self._opened(solve)
        if opened is None:
            raise PokerlabError(f"there is no solve called {name[:20]!r}")
        return opened

    def saved(self) -> list[dict[str, Any]]:
        """Data of earlier solves, latest first. Solves interrupted before their first measurement are left out."""
        return saved_questions(self._folder, lambda folder: (folder / "run" / STRATEGY_FILE).exists())

    def strategy(self, name: str) -> Strategy:
        """The strategy of the solve called `name`. `name@25` is the same with probabilities rounded to multiples of
        25%."""
        solved, _, step = name.partition("@")
        strategy = self.solve(solved).strategy
        if strategy is None:
            raise PokerlabError("nothing is solved yet")
        if not step:
            return strategy
        if step not in map(str, STEPS):
            raise PokerlabError(f"a step is {', '.join(map(str, STEPS))}%, not {step[:10]!r}")
        return _in_steps(strategy, int(step))

    def file(self, name: str) -> bytes:
        """The strategy file of a solve."""
        file = self._folder / self.solve(name).name / "run" / STRATEGY_FILE
        if not file.exists():
            raise PokerlabError("a solution can be saved once its solve has ended or was stopped")
        return file.read_bytes()

    def spot(self, name: str, text: str) -> dict[str, Any]:
        """Data for the page of a spot in a solved game, after the actions `text`."""
        spot = spot_in(self.strategy(name), text, threads=self._threads)
        values = spot_values(spot, threads=self._threads)
        data = spot_data(spot, values)
        return data | ({"combos": combo_data(spot, values), "kinds": KINDS} if spot.on_combos else {})

    def runouts(self, name: str, text: str) -> list[dict[str, Any]]:
        """Data for every possible next card, after actions `text` that end a street."""
        return runouts(self.strategy(name), text, threads=self._threads)

    def range_at(self, name: str, text: str, seat: int, form: str) -> str:
        """Text of a player's range at a spot, in one of the forms `RANGE_FORMS`."""
        if form not in RANGE_FORMS:
            raise PokerlabError(f"the forms of a range are {', '.join(RANGE_FORMS)}, not {form[:10]!r}")
        spot = spot_in(self.strategy(name), text, threads=self._threads)
        return RANGE_FORMS[form](range_now(spot, spot_values(spot, threads=self._threads), seat))

    def costs(self, name: str) -> list[dict[str, Any]]:
        """For each step size, what rounding a strategy's probabilities to it costs, as a share of the pot."""
        pot = self.solve(name).pot
        rows = [asdict(cost) for cost in costs_of(self.strategy(name), threads=self._threads)]
        for row in rows:
            for seats in ("against_solution", "worst"):
                row[seats] = [plain_number(loss / pot, 6) for loss in row[seats]]
            row |= {both: plain_number(row[both] / pot, 6) for both in ("exploitability", "solved")}
        return rows

    def compared(self, first: str, second: str, text: str) -> dict[str, Any]:
        """Data that compare two strategies at a spot, for the page."""
        comparison = compare_strategies(self.strategy(first), self.strategy(second), text, threads=self._threads)
        spot, other = (spot_at(self.strategy(name), text) for name in (first, second))
        data = plain_numbers(asdict(comparison))
        data["words"] = [action_words(spot.betting, action) for action in both_actions(spot, other)]
        data["grid"] = spot.on_combos
        return {**data, "paid": float(spot.strategy.tree.decision_spent[0][0])}


def _tried(folder: Path) -> list[dict[str, Any]]:
    """Rows of the table of sizes that a saved search tried."""
    if (folder / TRIED_FILE).exists():
        rows: list[dict[str, Any]] = json.loads((folder / TRIED_FILE).read_text())
        return rows
    return tried_rows(json.loads((folder / "run" / RESULT).read_text()))


def _plain_config(request: FindSpotSizes) -> SolveConfig:
    """The request to solve the same subgame with fixed sizes."""
    same = {name: getattr(request, name) for name in ("board", "ranges", "pot", "stack", "threads")}
    return SolveSubgame(**same, sizes=request.opponent).solve


def question(asked: Any, what: str, keys: Collection[str]) -> dict[str, Any]:
    """Check the settings of a question; `what` names it in errors. Old names of settings are replaced (earlier versions
    wrote `target`)."""
    if not isinstance(asked, Mapping):
        raise PokerlabError(f"{what} must be a JSON object")
    if unknown := sorted(map(str, set(asked) - {*keys, "target"})):
        raise PokerlabError(f"unknown settings of {what}: {', '.join(unknown)}; known: {', '.join(sorted(keys))}")
    return {"target_percent" if name == "target" else name: value for name, value in asked.items()}


def digest_of(*settings: Any) -> str:
    """Name of a question: a digest of the settings on which its answer depends."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]


def save_question(folder: Path, asked: Mapping[str, Any]) -> None:
    """Save a question in the folder of its answer, so that the answer can be opened again."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ASKED).write_text(json.dumps(asked))


def saved_questions(folder: Path, answered: Callable[[Path], bool] = lambda folder: True) -> list[dict[str, Any]]:
    """Saved questions that have an answer, latest first, at most `MOST_LISTED`."""
    paths = sorted(folder.glob(f"*/{ASKED}"), key=lambda path: -path.stat().st_mtime)
    recent = islice((path for path in paths if answered(path.parent)), MOST_LISTED)
    return [{"name": path.parent.name, "asked": json.loads(path.read_text())} for path in recent]


@lru_cache(maxsize=8)
def _in_steps(strategy: Strategy, step: int) -> Strategy:
    return simplified(strategy, step)
