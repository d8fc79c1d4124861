"""Training of the equilibrium players: from a recipe to the strategy that `equilibrium:NAME` plays. A stopped run is
resumed from its checkpoint. On a machine with a GPU the dense recipes (engine jax) use it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pokerlab.abstraction.bucket_files import buckets_path
from pokerlab.abstraction.build_buckets import SEED, BucketsConfig, build_cost
from pokerlab.agents.recipes import recipe, shipped_path, trained_path
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.request import Request, setting
from pokerlab.solvers.configs import SolveConfig, config_of
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look
from pokerlab.solvers.runs import expected_cost, made_by, solve_in, summary

PLAYER = "player.bin"
MOST_THREADS = 16


class TrainedStrategy(NamedTuple):
    """The file of a strategy, whether `equilibrium:NAME` plays it, and how it was solved (`solvers.runs.summary`)."""

    path: Path
    installed: bool
    summary: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Training(Request):
    """The player to train; other iterations than those of its recipe make it a different player.

    >>> Training(name="nolimit2p").config.sizes, Training(name="limit3p").config.rules.name
    ('fcpa', 'limit3p-3211')
    """

    kind: ClassVar[str] = "train equilibrium"
    saves: ClassVar[Literal["always", "by default", "on request"]] = "always"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.solvers.runs",)

    name: str = setting(help="limit2p, nolimit2p, limit3p or nolimit2p-large.", positional=True)
    iterations: int | None = setting(
        None,
        "Default: as many as the recipe has; a player with fewer stays in the run directory.",
        identity=False,
        least=1,
        count=True,
    )
    threads: int | None = setting(None, "Only recipes that sample deals use more than one.", identity=False, least=1)

    def check(self) -> None:
        """Refuse a player that has no recipe."""
        recipe(self.name)

    @property
    def label(self) -> str:
        """The player."""
        return self.name

    def identity(self) -> dict[str, Any]:
        """The recipe and its solve."""
        return {"recipe": self.name, **self.config.identity()}

    @property
    def config(self) -> SolveConfig:
        """The solve of the recipe."""
        wanted = recipe(self.name)
        threads = min(self.threads or usable_cores(), wanted.deals_per_iteration, MOST_THREADS)
        config = config_of({**wanted.config, "threads": threads, "iterations": self.iterations or wanted.iterations})
        if config.engine == "jax" and find_spec("jax") is None:
            raise PokerlabError('this recipe needs JAX: pip install "pokerlab[jax]"')
        return config


def train(training: Training, run: RunDirectory, *, report: Callable[[Look], None] | None = None) -> TrainedStrategy:
    """Follow a recipe, building its card buckets first if they are missing. The open run directory gets the strategy
    with 8 bits per number, as players use it, in `player.bin`. A player that does not ship is then also copied to where
    `equilibrium:NAME` looks for it, if it has the iterations of its recipe."""
    name, config = training.name, training.config
    make_buckets(recipe(name).cards)
    solution = solve_in(config, run, report=report)
    path = run.path / PLAYER
    save_player(path, solution.strategy, {**made_by(config, solution), "recipe": name})
    installs = solution.iterations >= recipe(name).iterations and not shipped_path(name).exists()
    if installs:
        trained_path(name).parent.mkdir(parents=True, exist_ok=True)
        path = Path(shutil.copyfile(path, trained_path(name)))
    return TrainedStrategy(path, installs, summary(config, solution))


def save_player(path: Path, strategy: Strategy, about: Mapping[str, Any]) -> None:
    """Write a strategy with 8 bits per number, and its quality after rounding. `value` and `exploitability` are then
    those of the rounded strategy; `before_rounding` has the exploitability that `about` had. Where they cannot be
    computed (three players, imperfect recall) they are left unchanged."""
    save_strategy(path, strategy, about, compact=True)
    if strategy.tree.rules.n_seats != 2 or strategy.cells.pairs is None:
        return
    evaluation = evaluate(Problem(strategy.tree, strategy.cells), load_strategy(path).strategy)
    worth = {"value": evaluation.value, "exploitability": evaluation.exploitability}
    save_strategy(path, strategy, {**about, **worth, "before_rounding": about.get("exploitability")}, compact=True)


def training_cost(training: Training) -> Cost:
    """An estimate for this machine: from a second of iterations, or from the recipe's recorded time. If buckets are
    missing, `counts` has the part of the time for building them, and the size of the game is not known yet."""
    config, wanted = training.config, recipe(training.name)
    if _have_cards(wanted.cards):
        cost = expected_cost(config)
        return replace(cost, counts={**cost.counts, "buckets_seconds": 0.0})
    cores = min(config.n_threads, usable_cores()) if wanted.engine == "numba" else usable_cores()
    solving = wanted.core_seconds * config.iterations / wanted.iterations / cores
    building = build_cost(wanted.cards, workers=usable_cores()).seconds or 0.0
    return Cost(building + solving, counts={"buckets_seconds": building})


def make_buckets(name: str) -> None:
    """Build card buckets in their default place, unless they exist."""
    if not _have_cards(name):
        BucketsConfig(name=name, seed=SEED).build(buckets_path(name))  # with the seed of the buckets that ship


def _have_cards(name: str) -> bool:
    return name == "lossless" or buckets_path(name).exists()
