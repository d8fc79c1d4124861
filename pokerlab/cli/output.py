"""Output of commands: JSON for machines, rich tables for people, progress on stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.answers import FixedLines, json_text
from pokerlab.errors import PokerlabError
from pokerlab.runs.terminal import bar_shown, report_progress
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from cyclopts import Token
    from rich.console import Console
    from rich.table import Table

    from pokerlab.answers import Answer, AnswerTable
    from pokerlab.runs.cost import Cost

Json = Annotated[bool, Parameter(name="--json", negative="", show_default=False, help=TERMS["json"])]
"""The type of every command's `as_json` option."""

Flag = Parameter(negative="", show_default=False)
"""A switch that is off by default."""

EXPONENTS = {"k": "e3", "M": "e6", "G": "e9"}
MOST = 2**63 - 1


def count_of(text: str) -> int:
    """Parse a whole number with an optional suffix such as k or M, or an exponent.

    >>> count_of("100M"), count_of("500k"), count_of("2048"), count_of("1.5e9"), count_of("20,000"), count_of("-3")
    (100000000, 500000, 2048, 1500000000, 20000, -3)
    >>> count_of("many")
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: 'many' is not a whole number such as 2000, 500k, 100M or 1e9
    >>> count_of("1e400")
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: 1e400 is too large: whole numbers go up to 9,223,372,036,854,775,807
    """
    from fractions import Fraction

    plain = re.sub("[kMG]$", lambda suffix: EXPONENTS[suffix[0]], text.replace(",", "").replace("_", ""))
    matched = re.fullmatch(r"-?([0-9]+)(?:\.[0-9]{1,9})?(?:[eE]([0-9]+))?", plain)
    long = matched is not None and (len(matched[1].lstrip("0")) > 40 or len((matched[2] or "").lstrip("0")) > 2)
    count = Fraction(1, 2) if matched is None else Fraction(MOST + 1) if long else Fraction(plain)
    if count.denominator != 1:
        raise PokerlabError(f"{text[:40]!r} is not a whole number such as 2000, 500k, 100M or 1e9")
    if abs(count) > MOST:
        raise PokerlabError(f"{text[:40]} is too large: whole numbers go up to {MOST:,}")
    return int(count)


def as_count(_: Any, tokens: Sequence[Token]) -> int:
    """Convert option values that are counts, for cyclopts."""
    return count_of(tokens[0].value)


Count = Annotated[int, Parameter(converter=as_count)]
"""The type of options that count hands, iterations and so on: 500k and 100M are allowed."""

Seed = Annotated[int, Parameter(help=TERMS["seed"])]

Board = Annotated[str, Parameter(help=meaning("board", "None, 3, 4 or 5 cards."))]
Workers = Annotated[int | None, Parameter(help=TERMS["workers"])]

SHOWN_PROBLEMS = 20


def print_json(answer: Mapping[str, Any]) -> None:
    """Print one JSON object that includes the pokerlab `version`; arrays become lists, undefined numbers null."""
    print(json_text(answer))


def print_cost(cost: Cost, path: Path | None, *, as_json: bool) -> None:
    """Print the answer to `--dry-run`: the task, its cost, and where it would be saved."""
    if as_json:
        print_json({**cost.data(), **({} if path is None else {"path": str(path)})})
    else:
        say(f"{cost.what}: {cost}" if cost.what else str(cost))
        if path is not None:
            say(f"it would be saved in {path}")


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print an answer as JSON, or as tables for people with the directory where it is saved."""
    if as_json:
        print(answer.json())
        return
    out = console()
    if answer.title:
        head, _, rest = answer.title.partition(",")
        out.print(f"[bold]{escape(head)}[/]{escape(f',{rest}' if rest else '')}", soft_wrap=True)
    for each in answer.tables:
        if each.title:
            out.print(each.title, style="bold", markup=False, soft_wrap=True)
        if isinstance(each, FixedLines):
            for line in each.lines if each.coloured is None else each.coloured(out.width):
                out.print(line, markup=False, no_wrap=True, crop=False)
        else:
            _print_table(each, out)
        if each.note:
            say(each.note)
    for line in answer.lines:
        say(line)
    for path in answer.files:
        say(f"written to {path}")
    if answer.path is not None:
        say(f"saved in {answer.path}")


LEAST_WORDS = 8
"""Columns of the terminal that a column of words keeps when a wide table is narrowed."""


def _print_table(each: AnswerTable, out: Console) -> None:
    """Print a table of an answer. Numbers are never cut and names are folded, so a wide table may exceed the
    terminal."""
    from rich.segment import Segment

    for padding, folds in (((0, 1), False), ((0, 0), False), ((0, 0), True)):
        rows = each.text_rows
        if folds:  # names of agents are best cut where their variant begins
            rows = [[cell.replace(":", ":\n", 1) for cell in row[: each.words]] + row[each.words :] for row in rows]
        made = table(each.columns, rows, words=each.words, plain=True, padding=padding)
        for place, column in enumerate(made.columns):
            longest = max((len(line) for row in rows for line in row[place].split("\n")), default=0)
            narrows = folds and place < each.words
            column.overflow, column.min_width = "fold", min(longest, LEAST_WORDS) if narrows else longest
        if max(map(Segment.get_line_length, Segment.split_lines(out.render(made)))) <= out.width:
            break
    out.print(made, crop=False)


def tell(line: object) -> None:
    """Print a line on stderr."""
    print(line, file=sys.stderr)


def tell_problems(problems: Sequence[object]) -> None:
    """Report unreadable lines on stderr: the first `SHOWN_PROBLEMS` in full, then the number of others."""
    for problem in problems[:SHOWN_PROBLEMS]:
        tell(problem)
    if more := len(problems[SHOWN_PROBLEMS:]):
        tell(f"and {more:,} more problem{'s' * (more != 1)}; --json lists them all")


def escape(text: str) -> str:
    """Return `text` with escapes before all characters that rich would read as markup."""
    from rich.markup import escape as escaped

    return escaped(text)


def console() -> Console:
    """Console for people: stdout, coloured if it is a terminal."""
    from rich.console import Console

    return Console(highlight=False, emoji=False)  # :station: in a name is not an emoji


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1, plain: bool = False, **style: Any
) -> Table:
    """Build a table for the terminal.

    The first `words` columns are aligned to the left, the others (numbers) to the right. With `plain`, the table has no
    borders at its sides. `style` is passed on to rich's `Table`.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    frame: dict[str, Any] = {"box": SIMPLE_HEAD, "pad_edge": False} if plain else {}
    made = Table(**frame, **style)
    for place, heading in enumerate(headings):
        made.add_column(heading, justify="left" if place < words else "right")
    for row in rows:
        made.add_row(*row)
    return made


def say(line: str) -> None:
    """Print a line unchanged, without markup or wrapping."""
    console().print(line, markup=False, soft_wrap=True)


@contextmanager
def followed() -> Iterator[Callable[[str, int, int], None]]:
    """Show progress on stderr: a bar at a terminal, otherwise a line now and then. Yields a function (words, done,
    total).

    The estimate of the remaining time restarts whenever the work restarts or the total changes.
    """
    if not sys.stderr.isatty():
        yield report_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar_shown(True)
        task = bar.add_task("starting (a first run compiles for some seconds)", total=None)
        last = (0, 0)

        def show(words: str, done: int, total: int) -> None:
            nonlocal last
            if done < last[0] or total != last[1]:
                bar.reset(task)
            last = (done, total)
            bar.update(task, description=words, completed=done, total=total)

        try:
            yield show
        finally:
            bar_shown(False)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress of a single task on stderr; the yielded function takes (done, total).

    >>> with progress("sampling") as report:
    ...     report(1, 2)
    """
    with followed() as show:
        yield lambda done, total: show(f"{label} {done / total if total else 1:.0%}", done, total)
