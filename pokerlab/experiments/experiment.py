"""What an experiment is: a citation, published numbers, and a function that measures ours.

>>> def run(config, report):
...     return Table.of({"share, %": {"heads": Estimate(50.2, low=49.1, high=51.3, n=8000)}})
>>> published = Table.of({"share, %": {"heads": bare(50.0)}})
>>> coin = Experiment("coin", "A coin", "Nobody (1900), table 1", "Thrown by hand.", published, run, quick={}, full={})
>>> coin.run(Config({}, seed=1), no_report)["share, %"]["heads"].mean
50.2
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pokerlab.estimates import Estimate, bare, exact
from pokerlab.runs.directory import RunDirectory

Report = Callable[[int, int], None]
"""Called with (done, in all)."""

Rows: TypeAlias = Mapping[str, Estimate]
Role: TypeAlias = Literal[
    "numbers", "by run", "by action", "by hand", "by thousand steps", "by million hands", "level", "by size", "ends"
]


@dataclass(frozen=True)
class Section:
    """Numbers by row; its title says what they are and in which unit.

    Most sections are only printed. Those of other roles are drawn too: a curve of values "by run" (`at` is the number
    of the run), "by action", "by hand", "by thousand steps" or "by million hands", and the "level" it is compared with;
    a curve of values "by size" (`at` is the size of a bet) and the sizes at which ranges end ("ends").
    """

    rows: Rows
    role: Role = "numbers"
    series: str = ""  # what the curve, the level or the ends are of
    sized: str = ""  # whose bets are sized; of a curve by anything but runs, its panel
    unit: str = ""  # along the axis
    at: tuple[float, ...] = ()  # where each row stands

    @property
    def points(self) -> list[tuple[float, Estimate]]:
        """(where it stands, the number) of each row of a curve."""
        return list(zip(self.at, self.rows.values(), strict=True))


@dataclass(frozen=True)
class Table:
    """Sections by title, and sentences about them."""

    sections: Mapping[str, Section] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, sections: Mapping[str, Section | Rows], notes: tuple[str, ...] = ()) -> Table:
        """A table of sections, or of the rows of sections that are only printed."""
        made = {title: each if isinstance(each, Section) else Section(each) for title, each in sections.items()}
        return cls(made, notes)

    def __getitem__(self, title: str) -> Rows:
        return self.sections[title].rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.sections)


def exact_rows(numbers: Mapping[str, float]) -> dict[str, Estimate]:
    """Rows of numbers that were computed, with nothing left to chance."""
    return {row: exact(float(number)) for row, number in numbers.items()}


def bare_rows(numbers: Mapping[str, float]) -> dict[str, Estimate]:
    """Rows of numbers of which nobody says how sure they are: printed ones, and those at which a search ended."""
    return {row: bare(float(number)) for row, number in numbers.items()}


@dataclass(frozen=True)
class Config:
    """How to run: an experiment's own settings, the seed, and where the work is done and kept."""

    settings: Mapping[str, Any]
    seed: int
    workers: int | None = 1
    run: RunDirectory | None = None


def no_report(done: int, total: int) -> None:
    """For those who do not want to know."""


@dataclass(frozen=True)
class Experiment:
    """A published table or claim and how to measure the same here. `quick` and `full` are settings of `run`."""

    name: str
    title: str
    cites: str
    about: str  # how it is done, and what was not published
    published: Table
    run: Callable[[Config, Report], Table] = field(repr=False)
    quick: Mapping[str, Any]
    full: Mapping[str, Any]
    quick_compares: bool = True  # False: quick settings cannot converge, and no published number stands beside theirs
