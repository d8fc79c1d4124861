"""Show profiles of players side by side: sections of rows with one number per player, for text, JSON and web pages.

`profile_sections` makes the sections computed from hands. Other sections, such as one from a transcript of a player's
answers, can be added and are rendered the same way.

>>> from pokerlab.estimates import share
>>> row = ProfileRow("illegal", "illegal answers", "illegal answers / answers", (Number(share(2, 50)),))
>>> section = ProfileSection("Answers", (row,))
>>> print(*section.table(["model"]).plain(), sep="\\n")
                                model
illegal answers  4.0% [1.1, 13.5] n 50
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, NamedTuple

from pokerlab.answers import AnswerTable
from pokerlab.estimates import Estimate, bare
from pokerlab.table.database import Database
from pokerlab.table.statistics import Measure, Summary, summaries
from pokerlab.valuing.profile_rows import ROWS, SECTIONS
from pokerlab.valuing.profiles import Profile

BY_POSITION = ("vpip", "pfr", "afq", "wtsd", "mbb_per_hand")
"""The statistics that are shown for every position."""
RAKE = "rake_mbb_per_hand"


class Number(NamedTuple):
    """A number of one player; `kind` says what it is, by default a share."""

    value: Estimate
    kind: str = "share"
    chances: float | None = None  # number of opportunities, if a hand can have several
    done: float | None = None  # how many were taken, for ratios that have no value without opportunities

    @property
    def n(self) -> float:
        """Number of opportunities, or of hands if each has one opportunity."""
        return float(self.value.n or 0) if self.chances is None else self.chances

    def text(self, value: float) -> str:
        """Format a value for people, without its unit."""
        if self.kind in ("share", "strength"):
            return f"{100 * value:.1f}"
        if self.kind == "ratio":
            return f"{value:.2f}"
        return f"{value:+,.0f}" if abs(value) >= 100 else f"{value:+.1f}" if abs(value) >= 10 else f"{value:+.3g}"

    @property
    def unit(self) -> str:
        return "%" if self.kind in ("share", "strength") else ""

    @property
    def undefined(self) -> str:
        """Text shown if the number has no value; '' if it has one."""
        if not isnan(self.value.mean):
            return ""
        return f"{self.done:g} of {self.chances or 0:g}" if self.done else "-"

    @property
    def interval(self) -> str:
        """The interval in brackets, as text."""
        ends = f"{self.text(self.value.low)}, {self.text(self.value.high)}"
        return "no interval" if isnan(self.value.low) else f"[{ends}]"

    def __str__(self) -> str:
        return self.undefined or f"{self.text(self.value.mean)}{self.unit} {self.interval} n {self.n:,.0f}"

    def data(self) -> dict[str, Any]:
        """The number as JSON values; `n` counts hands."""
        return {**self.value.data(), "unit": self.kind, "chances": self.chances}


class ProfileRow(NamedTuple):
    """A row: its key in JSON, its label, what it counts, and a number for every player."""

    key: str
    label: str
    meaning: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True)
class ProfileSection:
    """A titled group of rows."""

    title: str
    rows: tuple[ProfileRow, ...]
    note: str = ""

    def table(self, names: Sequence[str]) -> AnswerTable:
        """Convert the section to a table of an answer."""
        rows = tuple((row.label, *map(str, row.numbers)) for row in self.rows)
        return AnswerTable(("", *names), rows, self.title, self.note)

    def data(self, names: Sequence[str]) -> dict[str, Any]:
        """The section as JSON values, by row and then player."""
        return {
            row.key: {name: number.data() for name, number in zip(names, row.numbers, strict=True)} for row in self.rows
        }


def profile_sections(players: Sequence[Profile], database: Database) -> list[ProfileSection]:
    """All sections of a profile of `players`, whose hands are in the database."""
    by_name = {group.group["agent"]: group for group in summaries(database)}
    style = [by_name[player.name] for player in players]
    sections = [ProfileSection("Style", tuple(style_rows(style)))]
    for title, rows in SECTIONS.items():
        shown = [row for row in rows if any(not isnan(_of(player, row.key).value.mean) for player in players)]
        numbers = [tuple(_of(player, row.key) for player in players) for row in shown]
        made = tuple(
            ProfileRow(row.key, row.label, row.meaning, each) for row, each in zip(shown, numbers, strict=True)
        )
        sections += [ProfileSection(title, made)] if made else []
    return [*sections, ProfileSection("Position", tuple(_position_rows(players, database)))]


def _of(player: Profile, key: str) -> Number:
    value = player.numbers.get(key, bare(nan, n=0))
    chances = player.counts[key][1] if key in player.counts and key != "bet_gap" else None
    return Number(value, ROWS[key].kind, chances)


def style_rows(groups: Sequence[Summary]) -> list[ProfileRow]:
    """Statistics of several groups of hands side by side, without statistics that no group has, and without rake if
    none was paid."""
    rows = []
    for key, first in groups[0].measures.items():
        numbers = tuple(_number(group.measures[key]) for group in groups)
        if any(number.value.n and (number.done or key != RAKE) for number in numbers):
            rows.append(ProfileRow(key, first.statistic.label, first.statistic.meaning, numbers))
    return rows


def _position_rows(players: Sequence[Profile], database: Database) -> list[ProfileRow]:
    groups = summaries(database, ("agent", "position"))
    found = {(group.group["agent"], group.group["position"]): group.measures for group in groups}
    positions = dict.fromkeys(place for name, place in found if name in {player.name for player in players})
    rows = []
    for place in positions:
        for key in BY_POSITION:
            measured = [found.get((player.name, place), {}).get(key) for player in players]
            first = next(each for each in measured if each is not None)
            numbers = tuple(Number(bare(nan, n=0)) if each is None else _number(each) for each in measured)
            label = f"{place}: {first.statistic.label}"
            rows.append(ProfileRow(f"{place} {key}", label, first.statistic.meaning, numbers))
    return rows


def _number(measure: Measure) -> Number:
    kind = measure.statistic.kind
    return Number(measure.value, kind, None if kind == "mean" else measure.denominator, measure.numerator)
