"""What an experiment came to: kept as JSON, shown as tables of text or Markdown with the published numbers beside ours.

>>> from pokerlab.experiments.experiment import Number, Table
>>> published, ours = (Table({"milli-bets": {"AA": Number(value)}}) for value in (2112.0, 2108.0))
>>> result = Result("x", "Pairs", "Davidson (2002)", "", "quick", 1, {}, published, ours)
>>> compared(result)[0]
Compared(section='milli-bets', header=['', 'published', 'ours', 'difference'], rows=[['AA', '2112', '2108', '-4']])
>>> Result.from_json(result.to_json()) == result
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from pokerlab import __version__
from pokerlab.errors import FileError
from pokerlab.experiments.experiment import Config, Number, Report, Table
from pokerlab.experiments.registry import EXPERIMENTS, experiment, module_of
from pokerlab.experiments.value_curves import ValueCurve, value_curves
from pokerlab.runs.code import code_digest
from pokerlab.runs.directory import RunDirectory, open_run


@dataclass(frozen=True)
class Result:
    """An experiment as it was run, with all that is needed to print it or to run it again."""

    experiment: str
    title: str
    cites: str
    about: str
    scale: str  # "quick" or "full"
    seed: int
    settings: Mapping[str, Any]
    published: Table
    ours: Table
    version: str = __version__

    @property
    def command(self) -> str:
        """The command that gives this result."""
        return f"pokerlab reproduce {self.experiment} --{self.scale} --seed {self.seed}"

    @property
    def curves(self) -> list[ValueCurve]:
        """Values run by run, where there are any; `pokerlab reproduce --picture` draws them."""
        return value_curves(self.published, self.ours)

    @property
    def has_picture(self) -> bool:
        """Whether there is anything to draw: values run by run, or by bet size."""
        return bool(self.curves) or any(section.endswith("by bet size") for section in self.ours)

    def data(self) -> dict[str, Any]:
        """All of it as JSON has it; tables are section -> row -> {value, low, high, n}."""
        tables = {"published": _table_data(self.published), "ours": _table_data(self.ours)}
        return {**vars(self), **tables, "notes": list(self.ours.notes)}

    def to_json(self) -> str:
        """`data` as text."""
        return json.dumps(self.data(), indent=1, allow_nan=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Result:
        """The result kept in a file."""
        return cls.from_json(path.read_text(errors="replace"), source=str(path))

    @classmethod
    def from_json(cls, text: str, *, source: str = "result") -> Result:
        """What `to_json` wrote."""
        try:
            found = json.loads(text)
            notes = tuple(found.pop("notes"))
            published, ours = _table(found.pop("published")), _table(found.pop("ours"), notes)
            return cls(**found, published=published, ours=ours)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FileError(f"{source} is not the result of an experiment") from error


def default_directory(name: str, *, full: bool, seed: int) -> Path:
    """Where a run is kept when nobody says where."""
    return Path("runs") / f"{name}-{'full' if full else 'quick'}-{seed}-{code_digest(module_of(name))}"


def reproduce(
    name: str, *, full: bool, seed: int, workers: int | None, out: Path | None = None, report: Report
) -> Result:
    """Run the experiment `name`, or go on running it in the directory `out`, and keep `result.json` there."""
    wanted = experiment(name)
    scale, settings = ("full", wanted.full) if full else ("quick", wanted.quick)

    def result(run: RunDirectory | None) -> Result:
        ours = wanted.run(Config(settings, seed, workers, run), report)
        about = (wanted.name, wanted.title, wanted.cites, wanted.about)
        return Result(*about, scale, seed, settings, wanted.published, ours)

    if out is None:
        return result(None)
    asked = {"experiment": name, "scale": scale, "seed": seed, **settings}
    with open_run(out, "reproduce", asked, code=(module_of(name),)) as run:
        found = result(run)
        run.write("result.json", found.to_json().encode())
    return found


def _table_data(table: Table) -> dict[str, Any]:
    return {name: {row: number._asdict() for row, number in rows.items()} for name, rows in table.sections.items()}


def _table(data: Mapping[str, Any], notes: tuple[str, ...] = ()) -> Table:
    return Table({name: {row: Number(**number) for row, number in rows.items()} for name, rows in data.items()}, notes)


class Compared(NamedTuple):
    """A section ready to print: the columns that have anything in them."""

    section: str
    header: list[str]
    rows: list[list[str]]


COLUMNS = ("", "published", "ours", "95% interval", "difference", "n")
BOUNDS = "bounds"  # what an interval is called in a section where nothing was counted: no number rests on an n


def compared(result: Result) -> list[Compared]:
    """Every section, published beside ours; rows that only one side has are shown too."""
    found = []
    for section in dict.fromkeys((*result.published, *result.ours)):
        published, ours = (table.sections.get(section, {}) for table in (result.published, result.ours))
        whole = all((number.value or 0) % 1 == 0 for side in (published, ours) for number in side.values())
        rows = [[row, *_cells(published.get(row), ours.get(row), whole)] for row in dict.fromkeys((*ours, *published))]
        shown = [0, *(i for i in range(1, len(COLUMNS)) if any(row[i] for row in rows))]
        counted = any(number.n is not None for number in ours.values())
        header = [COLUMNS[i] if counted or COLUMNS[i] != "95% interval" else BOUNDS for i in shown]
        found.append(Compared(section, header, [[row[i] for i in shown] for row in rows]))
    return found


def _cells(published: Number | None, ours: Number | None, whole: bool) -> list[str]:
    """What stands in the columns after the first, with three digits of the larger value unless all are `whole`."""
    there, here = published or Number(None), ours or Number(None)
    largest = max(abs(there.value or 0), abs(here.value or 0))
    digits = 0 if whole else next((n for n, least in enumerate((100, 10, 1)) if largest >= least), 3)
    said = "" if there.value is None else f"{there.value:.{digits}f}"
    if there.value is None and there.high is not None:
        said = f"under {there.high:g}"
    interval = "" if here.low is None or here.high is None else f"{here.low:.{digits}f} to {here.high:.{digits}f}"
    difference = ""
    if there.value is not None and here.value is not None:
        difference = f"{round(here.value - there.value, digits) + 0.0:+.{digits}f}"  # adding 0 turns -0 into +0
    n = "" if here.n is None else f"{here.n:,}"
    return [said, "" if here.value is None else f"{here.value:.{digits}f}", interval, difference, n]


def markdown(results: Sequence[Result]) -> str:
    """A page: each result's tables under a heading, in the registry's order, with the command that made them.

    The picture of a result that has one is looked for beside the page, under the experiment's name.
    """
    places = {name: place for place, name in enumerate(EXPERIMENTS)}
    results = sorted(results, key=lambda result: places.get(result.experiment, len(places)))
    authors = dict.fromkeys(result.cites.partition(",")[0] for result in results)
    compares = any(result.published.sections for result in results)
    title = f"{' and '.join(authors)}: published beside ours" if compares else "; ".join(r.title for r in results)
    lines = [f"# {title}", ""]
    lines += ["Printed by `pokerlab reproduce --markdown` from the results of the commands below.", ""]
    for result in results:
        lines += [f"## {result.title}", "", *wrap(f"{result.cites}. {result.about}", 120), ""]
        lines += [f"`{result.command}` ({_settings_text(result.settings)}; pokerlab {result.version})", ""]
        shown = "Values run by run" if result.curves else "Values by bet size"
        lines += [f"![{shown}]({result.experiment}.svg)", ""] * result.has_picture
        for section, header, rows in compared(result):
            lines += [f"**{section}**", "", *_markdown_table(header, rows), ""]
        for note in result.ours.notes:
            lines += wrap(f"- {note}", 120, subsequent_indent="  ")
        lines += [""] * bool(result.ours.notes)
    return "\n".join(lines)


def _settings_text(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {_short(value)}" for name, value in settings.items())


def _short(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value).replace("'", "")


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    align = ["---", *["---:"] * (len(header) - 1)]
    return ["| " + " | ".join(cells) + " |" for cells in (header, align, *rows)]


def plain_text(result: Result) -> str:
    """The same for a terminal without anything installed."""
    lines = [f"{result.title} ({result.cites})", f"{result.command}; {_settings_text(result.settings)}", ""]
    for section, header, rows in compared(result):
        widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
        lines.append(section)
        for row in (header, *rows):
            cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append("  " + "  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip())
        lines.append("")
    return "\n".join([*lines, *result.ours.notes])
