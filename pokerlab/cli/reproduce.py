"""`pokerlab reproduce`: the request "reproduce", and views of saved results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.output import Flag, Json, Seed, console, print_answer, print_json, table
from pokerlab.cli.requested import execute
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS

if TYPE_CHECKING:
    from pokerlab.answers import Answer

From = Annotated[
    list[Path] | None,
    Parameter(name="--from", consume_multiple=True, negative="", help="Saved results to show; nothing is run."),
]
Ray = Annotated[list[str] | None, Parameter(consume_multiple=True, negative="", help=TERMS["ray"])]
Picture = Annotated[
    Path | None,
    Parameter(
        help=f"{TERMS['picture']} It shows published values and ours by run or by bet size, if a result has them. For "
        "several results name a directory."
    ),
]


def reproduce(
    name: str | None = None,
    /,
    *,
    listed: Annotated[bool, Parameter(name="--list", negative="", help=TERMS["list"])] = False,
    quick: Annotated[bool, Flag] = False,
    full: Annotated[bool, Flag] = False,
    seed: Seed = 7,
    saved: From = None,
    markdown: Annotated[bool, Flag] = False,
    picture: Picture = None,
    workers: Annotated[int | None, Parameter(help=TERMS["workers"])] = None,
    ray: Ray = None,
    out: Annotated[Path | None, Parameter(help=TERMS["out"])] = None,
    no_save: Annotated[bool, Flag, Parameter(help=TERMS["no_save"])] = False,
    dry_run: Annotated[bool, Flag, Parameter(help=TERMS["dry_run"])] = False,
    as_json: Json = False,
) -> None:
    """Run a published experiment and print its numbers beside ours; without a name, list the experiments.

    The result depends only on the seed. Stop it at any moment; the same command resumes it.

    For example:

        pokerlab reproduce --list
        pokerlab reproduce davidson2002-table-3-1
        pokerlab reproduce davidson2002-players --full --workers 16 --out players
        pokerlab reproduce --from players/result.json --markdown
        pokerlab reproduce --from docs/results/hawkin2014-figure-6-5.json --picture curves.svg

    Parameters
    ----------
    name
        Name of the experiment; without a name they are listed.
    quick
        Use settings that take about two minutes; the default.
    full
        Use the settings of the documented results.
    markdown
        Print the result as a page of Markdown.
    """
    if listed and (name is not None or saved is not None):
        raise PokerlabError("--list lists the experiments: leave out the name and --from")
    if name is not None and saved is not None:
        raise PokerlabError("--from shows saved results: leave out the name")
    if saved is not None:
        _show_saved(saved, picture, markdown=markdown, as_json=as_json)
    elif name is None:
        _list(as_json)
    else:
        from pokerlab.experiments.request import Reproduce

        request = Reproduce(name=name, full=full, quick=quick, seed=seed, picture=picture)
        how: dict[str, Any] = {"out": out, "no_save": no_save, "workers": workers, "ray": ray, "dry_run": dry_run}
        execute(request, **how, json=as_json, show=_print_page if markdown else print_answer)


def _print_page(answer: Answer, *, as_json: bool) -> None:
    from pokerlab.experiments.results import markdown

    print(answer.json() if as_json else markdown([answer.result]), end="\n" if as_json else "")


def _show_saved(paths: list[Path], picture: Path | None, *, markdown: bool, as_json: bool) -> None:
    from pokerlab.experiments.request import answer_of, draw_results
    from pokerlab.experiments.results import Result
    from pokerlab.experiments.results import markdown as page
    from pokerlab.files import check_picture

    if picture is not None and picture.suffix:
        check_picture(picture)
    results = [Result.read(path) for path in paths]
    if as_json:
        print_json({"results": [{**result.data(), "origin": list(result.origin)} for result in results]})
    elif markdown:
        print(page(results), end="")
    else:
        for result in results:
            print_answer(answer_of(result), as_json=False)
    if picture is not None:  # last, so that the results are printed even if they cannot be drawn
        draw_results(results, picture)


def _list(as_json: bool) -> None:
    from pokerlab.experiments.records import EXPERIMENTS

    if as_json:
        print_json({"experiments": [{"name": name, **entry._asdict()} for name, entry in EXPERIMENTS.items()]})
        return
    rows = [(name, entry.summary, f"{entry.minutes:g}") for name, entry in EXPERIMENTS.items()]
    shown = table(("experiment", "what it measures", "--full, minutes\nof one core"), rows, words=2)
    shown.columns[0].no_wrap = True
    console().print(shown)
