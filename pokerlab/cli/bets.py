"""`pokerlab bets` and `pokerlab bets spot`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from pokerlab.cli.bets_spot import spot
from pokerlab.cli.bets_spots import spots
from pokerlab.cli.looks import check_picture
from pokerlab.cli.output import Count, DryRun, Flag, Json, Seed, followed, print_json, say, say_cost
from pokerlab.cli.playing import Keep, Out, kept_in
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.runs.cost import Cost
    from pokerlab.systems.bets.config import SizingConfig
    from pokerlab.systems.bets.saved_runs import Progress
    from pokerlab.systems.bets.search import Run

app = App(name="bets")
app.command(spot)
app.command(spots)


@app.default
def bets(
    game: Annotated[str, Parameter(help="A no-limit game of the catalog, or an ACPC game-definition file.")],
    /,
    *,
    player: Literal["0", "1", "both"] = "0",
    opponent: str = "fcpa",
    ranges: str = "1",
    extra: int | None = None,
    runs: int = 10,
    cards: str = "lossless",
    iterations: Count = 3000,
    n: float | None = None,
    fixed_width: Annotated[bool, Flag] = False,
    sampled: Annotated[bool, Flag] = False,
    variant: str = "auto",
    max_raises: int | None = None,
    engine: Literal["auto", "numba", "jax"] = "auto",
    value_iterations: Count = 4000,
    within: float | None = None,
    baseline: bool = True,
    boards: int = 8,
    value_boards: int = 10_000,
    seed: Seed = 7,
    picture: Path | None = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find the few bet sizes that are worth having, at every point of the betting tree.

    One range for each bet is BETS (--runs 1), RE-BETS (--fixed-width) or
    RED-BETS; several are REDM-BETS, and with --extra REFINED-BETS (Hawkin 2014).
    Stop it at any moment; the same command, also with more runs, goes on where it
    was, to the same sizes as if it had never stopped. The answer, sizes.bin, can be
    named wherever the sizes of both players are asked for, as @FILE. `pokerlab bets
    spot` sizes one bet on a real board.

    For example:

        pokerlab bets leduc-nolimit --runs 3 --picture leduc.svg
        pokerlab bets leduc-nolimit --player 1 --ranges 0.5-0.7,1-1.5 --extra 2
        pokerlab bets nolimit2p --cards pr5 --runs 1 --value-iterations 0
        pokerlab bets nolimit2p --cards pr5 --ranges 2 --extra 25 --dry-run
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
        lossless, or card buckets such as pr5 (perfect recall) and ir100 (sampled boards).
    iterations
        Of each run of BETS.
    n
        Sizes move by at most 1/N of the way in an iteration, once N are done; 100, or 10,000 when sampled.
    fixed_width
        Ranges keep their width when they move, not their ratio.
    sampled
        One deal an iteration, as in the thesis.
    variant
        cfr, cfr+, lcfr, dcfr or dcfr+; auto is cfr when sampled, lcfr in buckets irN, cfr+ by numba without buckets,
        else dcfr+.
    max_raises
        Bets and raises a street, for games without another end.
    engine
        jax, or numba for small games and sampled deals. Auto: numba for sampled deals, else jax where it is installed.
    value_iterations
        Of the solve that says what the sizes of a run are worth; 0 leaves it out.
    within
        End those solves when the bounds are so far apart, in thousandths of a big blind (of an ante where there are no
        blinds); where cards forget, values have intervals instead.
    baseline
        Whether to solve also the game in which both bet as the opponent does, to say what the sizes gain over it.
    boards
        With cards such as ir100: sampled boards an iteration.
    value_boards
        With cards such as ir100: sampled boards on which a value is measured.
    picture
        Draw the betting tree of the last run's most important bets; .png, .svg or .pdf says how.
    """
    from pokerlab.cli.bets_shown import data, show
    from pokerlab.games.units import units_per_chip
    from pokerlab.notation.acpc.definition import game_called
    from pokerlab.solvers.bet_sizing.ranges import ranges_called
    from pokerlab.systems.bets.baseline import baseline as solve_baseline
    from pokerlab.systems.bets.config import SizingConfig
    from pokerlab.systems.bets.saved_runs import default_directory, expected_cost, find_bets

    check_picture(picture)
    if within is not None and not within > 0:
        raise PokerlabError(f"bounds are asked for with a width above 0, not {within:g}")
    rules = game_called(game)
    config = SizingConfig(
        game=game,
        players={"0": (0,), "1": (1,), "both": (0, 1)}[player],
        opponent=opponent,
        ranges=ranges_called(ranges),
        keeps="width" if fixed_width else "ratio",
        extra=extra,
        runs=runs,
        cards=cards,
        iterations=iterations,
        n=n,
        variant=variant,
        sampled=sampled,
        engine=engine,
        max_raises=max_raises,
        value_iterations=value_iterations,
        value_target=0.0 if within is None else within / units_per_chip(rules, "mbb_per_hand"),
        boards=boards,
        value_boards=value_boards,
        seed=seed,
    )
    if dry_run:
        _say_cost(config, expected_cost(config), as_json=as_json)
        return
    directory = kept_in(out, keep, lambda: default_directory(config))
    with _shown(config) as (finished, on_its_way, compared):
        found = find_bets(config, directory, report=finished, progress=on_its_way)
        compares = baseline and value_iterations > 0 and player != "both"
        base = solve_baseline(config, directory, progress=compared) if compares else None
    if as_json:
        print_json(data(config, found, base, directory))
    else:
        show(config, found, base, directory)
    if picture is not None:  # last: what was found has been said even if it cannot be drawn
        from pokerlab.pictures.bet_sizes import save_bet_sizes

        save_bet_sizes(found[-1], picture, title=f"{config.rules.name}, run {found[-1].number}")
        if not as_json:
            say(f"picture: {picture}")


def _say_cost(config: SizingConfig, cost: Cost, *, as_json: bool) -> None:
    of = cost.counts
    what = (
        f"{config.rules.name}: first tree of {of['decisions']:,} decisions, {of['sized_bets']:,} sized bets, "
        f"{of['pairs']:,} pairs (later trees have other sizes)\n{config.runs} runs of {config.iterations:,} iterations"
    )
    say_cost(what, cost, as_json=as_json, game=config.rules.name)


@contextmanager
def _shown(
    config: SizingConfig,
) -> Iterator[tuple[Callable[[Run], None], Callable[[Progress], None], Callable[[int], None]]]:
    """A line on stderr: which run, how far, how long it will take, and what the last one was worth.

    Yields whom to tell of a finished run, of a run on its way, and of iterations of the baseline.
    """
    worth = ""
    with followed() as show:

        def finished(run: Run) -> None:
            nonlocal worth
            worth = "" if run.worth is None else f"  run {run.number}: {run.worth.mean:+.5f}"

        def on_its_way(at: Progress) -> None:
            words = f"run {at.run} of {config.runs}, {at.stage} {at.done:,} of {at.iterations:,}{worth}"
            show(words, at.done, at.iterations)

        def compared(done: int) -> None:
            most = config.value_iterations
            show(f"{config.opponent} for both, {done:,} of {most:,}{worth}", done, most)

        yield finished, on_its_way, compared
