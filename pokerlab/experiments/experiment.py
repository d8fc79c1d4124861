"""What an experiment is: a citation, published numbers, and a function that measures ours.

>>> def run(config, report):
...     return Table({"share, %": {"heads": Number(50.2, low=49.1, high=51.3, n=8000)}})
>>> published = Table({"share, %": {"heads": Number(50.0)}})
>>> coin = Experiment("coin", "A coin", "Nobody (1900), table 1", "Thrown by hand.", published, run, quick={}, full={})
>>> coin.run(Config({}, seed=1), no_report)["share, %"]["heads"].value
50.2
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pokerlab.runs.directory import RunDirectory

Report = Callable[[int, int], None]
"""Called with (done, in all)."""


class Number(NamedTuple):
    """A number with its 95% interval and how many things it rests on; what is not known is None.

    Without an `n`, `low` and `high` are bounds that were computed. A published claim such as "under 3" has a `high` and
    no `value`.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None


@dataclass(frozen=True)
class Table:
    """Numbers by section and row, and sentences about them; a section's name says its unit."""

    sections: Mapping[str, Mapping[str, Number]]
    notes: tuple[str, ...] = ()

    def __getitem__(self, section: str) -> Mapping[str, Number]:
        return self.sections[section]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sections)


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
