"""Curves in a result: values run by run, as experiments of bet sizing name their sections.

A section `one range, player one sized: value to player two, mbb` with rows `run 1`, `run 2` .. is a curve; the section
`FCPA, value to player two, mbb` is the level that curves are compared with.

>>> from pokerlab.experiments.experiment import Number, Table
>>> name = "one range, player one sized: value to player two, mbb"
>>> ours = Table({name: {"run 1": Number(47.0, 45.0, 49.0), "run 2": Number(35.7)}, "gain, %": {"all": Number(3.0)}})
>>> [(c.name, c.player, c.unit, [p.run for p in c.ours]) for c in value_curves(Table({}), ours)]
[('one range', 'player one', 'value to player two, mbb', [1, 2])]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pokerlab.experiments.experiment import Number, Table

_SECTION = re.compile(r"(?P<name>.+), (?P<player>player (?:one|two)|both players) sized: (?P<unit>.+)")
_ROW = re.compile(r"run (\d+)")
_LEVEL = re.compile(r"(?P<name>\w+), (?P<unit>value to .+)")


class Point(NamedTuple):
    """A value after a run."""

    run: int
    number: Number


class ValueCurve(NamedTuple):
    """One curve: whose bets were sized, and its points here and as published."""

    name: str
    player: str
    unit: str
    ours: tuple[Point, ...]
    published: tuple[Point, ...]


def value_curves(published: Table, ours: Table) -> list[ValueCurve]:
    """The curves that were measured, with what was published of them."""
    found = []
    for section, rows in ours.sections.items():
        match = _SECTION.fullmatch(section)
        if match is not None and (points := _points(rows)):
            printed = _points(published.sections.get(section, {}))
            found.append(ValueCurve(match["name"], match["player"], match["unit"], points, printed))
    return found


def _points(rows: Mapping[str, Number]) -> tuple[Point, ...]:
    return tuple(
        Point(int(match[1]), number)
        for row, number in rows.items()
        if (match := _ROW.fullmatch(row)) is not None and number.value is not None
    )


def levels(ours: Table) -> dict[str, Number]:
    """What curves are compared with, by name."""
    found = {}
    for section, rows in ours.sections.items():
        match = _LEVEL.fullmatch(section)
        if match is not None and len(rows) == 1:
            (found[match["name"]],) = rows.values()
    return found
