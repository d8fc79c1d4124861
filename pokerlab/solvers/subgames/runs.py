"""Solving a subgame in a directory: a checkpoint that the same request continues from, and the result.

A run that is finished is its own saved solution: asked for again, it only reads its checkpoint.

>>> import tempfile
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> river = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> with tempfile.TemporaryDirectory() as where:
...     found = [run_subgame(river, VARIANTS["dcfr"], Path(where) / "run", iterations=n) for n in (20, 40)]
>>> [solution.iterations for solution in found], found[1].exploitability < found[0].exploitability
([20, 40], True)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from pokerlab.errors import PokerlabError
from pokerlab.runs.directory import open_run
from pokerlab.runs.steps import check_not_beyond, interrupts_noted
from pokerlab.solvers.core.solve import Look, Solution, solve
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.runs import CHECKPOINT, RESULT
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import Subgame


def run_subgame(
    subgame: Subgame,
    variant: Variant = VARIANTS["dcfr"],
    directory: Path | None = None,
    *,
    iterations: int,
    target: float | None = None,
    threads: int | None = None,
    report: Callable[[Look], None] | None = None,
) -> Solution:
    """Solve to `target` chips; with a `directory`, keep checkpoint and result there and continue what it holds."""
    for what, given in (("iterations", iterations), ("threads", threads)):
        if given is not None and given < 1:
            raise PokerlabError(f"{what} must be at least 1, not {given}")
    engine = SubgameCfr(subgame, variant, threads=threads)
    if directory is None:
        return _solved(engine, None, iterations, target, report)
    with open_run(directory, "subgame", engine.about, code=(__name__,)) as run:
        check_not_beyond(directory / CHECKPOINT, iterations)
        solution = _solved(engine, directory / CHECKPOINT, iterations, target, report)
        found = {
            "value": solution.value,
            "exploitability": solution.exploitability,
            "iterations": solution.iterations,
            "seconds": solution.seconds,
            "looks": [look._asdict() for look in solution.looks],
        }
        run.write(RESULT, (json.dumps(found, indent=2) + "\n").encode())
    return solution


def _solved(
    engine: SubgameCfr,
    checkpoint: Path | None,
    iterations: int,
    target: float | None,
    report: Callable[[Look], None] | None,
) -> Solution:
    engine.step(engine.init(), 1)  # compiles, if that is still to be done, before the clock starts
    with interrupts_noted() as stopped:
        return solve(
            engine, iterations=iterations, target=target, report=report, checkpoint=checkpoint, stopped=stopped
        )
