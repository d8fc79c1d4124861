"""Solved games for the study pages: solved in the background, kept in run directories, walked spot by spot.

A solve goes in rounds of more and more iterations. What each round found can be looked at while the next one runs;
stopping keeps that, and whoever asks again goes on from there. The same question is the same directory, so that it is
opened again without solving, and a link that names it opens the same view. Automatic bet sizes are found first, in
steps that can be stopped; what was tried is kept beside the strategy.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.games.narration import action_words
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, save_strategy
from pokerlab.runs.cost import Cost
from pokerlab.solvers.configs import SolveConfig, SubgameConfig
from pokerlab.solvers.runs import CHECKPOINT, expected_cost, memory_of, problem_of, run_solve
from pokerlab.valuing.comparison import both_actions, compared
from pokerlab.valuing.simplified import STEPS, costs_of, simplified
from pokerlab.valuing.spot_values import spot_values
from pokerlab.web.automatic_sizes import SizesAsked, find_sizes, sizes_asked
from pokerlab.web.spot_data import plain_number, plain_numbers, spot_data

ROUNDS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
MOST_MEMORY = 2_000_000_000
"""Bytes that a solve may take while it runs, and those that are open afterwards together."""
MOST_OPEN = 8
"""Solves that are kept in memory; older ones are read again from their directories."""
ENOUGH = 100
"""Iterations that take most spots to 0.5% of the pot (90 a turn and a flop in `docs/subgames.md`)."""
SMALL_GAMES = ("kuhn", "leduc")
KEYS = {"board", "ranges", "pot", "stack", "sizes", "target_percent", "automatic"}
TRIED_FILE = "tried_sizes.json"


class StoppedError(Exception):
    """Somebody stopped a search for bet sizes."""


@dataclass
class StudySolve:
    """One question, how far its answer is, and whether it is to stop."""

    name: str
    asked: Mapping[str, Any]
    config: SolveConfig
    pot: float
    automatic: SizesAsked | None = None  # bet sizes that are found
    steps: tuple[int, int] | None = None  # of the search for them: done, of about how many
    tried: list[dict[str, Any]] | None = None  # sizes, and what each is worth
    iterations: int = 0  # of the rounds that are over
    under_way: int = 0  # with those of the round that runs
    exploitability: float | None = None  # in chips
    strategy: Strategy | None = None
    running: bool = False
    stop: bool = False
    wrong: str = ""

    @property
    def target(self) -> float | None:
        """The exploitability that is to be reached, in chips."""
        return self.config.target if self.automatic is None else self.automatic.target / 100 * self.pot

    @property
    def held(self) -> int:
        """Bytes of the strategy."""
        return 0 if self.strategy is None else sum(p.nbytes for p in self.strategy.p)

    @property
    def done(self) -> bool:
        """Whether there is nothing left to solve."""
        if self.automatic is not None:
            return self.strategy is not None
        there = self.exploitability is not None and self.exploitability <= (self.config.target or 0.0)
        return there or self.iterations >= self.config.iterations

    def data(self) -> dict[str, Any]:
        """For the page."""
        share = None if self.exploitability is None else max(0.0, self.exploitability / self.pot)
        return {
            "name": self.name,
            "asked": dict(self.asked),
            "iterations": self.iterations,
            "under_way": self.under_way,
            "most": self.config.iterations,
            "exploitability": share,
            "target": None if self.target is None else self.target / self.pot,
            "steps": self.steps,
            "tried": plain_numbers(self.tried),
            "running": self.running,
            "ready": self.strategy is not None,
            "wrong": self.wrong,
        }


class Solves:
    """Everything that has been solved from pages; one solve runs at a time."""

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self._folder, self._threads = folder, threads
        self._solves: dict[str, StudySolve] = {}
        self._lock = threading.Lock()

    def begin(self, asked: Any) -> StudySolve:
        """Solve what is asked for, or go on with it; it returns at once."""
        solve = self._of(asked)
        if (self._folder / solve.name / "run" / STRATEGY_FILE).exists():
            solve = self.solve(solve.name)
        if solve.done:
            return solve
        with self._lock:
            if any(each.running for each in self._solves.values()):
                if self._solves.get(solve.name, solve).running:
                    return self._solves[solve.name]
                raise PokerlabError("another solve is running; stop it first")
            solve = self._opened(solve)
            solve.running, solve.stop, solve.wrong = True, False, ""
        path = self._folder / solve.name / "asked.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(solve.asked))
        threading.Thread(target=self._run, args=(solve,), daemon=True).start()
        return solve

    def _opened(self, solve: StudySolve) -> StudySolve:
        """`solve`, or the one of its name that is open already, as the latest of those that are open."""
        solve = self._solves[solve.name] = self._solves.pop(solve.name, solve)
        for name in [name for name, each in self._solves.items() if not each.running and each is not solve]:
            if len(self._solves) > MOST_OPEN or sum(each.held for each in self._solves.values()) > MOST_MEMORY:
                del self._solves[name]
        return solve

    def _of(self, asked: Any) -> StudySolve:
        if not isinstance(asked, Mapping):
            raise PokerlabError("a question is an object")
        asked = renamed(asked)
        if asked.get("game") in SMALL_GAMES and set(asked) == {"game"}:
            config, pot, automatic = SolveConfig(game=str(asked["game"]), iterations=5000, target=1e-4), 1.0, None
        elif unknown := sorted(map(str, set(asked) - KEYS)):
            raise PokerlabError(f"a spot has {', '.join(sorted(KEYS))}, and no {', '.join(unknown)}")
        else:
            config, pot, automatic = self._subgame(asked)
        text = json.dumps(
            [config.identity(), config.target, *([asked["automatic"]] if automatic else [])], sort_keys=True
        )
        return StudySolve(hashlib.sha256(text.encode()).hexdigest()[:12], asked, config, pot, automatic)

    def _subgame(self, asked: Mapping[str, Any]) -> tuple[SolveConfig, float, SizesAsked | None]:
        plain = {key: value for key, value in asked.items() if key != "automatic"}
        said = SubgameConfig.from_data({**plain, "iterations": ROUNDS[-1], "threads": self._threads})
        config = said.solve
        if "automatic" in asked and len(config.rules.board) < 4:
            raise PokerlabError(
                "here bet sizes are found on turns and rivers; on a flop, which takes minutes to hours, "
                "`pokerlab bets spot` finds them, and goes on when it was stopped"
            )
        automatic = sizes_asked(said, asked["automatic"]) if "automatic" in asked else None
        need = memory_of(config, problem_of(config) if automatic is None else automatic.problem)
        if need > MOST_MEMORY:
            raise PokerlabError(
                f"this would take {need / 1e9:.1f} GB of memory, and a page may take {MOST_MEMORY / 1e9:g}; fewer "
                "sizes or hands take less, and `pokerlab solve subgame` takes what the machine has"
            )
        return config, float(said.pot), automatic

    def cost(self, asked: Any) -> Cost:
        """What a question would take: `ENOUGH` iterations, or the search for its bet sizes; a second is spent on it."""
        solve = self._of(asked)
        if solve.automatic is not None:
            need = memory_of(solve.config, solve.automatic.problem)
            return replace(solve.automatic.cost(threads=self._threads), memory=need)
        return expected_cost(replace(solve.config, iterations=ENOUGH))

    def _run(self, solve: StudySolve) -> None:
        try:
            if solve.automatic is not None:
                self._with_sizes_found(solve, solve.automatic)
            else:
                self._in_rounds(solve)
        except StoppedError:
            pass
        except PokerlabError as error:
            solve.wrong = str(error)
        finally:
            solve.running = False

    def _in_rounds(self, solve: StudySolve) -> None:
        def follow(iterations: int) -> None:
            solve.under_way = iterations

        folder = self._folder / solve.name / "run"
        for iterations in (n for n in ROUNDS if n > solve.iterations):
            config = replace(solve.config, iterations=iterations)
            try:
                found = run_solve(config, folder, progress=follow, stopped=lambda: solve.stop)
            except KeyboardInterrupt:  # it was stopped in the middle of a round: what there is by now
                found = run_solve(replace(config, iterations=solve.under_way), folder)
            solve.strategy, solve.iterations = found.strategy, found.iterations
            solve.exploitability = found.exploitability
            if solve.done or solve.stop:
                break
        if solve.done:  # nothing goes on from here, and of a flop this may be a gigabyte
            (folder / CHECKPOINT).unlink(missing_ok=True)

    def _with_sizes_found(self, solve: StudySolve, asked: SizesAsked) -> None:
        def step(done: int, total: int) -> None:
            solve.steps = done, total
            if solve.stop:
                raise StoppedError

        solve.steps = None
        tried, found = find_sizes(asked, threads=self._threads, report=step)
        path = self._folder / solve.name / "run" / STRATEGY_FILE
        path.parent.mkdir(exist_ok=True)
        (self._folder / solve.name / TRIED_FILE).write_text(json.dumps(tried))
        save_strategy(path, found.strategy, {"algorithm": "dcfr", **found.found}, store_tree=True)
        solve.tried, solve.iterations, solve.exploitability = tried, found.iterations, found.exploitability
        solve.strategy = found.strategy

    def solve(self, name: str) -> StudySolve:
        """A question by its name, from memory or from its directory."""
        path = self._folder / name / "asked.json"
        with self._lock:
            found = self._solves.get(name)
        if found is None and name.isalnum() and path.is_file():
            solve = self._of(json.loads(path.read_text()))
            saved = load_strategy(self._folder / name / "run")
            solve.strategy, solve.iterations = saved.strategy, int(saved.about["iterations"])
            solve.exploitability = saved.about.get("exploitability")
            if solve.automatic is not None:
                solve.tried = json.loads((self._folder / name / TRIED_FILE).read_text())
            with self._lock:
                found = self._opened(solve)
        if found is None:
            raise PokerlabError(f"nothing was solved under the name {name[:20]!r}")
        return found

    def kept(self) -> list[dict[str, Any]]:
        """What was solved before, the latest first; what was interrupted in its first round has nothing to show."""
        solved = (path for path in self._folder.glob("*/asked.json") if (path.parent / "run" / STRATEGY_FILE).exists())
        paths = sorted(solved, key=lambda path: -path.stat().st_mtime)
        return [{"name": path.parent.name, "asked": json.loads(path.read_text())} for path in paths[:20]]

    def strategy(self, name: str) -> Strategy:
        """A solved strategy by its name; `name@25` is the same in steps of 25%."""
        solved, _, step = name.partition("@")
        found = self.solve(solved).strategy
        if found is None:
            raise PokerlabError("the first round is not over yet")
        if not step:
            return found
        if step not in map(str, STEPS):
            raise PokerlabError(f"steps are of {', '.join(map(str, STEPS))}%, not of {step[:10]!r}")
        return _in_steps(found, int(step))

    def file(self, name: str) -> bytes:
        """The strategy file of a solve."""
        found = self.solve(name)
        if found.strategy is None:
            raise PokerlabError("the first round is not over yet")
        return (self._folder / found.name / "run" / STRATEGY_FILE).read_bytes()

    def spot(self, name: str, text: str) -> dict[str, Any]:
        """A spot of a solved game for the page."""
        spot = spot_at(self.strategy(name), text)
        return spot_data(spot, spot_values(spot, threads=self._threads))

    def costs(self, name: str) -> list[dict[str, Any]]:
        """What the steps of a strategy cost, in shares of the pot."""
        pot = self.solve(name).pot
        costs = costs_of(self.strategy(name), threads=self._threads)
        return [
            {
                "step": cost.step,
                "against_solution": [plain_number(loss / pot, 6) for loss in cost.against_solution],
                "worst": [plain_number(loss / pot, 6) for loss in cost.worst],
                "exploitability": plain_number(cost.exploitability / pot, 6),
                "solved": plain_number(cost.solved / pot, 6),
            }
            for cost in costs
        ]

    def compared(self, first: str, second: str, text: str) -> dict[str, Any]:
        """Two strategies at a spot for the page."""
        found = compared(self.strategy(first), self.strategy(second), text, threads=self._threads)
        spot, other = (spot_at(self.strategy(name), text) for name in (first, second))
        data = plain_numbers(asdict(found))
        data["words"] = [action_words(spot.betting, action) for action in both_actions(spot, other)]
        data["grid"] = spot.on_combos
        return {**data, "paid": float(spot.strategy.tree.decision_spent[0][0])}


def renamed(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A question with the present names of its settings; links and files of earlier versions have `target`."""
    return {"target_percent" if name == "target" else name: value for name, value in asked.items()}


@lru_cache(maxsize=8)
def _in_steps(strategy: Strategy, step: int) -> Strategy:
    return simplified(strategy, step)
