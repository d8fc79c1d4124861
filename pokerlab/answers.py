"""The answer of a computation: titled tables of numbers, rendered as text, Markdown, HTML or JSON.

>>> from pokerlab.estimates import Estimate
>>> won = Estimate(12.0, 3.0, 21.0, 500, "mbb_per_hand", "deals")
>>> answer = Answer("leduc, 500 deals", (AnswerTable(("agent", "mbb/hand"), (("caller", won),)),), data={"hands": 500})
>>> print(answer)
leduc, 500 deals
<BLANKLINE>
agent      mbb/hand
caller  +12.0 ± 9.0
>>> print(answer.markdown())
## leduc, 500 deals
<BLANKLINE>
| agent | mbb/hand |
|---|---:|
| caller | +12.0 ± 9.0 |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isnan
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab import __version__
from pokerlab.estimates import Estimate

Cell: TypeAlias = str | int | float | bool | Estimate | None
"""A cell of a table: text is printed unchanged, numbers and estimates by `cell_text`, None as ''."""


@dataclass(frozen=True)
class AnswerTable:
    """A table: `words` text columns at the left, then columns of numbers; `note` is a sentence printed below it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    note: str = ""
    words: int = 1

    @property
    def text_rows(self) -> list[list[str]]:
        return [[cell_text(cell) for cell in row] for row in self.rows]

    def plain(self) -> list[str]:
        rows = [[cell.replace("\n", " ") for cell in row] for row in self.text_rows]
        return plain_table([name.replace("\n", " ") for name in self.columns], rows, words=self.words)

    def markdown(self) -> list[str]:
        return markdown_lines(self.columns, self.text_rows, words=self.words)

    def html(self) -> list[str]:
        return ["<table>", _html_row(self.columns, "th"), *(_html_row(row, "td") for row in self.text_rows), "</table>"]


@dataclass(frozen=True)
class FixedLines(AnswerTable):
    """Preformatted lines, such as a grid of hands. `coloured` makes rich text for a terminal of a given width."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    lines: tuple[str, ...] = ()
    coloured: Callable[[int], Iterable[Any]] | None = field(default=None, compare=False, repr=False)

    def plain(self) -> list[str]:
        return list(self.lines)

    def markdown(self) -> list[str]:
        return ["```", *self.lines, "```"]

    def html(self) -> list[str]:
        return ["<pre>" + escape("\n".join(self.lines)) + "</pre>"]


@dataclass(frozen=True)
class Answer:
    """Answer to a request. `--json` prints `data`; `result` is the Python object itself."""

    title: str = ""
    tables: tuple[AnswerTable, ...] = ()
    lines: tuple[str, ...] = ()  # sentences after the tables
    data: Mapping[str, Any] = field(default_factory=dict)
    result: Any = field(default=None, compare=False, repr=False)
    path: Path | None = None  # the run directory, if any
    files: tuple[Path, ...] = ()  # pictures and pages that were also written

    def __str__(self) -> str:
        blocks = [self.title] if self.title else []
        blocks += ["\n".join(_plain_lines(table)) for table in self.tables]
        blocks += ["\n".join(self.lines)] if self.lines else []
        return "\n\n".join(blocks)

    def markdown(self) -> str:
        blocks = [f"## {self.title}"] if self.title else []
        for table in self.tables:
            blocks += [f"**{table.title}**"] if table.title else []
            blocks.append("\n".join(table.markdown()))
            blocks += [table.note] if table.note else []
        return "\n\n".join([*blocks, *(f"- {line}" for line in self.lines)])

    def html(self) -> str:
        parts = [f"<h2>{escape(self.title)}</h2>"] if self.title else []
        for table in self.tables:
            parts += [f"<h3>{escape(table.title)}</h3>"] if table.title else []
            parts += [*table.html(), f"<p>{escape(table.note)}</p>" if table.note else ""]
        return "\n".join([*filter(None, parts), *(f"<p>{escape(line)}</p>" for line in self.lines)])

    def json(self) -> str:
        """The answer as one JSON object that includes the pokerlab `version`; arrays become lists, undefined numbers
        null."""
        return json_text(self.data if self.path is None else {**self.data, "path": str(self.path)})


def cell_text(cell: Cell) -> str:
    """Format a table cell for people.

    >>> [cell_text(each) for each in ("caller", 12000, 0.125, True, None, Estimate(2.0, 1.0, 3.0, 9, "chips"))]
    ['caller', '12,000', '0.125', 'yes', '', '+2.000 ± 1.000']
    """
    if cell is None or (isinstance(cell, float) and isnan(cell)):
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Estimate):
        return _estimate_text(cell)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.4g}" if isinstance(cell, float) else cell


def _estimate_text(number: Estimate) -> str:
    digits = 1 if number.units in ("mbb_per_hand", "bb_per_100") else 3
    if isnan(number.mean):
        return ""
    if number.kind == "bounds":
        return f"{number.low:+.{digits}f} to {number.high:+.{digits}f}"
    half = "" if number.kind == "exact" or isnan(number.low) else f" ± {number.half_width:.{digits}f}"
    return f"{number.mean:+.{digits}f}{half}"


def plain_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> list[str]:
    """Lines of aligned columns: the first `words` are left-aligned, the others right-aligned.

    >>> plain_table(("street", "n"), [("flop", "12"), ("turn", "7")])
    ['street   n', 'flop    12', 'turn     7']
    """
    every = [list(columns), *map(list, rows)]
    widths = [max(len(row[i]) for row in every) for i in range(len(columns))]
    return [
        "  ".join(
            cell.ljust(width) if i < words else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in every
    ]


def markdown_lines(columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> list[str]:
    """Format a table as lines of Markdown.

    >>> markdown_lines(("street", "n"), [("flop", "12")])
    ['| street | n |', '|---|---:|', '| flop | 12 |']
    """
    aligned = "|" + "|".join("---" if i < words else "---:" for i in range(len(columns))) + "|"
    lines = ["| " + " | ".join(cell.replace("\n", " ") for cell in row) + " |" for row in (columns, *rows)]
    return [lines[0], aligned, *lines[1:]]


def json_text(data: Mapping[str, Any]) -> str:
    """Encode `data` as one JSON object that includes the pokerlab `version`; arrays become lists, undefined numbers
    null."""
    return json.dumps(plain_values({**data, "version": __version__}), indent=2, allow_nan=False)


def plain_values(value: Any) -> Any:
    """Convert `value` to JSON types: NumPy arrays become lists and scalars numbers, NaN becomes None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain_values(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain_values(entry) for entry in value]
    if isinstance(value, float) and value != value:
        return None
    return str(value) if isinstance(value, Path) else value


def _plain_lines(table: AnswerTable) -> list[str]:
    return [*([table.title] if table.title else []), *table.plain(), *([table.note] if table.note else [])]


def _html_row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
