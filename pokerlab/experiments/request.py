"""Run a published experiment, compare its numbers with ours, and draw its curves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pokerlab.answers import Answer, AnswerTable
from pokerlab.errors import PokerlabError
from pokerlab.experiments.experiment import Role, Section
from pokerlab.experiments.records import EXPERIMENTS, experiment, module_of
from pokerlab.experiments.results import COVERED, COVERED_LEAD, Result, compared, coverage, reproduce
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.request import Place, Request, setting

QUICK_SECONDS = 120.0
CURVES: tuple[Role, ...] = ("by run", "by action", "by hand", "by thousand steps", "by million hands")


@dataclass(frozen=True, kw_only=True)
class Reproduce(Request):
    """Run a published experiment and print its numbers beside ours. Without a name, list the experiments.

    The result depends only on the seed. Stop it at any moment; the same command resumes it.

    For example:

        pokerlab reproduce --list
        pokerlab reproduce davidson2002-table-3-1
        pokerlab reproduce davidson2002-players --full --workers 16 --out players
        pokerlab reproduce --from players/result.json --markdown
        pokerlab reproduce --from docs/results/hawkin2014-figure-6-5.json --picture curves.svg
    """

    kind: ClassVar[str] = "reproduce"
    in_parts: ClassVar[bool] = True

    name: str = setting(help="Name of the experiment.", positional=True)
    full: bool = setting(False, "Use the settings of the documented results.")
    quick: bool = setting(False, "Use settings that take about two minutes; the default.", identity=False)
    seed: int = setting(7, least=0)
    picture: Path | None = setting(
        None,
        "It shows published values and ours by run or by bet size, if a result has them. For several results name a "
        "directory.",
        identity=False,
    )

    def check(self) -> None:
        if self.quick and self.full:
            raise PokerlabError("--quick and --full contradict each other")
        experiment(self.name)  # raises an error if the name is unknown
        if self.picture is not None and self.picture.suffix:
            from pokerlab.files import check_picture

            check_picture(self.picture)

    @property
    def scale(self) -> str:
        return "full" if self.full else "quick"

    def identity(self) -> dict[str, Any]:
        """The experiment, the seed and the experiment's own settings."""
        wanted = experiment(self.name)
        settings = wanted.full if self.full else wanted.quick
        return {"experiment": self.name, "scale": self.scale, "seed": self.seed, **settings}

    @property
    def label(self) -> str:
        return f"{self.name}-{self.scale}-{self.seed}"

    @property
    def modules(self) -> tuple[str, ...]:
        return (module_of(self.name),)

    def cost(self, *, workers: int | None = None) -> Cost:
        """Estimate the cost from the recorded time of the full settings on one core; quick settings take about two
        minutes."""
        workers = usable_cores() if workers is None else workers
        seconds = 60 * EXPERIMENTS[self.name].minutes / workers if self.full else QUICK_SECONDS
        return Cost(seconds, counts={"experiment": self.name, "workers": workers}, what=self.name)

    def compute(self, place: Place) -> Answer:
        result = reproduce(
            self.name,
            full=self.full,
            seed=self.seed,
            workers=place.workers,
            spread=place.runner,
            run=place.directory,
            report=place.report(self.name),
        )
        return answer_of(result, () if self.picture is None else draw_results([result], self.picture))


def answer_of(result: Result, files: tuple[Path, ...] = ()) -> Answer:
    """Convert a result to tables with the published numbers beside ours."""
    tables = tuple(
        AnswerTable(tuple(header), tuple(map(tuple, rows)), section) for section, header, rows in compared(result)
    )
    if rows := coverage([result]):
        title = "Printed points of curves, and ours beside them"
        tables += (AnswerTable(tuple(COVERED), tuple(map(tuple, rows)), title, COVERED_LEAD, words=3),)
    made = "; ".join((result.command, f"pokerlab {result.version}", *result.origin))
    lines = (f"{result.cites}. {result.about}", *result.ours.notes, made)
    return Answer(result.title, tables, lines, result.data(), result=result, files=files)


def draw_results(results: list[Result], picture: Path) -> tuple[Path, ...]:
    """Draw one result to a file, or every result that has a picture to a directory."""
    if picture.suffix and len(results) > 1:
        raise PokerlabError(f"{picture} is one picture for {len(results)} results; name a directory")
    if picture.suffix:
        draw(results[0], picture)
        return (picture,)
    drawn = [result for result in results if result.picture]
    for result in drawn:
        draw(result, picture / f"{result.experiment}.svg")
    return tuple(picture / f"{result.experiment}.svg" for result in drawn)


def draw(result: Result, path: Path) -> None:
    """Draw a result as .png, .svg or .pdf, by the suffix of `path`. The same result gives the same bytes."""
    for role in CURVES:
        if _sections(result, role):
            _draw_curves(result, path, role)
            return
    if _sections(result, "by size"):
        _draw_sizes(result, path)
    else:
        raise PokerlabError(f"{result.experiment} has no values run by run, by action or by bet size to draw")


def _sections(result: Result, role: Role) -> dict[str, Section]:
    return {title: section for title, section in result.ours.sections.items() if section.role == role}


def _draw_curves(result: Result, path: Path, role: Role) -> None:
    from pokerlab.pictures.curves import RunCurve, save_run_curves

    panels: dict[str, list[RunCurve]] = {}
    for title, section in _sections(result, role).items():
        printed = result.published.sections.get(title, Section({}))
        panel = f"{section.sized} sized" if role == "by run" else section.sized
        panels.setdefault(panel, []).append(RunCurve(section.series, section.points, printed.points))
    levels = {each.series: number.mean for each in _sections(result, "level").values() for number in each.rows.values()}
    author = result.cites.partition(",")[0]
    digits = {"by run": 1, "by action": 1, "by hand": 0 if section.unit == "mbb/hand" else 2}.get(role, 3)
    about = {"title": result.title, "unit": section.unit, "author": author, "x": role[3:]}
    save_run_curves(panels, path, levels=levels, digits=digits, **about)


def _draw_sizes(result: Result, path: Path) -> None:
    from pokerlab.experiments.bets.table_4_1 import ROOT, half_street_value
    from pokerlab.pictures.curves import save_half_street

    (curve,) = _sections(result, "by size").values()
    values = [(size, number.mean) for size, number in curve.points]
    ends = {
        section.series: [number.mean for number in section.rows.values()]
        for section in _sections(result, "ends").values()
    }
    save_half_street(values, ends, path, formula=half_street_value, best=ROOT)
