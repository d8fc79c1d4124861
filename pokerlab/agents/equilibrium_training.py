"""Train the equilibrium players: follow a recipe to make the strategy that `equilibrium:NAME` plays. A stopped run
resumes from its checkpoint. The recipes with the engine jax use a GPU if there is one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pokerlab.abstraction.bucket_files import buckets_path
from pokerlab.abstraction.build_buckets import SEED, BucketsConfig, build_cost
from pokerlab.agents.recipes import AGAINST_RESPONSE, recipe, shipped_path, trained_path
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.request import Request, setting
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look
from pokerlab.solvers.cost import expected_cost
from pokerlab.solvers.runs import made_by, solve_in, summary

PLAYER = "player.bin"
ABOUT_A_RECIPE = ("iterations", "cites", "note", "core_seconds")  #: fields of a recipe that a run may change
MOST_THREADS = 16


class TrainedStrategy(NamedTuple):
    """Result of a training: the strategy file, whether `equilibrium:NAME` plays it, and a summary of the solve
    (`solvers.runs.summary`)."""

    path: Path
    installed: bool
    summary: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Training(Request):
    """The player to train. With fewer iterations than in its recipe, it is not installed as `equilibrium:NAME`.

    >>> Training(name="nolimit2p").config.sizes, Training(name="limit3p").config.rules.name
    ('fcpa', 'limit3p-3211')
    """

    kind: ClassVar[str] = "train equilibrium"
    saves: ClassVar[Literal["always", "by default", "on request"]] = "always"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.solvers.runs",)

    name: str = setting(
        help="Player to train: limit2p-robust, limit2p, nolimit2p, limit3p or nolimit2p-large.", positional=True
    )
    iterations: int | None = setting(
        None,
        "Default: those of the player's recipe; with fewer it is saved, but not installed as equilibrium:NAME.",
        identity=False,
        least=1,
        count=True,
    )
    threads: int | None = setting(
        None, "Only recipes that sample deals can use more than one.", identity=False, least=1
    )

    def check(self) -> None:
        """Raise an error if the player has no recipe, or if its recipe needs a missing library."""
        if recipe(self.name).engine == "jax" and find_spec("jax") is None:
            raise PokerlabError('this recipe needs JAX: pip install "pokerlab[jax]"')

    @property
    def label(self) -> str:
        return self.name

    def identity(self) -> dict[str, Any]:
        """The recipe's name and settings."""
        if self.against_response:
            settings = {name: value for name, value in asdict(recipe(self.name)).items() if name not in ABOUT_A_RECIPE}
            return {"recipe": self.name, **settings}
        return {"recipe": self.name, **self.config.identity()}

    @property
    def against_response(self) -> bool:
        """Whether the recipe trains against a best response (CFR-BR) instead of solving an abstraction."""
        return recipe(self.name).algorithm == AGAINST_RESPONSE

    @property
    def n_iterations(self) -> int:
        """The number of iterations: as requested, by default as in the recipe."""
        return self.iterations or recipe(self.name).iterations

    @property
    def config(self) -> SolveConfig:
        wanted = recipe(self.name)
        threads = min(self.threads or usable_cores(), wanted.deals_per_iteration, MOST_THREADS)
        return SolveConfig.from_data({**wanted.config, "threads": threads, "iterations": self.n_iterations})


def train(
    training: Training,
    run: RunDirectory,
    *,
    report: Callable[[Look], None] | None = None,
    progress: Callable[[int], None] | None = None,
) -> TrainedStrategy:
    """Follow a recipe, building its card buckets first if they are missing. The strategy is saved in the run directory
    as `player.bin`, with 8 bits per probability. A player that does not ship with pokerlab is then also copied to the
    place where `equilibrium:NAME` looks for it, if it has all iterations of its recipe. A solve calls `report` at every
    measurement; a training against a response calls `progress` with the number of iterations done."""
    name, path = training.name, run.path / PLAYER
    if training.against_response:
        from pokerlab.agents.response_training import check_fits, train_in

        check_fits(recipe(name))
        make_buckets(recipe(name).cards)
        done = train_in(recipe(name), run, training.n_iterations, progress=progress)
    else:
        make_buckets(recipe(name).cards)
        solution = solve_in(training.config, run, report=report)
        done = summary(training.config, solution)
        save_player(path, solution.strategy, {**made_by(training.config, solution), "recipe": name})
    installs = done["iterations"] >= recipe(name).iterations and not shipped_path(name).exists()
    if installs:
        trained_path(name).parent.mkdir(parents=True, exist_ok=True)
        path = Path(shutil.copyfile(path, trained_path(name)))
    return TrainedStrategy(path, installs, done)


def save_player(path: Path, strategy: Strategy, about: Mapping[str, Any]) -> None:
    """Save a strategy with 8 bits per probability. In the file's metadata, `value` and `exploitability` are those of
    the rounded strategy, and `before_rounding` is the exploitability from `about`. If they cannot be computed (three
    players, imperfect recall), they are saved as in `about`."""
    save_strategy(path, strategy, about, compact=True)
    if strategy.tree.rules.n_seats != 2 or strategy.cells.pairs is None:
        return
    evaluation = evaluate(Problem(strategy.tree, strategy.cells), load_strategy(path).strategy)
    worth = {"value": evaluation.value, "exploitability": evaluation.exploitability}
    save_strategy(path, strategy, {**about, **worth, "before_rounding": about.get("exploitability")}, compact=True)


def training_cost(training: Training) -> Cost:
    """Estimate the cost on this machine, by running iterations for a second or from the time recorded in the recipe. If
    buckets are missing, `counts` has the seconds needed to build them, and the size of the game is not known yet."""
    wanted = recipe(training.name)
    if training.against_response:
        from pokerlab.agents.response_training import training_cost as response_cost

        return replace(response_cost(wanted, training.n_iterations), counts={"buckets_seconds": 0.0})
    config = training.config
    if _have_cards(wanted.cards):
        cost = expected_cost(config)
        return replace(cost, counts={**cost.counts, "buckets_seconds": 0.0})
    cores = min(config.n_threads, usable_cores()) if wanted.engine == "numba" else usable_cores()
    solving = wanted.core_seconds * config.iterations / wanted.iterations / cores
    building = build_cost(wanted.cards, workers=usable_cores()).seconds or 0.0
    return Cost(building + solving, counts={"buckets_seconds": building})


def make_buckets(name: str) -> None:
    """Build card buckets in their default location, unless they exist."""
    if not _have_cards(name):
        BucketsConfig(name=name, seed=SEED).build(buckets_path(name))  # the seed of the shipped buckets


def _have_cards(name: str) -> bool:
    return name == "lossless" or buckets_path(name).exists()
