"""Run tasks on a Ray cluster: the same tasks give the same results as on one machine.

`on_ray(None)` starts a new cluster on this machine; `on_ray("host:6379")` or `on_ray("auto")` joins a running one.
Every node needs the same pokerlab code and the modules that tasks name. Workers write no files and return their
results, so nodes need not share a disk. If a worker or a node dies, Ray runs its tasks elsewhere.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pokerlab import __version__
from pokerlab.errors import PokerlabError
from pokerlab.runs.code import package_digest
from pokerlab.runs.workers import Failed, Outcome, Runner, Task, Tick, attempt

RETRIES = 3
CONNECT_SECONDS = 10.0
AT_ONCE = 1000  # tasks submitted at a time; more would only slow down the cluster's bookkeeping


def on_ray(address: str | None, *, workers: int | None = None) -> Runner:
    """Make a runner on the cluster at `address`, or on a new one with `workers` processes (default: one per core)."""

    def run(tasks: Sequence[Task], tick: Tick) -> Iterator[tuple[int, Outcome]]:
        if tasks:
            with _connected(address, workers) as ray:
                yield from _outcomes(ray, tasks, tick)

    return run


def _outcomes(ray: Any, tasks: Sequence[Task], tick: Tick) -> Iterator[tuple[int, Outcome]]:
    remote = ray.remote(max_retries=RETRIES)(attempt_on_node)
    waiting = iter(enumerate(tasks))
    which_of: dict[Any, int] = {}
    while True:
        while len(which_of) < AT_ONCE and (upcoming := next(waiting, None)) is not None:
            which, task = upcoming
            which_of[remote.remote(task, package_digest())] = which
        if not which_of:
            return
        (reference, *_), _ = ray.wait(list(which_of), num_returns=1)
        which = which_of.pop(reference)
        try:
            outcome: Outcome = ray.get(reference)
        except ray.exceptions.RayError as error:
            outcome = Failed(f"its Ray worker failed: {_first_line(error)}")
        tick(tasks[which].size)
        yield which, outcome


def attempt_on_node(task: Task, code: str) -> Outcome:
    """Run a task on a node; fail if the node's pokerlab code differs from the caller's.

    >>> attempt_on_node(None, "other code")
    Failed(why='a Ray node has other code of pokerlab (...) than the caller; install the same')
    """
    if code != package_digest():
        return Failed(f"a Ray node has other code of pokerlab ({__version__}) than the caller; install the same")
    return attempt(task, lambda more: None)


@contextmanager
def _connected(address: str | None, workers: int | None) -> Iterator[Any]:
    try:
        import ray
    except ImportError as error:
        raise PokerlabError("--ray needs Ray: pip install 'pokerlab[ray]'") from error
    if ray.is_initialized():  # the caller's cluster, which the caller shuts down
        yield ray
        return
    _check_reachable(address)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address is None:
            ray.init(num_cpus=workers, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        raise PokerlabError(f"no Ray cluster at {address or 'this machine'}: {_first_line(error)}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_reachable(address: str | None) -> None:
    """Raise an error at once if nothing listens at the address; Ray itself would retry for minutes."""
    parts = re.fullmatch(r"(?:ray://)?(.+):(\d+)", address or "")
    if parts is None:  # no address, or a word that Ray understands, such as auto
        return
    try:
        socket.create_connection((parts[1], int(parts[2])), timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise PokerlabError(f"no Ray cluster at {address}: {error}") from error


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
