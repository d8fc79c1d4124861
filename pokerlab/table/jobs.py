"""Many matches: on this process, on worker processes, or wherever a runner takes them; resumed where they stopped.

The results come back in the order of the plans whatever the order of playing, so they do not depend on the number of
workers. With a run directory each match is kept as soon as it is finished, and a run that was killed plays only what
is left.

>>> from pokerlab.table.match import MatchPlan
>>> plan = MatchPlan("leduc", ("caller", "raiser"), hands=5, seed=7)
>>> [result.chips.shape for result in run_plans([plan], make="pokerlab.agents.registry:agent", runner=here)]
[(5, 2)]
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.runs.directory import RunDirectory
from pokerlab.table.kept import keep as keep_match
from pokerlab.table.kept import kept as kept_match
from pokerlab.table.match import MatchPlan, MatchResult
from pokerlab.table.work import OnHands, Outcome, Runner, Task, attempt

TRIES = 2  # a worker may be killed by accident; a match that kills its worker twice has failed
TICK_SECONDS = 0.3
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class UnfinishedError(PokerlabError):
    """Some matches could not be finished; the line names the first, `failures` has all as (plan, problem)."""

    def __init__(self, failures: Sequence[tuple[MatchPlan, str]], n_finished: int) -> None:
        self.failures = tuple(failures)
        plan, problem = failures[0]
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        who = " and ".join(plan.entrants)
        super().__init__(f"match {plan.number} of {who} failed{more}: {problem}; {n_finished} finished")


def run_plans(
    plans: Sequence[MatchPlan],
    *,
    make: str,
    runner: Runner,
    run: RunDirectory | None = None,
    record: bool = False,
    save: bool = False,
    report: Callable[[int, int], None] | None = None,
) -> list[MatchResult]:
    """The results of `plans`, in their order; those that `run` has already are not played again.

    `make` is "module:function", which makes an agent from a name. `report(done, total)` counts hands. `record` keeps
    every hand and `save` every agent's memory in `run`. If matches fail the others are still played and kept, and then
    `UnfinishedError` is raised.
    """
    keys = match_keys(len(plans))
    results: dict[int, MatchResult] = {}
    for i, (key, plan) in enumerate(zip(keys, plans, strict=True)):
        if run is not None and (kept := kept_match(run, key, plan)) is not None:
            results[i] = kept
    left = [i for i in range(len(plans)) if i not in results]
    tasks = [Task(plans[i], make, keys[i], record=record, save=save) for i in left]
    done, total = sum(plans[i].hands for i in results), sum(plan.hands for plan in plans)

    def on_hands(more: int) -> None:
        nonlocal done
        done += more
        if report is not None:
            report(min(done, total), total)

    on_hands(0)
    failures: list[tuple[int, str]] = []
    for which, outcome in runner(tasks, on_hands):
        i = left[which]
        if isinstance(outcome, str):
            failures.append((i, outcome))
            continue
        if run is not None:
            for name, content in outcome.files.items():
                run.write(name, content)
            keep_match(run, keys[i], outcome.result)  # last: its presence says that the other files are there
        results[i] = outcome.result
    if failures:
        raise UnfinishedError([(plans[i], problem) for i, problem in sorted(failures)], len(results))
    return [results[i] for i in range(len(plans))]


def match_keys(n: int) -> list[str]:
    """What the files of the first, second .. of `n` matches are called.

    >>> match_keys(11)[-2:]
    ['09', '10']
    """
    width = len(str(max(n - 1, 0)))
    return [f"{i:0{width}}" for i in range(n)]


def here(tasks: Sequence[Task], on_hands: OnHands) -> Iterator[tuple[int, Outcome]]:
    """The runner that plays one task after another in this process."""
    for which, task in enumerate(tasks):
        yield which, attempt(task, lambda hand: on_hands(1))


def usable_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def runner_for(workers: int | None) -> Runner:
    """`here` for one worker, otherwise that many processes; None is one for each core this process may use.

    >>> runner_for(0)
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: 0 workers; at least one is needed
    """
    workers = usable_cores() if workers is None else workers
    if workers < 1:
        raise PokerlabError(f"{workers} workers; at least one is needed")
    if workers == 1:
        return here
    return lambda tasks, on_hands: on_processes(tasks, on_hands, workers=workers)


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    task: int


def on_processes(tasks: Sequence[Task], on_hands: OnHands, *, workers: int) -> Iterator[tuple[int, Outcome]]:
    """The runner on `workers` processes of this machine. A worker that dies is replaced and its match played again.

    Processes are spawned, not forked: a fork copies the locks of Numba's and BLAS's threads in whatever state they are.
    """
    waiting, deaths = deque(range(len(tasks))), Counter[int]()
    crew: dict[Connection, _Worker] = {}
    try:
        while waiting or crew:
            while waiting and len(crew) < workers:
                worker = _start(tasks, waiting.popleft())
                crew[worker.pipe] = worker
            for pipe in wait(list(crew)):
                assert isinstance(pipe, Connection)
                worker = crew[pipe]
                which, message = worker.task, _receive(pipe)
                if isinstance(message, int):
                    on_hands(message)
                    continue
                if message is not None and waiting:
                    worker.task = waiting.popleft()
                    _send(pipe, tasks[worker.task])
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
                    yield which, f"its worker process died {TRIES} times ({_cause(worker.process)})"
    finally:
        for worker in crew.values():
            worker.process.kill()
        for worker in crew.values():
            worker.process.join()


def _send(pipe: Connection, task: Task) -> None:
    """Give a worker its task; if it is dead, whoever reads from it will find out."""
    with suppress(OSError):
        pipe.send(task)


def _receive(pipe: Connection) -> int | Outcome | None:
    """Hands played, the outcome of the worker's task, or None when the worker is dead."""
    try:
        message: int | Outcome = pipe.recv()
    except (EOFError, OSError):
        return None
    return message


def _start(tasks: Sequence[Task], which: int) -> _Worker:
    """A new worker with its first task."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    with one_thread_each():
        process = context.Process(target=_serve, args=(theirs, os.getpid()), daemon=True, name="pokerlab worker")
        process.start()
    theirs.close()
    _send(ours, tasks[which])
    return _Worker(process, ours, which)


def _serve(pipe: Connection, parent: int) -> None:
    """A worker's life: play what comes through the pipe until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    ticked, unsaid = time.monotonic(), 0

    def on_hand(hand: HandHistory) -> None:
        nonlocal ticked, unsaid
        unsaid += 1
        if time.monotonic() - ticked > TICK_SECONDS:
            if os.getppid() != parent:  # it was killed; nobody will take the result
                os._exit(1)
            pipe.send(unsaid)
            ticked, unsaid = time.monotonic(), 0

    with suppress(EOFError, OSError):
        while True:
            outcome = attempt(pipe.recv(), on_hand)
            pipe.send(unsaid)
            unsaid = 0
            pipe.send(outcome)


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Processes started inside run their matrix products and kernels on one thread, unless the user says otherwise."""
    missing: Mapping[str, str] = {name: "1" for name in _THREADS if name not in os.environ}
    os.environ.update(missing)
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]


def _cause(process: SpawnProcess) -> str:
    process.join()
    status = process.exitcode or 0
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
