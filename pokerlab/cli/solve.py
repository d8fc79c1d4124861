"""`pokerlab solve` and `pokerlab solve subgame`."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import App

from pokerlab.cli.games import Game
from pokerlab.cli.looks import Plot, check_picture, draw_looks, looks_shown, number
from pokerlab.cli.output import Count, DryRun, Json, console, print_json, say, say_cost, table
from pokerlab.cli.playing import Keep, Out, how_to_play, kept_in
from pokerlab.cli.solve_subgame import subgame

if TYPE_CHECKING:
    from pokerlab.runs.cost import Cost
    from pokerlab.solvers.configs import SolveConfig

app = App(name="solve")
app.command(subgame)


@app.default
def solve(
    game: Game,
    /,
    *,
    algorithm: str = "auto",
    iterations: Count = 1000,
    target: float | None = None,
    sizes: str | None = None,
    cards: str | None = None,
    engine: str = "auto",
    seed: int = 0,
    deals_per_iteration: int = 1,
    threads: int = 1,
    plot: Plot = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find a strategy that nobody can exploit by much, and say by how much.

    Stop it at any moment; the same command, also with more iterations, goes on from its checkpoint and gives the same
    bits as if it had never stopped. What is kept (a directory with checkpoint, strategy and result) can be looked at
    with `pokerlab show` and seated at a table as the agent strategy:FILE. `pokerlab solve subgame` solves a situation
    of hold'em with every hand apart.

    For example:

        pokerlab solve leduc --iterations 10000 --plot leduc.png
        pokerlab solve kuhn --algorithm lp
        pokerlab solve leduc-nolimit --sizes "0.5p once, 1p, all-in" --target 0.001
        pokerlab solve nolimit2p --cards pr5 --sizes fcpa --iterations 5000 --dry-run
        pokerlab solve nolimit2p --cards ir100 --algorithm public --engine jax --deals-per-iteration 32 --dry-run

    Parameters
    ----------
    algorithm
        cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+ or pdcfr+; with sampled cards mccfr (external), linear, outcome, chance or
        public; lp is exact, for small games. auto: cfr+ where every hand is apart, dcfr+ with buckets prN, mccfr where
        nothing else works (buckets irN, or buckets with three and more players).
    iterations
        At most this many.
    target
        Stop when the exploitability (half of NashConv) is this low, in chips a hand.
    sizes
        The bets of the tree: a name such as fcpa, or sizes such as "0.5p once, 1p, all-in; river: 2p"; "A | B" for each
        player. Default: limit games their own, others fcpa.
    cards
        lossless, or the name of card buckets such as pr5 (`pokerlab buckets list`).
    engine
        numba, or jax for bucketed games on a CPU or a GPU (irN: with public). auto: jax for prN where it is installed,
        else numba. A run that was begun with one is not continued with the other.
    seed
        Of sampled cards.
    deals_per_iteration
        Of sampling algorithms: how many are walked with the same strategies. Of public with jax: boards.
    threads
        Of sampling algorithms, which share the deals of an iteration.
    """
    from pokerlab.policies.strategy_files import STRATEGY_FILE
    from pokerlab.solvers.configs import SolveConfig
    from pokerlab.solvers.runs import default_directory, expected_cost, run_solve, summary

    config = SolveConfig(
        game=game,
        algorithm=algorithm,
        iterations=iterations,
        target=target,
        sizes=sizes,
        cards=cards,
        engine=engine,
        seed=seed,
        deals_per_iteration=deals_per_iteration,
        threads=threads,
    )
    if dry_run:
        _say_cost(config, expected_cost(config), as_json=as_json)
        return
    check_picture(plot)
    directory = kept_in(out, keep, lambda: default_directory(config))
    with looks_shown(config.iterations, config.target) as report:
        solution = run_solve(config, directory, report=report)
    found = summary(config, solution)
    if as_json:
        print_json({**found, "strategy": None if directory is None else str(directory / STRATEGY_FILE)})
    else:
        _show(found, directory)
        if target is not None and not solution.exploitability <= target:
            console().print(f"the target of {target:g} was not reached; ask for more --iterations to go on")
    if plot is not None:  # last: what was found has been said even if there is nothing to draw
        title = f"{found['game']}, {config.algorithm}"
        draw_looks(config.algorithm, solution.looks, plot, title=title, as_json=as_json)


def _say_cost(config: SolveConfig, cost: Cost, *, as_json: bool) -> None:
    of = cost.counts
    what = (
        f"{config.rules.name}: {of['decisions']:,} decisions of the betting tree, {of['information_sets']:,} "
        f"information sets, {of['pairs']:,} (information set, action) pairs\n"
        f"{config.algorithm}, {config.iterations:,} iterations"
    )
    about = {"game": config.rules.name, "algorithm": config.algorithm, "iterations": config.iterations}
    say_cost(what, cost, as_json=as_json, **about)


def _show(found: Mapping[str, Any], directory: Path | None) -> None:
    out = console()
    milli = found["big_blind"] / 1000
    out.print(
        f"[bold]{found['game']}[/], bets {found['sizes']}, cards {found['cards']}: {found['information_sets']:,} "
        f"information sets, {found['pairs']:,} actions at them"
    )
    out.print(f"{found['algorithm']} ({found['cites']}), engine {found['engine']}", markup=False)
    if found["looks"]:
        rows = [
            (
                f"{look['iteration']:,}",
                f"{look['seconds']:.2f}",
                number(look["value"], "+.6f"),
                number(look["exploitability"], ".3g"),
            )
            for look in found["looks"][-9:]
        ]
        out.print(table(("iterations", "seconds", "value", "exploitability"), rows, words=0))
    out.print(f"iterations      {found['iterations']:,}")
    out.print(f"seconds         {found['seconds']:.2f}")
    form = f"+.{_decimals(found['exploitability'])}f"
    within = ""
    if found["bounds"] and found["bounds"][0] is not None:
        low, high = found["bounds"]
        within = f"; the game's is between {low:{form}} and {high:{form}}"
    out.print(f"value           {_chips(found['value'], milli, form, '+.2f')} to player 0{within}", soft_wrap=True)
    out.print(f"exploitability  {_chips(found['exploitability'], milli, '.3g', '.3g')}: half of NashConv")
    if directory is not None:
        say(f"kept in {directory}; see it: pokerlab show {directory}\n{how_to_play(f'strategy:{directory}')}")


def _decimals(exploitability: float | None) -> int:
    """How many of a value to print: six, and as many more as it is known to."""
    known = 0 if exploitability is None or exploitability <= 0 else int(-log10(exploitability))
    return min(max(6, known), 12)


def _chips(value: float | None, milli: float, form: str, milli_form: str) -> str:
    if value is None:
        return "not known"
    return f"{value:{form}} chips a hand ({value / milli:{milli_form}} mbb_per_hand)"
