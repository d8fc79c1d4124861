"""Results of experiments: saved as JSON, shown as text or Markdown tables with the published numbers beside ours.

>>> from pokerlab.experiments.experiment import bare_rows
>>> published, ours = (Table.of({"milli-bets": bare_rows({"AA": value})}) for value in (2112, 2108))
>>> result = Result("x", "Pairs", "Davidson (2002)", "", "quick", 1, {}, published, ours)
>>> compared(result)[0]
Compared(section='milli-bets', header=['', 'published', 'ours', 'difference'], rows=[['AA', '2112', '2108', '-4']])
>>> Result.from_json(result.to_json()) == result
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from pokerlab import __version__
from pokerlab.answers import markdown_lines
from pokerlab.errors import FileError
from pokerlab.estimates import Estimate, bare
from pokerlab.experiments.coverage import covered
from pokerlab.experiments.experiment import Config, Report, Section, Table, no_report
from pokerlab.experiments.registry import EXPERIMENTS, experiment
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.provenance import made_here
from pokerlab.runs.workers import Runner


@dataclass(frozen=True)
class Result:
    """An experiment's result, with all that is needed to print it or to run it again."""

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
    made: Mapping[str, str] = field(default_factory=dict)  # by which code, when, on what (`runs.provenance`)

    @property
    def command(self) -> str:
        """The command that gives this result."""
        return f"pokerlab reproduce {self.experiment} --{self.scale} --seed {self.seed}"

    @property
    def picture(self) -> str:
        """Caption of the result's picture (`experiments.drawn`), or '' if it has none."""
        roles = {section.role for section in self.ours.sections.values()}
        return next((words for role, words in PICTURES.items() if role in roles), "")

    def data(self) -> dict[str, Any]:
        """The result as JSON values; tables are title -> row -> {value, low, high, n, kind}, curves with `at`.

        `sections` has what else is known of those that are drawn.
        """
        sections = {**self.published.sections, **self.ours.sections}
        about = {title: _drawn(section) for title, section in sections.items() if section.role != "numbers"}
        tables = {"published": _table_data(self.published), "ours": _table_data(self.ours)}
        return {**vars(self), **tables, "sections": about, "notes": list(self.ours.notes)}

    def to_json(self) -> str:
        """`data` as text."""
        return json.dumps(self.data(), indent=1, allow_nan=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Result:
        """Read a result from a file."""
        return cls.from_json(path.read_text(errors="replace"), source=str(path))

    @classmethod
    def from_json(cls, text: str, *, source: str = "result") -> Result:
        """Read a result from the text written by `to_json`."""
        try:
            found = json.loads(text)
            json.dumps(found, allow_nan=False)  # numbers without end cannot be shown, nor written again
            notes = tuple(found.pop("notes"))
            about = found.pop("sections")
            published, ours = _table(found.pop("published"), about), _table(found.pop("ours"), about, notes)
            return cls(**found, published=published, ours=ours)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise FileError(f"{source} is not the result of an experiment") from error


TOO_SHORT = (
    "Quick settings only show that it runs: they are far too short to converge, so no published number stands beside "
    "theirs. --full has settings that compare."
)


def reproduce(
    name: str,
    *,
    full: bool,
    seed: int,
    workers: int | None = 1,
    spread: Runner | None = None,
    run: RunDirectory | None = None,
    report: Report = no_report,
) -> Result:
    """Run the experiment `name`; with a run directory, save its parts there and reuse those saved before."""
    wanted = experiment(name)
    scale, settings = ("full", wanted.full) if full else ("quick", wanted.quick)
    ours = wanted.run(Config(settings, seed, workers, run, report, spread))
    published = wanted.published
    if not full and not wanted.quick_compares:
        ours, published = replace(ours, notes=(*ours.notes, TOO_SHORT)), Table()
    about = (wanted.name, wanted.title, wanted.cites, wanted.about)
    return Result(*about, scale, seed, settings, published, ours, made=made_here())


def _drawn(section: Section) -> dict[str, str]:
    return {"role": section.role, "series": section.series, "sized": section.sized, "unit": section.unit}


def _table_data(table: Table) -> dict[str, Any]:
    return {title: _rows_data(section) for title, section in table.sections.items()}


def _rows_data(section: Section) -> dict[str, Any]:
    rows = {row: number.data() for row, number in section.rows.items()}
    data: dict[str, Any] = {row: {"value": number.pop("mean"), **number} for row, number in rows.items()}
    for number, at in zip(data.values(), section.at, strict=False):
        number["at"] = at
    return data


def _table(data: Mapping[str, Any], about: Mapping[str, Any], notes: tuple[str, ...] = ()) -> Table:
    sections = {}
    for title, rows in data.items():
        numbers = {row: Estimate.from_data({**number, "mean": number["value"]}) for row, number in rows.items()}
        at = tuple(number["at"] for number in rows.values() if "at" in number)
        sections[title] = Section(numbers, **about.get(title, {}), at=at)
    return Table(sections, notes)


class Compared(NamedTuple):
    """A section ready to print, without empty columns."""

    section: str
    header: list[str]
    rows: list[list[str]]


PICTURES = {
    "by run": "Values run by run",
    "by action": "Beliefs by action",
    "by hand": "Winnings along a match",
    "by thousand steps": "Values by thousand steps",
    "by million hands": "Values by million hands",
    "by size": "Values by bet size",
}  # by the role of a section
COLUMNS = ("", "published", "ours", "95% interval", "difference", "n")
BOUNDS = "bounds"  # what an interval is called in a section where no number has one


def compared(result: Result) -> list[Compared]:
    """Every section, published beside ours, including rows that only one side has."""
    found = []
    for section in dict.fromkeys((*result.published, *result.ours)):
        sides = (result.published, result.ours)
        published, ours = (table.sections.get(section, Section({})).rows for table in sides)
        means = [number.mean for number in (*published.values(), *ours.values())]
        whole = all(mean % 1 == 0 for mean in means if not isnan(mean))
        rows = [[row, *_cells(published.get(row), ours.get(row), whole)] for row in dict.fromkeys((*ours, *published))]
        shown = [0, *(i for i in range(1, len(COLUMNS)) if any(row[i] for row in rows))]
        bounded = {number.kind for number in ours.values() if not isnan(number.half_width)} <= {"bounds", "exact"}
        header = [BOUNDS if bounded and COLUMNS[i] == "95% interval" else COLUMNS[i] for i in shown]
        found.append(Compared(section, header, [[row[i] for i in shown] for row in rows]))
    return found


def _cells(published: Estimate | None, ours: Estimate | None, whole: bool) -> list[str]:
    """The cells after the first column, with three digits of the larger value unless all are `whole`."""
    there, here = published or bare(nan), ours or bare(nan)
    largest = max((abs(number.mean) for number in (there, here) if not isnan(number.mean)), default=0.0)
    digits = 0 if whole else next((n for n, least in enumerate((100, 10, 1)) if largest >= least), 3)

    def text(number: float, signed: str = "") -> str:
        return "" if isnan(number) else f"{number:{signed}.{digits}f}"

    said = text(there.mean) if isnan(there.high) or not isnan(there.mean) else f"under {there.high:g}"
    ends = "" if here.kind == "exact" or isnan(here.half_width) else f"{text(here.low)} to {text(here.high)}"
    difference = text(round(here.mean - there.mean, digits) + 0.0, "+")  # adding 0 turns -0 into +0
    n = "" if here.n is None else f"{here.n:,}"
    return [said, text(here.mean), ends, difference, n]


def markdown(results: Sequence[Result]) -> str:
    """A page: each result's tables under a heading, in the registry's order, with the command that made them.

    Pictures are expected beside the page, under the experiment's name.
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
        made = "; ".join((f"pokerlab {result.version}", *result.made.values()))
        lines += [f"`{result.command}` ({_settings_text(result.settings)}; {made})", ""]
        lines += [f"![{result.picture}]({result.experiment}.svg)", ""] * bool(result.picture)
        for section, header, rows in compared(result):
            lines += [f"**{section}**", "", *markdown_lines(header, rows), ""]
        for note in result.ours.notes:
            lines += wrap(f"- {note}", 120, subsequent_indent="  ")
        lines += [""] * bool(result.ours.notes)
    return "\n".join([*lines, *_coverage(results)])


def _coverage(results: Sequence[Result]) -> list[str]:
    """Markdown table of published curve points that ours cover, by chapter; empty if no curves were published."""
    found = covered((_chapter(result.experiment), result.published, result.ours) for result in results)
    if not found:
        return []
    rows = []
    for chapter, row in found.items():
        apart = [f"{row.quantile(q):.1f}" if row.beside else "" for q in (0.5, 0.9, 1.0)]
        rows.append([chapter, f"{row.printed}", f"{row.beside}", f"{row.overlapping}", *apart])
    counts = [(row.printed, row.beside, row.overlapping) for row in found.values()]
    rows.append(["all", *(str(sum(column)) for column in zip(*counts, strict=True)), "", "", ""])
    header = ["chapter", "printed", "ours beside", "bounds or intervals overlap", "median difference", "90%", "most"]
    lead = "Each printed point of a curve counts once; differences are in the curve's unit, without their signs."
    return ["## Printed points of curves, and ours beside them", "", lead, "", *markdown_lines(header, rows), ""]


def _chapter(name: str) -> str:
    """The chapter of a figure or table by its name, such as 6 for hawkin2014-figure-6-5."""
    numbers = [part for part in name.split("-") if part.isdigit()]
    return numbers[0] if numbers else name


def _settings_text(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {_short(value)}" for name, value in settings.items())


def _short(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value).replace("'", "")
