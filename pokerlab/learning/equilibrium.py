"""Training the equilibrium players: a recipe goes in, the strategy that `equilibrium:NAME` plays comes out.

`pokerlab train equilibrium NAME` ends here, and so does `python -m pokerlab.learning.equilibrium NAME`, which needs
NumPy, SciPy, Numba and JAX alone. A run that was stopped goes on from its checkpoint. On a machine with a GPU the dense
recipes (engine jax) use it without being told.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.agents.recipes import recipe, shipped_path, trained_path
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.solvers.runs import SolveConfig, config_of, made_by, run_solve, summary
from pokerlab.solvers.solve import Look
from pokerlab.table.jobs import usable_cores
from pokerlab.trees.bucket_files import buckets_path, save_buckets
from pokerlab.trees.build_buckets import N_BOARDS, SEED, build_buckets, command

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
    return Path("runs") / f"equilibrium-{name}"


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
    config = config_for(name, iterations=iterations, threads=threads)
    make_buckets(recipe(name).cards)
    directory = directory or default_directory(name)
    solution = run_solve(config, directory, report=report)
    about = {**made_by(config, solution), "recipe": name}
    path, whole = directory / PLAYER, solution.iterations >= recipe(name).iterations
    save_strategy(path, solution.strategy, about)
    installs = whole and not shipped_path(name).exists()
    if installs:
        path = trained_path(name)
        save_strategy(path, solution.strategy, about)
    return Trained(path, installs, summary(config, solution))


def make_buckets(name: str) -> None:
    """Build card buckets where they are looked for, unless they are there."""
    path = buckets_path(name)
    if not path.exists():
        made = build_buckets(name, n_boards=N_BOARDS, seed=SEED)
        save_buckets(made, path, command=command(name, n_boards=N_BOARDS, seed=SEED))


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words`; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.learning.equilibrium", description=__doc__)
    parser.add_argument("name", help="the player")
    parser.add_argument("--out", type=Path, help="keep the run here; the same command continues it")
    parser.add_argument("--iterations", type=int, help="instead of the recipe's")
    parser.add_argument("--threads", type=int, help="of sampling recipes; one a core when not given")
    asked = parser.parse_args(words)

    def report(look: Look) -> None:
        print(f"{look.iteration:,}: {look.seconds:.1f} s, exploitability {look.exploitability:.4g} chips", flush=True)

    try:
        done = train(asked.name, asked.out, iterations=asked.iterations, threads=asked.threads, report=report)
    except PokerlabError as error:
        print(f"pokerlab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("pokerlab: interrupted; the same command goes on from the checkpoint", file=sys.stderr)
        return 130
    print(f"{done.summary['iterations']:,} iterations in {done.summary['seconds']:.1f} s; kept in {done.path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
