"""Solve a game: compute a strategy of low exploitability, and measure its exploitability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.errors import PokerlabError
from pokerlab.requests.hints import how_to_play
from pokerlab.requests.spot_answer import number_text
from pokerlab.runs.cost import Cost
from pokerlab.runs.notes import note
from pokerlab.runs.request import Place, drawing, no_part
from pokerlab.solvers.configs import SolveConfig

if TYPE_CHECKING:
    from pokerlab.solvers.core.solve import Look

SHOWN_LOOKS = 9


@dataclass(frozen=True, kw_only=True)
class Solve(SolveConfig):
    """Compute a strategy that is hard to exploit, and report its exploitability.

    Stop it at any moment: the same command, or the same with more iterations, resumes from its checkpoint and gives the
    same bits as an uninterrupted run. `pokerlab show` displays the strategy in the run directory, and the agent
    strategy:DIRECTORY plays it. `pokerlab solve subgame` solves the rest of a hold'em hand without a card abstraction.

    For example:

        pokerlab solve leduc --iterations 10000 --picture leduc.png
        pokerlab solve kuhn --algorithm lp
        pokerlab solve leduc-nolimit --sizes "0.5p once, 1p, all-in" --target 0.001
        pokerlab solve nolimit2p --cards pr5 --sizes fcpa --iterations 5000 --dry-run
        pokerlab solve nolimit2p --cards ir100 --algorithm public --engine jax --deals-per-iteration 32 --dry-run
    """

    picture: Path | None = drawing("It shows exploitability by iterations and seconds.")

    def cost(self, *, workers: int | None = None) -> Cost:
        from pokerlab.solvers.cost import expected_cost

        cost = expected_cost(self)
        what = (
            f"{self.rules.name}: {cost.counts['decisions']:,} decisions of the betting tree, "
            f"{cost.counts['information_sets']:,} information sets, {cost.counts['pairs']:,} (information set, action) "
            f"pairs\n{self.algorithm}, {self.iterations:,} iterations"
        )
        return replace(cost, what=what, counts={**cost.counts, "game": self.rules.name, "algorithm": self.algorithm})

    def compute(self, place: Place) -> Answer:
        from pokerlab.solvers.runs import solve_in, summary

        solution = solve_in(self, place.directory, **watch_solution(place, self))
        data = summary(self, solution)
        files: tuple[Path, ...] = ()
        if self.picture is not None:
            files = save_picture({self.algorithm: solution.looks}, self.picture, f"{data['game']}, {self.algorithm}")
        return Answer(
            f"{data['game']}, bets {data['sizes']}, cards {data['cards']}: {data['information_sets']:,} information "
            f"sets, {data['pairs']:,} actions at them",
            (_looks_table(data),) if data["looks"] else (),
            (*_result_lines(data), *self._hints(data, place.path)),
            data,
            result=solution,
            files=files,
        )

    def _hints(self, data: Mapping[str, Any], path: Path | None) -> list[str]:
        lines = []
        if self.target is not None and not (data[_gap_name(data)] or 0.0) <= self.target:
            lines.append(f"the target of {self.target:g} was not reached; request more --iterations to continue")
        if path is not None:
            lines += [f"inspect it: pokerlab show {path}", how_to_play(f"strategy:{path}")]
        return lines


def save_picture(looks: Mapping[str, Sequence[Look]], path: Path, title: str) -> tuple[Path, ...]:
    """Draw exploitability by iterations and seconds, or print a note if there is nothing to draw. Return the files
    written."""
    from pokerlab.pictures.curves import save_convergence

    try:
        save_convergence(looks, path, title=title)
    except PokerlabError as error:  # the answer is worth more than its picture
        note(str(error))
        return ()
    return (path,)


def watch_solve(place: Place, config: SolveConfig) -> dict[str, Any]:
    """Callbacks for `solve_in`: iterations and the last measurement as progress, interim solutions as parts of the
    answer."""
    goal = "" if config.target is None else f" (to {config.target:g})"
    (name, times), measured = ("exploitability", 1) if config.rules.n_seats == 2 else ("NashConv", 2), ""

    def progress(done: int) -> None:
        place.progress(f"iteration {done:,}{measured}", done, config.iterations)

    def report(look: Look) -> None:
        nonlocal measured
        measured = f"  {look.seconds:.1f} s  {name} {times * look.exploitability:.3g}{goal}"
        progress(look.iteration)

    return {"report": report, "progress": progress}


def watch_solution(place: Place, config: SolveConfig) -> dict[str, Any]:
    """The callbacks of `watch_solve`; without interim solutions if the caller does not want parts."""
    return {**watch_solve(place, config), "interim": None if place.part is no_part else place.part}


def _looks_table(data: Mapping[str, Any]) -> AnswerTable:
    rows, key = [], _gap_name(data)
    for look in data["looks"][-SHOWN_LOOKS:]:
        numbers = number_text(look["value"], "+.6f"), number_text(look[key], ".3g")
        rows.append((f"{look['iteration']:,}", f"{look['seconds']:.2f}", *numbers))
    name = key.replace("nash_conv", "NashConv")
    return AnswerTable(("iterations", "seconds", "value", name), tuple(rows), words=0)


def _gap_name(data: Mapping[str, Any]) -> str:
    """Key in `data` of the distance from equilibrium: exploitability for two players, otherwise NashConv."""
    return "exploitability" if data["players"] == 2 else "nash_conv"


def _result_lines(data: Mapping[str, Any]) -> list[str]:
    milli = data["big_blind"] / 1000
    form, within = f"+.{_decimals(data[_gap_name(data)])}f", ""
    if data["bounds"] and data["bounds"][0] is not None:
        low, high = data["bounds"]
        within = f"; the game's is between {low:{form}} and {high:{form}}"
    if data["players"] == 2:
        gap = f"exploitability  {_chips(data['exploitability'], milli, '.3g', '.3g')}: half of NashConv"
    else:
        each = f"the sum of what each of {data['players']} players would gain by responding best, alone"
        gap = f"NashConv        {_chips(data['nash_conv'], milli, '.3g', '.3g')}: {each}"
    return [
        f"{data['algorithm']} ({data['cites']}), engine {data['engine']}",
        f"iterations      {data['iterations']:,}",
        f"seconds         {data['seconds']:.2f}",
        f"value           {_chips(data['value'], milli, form, '+.2f')} to player 0{within}",
        gap,
    ]


def _decimals(exploitability: float | None) -> int:
    """Number of decimals to print for a value: six, or more if exploitability is known more precisely."""
    known = 0 if exploitability is None or exploitability <= 0 else int(-log10(exploitability))
    return min(max(6, known), 12)


def _chips(value: float | None, milli: float, form: str, milli_form: str) -> str:
    if value is None:
        return "not known"
    return f"{value:{form}} chips a hand ({value / milli:{milli_form}} mbb_per_hand)"
