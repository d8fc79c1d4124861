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

from pokerlab.abstraction.bucket_files import buckets_path
from pokerlab.abstraction.build_buckets import BucketsConfig, build_cost
from pokerlab.agents.recipes import recipe, shipped_path, trained_path
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.runs.code import code_digest
from pokerlab.runs.config import typed
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.job import Job, Say
from pokerlab.solvers.configs import SolveConfig, config_of
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look
from pokerlab.solvers.runs import expected_cost, made_by, run_solve, summary

PLAYER = "player.bin"
MOST_THREADS = 16


class TrainedStrategy(NamedTuple):
    """Where a strategy is kept, whether `equilibrium:NAME` plays it, and how it came about (`solvers.runs.summary`)."""

    path: Path
    installed: bool
    summary: dict[str, Any]


@dataclass(frozen=True)
class Training:
    """Which player is trained; more or fewer iterations than its recipe says make another player of it.

    >>> Training("nolimit2p").config.sizes, Training("limit3p").config.rules.name
    ('fcpa', 'limit3p-3211')
    """

    name: str
    iterations: int | None = None
    threads: int | None = None  # of recipes that sample deals, by default one a core

    @property
    def config(self) -> SolveConfig:
        """What is solved."""
        wanted = recipe(self.name)
        threads = min(self.threads or usable_cores(), wanted.deals_per_iteration, MOST_THREADS)
        config = config_of({**wanted.config, "threads": threads, "iterations": self.iterations or wanted.iterations})
        if config.engine == "jax" and find_spec("jax") is None:
            raise PokerlabError('this recipe needs JAX: pip install "pokerlab[jax]"')
        return config

    @property
    def directory(self) -> Path:
        """Where the run is kept when nobody says where."""
        return Path("runs") / f"equilibrium-{self.name}-{code_digest('pokerlab.solvers.runs')}"


def train(
    training: Training, directory: Path | None = None, *, report: Callable[[Look], None] | None = None
) -> TrainedStrategy:
    """Follow a recipe, building its card buckets first if they are missing.

    The run is kept in `directory`, with the strategy as players carry it (8 bits a number) in `player.bin`. A player
    that does not ship is then also put where `equilibrium:NAME` finds it, if it has the iterations of its recipe.
    """
    name, config, directory = training.name, training.config, directory or training.directory
    make_buckets(recipe(name).cards)
    solution = run_solve(config, directory, report=report)
    path = directory / PLAYER
    save_player(path, solution.strategy, {**made_by(config, solution), "recipe": name})
    installs = solution.iterations >= recipe(name).iterations and not shipped_path(name).exists()
    if installs:
        trained_path(name).parent.mkdir(parents=True, exist_ok=True)
        path = Path(shutil.copyfile(path, trained_path(name)))
    return TrainedStrategy(path, installs, summary(config, solution))


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


def training_cost(training: Training) -> Cost:
    """An estimate for this machine: from a second of iterations, or from what the recipe took elsewhere.

    Where buckets are missing, `counts` has how much of the time is for building them, and nobody knows yet how large
    the game is.
    """
    config, wanted = training.config, recipe(training.name)
    if _have_cards(wanted.cards):
        cost = expected_cost(config)
        return replace(cost, counts={**cost.counts, "buckets_seconds": 0.0})
    cores = min(config.n_threads, usable_cores()) if wanted.engine == "numba" else usable_cores()
    solving = wanted.core_seconds * config.iterations / wanted.iterations / cores
    building = build_cost(wanted.cards, workers=usable_cores()).seconds or 0.0
    return Cost(building + solving, counts={"buckets_seconds": building})


def make_buckets(name: str) -> None:
    """Build card buckets where they are looked for, unless they are there."""
    if not _have_cards(name):
        BucketsConfig(name=name).build(buckets_path(name))


def _have_cards(name: str) -> bool:
    return name == "lossless" or buckets_path(name).exists()


def job(data: Mapping[str, Any]) -> Job:
    """What `python -m pokerlab.run` does for the kind "train equilibrium"."""
    training = typed(Training, data, "training")

    def run(out: Path, say: Say) -> None:
        done = train(training, out, report=lambda look: say(str(look)))
        say(f"{done.summary['iterations']:,} iterations in {done.summary['seconds']:.1f} s; kept in {done.path}")

    return Job(training.directory, lambda: training_cost(training), run)
