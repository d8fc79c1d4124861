"""The definition of a benchmark, and the measurement of its figures.

A contender is prepared (imports, data, tables) before time is measured, and returns a function that does the work once
and returns its number of units. It runs once to warm up and compile, then in rounds of at least `ROUND_SECONDS`. The
best round counts, because other load on the machine can only slow it down.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from pokerlab.caches import compile_now
from pokerlab.errors import PokerlabError
from pokerlab.runs.steps import Steps

ROUNDS = 5
ROUND_SECONDS = 0.2
PATIENCE_SECONDS = 4.0

Work = Callable[[], int]
"""Does the work once; returns its number of units."""
Contender = Callable[[], Work]
"""Prepares the work; `ImportError` means that the contender is not installed."""

AFTERWARDS = ExitStack()
"""Ends the processes that a contender started, after its measurement."""
EVERY_CORE = range(os.cpu_count() or 1)
REMARKS: dict[str, list[str]] = {}
"""Sentences about the last run of a benchmark, by its name."""


class NoDataError(PokerlabError):
    """Raised if a benchmark needs files that are not part of the project and are missing; it is then skipped."""


def repeated(once: Callable[[], object], n: int) -> Work:
    """Make a `Work` function: each time it is called, it calls the function `once` n times, and returns n."""

    def work() -> int:
        for _ in range(n):
            once()
        return n

    return work


def counted(once: Callable[[], object], units: int) -> Work:
    """Make a `Work` function: each time it is called, it calls the function `once` one time, and returns `units`."""

    def work() -> int:
        once()
        return units

    return work


def stepped(engine: Steps, n: int) -> Work:
    """Make a `Work` function: each time it is called, it runs n more iterations of `engine`, and returns n."""
    state = engine.init()

    def work() -> int:
        nonlocal state
        state = engine.step(state, n)
        for array in state.values():
            if hasattr(array, "block_until_ready"):  # JAX returns arrays before they are computed
                array.block_until_ready()
        return n

    return work


@dataclass(frozen=True)
class Benchmark:
    """One measurement of speed: our implementation, the peers', and the common unit."""

    name: str
    about: str
    unit: str
    ours: Contender
    peers: Mapping[str, Contender] = field(default_factory=dict)
    note: str = ""
    every_core: bool = False  # whether it may use every core; otherwise the process is pinned to one
    cold: bool = False  # whether it runs only once, so that compiling and importing count

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences about the run, to print after it."""
        return REMARKS.get(self.name, [])


@dataclass(frozen=True)
class Figure:
    """The best rate of `rounds` rounds."""

    per_second: float
    rounds: int

    @property
    def seconds(self) -> float:
        """Seconds for one unit."""
        return 1 / self.per_second


@dataclass(frozen=True)
class BenchmarkResult:
    """Our figure and the peers' from one run; None for a peer that is not installed."""

    benchmark: Benchmark
    ours: Figure
    peers: Mapping[str, Figure | None]

    def ratio(self, peer: str) -> float | None:
        """Our speed as a multiple of `peer`'s."""
        figure = self.peers[peer]
        return None if figure is None else self.ours.per_second / figure.per_second


@contextmanager
def pinned() -> Iterator[int | None]:
    """Pin the process to the last core that it may use. Yields the core's number, or None if the system does not
    support it."""
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield max(allowed)
    finally:
        os.sched_setaffinity(0, allowed)


@contextmanager
def on_every_core() -> Iterator[None]:
    """Context that allows every core, although benchmarks are pinned to one."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, EVERY_CORE)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measure(contender: Contender, *, cold: bool = False) -> Figure:
    """Best rate of the contender, without warm-up and compilation; if `cold`, the rate of its first and only call."""
    with AFTERWARDS:
        work = contender()
        if cold:
            units, seconds = _timed(work, 1)
            return Figure(units / seconds, 1)
        compile_now()
        work()
        started = perf_counter()
        units, seconds = _timed(work, 1)
        calls = max(1, round(ROUND_SECONDS / max(seconds, 1e-9)))
        best, rounds = units / seconds, 1
        while rounds < ROUNDS and perf_counter() - started < PATIENCE_SECONDS:
            units, seconds = _timed(work, calls)
            best, rounds = max(best, units / seconds), rounds + 1
        return Figure(best, rounds)


def _timed(work: Work, calls: int) -> tuple[int, float]:
    started = perf_counter()
    units = sum(work() for _ in range(calls))
    return units, perf_counter() - started


def run_benchmark(benchmark: Benchmark) -> BenchmarkResult:
    """Measure ours and every installed peer, one after another."""
    peers: dict[str, Figure | None] = {}
    for name, contender in benchmark.peers.items():
        try:
            peers[name] = measure(contender, cold=benchmark.cold)
        except ImportError:
            peers[name] = None
    return BenchmarkResult(benchmark, measure(benchmark.ours, cold=benchmark.cold), peers)
