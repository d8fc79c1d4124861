"""Save results of experiments as JSON, and show them as text or Markdown with the published numbers beside ours.

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

import numpy as np

from pokerlab import __version__
from pokerlab.answers import markdown_lines
from pokerlab.errors import FileError
from pokerlab.estimates import Estimate, bare
from pokerlab.experiments.experiment import Config, Report, Section, Table, no_report
from pokerlab.experiments.records import DRAWN, EXPERIMENTS, experiment, records
from pokerlab.players.versions import changed, version
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.provenance import made_here
from pokerlab.runs.workers import Runner


@dataclass(frozen=True)
class Result:
    """An experiment's result, with everything needed to print it or to run the experiment again."""

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
    made: Mapping[str, str] = field(default_factory=dict)  # code version, date and hardware (`runs.provenance`)
    # name -> digest of each player measured (`players.versions`)
    players: Mapping[str, str] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """Command that reproduces this result."""
        return f"pokerlab reproduce {self.experiment} --{self.scale} --seed {self.seed}"

    @property
    def origin(self) -> tuple[str, ...]:
        """Code version, date and hardware of the result, and whether its players have changed since."""
        made = tuple(self.made.values()) or ("code, date and hardware not recorded",)
        if not self.players:
            names = ", ".join(records().get(self.experiment, {}).get("players", ()))
            return (*made, f"versions of its players ({names}) not recorded") if names else made
        other = changed(self.players)
        if not other:
            return (*made, "its players play as they did")
        return (*made, f"another version of {', '.join(other)} was measured, which played otherwise than today's")

    @property
    def picture(self) -> str:
        """Caption of the picture that `experiments.request` draws of the result, or '' if there is none."""
        roles = {section.role for section in self.ours.sections.values()}
        return next((words for role, words in PICTURES.items() if role in roles), "")

    def data(self) -> dict[str, Any]:
        """The result as JSON values; tables are title -> row -> {value, low, high, n, kind}, curves with `at`.

        `sections` has the remaining fields of the sections that are drawn.
        """
        sections = {**self.published.sections, **self.ours.sections}
        about = {
            title: {key: getattr(section, key) for key in DRAWN}
            for title, section in sections.items()
            if section.role != "numbers"
        }
        tables = {"published": _table_data(self.published), "ours": _table_data(self.ours)}
        return {**vars(self), **tables, "sections": about, "notes": list(self.ours.notes)}

    def to_json(self) -> str:
        return json.dumps(self.data(), indent=1, allow_nan=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Result:
        return cls.from_json(path.read_text(errors="replace"), source=str(path))

    @classmethod
    def from_json(cls, text: str, *, source: str = "result") -> Result:
        """Read a result from the text written by `to_json`."""
        try:
            found = json.loads(text)
            json.dumps(found, allow_nan=False)  # infinite numbers could neither be shown nor saved
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
    """Run the experiment `name`; with a run directory, save its parts there and reuse those saved earlier."""
    wanted = experiment(name)
    scale, settings = ("full", wanted.full) if full else ("quick", wanted.quick)
    ours = wanted.run(Config(settings, seed, workers, run, report, spread))
    published = wanted.published
    if not full and not wanted.quick_compares:
        ours, published = replace(ours, notes=(*ours.notes, TOO_SHORT)), Table()
    about = (wanted.name, wanted.title, wanted.cites, wanted.about)
    players = {name: version(name) for name in wanted.players}
    return Result(*about, scale, seed, settings, published, ours, made=made_here(), players=players)


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
    """A section ready to print, with empty columns removed."""

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
}  # caption by the role of a section
COLUMNS = ("", "published", "ours", "95% interval", "difference", "n")
BOUNDS = "bounds"  # heading of the interval's column if a section has only bounds


def compared(result: Result) -> list[Compared]:
    """All sections with published numbers beside ours, including rows that only one side has."""
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
    """Return the cells of a row after its name: the texts of columns 1 to 5 of `COLUMNS`, '' where there is no number.

    Means, interval and difference have the same number of decimals. It depends on the larger of the two means: none
    from 100 on, one from 10, two from 1, three below. With `whole`, there are no decimals.
    """
    there, here = published or bare(nan), ours or bare(nan)
    largest = max((abs(number.mean) for number in (there, here) if not isnan(number.mean)), default=0.0)
    digits = 0 if whole else next((n for n, least in enumerate((100, 10, 1)) if largest >= least), 3)

    def text(number: float, signed: str = "") -> str:
        return "" if isnan(number) else f"{number:{signed}.{digits}f}"

    said = text(there.mean) if isnan(there.high) or not isnan(there.mean) else f"under {there.high:g}"
    ends = "" if here.kind == "exact" or isnan(here.half_width) else f"{text(here.low)} to {text(here.high)}"
    difference = text(round(here.mean - there.mean, digits) + 0.0, "+")  # adding 0 turns -0 into 0
    n = "" if here.n is None else f"{here.n:,}"
    return [said, text(here.mean), ends, difference, n]


def markdown(results: Sequence[Result]) -> str:
    """A page of results in Markdown: each result's tables under a heading, in the order of the records, with the
    command that made them.

    Picture files are expected in the page's folder, named after the experiment.
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
        made = "; ".join((f"pokerlab {result.version}", *result.origin))
        settings = ", ".join(f"{name.replace('_', ' ')} {_short(value)}" for name, value in result.settings.items())
        lines += [f"`{result.command}` ({settings}; {made})", ""]
        lines += [f"![{result.picture}]({result.experiment}.svg)", ""] * bool(result.picture)
        for section, header, rows in compared(result):
            lines += [f"**{section}**", "", *markdown_lines(header, rows), ""]
        for note in result.ours.notes:
            lines += wrap(f"- {note}", 120, subsequent_indent="  ")
        lines += [""] * bool(result.ours.notes)
    if rows := coverage(results):
        title = "## Printed points of curves, and ours beside them"
        lines += [title, "", *wrap(COVERED_LEAD, 120), "", *markdown_lines(COVERED, rows), ""]
    return "\n".join(lines)


def overlap_words(beside: Sequence[tuple[Estimate, Estimate]]) -> list[str]:
    """Cells of a table row that summarise pairs of estimates (printed, ours): the number of pairs; how many bounds or
    intervals overlap; the medians of printed numbers, of ours and of the differences; the 90% quantile and the maximum
    of the absolute differences.

    >>> from pokerlab.estimates import bounds
    >>> overlap_words([(bounds(9, 11), bounds(10.5, 12.5))])
    ['1', '1', '10.0', '11.5', '+1.5', '1.5', '1.5']
    """
    overlapping = sum(there.low <= here.high and here.low <= there.high for there, here in beside)
    counts = [f"{len(beside)}", f"{overlapping}"]
    if not beside:
        return counts + [""] * 5
    there, here = np.array([[number.mean for number in pair] for pair in beside]).T
    medians = [f"{np.median(there):.1f}", f"{np.median(here):.1f}", f"{np.median(here - there):+.1f}"]
    return counts + medians + [f"{np.quantile(np.abs(here - there), q):.1f}" for q in (0.9, 1.0)]


def _cards(series: str) -> str:
    """Card abstraction used for a curve, derived from the curve's name.

    >>> _cards("IR-100, one range, its sizes used in IR-570"), _cards("RE-BETS [0.8, 1]")
    ('IR-100 sizes in IR-570', '5 buckets')
    """
    if not series.startswith("IR-"):
        return "5 buckets"
    cards, _, used = series.partition(",")[0], *series.partition("its sizes used in ")[1:]
    return f"{cards} sizes in {used}" if used else cards


COVERED = ["chapter", "cards", "sized", "printed", "ours beside", "overlap", "median printed", "median ours",
           "median difference", "90% of differences", "largest"]  # fmt: skip
COVERED_LEAD = (
    "Each printed point of a curve counts once; ours overlaps where bounds or intervals have a point in common. "
    "Medians are of the points that have both; differences are ours less printed, and the last two columns have their "
    "sizes. Values are to player two, mbb."
)


def coverage(results: Sequence[Result]) -> list[list[str]]:
    """Rows of the table `COVERED`, which compares the printed points of curves with ours; empty if no curves were
    published.

    Curves of a chapter with the same cards and the same sized player share a row. A curve counts for the chapter in
    which it first appears.
    """
    groups: dict[str, tuple[str, str, str]] = {}
    printed: dict[tuple[str, str], Estimate] = {}
    ours: dict[tuple[str, str], Estimate] = {}
    for result in results:
        for title, section in result.published.sections.items():
            if section.role == "by run":
                groups.setdefault(title, (_chapter(result.experiment), _cards(section.series), section.sized))
                printed |= {(title, row): number for row, number in section.rows.items()}
                mine = result.ours.sections.get(title, Section({})).rows
                ours = {(title, row): number for row, number in mine.items()} | ours
    rows = []
    for group in sorted(set(groups.values())):
        keys = [key for key in printed if groups[key[0]] == group]
        beside = [(printed[key], ours[key]) for key in keys if key in ours]
        rows.append([*group, f"{len(keys)}", *overlap_words(beside)])
    if len(rows) > 1:
        every = [sum(int(row[column]) for row in rows) for column in (3, 4, 5)]
        rows.append(["all", "", "", *map(str, every), *[""] * 5])
    return rows


def _chapter(name: str) -> str:
    """Chapter of a figure or table, derived from its name, such as 6 for hawkin2014-figure-6-5."""
    numbers = [part for part in name.split("-") if part.isdigit()]
    return numbers[0] if numbers else name


def _short(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value).replace("'", "")
