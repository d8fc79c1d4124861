"""The loop that runs every solver, measures its progress, and returns the solution.

A solver is an `Engine`: a computation in steps (`runs.steps`) that can turn its arrays into a strategy and evaluate
this. `solve` runs every engine in the same way, and never prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import CHECKPOINT_SECONDS, Arrays, Course, Steps, Watch
from pokerlab.solvers.core.best_response import Evaluation


class Engine(Steps, Protocol):
    """A method of solving one problem. If measurements are expensive, an engine may set `first_look` (the iteration
    before which a run with a target takes no measurement) and `few_looks` (see `is_early`)."""

    def strategy(self, arrays: Arrays) -> Strategy:
        """The average strategy."""

    def evaluate(self, arrays: Arrays) -> Evaluation:
        """Value of the average strategy, and best responses to it."""


class Look(NamedTuple):
    """A measurement during a run."""

    iteration: int
    seconds: float  # time of the steps, also of those before a resumed checkpoint, without measurements
    value: float
    exploitability: float

    def __str__(self) -> str:
        return (
            f"iteration {self.iteration:,}: {self.seconds:.1f} s, value {self.value:+.6g}, "
            f"exploitability {self.exploitability:.4g} chips a hand"
        )


@dataclass(frozen=True)
class Solution:
    """A solver's result, with its measurements."""

    strategy: Strategy
    evaluation: Evaluation
    iterations: int
    seconds: float
    about: Mapping[str, Any]
    looks: tuple[Look, ...] = field(repr=False, default=())

    def __str__(self) -> str:
        rules = self.strategy.tree.rules
        gap = f"exploitability {self.exploitability:.2g}"
        if rules.n_seats > 2:
            gap = f"NashConv {self.evaluation.nash_conv:.2g}"
        return f"{rules.name}: value {self.value:.4g} chips a hand to player 0, {gap}, {self.iterations:,} iterations"

    @property
    def figures(self) -> dict[str, float | None]:
        """Duration and quality of the solution as JSON values; None if unknown."""
        said = {"seconds": self.seconds, "value": self.value, "exploitability": self.exploitability}
        return {"iterations": self.iterations, **{name: None if x != x else float(x) for name, x in said.items()}}

    @property
    def value(self) -> float:
        """Value to player 0 if both players use the strategy, in chips per hand."""
        return self.evaluation.value

    @property
    def exploitability(self) -> float:
        return self.evaluation.exploitability


TO_TARGET = 1.25
CLOSE, FAR = 1.05, 1.6
"""For engines with few measurements: the ratio of the iterations of two successive measurements, near the target and
far from it."""

STEEPEST = 3.0
"""Exploitability is assumed to fall at most like iterations to the power of minus this."""


def solve(
    engine: Engine,
    *,
    iterations: int,
    target: float | None = None,
    every: int | None = None,
    report: Callable[[Look], None] | None = None,
    interim: Callable[[Solution], None] | None = None,
    watch: Watch | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> Solution:
    """Run `engine` for `iterations`, or until the exploitability is at most `target`.

    Measurements are taken at 1, 2, 5, 10, 20, 50 .. iterations (more often with a target), or every `every` iterations,
    and passed to `report`; `interim` receives the current solution with each. If `watch` has a checkpoint file, it is
    written about every `checkpoint_seconds` and at the end, and a run with such a file resumes from it. When the watch
    stops the run, the checkpoint is written and the run ends with `KeyboardInterrupt`.
    """
    evaluation: Evaluation | None = None
    course = Course(engine, watch or Watch(), checkpoint_seconds)
    looks = [Look(int(row[0]), *row[1:]) for row in course.looks]
    reached = bool(looks) and target is not None and looks[-1].exploitability <= target
    first, few = getattr(engine, "first_look", 1), getattr(engine, "few_looks", False) and every is None
    growth = None if target is None else CLOSE if few else TO_TARGET
    for upto in milestones(iterations, every, growth, first=first):
        # A checkpoint may have been written after an iteration but before its measurement.
        if upto < course.done or reached or (looks and upto <= looks[-1].iteration):
            continue
        if few and looks and target is not None and upto < iterations and is_early(upto, looks[-1], target):
            continue
        course.step_to(upto)
        evaluation = engine.evaluate(course.arrays)
        look = Look(course.done, course.seconds, evaluation.value, evaluation.exploitability)
        looks.append(look)
        course.looks.append(look)
        if report is not None:
            report(look)
        reached = target is not None and look.exploitability <= target
        if interim is not None and not reached:
            interim(_solution(engine, course, evaluation, looks))
    course.write()
    return _solution(engine, course, evaluation or engine.evaluate(course.arrays), looks)


def _solution(engine: Engine, course: Course, evaluation: Evaluation, looks: Sequence[Look]) -> Solution:
    return Solution(engine.strategy(course.arrays), evaluation, course.done, course.seconds, engine.about, tuple(looks))


def is_early(iteration: int, last: Look, target: float) -> bool:
    """Whether a measurement at this iteration would be too early: judged by the last one, the target cannot be met yet.

    >>> last = Look(100, 60.0, 1.0, exploitability=2.0)
    >>> [n for n in (105, 121, 133, 162) if not is_early(n, last, target=1.0)]
    [133, 162]
    """
    ratio: float = (max(last.exploitability, target) / target) ** (1 / STEEPEST)
    return iteration < min(ratio, FAR) * last.iteration


def milestones(
    iterations: int, every: int | None = None, growth: float | None = TO_TARGET, first: int = 1
) -> Iterator[int]:
    """Yield the iterations at which measurements are taken. With a target, each is `growth` times the one before, from
    `first` on.

    >>> list(milestones(20))
    [1, 2, 3, 4, 5, 6, 7, 9, 12, 15, 19, 20]
    """
    if every is not None:
        yield from range(every, iterations, every)
    elif growth is not None:
        upto = 1.0
        while upto < iterations:
            if upto >= first:
                yield int(upto)
            upto = max(upto + 1, upto * growth)
    else:
        power = 1
        while power < iterations:
            yield from (n for n in (power, 2 * power, 5 * power) if n < iterations)
            power *= 10
    yield iterations
