"""Benchmarks: our figure beside each installed peer's, in one run on one pinned core.

A room adds its benchmarks as a module here with a tuple `BENCHMARKS`, listed in `MODULES`. Speed is
measured here, never in tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from pokerlab.bench.benchmark import Benchmark, BenchmarkResult, Figure, measure, pinned, run_benchmark
from pokerlab.errors import PokerlabError, name_hint

__all__ = ["MODULES", "Benchmark", "BenchmarkResult", "Figure", "benchmarks", "measure", "pinned", "run_benchmark"]

MODULES = (
    "pokerlab.bench.cards",
    "pokerlab.bench.table",
    "pokerlab.bench.net",
    "pokerlab.bench.web",
    "pokerlab.bench.poki",
    "pokerlab.bench.bpp",
    "pokerlab.bench.search",
    "pokerlab.bench.records",
    "pokerlab.bench.measures",
    "pokerlab.bench.solvers",
    "pokerlab.bench.subgames",
    "pokerlab.bench.bet_sizing",
    "pokerlab.bench.empirical",
    "pokerlab.bench.self_play",
    "pokerlab.bench.connectionist",
    "pokerlab.bench.adapters",
)


def benchmarks(names: Iterable[str] = ()) -> list[Benchmark]:
    """The benchmarks called `names`, or all of them."""
    known = {each.name: each for module in MODULES for each in import_module(module).BENCHMARKS}
    wanted = list(names) or list(known)
    for name in wanted:
        if name not in known:
            hint = name_hint(name, known, "`pokerlab bench --list` lists them")
            raise PokerlabError(f"no benchmark is called {name!r}; {hint}")
    return [known[name] for name in wanted]
