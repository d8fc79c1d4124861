"""Compile the lab's kernels before they are needed, on every core.

Each benchmark prepares and does one piece of work for one kind of compiled code, so a part of the warm-up is a list of
benchmarks, each run once. Parts that share no expensive kernel run in parallel processes. A finished part is recorded
in the directory of the compiled kernels, whose name changes with their source.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from pokerlab import caches
from pokerlab.bench import benchmarks
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.runs.workers import Done, Runner, Task, Tick, do_tasks

PARTS: dict[str, tuple[str, ...]] = {
    "poki": ("potential-board", "poki-heads-up", "poki-formula", "poki-simulation"),
    "solvers": ("subgame-turn", "bets-spot", "cfr-leduc", "mccfr-external-leduc", "mccfr-public-leduc", "bets-leduc"),
    "players": ("strategy-decision", "batch-strategy", "bpp-hybrid", "bpp-2000"),
    "cards": ("evaluate", "equity", "equity-three", "equity-sampled", "equity-ranges", "card-features"),
}
"""Benchmarks of each part, the longest part first."""


def warm_up(
    names: Sequence[str] = (), *, runner: Runner, report: Callable[[int, int], None] | None = None
) -> tuple[list[str], list[str]]:
    """Compile the parts `names`, or all; returns (parts compiled now, parts compiled before)."""
    wanted = list(names) or list(PARTS)
    for name in wanted:
        if name not in PARTS:
            raise PokerlabError(f"no part of the kernels is called {name!r}; {name_hint(name, PARTS)}")
    missing = [name for name in wanted if not _mark(name).exists()]
    tasks = [Task(f"{__name__}:compile_part", name, name=name, size=len(PARTS[name])) for name in missing]
    do_tasks(tasks, runner=runner, report=report)
    return missing, [name for name in wanted if name not in missing]


def compile_part(name: str, tick: Tick) -> Done:
    """Run each benchmark of a part once, which compiles its code; call `tick` after each."""
    caches.compile_now()
    for benchmark in benchmarks(PARTS[name]):
        benchmark.ours()()
        tick(1)
    _mark(name).parent.mkdir(parents=True, exist_ok=True)
    _mark(name).touch()
    return Done(name)


def _mark(name: str) -> Path:
    """The file that marks a part as compiled."""
    caches.keep_kernels_by_content()
    return Path(os.environ["NUMBA_CACHE_DIR"]) / f"{name}.compiled"
