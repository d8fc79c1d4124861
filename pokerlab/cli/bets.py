"""`pokerlab bets`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from pokerlab.cli.output import Flag, Json, console, print_json
from pokerlab.cli.playing import Keep, Out

if TYPE_CHECKING:
    from pokerlab.solvers.bet_sizing.saved_runs import SizedRun, SizingConfig, SizingCost

SHOWN = 12


def bets(
    game: Annotated[str, Parameter(help="A no-limit game of the catalog, or an ACPC game-definition file.")],
    /,
    *,
    player: Literal["0", "1", "both"] = "0",
    opponent: str = "fcpa",
    ranges: str = "1",
    extra: int | None = None,
    runs: int = 10,
    cards: str | None = None,
    iterations: int = 3000,
    n: float | None = None,
    fixed_width: Annotated[bool, Flag] = False,
    sampled: Annotated[bool, Flag] = False,
    max_raises: int | None = None,
    engine: Literal["numba", "jax"] | None = None,
    value_iterations: int = 4000,
    seed: int = 7,
    picture: Path | None = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> None:
    """Find the few bet sizes that are worth having, at every point of the betting tree.

    One range for each bet is BETS (--runs 1), RE-BETS (--fixed-width) or RED-BETS; several are REDM-BETS, and with
    --extra REFINED-BETS (Hawkin 2014). Stop it at any moment; the same command, also with more runs, goes on after the
    last finished run. The answer, sizes.bin, can be named wherever the sizes of both players are asked for, as @FILE.

    For example:

        pokerlab bets leduc-nolimit --player 0 --runs 10
        pokerlab bets nolimit2p --cards pr5 --engine jax --ranges 2 --extra 25 --dry-run
        pokerlab bets kuhn-half-street --opponent none --ranges 0-1 --runs 1
        pokerlab solve leduc-nolimit --sizes @runs/bets-leduc-nolimit/sizes.bin

    Parameters
    ----------
    player
        Whose bets are sized: 0, 1 or both. In hold'em player 0 is the big blind, the thesis's player one.
    opponent
        The sizes of the other player.
    ranges
        1, 2 or 3 for the thesis's default ranges, or ranges such as 0.5-0.7,1-1.5, in fractions of the pot.
    extra
        After the first run keep the most important bet of every decision, and this many more.
    runs
        How often BETS is run; between runs the ranges move.
    cards
        lossless, or card buckets with perfect recall such as pr5.
    iterations
        Of each run of BETS.
    n
        Sizes move by at most 1/N of the way in an iteration, once N are done; 100, or 10,000 when sampled.
    fixed_width
        Ranges keep their width when they move, not their ratio.
    sampled
        One deal an iteration, as in the thesis.
    max_raises
        Bets and raises a street, for games without another end.
    engine
        numba, or jax for bucketed games (its default).
    value_iterations
        Of the solve that says what the sizes of a run are worth; 0 leaves it out.
    picture
        Draw the most important bets of the last run; .png, .svg or .pdf says how.
    dry_run
        Say what it would cost in time and memory.
    """
    from pokerlab.errors import PokerlabError
    from pokerlab.solvers.bet_sizing.saved_runs import SizingConfig, default_directory, expected_cost, find_bets

    lossless = cards in (None, "lossless")
    config = SizingConfig(
        game=game,
        players={"0": (0,), "1": (1,), "both": (0, 1)}[player],
        opponent=opponent,
        ranges=_ranges(ranges),
        keeps="width" if fixed_width else "ratio",
        extra=extra,
        runs=runs,
        cards=cards or "lossless",
        iterations=iterations,
        n=n if n is not None else 10_000.0 if sampled else 100.0,
        variant="cfr" if sampled else "cfr+",
        sampled=sampled,
        by_reach=sampled,
        engine=engine or ("numba" if lossless or sampled else "jax"),
        max_raises=max_raises,
        value_iterations=value_iterations,
        seed=seed,
    )
    if picture is not None:
        from pokerlab.cli.looks import check_picture

        check_picture(picture)
    if dry_run:
        _say_cost(config, expected_cost(config), as_json=as_json)
        return
    if out is not None and not keep:
        raise PokerlabError("--out and --no-keep contradict each other")
    directory = (out or default_directory(config)) if keep else None
    with _runs_shown(runs) as report:
        found = find_bets(config, directory, report=report)
    if picture is not None:
        from pokerlab.web.bet_sizes import save_bet_sizes

        save_bet_sizes(found[-1].run, picture, title=f"{config.rules.name}, run {found[-1].run.number}")
    if as_json:
        print_json(_data(config, found, directory))
    else:
        _show(config, found, directory)


def _ranges(text: str) -> tuple[str, ...]:
    from pokerlab.solvers.bet_sizing.saved_runs import default_ranges

    if text.strip().isdigit():
        return default_ranges(int(text))
    return tuple(part.strip() for part in text.split(","))


def _data(config: SizingConfig, found: Sequence[SizedRun], directory: Path | None) -> dict[str, Any]:
    from pokerlab.solvers.bet_sizing.table import bet_rows

    return {
        "game": config.rules.name,
        "players": list(config.players),
        "opponent": config.opponent,
        "units": "chips_per_hand",
        "big_blind": float(config.rules.big_blind),
        "runs": [
            {
                "run": each.run.number,
                "sized_bets": each.run.tree.n_agents,
                "pairs": each.pairs,
                "value": each.value,
                "bounds": each.bounds,
                "seconds": each.seconds,
                "value_seconds": each.value_seconds,
            }
            for each in found
        ],
        "bets": [
            {name: value for name, value in row._asdict().items() if name != "agent"} for row in bet_rows(found[-1].run)
        ],
        "sizes": None if directory is None else str(directory / "sizes.bin"),
    }


def _show(config: SizingConfig, found: Sequence[SizedRun], directory: Path | None) -> None:
    from rich.table import Table

    from pokerlab.solvers.bet_sizing.table import bet_rows

    out = console()
    who = " and ".join(f"player {player}" for player in config.players)
    other = "" if len(config.players) == 2 else f" against {config.opponent}"
    out.print(f"[bold]{config.rules.name}[/], sizes of {who}{other}, ranges {', '.join(config.ranges)}")
    table = Table("run", "sized bets", "pairs", "value to player 0", "within", "seconds")
    for column in table.columns:
        column.justify = "right"
    for each in found:
        value, within = "-", "-"
        if each.bounds is not None:
            value, within = f"{each.value:+.5f}", f"± {(each.bounds[1] - each.bounds[0]) / 2:.2g}"
        seconds = each.seconds + each.value_seconds
        table.add_row(
            str(each.run.number), f"{each.run.tree.n_agents:,}", f"{each.pairs:,}", value, within, f"{seconds:.1f}"
        )
    out.print(table)
    rows = Table("bet (the sized one comes last)", "of the pot", "range", "importance")
    for row in bet_rows(found[-1].run)[:SHOWN]:
        edge = " *" if row.at_edge else ""
        rows.add_row(row.actions, f"{row.size:.3f}{edge}", f"{row.low:.2f}-{row.high:.2f}", f"{row.importance:.4g}")
    out.print(rows)
    out.print(
        "Values in chips a hand. Importance: chips per pot fraction (Hawkin 2014, 5.15). *: at an end of its range.",
        markup=False,
        soft_wrap=True,
    )
    if directory is not None:
        out.print(
            f"kept in {directory}; to solve with it: --sizes @{directory / 'sizes.bin'}", markup=False, soft_wrap=True
        )


def _say_cost(config: SizingConfig, cost: SizingCost, *, as_json: bool) -> None:
    from pokerlab.cli.playing import duration

    if as_json:
        print_json({"game": config.rules.name, **cost._asdict()})
        return
    console().print(
        f"{config.rules.name}: first tree of {cost.decisions:,} decisions, {cost.sized_bets:,} sized bets, "
        f"{cost.pairs:,} pairs; about {duration(cost.seconds)} for {config.runs} runs of {config.iterations:,} "
        f"iterations (later trees may be larger), {cost.memory_bytes / 1e6:.0f} MB of memory",
        soft_wrap=True,
    )


@contextmanager
def _runs_shown(runs: int) -> Iterator[Callable[[SizedRun], None]]:
    """A bar on stderr, shown only to a terminal."""
    if not sys.stderr.isatty():
        yield lambda found: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("run 1 (a first run compiles for some seconds)", total=runs)

        def report(found: SizedRun) -> None:
            worth = "" if found.value is None else f", value {found.value:+.5f}"
            bar.update(task, description=f"run {found.run.number} done{worth}", completed=found.run.number)

        yield report
