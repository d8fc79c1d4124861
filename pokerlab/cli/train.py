"""`pokerlab train`: strategies for the players that need training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App

from pokerlab.cli.looks import looks_shown
from pokerlab.cli.output import Flag, Json, console, print_json
from pokerlab.cli.playing import Out, duration

if TYPE_CHECKING:
    from pokerlab.learning.equilibrium import Trained, TrainingCost

app = App(
    name="train",
    help="""Train players that need it, each by its recipe.

For example:

    pokerlab train equilibrium limit3p --dry-run
    pokerlab train equilibrium limit3p""",
)


@app.command
def equilibrium(
    name: str,
    /,
    *,
    iterations: int | None = None,
    threads: int | None = None,
    out: Out = None,
    dry_run: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> None:
    """Solve for the strategy that the player equilibrium:NAME plays, and put it where that finds it.

    Card buckets that are missing are built first. Stop it at any moment; the same command goes on from its checkpoint.
    A GPU is used where JAX has one and the recipe is a dense one. limit2p and nolimit2p ship with pokerlab: what is
    trained for them is kept in the run's directory (player.bin) and can be seated as strategy:FILE.

    For example:

        pokerlab train equilibrium limit3p
        pokerlab train equilibrium nolimit2p-large --dry-run

    Parameters
    ----------
    name
        limit2p, nolimit2p, limit3p or nolimit2p-large.
    iterations
        Instead of the recipe's; a player with fewer than that stays in the run's directory.
    threads
        Of recipes that sample deals; one a core when not given.
    dry_run
        Say what it would cost in time, memory and disk, with the configuration for `python -m pokerlab.run`.
    """
    from pokerlab.learning.equilibrium import config_for, default_directory, train, training_cost

    if dry_run:
        cost = training_cost(name, iterations=iterations, threads=threads)
        _say_cost(name, cost, out or default_directory(name), as_json=as_json)
        return
    config = config_for(name, iterations=iterations, threads=threads)
    with looks_shown(config.iterations, None) as report:
        done = train(name, out, iterations=iterations, threads=threads, report=report)
    if as_json:
        print_json({**done.summary, "player": name, "path": str(done.path), "installed": done.installed})
    else:
        _say(name, done)


def _say(name: str, done: Trained) -> None:
    found, out = done.summary, console()
    out.print(f"{found['iterations']:,} iterations in {duration(found['seconds'])}")
    if found["exploitability"] is not None:
        milli = found["exploitability"] / found["big_blind"] * 1000
        out.print(f"exploitability {milli:.3g} mbb_per_hand inside its abstraction, before it is rounded to 8 bits")
    seat = f"equilibrium:{name}" if done.installed else f"strategy:{done.path}"
    out.print(f"kept in {done.path}; it plays as {seat}", markup=False, soft_wrap=True)


def _say_cost(name: str, cost: TrainingCost, directory: Path, *, as_json: bool) -> None:
    from pokerlab.agents.recipes import recipe

    wanted = recipe(name)
    if as_json:
        print_json({"player": name, "config": wanted.config, "note": wanted.note, "estimate": cost._asdict()})
        return
    out = console()
    sizes = wanted.sizes or "those of the game"
    out.print(f"{wanted.rules.name}, bets {sizes}, cards {wanted.cards}, {wanted.algorithm} on {wanted.engine}")
    out.print(f"cites {wanted.cites}", markup=False)
    if cost.buckets_seconds:
        out.print(f"building {wanted.cards} first: about {duration(cost.buckets_seconds)}")
    size = (
        ""
        if cost.memory is None
        else f", {cost.memory / 1e6:.0f} MB of memory, {(cost.disk or 0) / 1e6:.1f} MB on disk"
    )
    out.print(
        f"solving: about {duration(cost.solve_seconds)} on this machine{size}; kept in {directory}", soft_wrap=True
    )
    out.print(f"elsewhere: {wanted.note}", markup=False)
