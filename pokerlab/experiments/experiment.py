"""An experiment: a citation, published numbers, and a function that measures ours.

>>> def run(config):
...     return Table.of({"share, %": {"heads": Estimate(50.2, low=49.1, high=51.3, n=8000)}})
>>> published = Table.of({"share, %": {"heads": bare(50.0)}})
>>> coin = Experiment("coin", "A coin", "Anon. (1900), table 1", "Thrown by hand.", published, run, quick={}, full={})
>>> coin.run(Config({}, seed=1))["share, %"]["heads"].mean
50.2
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import hypot
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from pokerlab.estimates import Estimate, bare, exact
from pokerlab.runs.directory import RunDirectory, open_run
from pokerlab.runs.workers import Plain, Runner, Task, do_tasks, here, runner_for
from pokerlab.table.comparison import Contest, Winnings, play_contests

Key = TypeVar("Key", bound=Hashable)
Report = Callable[[int, int], None]
"""A function called with (number of finished parts, number of all parts)."""

Rows: TypeAlias = Mapping[str, Estimate]
Sections: TypeAlias = dict[str, dict[str, Estimate]]
"""Rows of numbers by section title, while a table is being built."""
Role: TypeAlias = Literal[
    "numbers", "by run", "by action", "by hand", "by thousand steps", "by million hands", "level", "by size", "ends"
]
AGENT = "pokerlab.players.registry:agent"


@dataclass(frozen=True)
class Section:
    """Numbers by row. The section's title (its key in a `Table`) says what they are and in which unit.

    Most sections have the role "numbers" and are only printed. Other roles are also drawn. "by run", "by action", "by
    hand", "by thousand steps", "by million hands" and "by size" are curves: `at` is the number of the run, .., the size
    of the bet. A "level" is a constant with which a curve is compared; "ends" are the bet sizes at which ranges settle.
    """

    rows: Rows
    role: Role = "numbers"
    series: str = ""  # name of the curve, or of the curve to which a level or ends belong
    sized: str = ""  # player whose bets are sized; for curves not by run, the panel of the picture
    unit: str = ""  # unit of the horizontal axis
    at: tuple[float, ...] = ()  # position of each row on that axis

    @property
    def points(self) -> list[tuple[float, Estimate]]:
        """The points of a curve: (position on the horizontal axis, value)."""
        return list(zip(self.at, self.rows.values(), strict=True))


@dataclass(frozen=True)
class Table:
    """Sections by title, and notes about them."""

    sections: Mapping[str, Section] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, sections: Mapping[str, Section | Rows], notes: Sequence[str] = ()) -> Table:
        """Make a table; a plain mapping of rows becomes a section that is printed but not drawn."""
        made = {title: each if isinstance(each, Section) else Section(each) for title, each in sections.items()}
        return cls(made, tuple(notes))

    def __getitem__(self, title: str) -> Rows:
        return self.sections[title].rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.sections)


def exact_rows(numbers: Mapping[str, float]) -> dict[str, Estimate]:
    """Rows of exact numbers."""
    return {row: exact(float(number)) for row, number in numbers.items()}


def bare_rows(numbers: Mapping[str, float]) -> dict[str, Estimate]:
    """Rows of numbers without an interval: published numbers and results of searches."""
    return {row: bare(float(number)) for row, number in numbers.items()}


def less(number: Estimate, by: float) -> Estimate:
    """Subtract a constant from an estimate and from the ends of its interval."""
    return replace(number, mean=number.mean - by, low=number.low - by, high=number.high - by)


class Signs(NamedTuple):
    """Names of rows, grouped by whether their intervals lie above zero, below it, or contain it."""

    above: list[str]
    below: list[str]
    unsure: list[str]


def signs(rows: Rows) -> Signs:
    """Group rows by whether their intervals lie above zero, below it, or contain it.

    >>> signs({"caller": Estimate(2.0, 1.0, 3.0, 9), "poki": Estimate(0.5, -0.5, 1.5, 9)})
    Signs(above=['caller'], below=[], unsure=['poki'])
    """
    above = [row for row, number in rows.items() if number.low > 0]
    below = [row for row, number in rows.items() if number.high < 0]
    return Signs(above, below, [row for row in rows if row not in (*above, *below)])


def listed(names: Iterable[str], none: str = "nobody") -> str:
    """Names separated by commas; 'nobody' for none.

    >>> listed(["a", "b"]), listed([])
    ('a, b', 'nobody')
    """
    return ", ".join(names) or none


def apart(one: Estimate, other: Estimate) -> tuple[str, str]:
    """Return (difference of two independent estimates as text, words to append if it is not significant).

    >>> apart(Estimate(2.0, 1.0, 3.0, 9), Estimate(0.5, -0.5, 1.5, 9))
    ('1.500 ± 1.414', '')
    """
    gap, half = one.mean - other.mean, hypot(one.half_width, other.half_width)
    return f"{gap:.3f} ± {half:.3f}", "" if abs(gap) > half else ", which is not significant"


def no_report(done: int, total: int) -> None:
    """Progress callback that does nothing."""


@dataclass(frozen=True)
class Config:
    """A run of an experiment: its settings, the random seed, and where the work is done and saved.

    >>> Config({}, seed=1).do(abs, [-1, 2, -3])
    [1, 2, 3]
    """

    settings: Mapping[str, Any]
    seed: int
    workers: int | None = 1
    run: RunDirectory | None = None
    report: Report = no_report
    spread: Runner | None = None  # runner for tasks elsewhere, such as on a Ray cluster

    @property
    def runner(self) -> Runner:
        """What runs the tasks: `spread` if given, otherwise worker processes."""
        return self.spread or runner_for(self.workers)

    def do(self, function: Callable[..., Any], parts: Sequence[Any], **settings: Any) -> list[Any]:
        """Call `function(part, **settings)` for every part. Return the results in order; results saved in `run` are
        reused.

        Parts and results are JSON values, so that any process can compute them. A result's file name is derived from
        the function and the part, so a run with more parts reuses the finished ones.
        """
        path = f"{function.__module__}:{function.__qualname__}"
        tasks = [
            Task(
                "pokerlab.runs.workers:plain",
                Plain(path, part, settings),
                _key(path, part),
                part,
                f"part {i} of {path}",
            )
            for i, part in enumerate(parts)
        ]
        done = do_tasks(
            tasks,
            # a single part may use all cores
            runner=lambda left, tick: (self.runner if len(left) > 1 else here)(left, tick),
            run=self.run,
            folder="parts",
            report=self.report,
        )
        return [each.value for each in done]

    def do_one(self, function: Callable[..., Any], part: Any, **settings: Any) -> Any:
        """Do one step of a pipeline: apply a function, which may use all cores, to a single part."""
        return self.do(function, [part], **settings)[0]

    def do_groups(
        self, function: Callable[..., Any], groups: Mapping[Key, Sequence[Any]], **settings: Any
    ) -> dict[Key, list[Any]]:
        """Apply a function to groups of parts. All parts go to the workers at once; results are returned by group.

        >>> Config({}, seed=1).do_groups(abs, {"negative": [-1, -2], "positive": [3]})
        {'negative': [1, 2], 'positive': [3]}
        """
        done = iter(self.do(function, [part for parts in groups.values() for part in parts], **settings))
        return {key: [next(done) for _ in parts] for key, parts in groups.items()}

    def numbered(self, n: int, **part: Any) -> list[dict[str, Any]]:
        """Make the parts of `n` matches or trials. They differ only in their number; all have the experiment's seed.

        >>> Config({}, seed=1).numbered(2, hands=10)
        [{'seed': 1, 'hands': 10, 'number': 0}, {'seed': 1, 'hands': 10, 'number': 1}]
        """
        return [{"seed": self.seed, **part, "number": number} for number in range(n)]

    def play(self, contests: Mapping[Key, Contest], units: str, *, make: str = AGENT) -> dict[Key, Winnings]:
        """Play the contests and return their candidates' winnings (`table.comparison`)."""
        return play_contests(
            contests, units=units, seed=self.seed, make=make, runner=self.runner, run=self.run, report=self.report
        )

    def part_of(self, done: int, total: int) -> Config:
        """Copy of the config for step number `done` (from 0) of `total`: its progress is shown as a part of the whole
        progress."""
        return replace(self, report=lambda n, of: self.report(n * done, of * total))

    @contextmanager
    def place(self, name: str) -> Iterator[Path]:
        """Context with a folder for files: inside the run directory if there is one, so that files survive a restart;
        otherwise temporary."""
        if self.run is not None:
            place = self.run.path / name
            place.mkdir(exist_ok=True)
            yield place
        else:
            with TemporaryDirectory(prefix="pokerlab-") as folder:
                yield Path(folder)

    @contextmanager
    def with_run(self) -> Iterator[Config]:
        """Context with a config that has a run directory; a temporary one if there is none."""
        if self.run is not None:
            yield self
        else:
            with (
                TemporaryDirectory(prefix="pokerlab-") as folder,
                open_run(Path(folder) / "run", "reproduce", {}) as run,
            ):
                yield replace(self, run=run)


def _key(function: str, part: Any) -> str:
    """File name of a part's result, derived from the function and the part."""
    return hashlib.sha256(json.dumps([function, part], sort_keys=True).encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Experiment:
    """A published table or claim, and how to reproduce it here. `quick` and `full` are alternative settings of
    `run`."""

    name: str
    title: str
    cites: str
    about: str  # notes on how it is done, and on what was not published
    published: Table
    run: Callable[[Config], Table] = field(repr=False)
    quick: Mapping[str, Any]
    full: Mapping[str, Any]
    players: tuple[str, ...] = ()  # the players it measures; a result records their versions (`players.versions`)
    quick_compares: bool = True  # if False, quick results do not converge and are not compared with published numbers
