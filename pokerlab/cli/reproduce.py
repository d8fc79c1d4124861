"""`pokerlab reproduce`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.cli.looks import check_picture
from pokerlab.cli.output import Flag, Json, Seed, console, print_json, progress, say_cost, table
from pokerlab.cli.playing import Keep, Out, Workers, kept_in
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.experiments.results import Result

From = Annotated[
    list[Path] | None,
    Parameter(name="--from", consume_multiple=True, negative="", help="Show results that were kept, and run nothing."),
]


def reproduce(
    name: str | None = None,
    /,
    *,
    listed: Annotated[bool, Parameter(name="--list", negative="")] = False,
    quick: Annotated[bool, Flag] = False,
    full: Annotated[bool, Flag] = False,
    seed: Seed = 7,
    workers: Workers = None,
    out: Out = None,
    keep: Keep = True,
    kept: From = None,
    markdown: Annotated[bool, Flag] = False,
    picture: Path | None = None,
    dry_run: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> None:
    """Run a published experiment and show its numbers beside ours; without a name, list the experiments.

    The result depends on the seed alone. Stop it at any moment; the same command
    goes on where it was.

    For example:

        pokerlab reproduce --list
        pokerlab reproduce davidson2002-table-3-1
        pokerlab reproduce davidson2002-players --full --workers 16 --out players
        pokerlab reproduce --from players/result.json --markdown
        pokerlab reproduce --from docs/results/hawkin2014-figure-6-5.json --picture curves.svg

    Parameters
    ----------
    name
        Which experiment; without a name they are listed.
    listed
        List the experiments.
    quick
        Settings that take about two minutes; the default.
    full
        The settings of the documented results.
    markdown
        Print a page of Markdown.
    picture
        Draw values run by run or by bet size, published beside ours, where a result has them: a file ending in .png,
        .svg or .pdf, or for several results a directory.
    dry_run
        Say how long it would take, going by what it took elsewhere.
    """
    if quick and full:
        raise PokerlabError("--quick and --full contradict each other")
    if listed and (name is not None or kept is not None):
        raise PokerlabError("--list lists the experiments: leave out the name and --from")
    if (name is None) == (kept is None):
        if name is not None:
            raise PokerlabError("--from shows what was kept: leave out the name")
        _list(as_json)
        return
    from pokerlab.experiments.results import Result
    from pokerlab.experiments.results import markdown as page

    if picture is not None and picture.suffix:
        check_picture(picture)
    if dry_run and name is not None:
        from pokerlab.experiments.results import expected_cost

        say_cost(name, expected_cost(name, full=full, workers=workers), as_json=as_json, experiment=name)
        return
    if kept is not None:
        results = [Result.read(path) for path in kept]
    else:
        assert name is not None
        results = [_run(name, full=full, seed=seed, workers=workers, out=out, keep=keep)]
    if as_json:
        print_json({"results": [result.data() for result in results]})
    elif markdown:
        print(page(results), end="")
    else:
        for result in results:
            _show(result)
    if picture is not None:  # last: what was found has been said even if it cannot be drawn
        _draw(results, picture)


def _draw(results: Sequence[Result], picture: Path) -> None:
    from pokerlab.experiments.drawn import draw

    if len(results) == 1 and picture.suffix:
        draw(results[0], picture)
        return
    if picture.suffix:
        raise PokerlabError(f"{picture} is one picture for {len(results)} results; name a directory")
    for result in results:
        if result.picture:
            draw(result, picture / f"{result.experiment}.svg")


def _run(name: str, *, full: bool, seed: int, workers: int | None, out: Path | None, keep: bool) -> Result:
    from pokerlab.experiments.results import default_directory
    from pokerlab.experiments.results import reproduce as run

    where = kept_in(out, keep, lambda: default_directory(name, full=full, seed=seed))
    with progress(name) as report:
        return run(name, full=full, seed=seed, workers=workers, out=where, report=report)


def _list(as_json: bool) -> None:
    from pokerlab.experiments.registry import EXPERIMENTS

    if as_json:
        print_json({"experiments": [{"name": name, **entry._asdict()} for name, entry in EXPERIMENTS.items()]})
        return
    rows = [(name, entry.summary, f"{entry.minutes:g}") for name, entry in EXPERIMENTS.items()]
    shown = table(("experiment", "what it measures", "--full, minutes\nof one core"), rows, words=2)
    shown.columns[0].no_wrap = True
    console().print(shown)


def _show(result: Result) -> None:
    from pokerlab.experiments.results import compared

    out = console()
    out.print(f"[bold]{result.title}[/]\n{result.cites}. {result.about}\n", soft_wrap=False)
    for section, header, rows in compared(result):
        out.print(table(header, rows, title=section, title_justify="left", title_style="bold"))
    for note in result.ours.notes:
        out.print(note, markup=False)
    out.print("; ".join((result.command, *result.made.values())), style="dim", markup=False)
