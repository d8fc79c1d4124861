"""Spread work over processes; results come back in the order of the tasks and are saved as they arrive.

A `Task` is plain data and names its function as "module:function", so that any process on any machine can run it. A
runner executes tasks in this process (`here`), in several processes of this machine, or on a cluster (`runs.cluster`).
Workers write no files; the caller does. With a run directory every result is saved as soon as it arrives, so a killed
run resumes with the remaining tasks. Results do not depend on the number of workers.

>>> tasks = [Task("pokerlab.runs.workers:plain", Plain("builtins:abs", n), key=str(n)) for n in (-1, 2, -3)]
>>> [done.value for done in do_tasks(tasks, runner=here)]
[1, 2, 3]
>>> do_tasks([Task("pokerlab.runs.workers:plain", Plain("builtins:abs", "one"), name="the first part")], runner=here)
Traceback (most recent call last):
pokerlab.runs.workers.UnfinishedError: the first part failed: TypeError: bad operand type for abs()...; 0 finished
"""

from __future__ import annotations

import json
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import inf
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import FileError, PokerlabError, line_for
from pokerlab.files import read_arrays, write_arrays
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.notes import note
from pokerlab.runs.processes import begin_apart, cause_of_end, started
from pokerlab.runs.reads import are_unchanged, taken_reads

TRIES = 2  # a worker may be killed by accident; a task whose worker dies twice has failed
TICK_SECONDS = 0.3
RESULT = "result of a task"


@dataclass(frozen=True)
class Task:
    """Work to do: call `function` ("module:name") with `argument` and a progress callback; it returns `Done`."""

    function: str
    argument: Any  # data that can be sent to another process
    key: str = "0"  # the name of its result within the run
    about: Any = None  # JSON identity of the task; a stored result with a different identity is ignored
    name: str = "a task"  # what errors call it
    size: int = 1  # the number of ticks that it reports
    silence: float = inf  # seconds without a tick after which its worker counts as hung and is ended


@dataclass(frozen=True)
class Done:
    """Result of a task: JSON values, arrays, and contents of files by their path inside the run."""

    value: Any = None
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    reads: Mapping[str, str] = field(default_factory=dict)  # files that foreign code read, with their digests


@dataclass(frozen=True)
class Failed:
    """One-line reason why a task failed."""

    why: str


@dataclass(frozen=True)
class Plain:
    """Argument of a task that runs `plain`: the name of the function to call, and the JSON value to call it with."""

    function: str
    argument: Any
    settings: Mapping[str, Any] = field(default_factory=dict)


Outcome: TypeAlias = Done | Failed

Tick: TypeAlias = Callable[[int], None]  #: called with the additional amount done

Runner: TypeAlias = Callable[[Sequence[Task], Tick], Iterator[tuple[int, Outcome]]]
"""Runs tasks in any order and yields (which, outcome) as each ends."""


class UnfinishedError(PokerlabError):
    """Raised if tasks failed; the message names the first, and `failures` has all with their reasons."""

    def __init__(self, failures: Sequence[tuple[Task, str]], n_finished: int) -> None:
        self.failures = tuple(failures)
        task, why = failures[0]
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        super().__init__(f"{task.name} failed{more}: {why}; {n_finished} finished")


def do_tasks(
    tasks: Sequence[Task],
    *,
    runner: Runner,
    run: RunDirectory | None = None,
    folder: str = "results",
    report: Callable[[int, int], None] | None = None,
) -> list[Done]:
    """Return the results of all tasks, in order. A task whose result is already in the `folder` of `run` is not run
    again, unless a file that foreign code read for it has changed.

    `report(done, total)` counts ticks. If tasks fail, the others are still run and saved before `UnfinishedError` is
    raised.
    """
    paths = [None if run is None else run.path / folder / f"{task.key}.result" for task in tasks]
    found = [None if path is None else kept_result(path, task) for path, task in zip(paths, tasks, strict=True)]
    found = [each if each is not None and are_unchanged(each.reads) else None for each in found]
    left = [i for i, each in enumerate(found) if each is None]
    if run is not None and len(left) < len(tasks):
        note(f"{len(tasks) - len(left)} of {len(tasks)} results were read from {run.path / folder}")
    done, total = sum(task.size for task, each in zip(tasks, found, strict=True) if each), sum(t.size for t in tasks)

    def tick(more: int) -> None:
        nonlocal done
        done += more
        if report is not None:
            report(min(done, total), total)

    tick(0)
    failures: list[tuple[int, str]] = []
    for which, outcome in runner([tasks[i] for i in left], tick):
        i = left[which]
        if isinstance(outcome, Failed):
            failures.append((i, outcome.why))
            continue
        if run is not None and (path := paths[i]) is not None:
            for name, content in outcome.files.items():
                run.write(name, content)
            about = {"task": tasks[i].about, "value": outcome.value, "reads": dict(outcome.reads)}
            write_arrays(path, RESULT, about, outcome.arrays)  # last: its presence means that the other files are there
        found[i] = outcome
    results = [each for each in found if each is not None]
    if failures:
        raise UnfinishedError([(tasks[i], why) for i, why in sorted(failures)], len(results))
    return results


def kept_result(path: Path, task: Task) -> Done | None:
    """Read the result in a file; None if it is missing or damaged, or belongs to a different task."""
    if not path.exists():
        return None
    try:
        about, arrays = read_arrays(path, RESULT)
    except FileError:
        return None
    if not isinstance(about, dict) or "value" not in about or about.get("task") != json.loads(json.dumps(task.about)):
        return None
    arrays = {name: np.array(array) for name, array in arrays.items()}
    return Done(about["value"], arrays, reads=about.get("reads", {}))


def attempt(task: Task, tick: Tick) -> Outcome:
    """Run `task`; turn any error into a one-line failure."""
    taken_reads()  # drop the files recorded for an earlier task
    try:
        done: Done = attribute(task.function)(task.argument, tick)
        return replace(done, reads=taken_reads())
    except Exception as error:
        if not isinstance(error, OSError) and (line := line_for(error)) is not None:
            return Failed(line)
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Failed(f"{type(error).__name__}: {error} ({Path(where.filename).name}, line {where.lineno})")


def plain(argument: Plain, tick: Tick) -> Done:
    """Call a function that takes and returns JSON values; report progress once, at the end."""
    value = attribute(argument.function)(argument.argument, **argument.settings)
    tick(1)
    return Done(value)


def attribute(path: str) -> Any:
    """Import the object named as "module:name"."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def here(tasks: Sequence[Task], tick: Tick) -> Iterator[tuple[int, Outcome]]:
    """Runner that executes tasks one after another in this process."""
    for which, task in enumerate(tasks):
        yield which, attempt(task, tick)


def runner_for(workers: int | None) -> Runner:
    """Return the runner `here` for one worker, otherwise a runner on that many processes.

    None means one process for each usable core, but `here` for a single task that cannot hang.

    >>> runner_for(0)
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: 0 workers; at least one is needed
    """
    if workers is not None and workers < 1:
        raise PokerlabError(f"{workers} workers; at least one is needed")
    n = usable_cores() if workers is None else workers

    def run(tasks: Sequence[Task], tick: Tick) -> Iterator[tuple[int, Outcome]]:
        alone = workers is None and len(tasks) == 1 and tasks[0].silence == inf
        return here(tasks, tick) if alone else on_processes(tasks, tick, workers=n)

    return here if n == 1 else run


def until_stopped(runner: Runner, stopped: Callable[[], bool]) -> Runner:
    """Wrap `runner`: once `stopped()` is true, raise KeyboardInterrupt after the next result."""

    def run(tasks: Sequence[Task], tick: Tick) -> Iterator[tuple[int, Outcome]]:
        for outcome in runner(tasks, tick):
            yield outcome
            if stopped():
                raise KeyboardInterrupt

    return run


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    task: int
    heard: float = field(default_factory=time.monotonic)


def on_processes(tasks: Sequence[Task], tick: Tick, *, workers: int) -> Iterator[tuple[int, Outcome]]:
    """Runner on `workers` processes of this machine. A worker that dies is replaced, and its task is run again.

    A worker that sends nothing for longer than its task allows is ended, and its task fails. Workers' output goes to
    stderr, because stdout belongs to the caller. Processes are spawned, not forked: a fork would copy locks of Numba's
    and BLAS's threads, possibly in a locked state.
    """
    waiting, deaths = deque(range(len(tasks))), Counter[int]()
    crew: dict[Connection, _Worker] = {}
    try:
        while waiting or crew:
            while waiting and len(crew) < workers:
                worker = _start(tasks, waiting.popleft())
                crew[worker.pipe] = worker
            for pipe in wait(list(crew), _until_hung(tasks, crew.values())):
                assert isinstance(pipe, Connection)
                worker = crew[pipe]
                worker.heard = time.monotonic()
                which, message = worker.task, _receive(pipe)
                if isinstance(message, int):
                    tick(message)
                    continue
                if message is not None and waiting:
                    worker.task = waiting.popleft()
                    with suppress(OSError):  # if the worker is dead, the next read finds out
                        pipe.send(tasks[worker.task])
                else:
                    del crew[pipe]
                    pipe.close()
                if message is not None:
                    yield which, message
                    continue
                deaths[which] += 1
                if deaths[which] < TRIES:
                    waiting.appendleft(which)
                else:
                    yield which, Failed(f"its worker process died {TRIES} times ({cause_of_end(worker.process)})")
            for worker in [each for each in crew.values() if _is_hung(tasks[each.task], each)]:
                del crew[worker.pipe]
                _end([worker])
                yield worker.task, Failed(f"it was silent for {tasks[worker.task].silence:g} seconds and was ended")
    finally:
        _end(crew.values())


def _end(crew: Collection[_Worker]) -> None:
    for worker in crew:
        worker.process.kill()
    for worker in crew:
        worker.process.join()


def _until_hung(tasks: Sequence[Task], crew: Collection[_Worker]) -> float | None:
    """Seconds until some worker will have exceeded its allowed silence; None if there is no limit."""
    ends = min(worker.heard + tasks[worker.task].silence for worker in crew)
    return None if ends == inf else max(ends - time.monotonic(), 0)


def _is_hung(task: Task, worker: _Worker) -> bool:
    return time.monotonic() - worker.heard > task.silence


def apart(function: str, argument: Any, *, who: str, silence: float = inf, **settings: Any) -> Any:
    """Call `function` ("module:name") with an argument in a separate process, and return its value.

    This is for user code, which may print or end its process; an error becomes one line that names `who`.

    >>> apart("builtins:abs", -3, who="ann")
    3
    >>> apart("os:_exit", 7, who="ann")
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: ann: its worker process died 2 times (exit status 7)
    """
    task = Task(f"{__name__}:plain", Plain(function, argument, settings), silence=silence)
    ((_, outcome),) = on_processes([task], lambda more: None, workers=1)
    if isinstance(outcome, Failed):
        raise PokerlabError(outcome.why if who in outcome.why else f"{who}: {outcome.why}")
    return outcome.value


def _receive(pipe: Connection) -> int | Outcome | None:
    """The worker's next message: a number of ticks or the outcome of its task; None if the worker is dead."""
    try:
        message: int | Outcome = pipe.recv()
    except (EOFError, OSError):
        return None
    return message


def _start(tasks: Sequence[Task], which: int) -> _Worker:
    """Start a worker with its first task."""
    process, pipe = started(_serve)
    with suppress(OSError):
        pipe.send(tasks[which])
    return _Worker(process, pipe, which)


def _serve(pipe: Connection) -> None:
    """Run in a worker: execute the tasks received through the pipe until it closes."""
    begin_apart()
    ticked, unsaid = time.monotonic(), 0

    def tick(more: int) -> None:
        nonlocal ticked, unsaid
        unsaid += more
        if time.monotonic() - ticked > TICK_SECONDS:
            pipe.send(unsaid)
            ticked, unsaid = time.monotonic(), 0

    with suppress(EOFError, OSError):
        while True:
            outcome = attempt(pipe.recv(), tick)
            pipe.send(unsaid)
            unsaid = 0
            pipe.send(outcome)
