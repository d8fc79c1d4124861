"""Section 2.3.7 of Sweeney (2012): in self-play returns converge although strategies cycle; methods against cycling."""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, exact
from pokerlab.experiments.experiment import Config, Section, Table, exact_rows
from pokerlab.games.catalog import game
from pokerlab.systems.connectionist.gradient_self_play import Ascent, AscentCourse, normal_form, self_play

WAYS = {"gradient ascent": Ascent(), "lagging anchor": Ascent(anchor=0.5), "WoLF": Ascent(lose_faster=4.0)}
VALUES = {"matching pennies": 0.0, "a 2x2 game": 0.2, "Kuhn poker": -1 / 18}
POINTS = 20
LAST = "the last quarter of the steps"


def payoffs() -> dict[str, Floats]:
    """Payoff matrices for player 0: two games of two actions with a single mixed equilibrium, and Kuhn poker's 64
    plans."""
    small = {"matching pennies": [[1.0, -1.0], [-1.0, 1.0]], "a 2x2 game": [[2.0, -1.0], [-1.0, 1.0]]}
    return {**{name: np.array(rows) for name, rows in small.items()}, "Kuhn poker": normal_form(game("kuhn"))}


def run(config: Config) -> Table:
    """Learn every game with every method, from the same start."""
    steps = config.settings["steps"]
    todo = [(name, way) for name in VALUES for way in WAYS]
    matrices, courses = payoffs(), {}
    for done, (name, way) in enumerate(todo):
        config.report(done, len(todo))
        courses[name, way] = self_play(matrices[name], WAYS[way], steps=steps, keep=steps // POINTS // 10)
    config.report(len(todo), len(todo))
    sections: dict[str, Section | dict[str, Estimate]] = {}
    for name, value in VALUES.items():
        of = {way: courses[name, way] for way in WAYS}
        away = {way: abs(float(course.mean_return[-1]) - value) for way, course in of.items()}
        ends = {way: course.exploitability[-len(course.exploitability) // 4 :] for way, course in of.items()}
        sections[f"{name}: how far the mean return is from the value {value:.3f}, chips"] = exact_rows(away)
        sections[f"{name}: exploitability of the strategies, most over {LAST}, chips"] = exact_rows(
            {way: float(found.max()) for way, found in ends.items()}
        )
        sections[f"{name}: exploitability of the average strategies, chips"] = exact_rows(
            {way: float(course.average_exploitability[-1]) for way, course in of.items()}
        )
    for (name, way), course in courses.items():
        sections[f"{name}, {way}: exploitability by thousand steps, chips"] = _curve(course, name, way, steps)
    return Table.of(sections, _notes(courses))


def _curve(course: AscentCourse, name: str, way: str, steps: int) -> Section:
    every = len(course.exploitability) // POINTS
    at = [steps / POINTS * (i + 1) / 1000 for i in range(POINTS)]
    rows = {f"{x:g}": exact(float(v)) for x, v in zip(at, course.exploitability[every - 1 :: every], strict=True)}
    return Section(rows, "by thousand steps", way, name, "exploitability, chips", tuple(at))


def _notes(courses: dict[tuple[str, str], AscentCourse]) -> tuple[str, ...]:
    ends = {key: course.exploitability[-len(course.exploitability) // 4 :].max() for key, course in courses.items()}
    said = []
    for name in VALUES:
        plain = ends[name, "gradient ascent"]
        kept = ", ".join(f"{way} {ends[name, way] / plain:.1%}" for way in WAYS if way != "gradient ascent")
        said.append(f"{name}: of what gradient ascent is exploitable by at the end, there is left with {kept}.")
    return tuple(said)
