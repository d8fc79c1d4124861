"""Benchmarks: our speed and that of each installed peer library, in one run on one pinned core.

`benchmarks.toml` lists them; the functions that it names prepare the work. Speed is measured here, never in tests.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pokerlab.bench.benchmark import (
    Benchmark,
    BenchmarkResult,
    Contender,
    Figure,
    NoDataError,
    Work,
    measure,
    pinned,
    run_benchmark,
)
from pokerlab.errors import PokerlabError, name_hint

__all__ = ["Benchmark", "BenchmarkResult", "Figure", "NoDataError", "benchmarks", "measure", "pinned", "run_benchmark"]


def benchmarks(names: Iterable[str] = ()) -> list[Benchmark]:
    """The benchmarks called `names`, or all of them."""
    known = _known()
    wanted = list(names) or list(known)
    for name in wanted:
        if name not in known:
            hint = name_hint(name, known, "`pokerlab bench --list` lists them")
            raise PokerlabError(f"no benchmark is called {name!r}; {hint}")
    return [known[name] for name in wanted]


@cache
def _known() -> dict[str, Benchmark]:
    rows = tomllib.loads(Path(__file__).with_name("benchmarks.toml").read_text())
    return {name: _benchmark(name, **row) for name, row in rows.items() if all(map(find_spec, row.get("needs", ())))}


def _benchmark(
    name: str, *, ours: str, peers: Mapping[str, str] | None = None, needs: object = (), **row: Any
) -> Benchmark:
    theirs = {peer: _contender(reference) for peer, reference in (peers or {}).items()}
    return Benchmark(name, ours=_contender(ours), peers=theirs, **row)


def _contender(reference: str | Mapping[str, Any]) -> Contender:
    """Load a contender: `module.function`, or a table whose `run` names it and whose other entries are its
    arguments."""
    arguments = {"run": reference} if isinstance(reference, str) else dict(reference)
    module, function = arguments.pop("run").split(".")

    def prepare() -> Work:
        work: Work = getattr(import_module(f"pokerlab.bench.{module}"), function)(**arguments)
        return work

    return prepare
