"""Read the records of all experiments, which are data files: `published/SOURCE.toml`.

A record says what the experiment measures (`summary`, `title`, `about`), what it cites and which function runs it. It
also has quick and full settings, and the published tables. A table has `columns`, each of which becomes a section with
that title, and `rows` with a number for each column, written as printed:

- `0.45`, or `"0.45 ± 0.02"` if printed with an interval, or `"under 3"`;
- `""` if a column has no number in this row.

A table may have more keys: the `kind` of its numbers (see `estimates`), a number `divided_by` if they were printed in
another unit, and the properties of a section that is drawn (`role`, `series`, `sized`, `unit`, `at`). Instead of rows
it may have `curves`, which are names of rows in `SOURCE-curves.csv`.

>>> table_of([{"columns": ["small", "large"], "rows": {"AA": [1, "2.5 ± 0.5"], "KK": ["", 7]}}])["large"]["AA"].low
2.0
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from math import nan
from typing import Any, NamedTuple

from pokerlab.errors import PokerlabError, name_hint
from pokerlab.estimates import Estimate, bare, exact
from pokerlab.experiments.experiment import Experiment, Section, Table

SOURCES = ("davidson2002", "taylor2007", "sweeney2012", "hawkin2014", "equilibrium", "threeplayer")
DRAWN = ("role", "series", "sized", "unit")
VALUE = "value to player two, mbb"


def _text(file: str) -> str:
    return files("pokerlab.experiments").joinpath("published", file).read_text(encoding="utf-8")


@cache
def records() -> dict[str, dict[str, Any]]:
    """The records of all experiments by name, as they are in the files."""
    return {name: record for source in SOURCES for name, record in tomllib.loads(_text(f"{source}.toml")).items()}


def notes_of(name: str, **values: Any) -> list[str]:
    """The notes of an experiment, with `values` filled in for the names in braces."""
    return [" ".join(text.format(**values).split()) for text in records()[name]["notes"]]


@cache
def published(name: str) -> Table:
    return table_of(records()[name].get("published", ()))


def table_of(tables: Sequence[Mapping[str, Any]]) -> Table:
    """Convert published tables to sections."""
    return Table(dict(section for each in tables for section in (_curves if "curves" in each else _columns)(each)))


def _columns(table: Mapping[str, Any]) -> Iterator[tuple[str, Section]]:
    kind, scale = table.get("kind", "interval"), table.get("divided_by", 1)
    drawn = {key: table[key] for key in DRAWN if key in table}
    for place, title in enumerate(table["columns"]):
        cells = {row: each[place] if isinstance(each, list) else each for row, each in table["rows"].items()}
        rows = {row: number(cell, kind, scale) for row, cell in cells.items() if cell != ""}
        yield title, Section(rows, **drawn, at=tuple(table.get("at", ())))


def number(cell: float | str, kind: Any = "interval", divided_by: float = 1) -> Estimate:
    """Parse a printed number: a bare number, one with a margin after ±, or an upper bound.

    >>> number("-28 ± 2", "bounds").high, number("under 3").high, number(219.5, divided_by=2).mean
    (-26.0, 3.0, 109.75)
    """
    if not isinstance(cell, str):
        return exact(cell / divided_by) if kind == "exact" else bare(cell / divided_by)
    if cell.startswith("under "):
        return Estimate(nan, nan, float(cell.removeprefix("under ")), None, kind="bounds")
    value, half = map(float, cell.split("±"))
    return Estimate(value, value - half, value + half, None, kind=kind)


@cache
def _printed_curves() -> dict[str, dict[str, list[str]]]:
    """`[curve][player whose bets are sized]`: the printed values after each run."""
    curves: dict[str, dict[str, list[str]]] = {}
    for row in csv.DictReader(_text("hawkin2014-curves.csv").splitlines()):
        runs = [text for column, text in row.items() if column.startswith("run ")]
        curves.setdefault(row["curve"], {})[row["sized"]] = runs
    return curves


def _curves(table: Mapping[str, Any]) -> Iterator[tuple[str, Section]]:
    for name in table["curves"]:
        for sized, runs in _printed_curves()[name].items():
            rows = {f"run {run}": number(text, table["kind"]) for run, text in enumerate(runs, 1)}
            at = tuple(float(run) for run in range(1, len(runs) + 1))
            yield f"{name}, {sized} sized: {VALUE}", Section(rows, "by run", name, sized, VALUE, at)


class ExperimentEntry(NamedTuple):
    """An experiment's summary, the minutes that its full settings take on one core, and the module that runs it."""

    summary: str
    minutes: float
    module: str  # name below `pokerlab.experiments`


EXPERIMENTS: dict[str, ExperimentEntry] = {
    name: ExperimentEntry(record["summary"], record["minutes"], record["run"].partition(":")[0])
    for name, record in records().items()
}


LIST_HINT = "`pokerlab reproduce --list` lists them"


def experiment(name: str) -> Experiment:
    """The experiment called `name`.

    >>> experiment("davidson2002-table-3").name
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: no experiment is called 'davidson2002-table-3'; did you mean davidson2002-table...
    """
    if name not in EXPERIMENTS:
        raise PokerlabError(f"no experiment is called {name!r}; {name_hint(name, EXPERIMENTS, LIST_HINT)}")
    record = records()[name]
    run = getattr(import_module(module_of(name)), record["run"].partition(":")[2])
    about, more = " ".join(record["about"].split()), {key: record[key] for key in ("title", "cites", "quick", "full")}
    more |= {"players": tuple(record.get("players", ())), "quick_compares": record.get("quick_compares", True)}
    return Experiment(name, about=about, published=published(name), run=run, **more)


def module_of(name: str) -> str:
    return f"pokerlab.experiments.{EXPERIMENTS[name].module}"
