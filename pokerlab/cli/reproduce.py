"""`pokerlab reproduce`: the request "reproduce", and views of saved results."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter as Option
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from pokerlab.answers import Answer
from pokerlab.cli.output import Flag, console, print_answer, print_json, table
from pokerlab.cli.requested import command
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS

NAME = Annotated[str | None, Parameter(help=("Name of the experiment. Without a name, all experiments are listed."))]
LIST = Annotated[bool, Parameter(name="--list", negative="", show_default=False, help=TERMS["list"])]
FROM = Annotated[
    list[Path] | None,
    Parameter(name="--from", consume_multiple=True, negative="", help=("Show these saved results instead of running.")),
]
MARKDOWN = Annotated[bool, Flag, Parameter(help="Print the result as a page of Markdown.")]
OPTIONS = (
    Option("name", Option.POSITIONAL_ONLY, default=None, annotation=NAME),
    Option("listed", Option.KEYWORD_ONLY, default=False, annotation=LIST),
    Option("saved", Option.KEYWORD_ONLY, default=None, annotation=FROM),
    Option("markdown", Option.KEYWORD_ONLY, default=False, annotation=MARKDOWN),
)


def _view(given: dict[str, Any], how: dict[str, Any]) -> Callable[..., None] | None:
    """Return a function that shows the list or the saved results, if requested; None to print a new result as usual."""
    listed, saved, markdown = (given.pop(option, None) for option in ("listed", "saved", "markdown"))
    named, as_json = given.get("name") is not None, how.get("json", False)
    if listed and (named or saved):
        raise PokerlabError("--list lists the experiments: leave out the name and --from")
    if named and saved:
        raise PokerlabError("--from shows saved results: leave out the name")
    if saved:
        _show_saved(saved, given.get("picture"), markdown=bool(markdown), as_json=as_json)
    elif not named:
        _list(as_json)
    else:
        return _print_page if markdown else print_answer
    return None


reproduce = command("reproduce", OPTIONS, _view)


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
    shown.columns[0].no_wrap = True  # a name broken over two lines could not be copied into a command
    console().print(shown)
