"""Computations in steps, which can be monitored, saved in checkpoints, stopped and resumed.

`Steps` starts with named arrays, one of them `iteration`, and transforms them step by step. The arrays alone determine
the next step, so a computation resumed from a checkpoint gives the same bits as an uninterrupted one.

>>> class Halving:
...     about = {"what": "halves"}
...     def init(self):
...         return {"iteration": np.array(0), "left": np.array(1.0)}
...     def step(self, arrays, n):
...         return {"iteration": arrays["iteration"] + n, "left": arrays["left"] / 2**n}
>>> float(take_steps(Halving(), iterations=3)["left"])
0.125
"""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab import __version__
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import read_arrays, well_formed, write_arrays
from pokerlab.runs.code import code_digest
from pokerlab.runs.notes import note
from pokerlab.runs.rates import RATED_SECONDS, store_rates

Arrays: TypeAlias = dict[str, NDArray[Any]]  #: the whole state of a computation, by name

CHECKPOINT = "solver checkpoint"
CHECKPOINT_SECONDS = 30.0
MOST_MADE_TWICE = 64_000_000
"""Bytes of arrays made again to check the shapes in a checkpoint; larger ones are checked by checksums only."""


class Steps(Protocol):
    """A computation in steps; its arrays are its complete state."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Identity of the computation as JSON values; a checkpoint with a different identity is refused."""
        ...

    def init(self) -> Arrays:
        """The arrays before the first iteration; `arrays["iteration"]` is 0."""
        ...

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Return the arrays after `n` more iterations; the given arrays may be changed in place."""
        ...


@dataclass(frozen=True)
class Watch:
    """Checkpoint file, progress callback and stop signal of a computation in steps, used about once a second."""

    checkpoint: Path | None = None
    progress: Callable[[int], None] | None = None  # called with the number of iterations done
    stopped: Callable[[], bool] | None = None


def take_steps(
    steps: Steps,
    *,
    iterations: int,
    watch: Watch | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    rate: tuple[str, Mapping[str, Any]] | None = None,
) -> Arrays:
    """Return the arrays after `iterations`. If `watch` has a checkpoint, resume from it and save to it. `rate` is
    (name, settings that affect speed) under which the speed is stored (`runs.rates`)."""
    course = Course(steps, watch or Watch(), checkpoint_seconds)
    course.step_to(iterations)
    course.write()
    if rate is not None:
        course.keep_rate(*rate)
    return course.arrays


def seconds_each(steps: Steps, seconds: float = 1.0) -> tuple[float, Arrays]:
    """Return (seconds per iteration, arrays), measured for about `seconds` after a first iteration that may compile."""
    arrays = steps.step(steps.init(), 1)
    n, spent = 1, 0.0
    while spent < seconds / 2:
        n = min(4 * n, max(1, int(n * seconds / spent))) if spent else n
        began = time.perf_counter()
        arrays = steps.step(arrays, n)
        spent = time.perf_counter() - began
    return spent / n, arrays


def seconds_before(checkpoint: Path | None) -> float:
    """Seconds of computing recorded in a checkpoint; 0 if there is none."""
    if checkpoint is None or not checkpoint.exists():
        return 0.0
    with _reading(checkpoint):
        return float(read_arrays(checkpoint, CHECKPOINT, verify=False)[0]["seconds"])


@contextmanager
def _reading(checkpoint: Path) -> Iterator[None]:
    """Context that adds advice to the error raised for an unusable checkpoint."""
    try:
        with well_formed(checkpoint):
            yield
    except FileError as error:
        raise FileError(f"{error}; remove it to start again, or name another") from error


def steps_done(checkpoint: Path) -> int:
    """Number of iterations recorded in a checkpoint; 0 if there is none."""
    if not checkpoint.exists():
        return 0
    with _reading(checkpoint):
        return int(read_arrays(checkpoint, CHECKPOINT, verify=False)[1]["iteration"])


def check_not_beyond(checkpoint: Path, iterations: int) -> None:
    """Raise an error if a run already has more iterations than requested."""
    done = steps_done(checkpoint)
    if done > iterations:
        raise PokerlabError(
            f"{checkpoint.parent} already has {done:,} iterations, more than {iterations:,}; request as many or more, "
            "or name another directory"
        )


def never() -> bool:
    """Stop signal that is always false."""
    return False


_STOPPED: ContextVar[Callable[[], bool]] = ContextVar("stopped", default=never)


@contextmanager
def stopping(stopped: Callable[[], bool]) -> Iterator[None]:
    """Context in which work stops between two steps once `stopped()` is true, as after Ctrl-C."""
    token = _STOPPED.set(stopped)
    try:
        yield
    finally:
        _STOPPED.reset(token)


@contextmanager
def interrupts_noted() -> Iterator[Callable[[], bool]]:
    """Context that yields a stop signal: the first Ctrl-C stops the run between two steps, the second interrupts at
    once."""
    noted, stopped = threading.Event(), _STOPPED.get()
    if threading.current_thread() is not threading.main_thread():  # only the main thread may handle signals
        yield stopped
        return

    def note(number: int, frame: object) -> None:
        if noted.is_set():
            raise KeyboardInterrupt
        noted.set()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: noted.is_set() or stopped()
    finally:
        signal.signal(signal.SIGINT, before)


class Course:
    """A computation in progress: its arrays, clock, checkpoint and `looks` (rows of numbers recorded during the
    run)."""

    def __init__(self, steps: Steps, watch: Watch, checkpoint_seconds: float = CHECKPOINT_SECONDS) -> None:
        self.steps, self.watch, self.checkpoint_seconds = steps, watch, checkpoint_seconds
        if watch.checkpoint is not None and watch.checkpoint.exists():
            self.arrays, self.looks, self.seconds = _resumed(steps, watch.checkpoint)
        else:
            self.arrays, self.looks, self.seconds = steps.init(), [], 0.0
        self.written, self.pause = time.perf_counter(), checkpoint_seconds
        self.per_iteration = 0.0

    @property
    def done(self) -> int:
        return int(self.arrays["iteration"])

    def step_to(self, upto: int) -> None:
        """Run steps up to iteration `upto`, in pieces of at most a second, so that checkpoints are frequent and
        stopping is quick."""
        while self.done < upto:
            n = upto - self.done
            if self.watch != Watch():
                seconds = min(1.0, self.checkpoint_seconds / 4)
                n = min(n, max(1, int(seconds / self.per_iteration) if self.per_iteration else 1))
            began = time.perf_counter()
            self.arrays = self.steps.step(self.arrays, n)
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

    def keep_rate(self, name: str, about: Mapping[str, Any], units: float = 1.0) -> None:
        """Store the seconds per unit of work (`units` per iteration) for later estimates. They are measured on the last
        piece, since the first may include compilation. Nothing is stored if there is no checkpoint, as when part of
        another run."""
        if self.watch.checkpoint is not None and self.seconds >= RATED_SECONDS and self.per_iteration:
            store_rates(name, about, {"seconds": self.per_iteration / units})

    def write(self) -> None:
        """Write the checkpoint, if there is one."""
        if self.watch.checkpoint is None:
            return
        began = time.perf_counter()
        about = {"engine": dict(self.steps.about), **_made_by(self.steps), "seconds": self.seconds}
        write_arrays(self.watch.checkpoint, CHECKPOINT, about, {**self.arrays, "looks": np.array(self.looks)})
        self.written = time.perf_counter()
        if self.checkpoint_seconds:  # 0: as often as possible; otherwise at most a twentieth of the time
            self.pause = max(self.checkpoint_seconds, 20 * (self.written - began))


def _made_by(steps: Steps) -> dict[str, str]:
    return {"version": __version__, "code": code_digest(type(steps).__module__)}


def _resumed(steps: Steps, path: Path) -> tuple[Arrays, list[tuple[float, ...]], float]:
    with _reading(path):
        return _continued(steps, path, *read_arrays(path, CHECKPOINT))


def _continued(
    steps: Steps, path: Path, about: Mapping[str, Any], arrays: Arrays
) -> tuple[Arrays, list[tuple[float, ...]], float]:
    was, now = about["engine"], json.loads(json.dumps(dict(steps.about)))
    for name in {**was, **now}:
        if was.get(name) != now.get(name):
            changed = f"{name} was {was.get(name)}, now {now.get(name)}"
            raise FileError(f"{path} is a checkpoint of another run ({changed})")
    made = _made_by(steps)
    if about.get("code") != made["code"]:
        raise FileError(
            f"{path} is a checkpoint of other code (pokerlab {about['version']}, digest {about.get('code')}; here "
            f"{made['version']}, {made['code']})"
        )
    looks = [tuple(map(float, row)) for row in arrays.pop("looks")]
    if sum(array.nbytes for array in arrays.values()) < MOST_MADE_TWICE:
        for name, fresh in steps.init().items():  # kernels do not check shapes
            if (arrays[name].shape, arrays[name].dtype) != (np.shape(fresh), np.asarray(fresh).dtype):
                raise ValueError(f"{name} is {arrays[name].dtype} {list(arrays[name].shape)}")
    arrays = {name: np.array(array) for name, array in arrays.items()}
    done = int(arrays["iteration"])
    note(f"{done:,} iteration{' was' if done == 1 else 's were'} read from {path}")
    return arrays, looks, float(about["seconds"])
