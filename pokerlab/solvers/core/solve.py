"""Running a solver: steps, looks at how far it is, checkpoints, and the solution.

A solver is an `Engine`: it makes a state (named arrays, among them `iteration`), takes steps, and can turn a state into
a strategy and say how good that is. `solve` runs any of them the same way; it never prints. The state alone decides
what follows, so a run continued from a checkpoint gives the same bits as one that was never stopped.
"""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab import __version__
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import Evaluation

State: TypeAlias = dict[str, NDArray[Any]]
CHECKPOINT = "solver checkpoint"


class Steps(Protocol):
    """A computation in steps, all of it in its state."""

    @property
    def about(self) -> Mapping[str, Any]:
        """What is being done and how, as plain JSON values; a checkpoint of another `about` is refused."""
        ...

    def init(self) -> State:
        """The state before the first iteration; `state["iteration"]` is 0."""
        ...

    def step(self, state: State, n: int) -> State:
        """The state `n` iterations later; `state` may be changed in place."""
        ...


class Engine(Steps, Protocol):
    """A way of solving one problem."""

    def strategy(self, state: State) -> Strategy:
        """The average strategy."""
        ...

    def evaluate(self, state: State) -> Evaluation:
        """How good the average strategy is."""
        ...


@dataclass(frozen=True)
class Watch:
    """How a computation in steps is followed, kept and stopped; about once a second."""

    checkpoint: Path | None = None
    progress: Callable[[int], None] | None = None  # told the number of iterations done
    stopped: Callable[[], bool] | None = None


class Look(NamedTuple):
    """A look at a run on its way."""

    iteration: int
    seconds: float  # spent in steps, those before a resumed checkpoint included; looks are not counted
    value: float
    exploitability: float


@dataclass(frozen=True)
class Solution:
    """What a run found; chips a hand."""

    strategy: Strategy
    evaluation: Evaluation
    iterations: int
    seconds: float
    about: Mapping[str, Any]
    looks: tuple[Look, ...] = field(repr=False, default=())

    @property
    def value(self) -> float:
        """To player 0, both playing the strategy."""
        return self.evaluation.value

    @property
    def exploitability(self) -> float:
        """NashConv / 2."""
        return self.evaluation.exploitability


def solve(
    engine: Engine,
    *,
    iterations: int,
    target: float | None = None,
    every: int | None = None,
    report: Callable[[Look], None] | None = None,
    checkpoint: Path | None = None,
    checkpoint_seconds: float = 30.0,
    stopped: Callable[[], bool] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Solution:
    """Run `engine` for `iterations`, or until the exploitability is at most `target`.

    Looks are taken at 1, 2, 5, 10, 20, 50 .. iterations (more often on the way to a target), or `every` so many. With
    `checkpoint` the state is written there about every `checkpoint_seconds`, and at the end; a run that finds such a
    file continues from it. `stopped` is asked about once a second; when it says so, the checkpoint is written and the
    run ends with a `KeyboardInterrupt`. `progress` is told about as often how many iterations are done.
    """
    evaluation: Evaluation | None = None
    run = _Run(engine, Watch(checkpoint, progress, stopped), checkpoint_seconds)
    reached = bool(run.looks) and target is not None and run.looks[-1].exploitability <= target
    for upto in _milestones(iterations, every, 1.25 if target is not None else None):
        # A checkpoint may have been written between an iteration and the look that was due at it.
        if upto < run.done or upto <= run.looked_at or reached:
            continue
        run.step_to(upto)
        evaluation = engine.evaluate(run.state)
        look = run.look(evaluation)
        if report is not None:
            report(look)
        reached = target is not None and look.exploitability <= target
    run.write()
    evaluation = evaluation or engine.evaluate(run.state)
    return Solution(engine.strategy(run.state), evaluation, run.done, run.seconds, engine.about, tuple(run.looks))


def take_steps(
    engine: Steps, *, iterations: int, watch: Watch | None = None, checkpoint_seconds: float = 30.0
) -> State:
    """The state after `iterations`, of a computation that has no value to look at on the way; kept as `solve` does."""
    run = _Run(engine, watch or Watch(), checkpoint_seconds)
    run.step_to(iterations)
    run.write()
    return run.state


def seconds_each(engine: Steps, seconds: float = 1.0) -> tuple[float, State]:
    """What an iteration takes, from about `seconds` of them after one that may compile; and the state they led to."""
    state = engine.step(engine.init(), 1)
    n, spent = 1, 0.0
    while spent < seconds / 2:
        n = min(4 * n, max(1, int(n * seconds / spent))) if spent else n
        began = time.perf_counter()
        state = engine.step(state, n)
        spent = time.perf_counter() - began
    return spent / n, state


def seconds_before(checkpoint: Path | None) -> float:
    """What the steps up to a checkpoint took; 0 where there is none yet."""
    if checkpoint is None or not checkpoint.exists():
        return 0.0
    return float(read_arrays(checkpoint, CHECKPOINT, verify=False)[0]["seconds"])


@contextmanager
def interrupts_noted() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C is noted, for the run to stop at between two steps; the second interrupts at once."""
    noted = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # only that one may say what happens on signals
        yield noted.is_set
        return

    def note(number: int, frame: object) -> None:
        if noted.is_set():
            raise KeyboardInterrupt
        noted.set()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield noted.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def check_not_beyond(checkpoint: Path, iterations: int) -> None:
    """Refuse to call a run of many iterations one of few."""
    if not checkpoint.exists():
        return
    done = int(read_arrays(checkpoint, CHECKPOINT, verify=False)[1]["iteration"])
    if done > iterations:
        raise PokerlabError(
            f"{checkpoint.parent} already has {done:,} iterations, more than {iterations:,}; ask for as many or more, "
            "or name another directory"
        )


class _Run:
    """A state on its way, with its clock and its checkpoint."""

    def __init__(self, engine: Steps, watch: Watch, checkpoint_seconds: float) -> None:
        self.engine, self.watch, self.checkpoint_seconds = engine, watch, checkpoint_seconds
        self.looks: list[Look] = []
        if watch.checkpoint is not None and watch.checkpoint.exists():
            self.state, self.looks, self.seconds = _resumed(engine, watch.checkpoint)
        else:
            self.state, self.seconds = engine.init(), 0.0
        self.written, self.pause = time.perf_counter(), checkpoint_seconds
        self.per_iteration = 0.0

    @property
    def done(self) -> int:
        return int(self.state["iteration"])

    @property
    def looked_at(self) -> int:
        return self.looks[-1].iteration if self.looks else 0

    def step_to(self, upto: int) -> None:
        """In pieces of a second or less, so that checkpoints are never far apart and a run soon stops when asked to."""
        while self.done < upto:
            n = upto - self.done
            if self.watch != Watch():
                seconds = min(1.0, self.checkpoint_seconds / 4)
                n = min(n, max(1, int(seconds / self.per_iteration) if self.per_iteration else 1))
            began = time.perf_counter()
            self.state = self.engine.step(self.state, n)
            spent = time.perf_counter() - began
            self.seconds += spent
            self.per_iteration = spent / n
            if self.watch.progress is not None:
                self.watch.progress(self.done)
            if time.perf_counter() - self.written > self.pause:
                self.write()
            if self.watch.stopped is not None and self.watch.stopped():
                self.write()
                raise KeyboardInterrupt

    def look(self, evaluation: Evaluation) -> Look:
        look = Look(self.done, self.seconds, evaluation.value, evaluation.exploitability)
        self.looks.append(look)
        return look

    def write(self) -> None:
        if self.watch.checkpoint is None:
            return
        began = time.perf_counter()
        about = {"engine": dict(self.engine.about), "version": __version__, "seconds": self.seconds}
        arrays = {**self.state, "looks": np.array(self.looks, np.float64).reshape(-1, 4)}
        write_arrays(self.watch.checkpoint, CHECKPOINT, about, arrays)
        self.written = time.perf_counter()
        if self.checkpoint_seconds:  # 0 is whenever possible, else they take a twentieth of the time at most
            self.pause = max(self.checkpoint_seconds, 20 * (self.written - began))


def _milestones(iterations: int, every: int | None, growth: float | None) -> Iterator[int]:
    if every is not None:
        yield from range(every, iterations, every)
    elif growth is not None:
        upto = 1.0
        while upto < iterations:
            yield int(upto)
            upto = max(upto + 1, upto * growth)
    else:
        power = 1
        while power < iterations:
            yield from (n for n in (power, 2 * power, 5 * power) if n < iterations)
            power *= 10
    yield iterations


def _resumed(engine: Steps, path: Path) -> tuple[State, list[Look], float]:
    about, arrays = read_arrays(path, CHECKPOINT)
    was = {**about["engine"], "version": about["version"]}
    now = json.loads(json.dumps({**engine.about, "version": __version__}))
    for name in {**was, **now}:
        if was.get(name) != now.get(name):
            changed = f"{name} was {was.get(name)}, now {now.get(name)}"
            raise FileError(f"{path} is a checkpoint of another run ({changed}); remove it or name another")
    looks = [Look(int(row[0]), *map(float, row[1:])) for row in arrays.pop("looks")]
    return {name: np.array(array) for name, array in arrays.items()}, looks, about["seconds"]
