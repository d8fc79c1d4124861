"""Training the equilibrium players: a recipe goes in, the strategy that `equilibrium:NAME` plays comes out.

`pokerlab train equilibrium NAME` ends here, and so does `python -m pokerlab.run` with `{"kind": "train equilibrium",
"name": NAME}`. A run that was stopped goes on from its checkpoint. On a machine with a GPU the dense
recipes (engine jax) use it without being told.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.agents.recipes import recipe, shipped_path, trained_path
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.runs.code import code_digest
from pokerlab.runs.config import typed
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.job import Job, Say
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look
from pokerlab.solvers.runs import CODE, SolveConfig, config_of, expected_cost, made_by, run_solve, summary
from pokerlab.trees.bucket_files import buckets_path, save_buckets
from pokerlab.trees.build_buckets import N_BOARDS, SEED, build_buckets, build_cost, command

PLAYER = "player.bin"
MOST_THREADS = 16


class Trained(NamedTuple):
    """Where a strategy is kept, whether `equilibrium:NAME` plays it, and how it came about (`solvers.runs.summary`)."""

    path: Path
    installed: bool
    summary: dict[str, Any]


def config_for(name: str, *, iterations: int | None = None, threads: int | None = None) -> SolveConfig:
    """What is solved for a player; more or fewer iterations than its recipe says make another player of it.

    >>> config_for("nolimit2p").sizes, config_for("limit3p").rules.name
    ('fcpa', 'limit3p-3211')
    """
    wanted = recipe(name)
    threads = min(threads or usable_cores(), wanted.deals_per_iteration, MOST_THREADS)
    data = {**wanted.config, "threads": threads}
    return config_of({**data, "iterations": iterations} if iterations else data)


def default_directory(name: str) -> Path:
    """Where the run of a player is kept when nobody says where."""
    return Path("runs") / f"equilibrium-{name}-{code_digest(*CODE)}"


def train(
    name: str,
    directory: Path | None = None,
    *,
    iterations: int | None = None,
    threads: int | None = None,
    report: Callable[[Look], None] | None = None,
) -> Trained:
    """Follow the recipe `name`, building its card buckets first if they are missing.

    The run is kept in `directory`, with the strategy as players carry it (8 bits a number) in `player.bin`. A player
    that does not ship is then also put where `equilibrium:NAME` finds it, if it has the iterations of its recipe.
    """
    config = _checked(config_for(name, iterations=iterations, threads=threads))
    make_buckets(recipe(name).cards)
    directory = directory or default_directory(name)
    solution = run_solve(config, directory, report=report)
    path = directory / PLAYER
    save_player(path, solution.strategy, {**made_by(config, solution), "recipe": name})
    installs = solution.iterations >= recipe(name).iterations and not shipped_path(name).exists()
    if installs:
        path = Path(shutil.copyfile(path, _ready(trained_path(name))))
    return Trained(path, installs, summary(config, solution))


def save_player(path: Path, strategy: Strategy, about: Mapping[str, Any]) -> None:
    """Write a strategy with 8 bits a number, and what it is worth with those alone.

    `value` and `exploitability` are then those of the rounded strategy; `before_rounding` keeps the exploitability that
    `about` had. Where nobody can compute them (three players, imperfect recall) they stay as they are.
    """
    save_strategy(path, strategy, about, compact=True)
    if strategy.tree.rules.n_seats != 2 or strategy.cells.pairs is None:
        return
    found = evaluate(Problem(strategy.tree, strategy.cells), load_strategy(path).strategy)
    worth = {"value": found.value, "exploitability": found.exploitability}
    save_strategy(path, strategy, {**about, **worth, "before_rounding": about.get("exploitability")}, compact=True)


def training_cost(name: str, *, iterations: int | None = None, threads: int | None = None) -> Cost:
    """An estimate for this machine: from a second of iterations, or from what the recipe took elsewhere.

    Where buckets are missing, `counts` has how much of the time is for building them, and nobody knows yet how large
    the game is.
    """
    config, wanted = _checked(config_for(name, iterations=iterations, threads=threads)), recipe(name)
    if _have_cards(wanted.cards):
        return replace(expected_cost(config), counts={"buckets_seconds": 0.0})
    cores = min(config.threads, usable_cores()) if wanted.engine == "numba" else usable_cores()
    solving = wanted.core_seconds * config.iterations / wanted.iterations / cores
    building = build_cost(wanted.cards, workers=usable_cores()).seconds or 0.0
    return Cost(building + solving, counts={"buckets_seconds": building})


def _checked(config: SolveConfig) -> SolveConfig:
    if config.engine == "jax" and find_spec("jax") is None:
        raise PokerlabError('this recipe needs JAX: pip install "pokerlab[jax]"')
    return config


def _ready(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def make_buckets(name: str) -> None:
    """Build card buckets where they are looked for, unless they are there."""
    if not _have_cards(name):
        made = build_buckets(name, n_boards=N_BOARDS, seed=SEED)
        save_buckets(made, buckets_path(name), command=command(name, n_boards=N_BOARDS, seed=SEED))


def _have_cards(name: str) -> bool:
    return name == "lossless" or buckets_path(name).exists()


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """Which player is trained, and what differs from its recipe."""

    name: str
    iterations: int | None = None
    threads: int | None = None


def job(data: Mapping[str, Any]) -> Job:
    """What `python -m pokerlab.run` does for the kind "train equilibrium"."""
    asked = typed(TrainingConfig, data, "training")
    name, changes = asked.name, {"iterations": asked.iterations, "threads": asked.threads}

    def run(out: Path, say: Say) -> None:
        done = train(name, out, **changes, report=lambda look: say(str(look)))
        say(f"{done.summary['iterations']:,} iterations in {done.summary['seconds']:.1f} s; kept in {done.path}")

    return Job(default_directory(name), lambda: training_cost(name, **changes), run)
