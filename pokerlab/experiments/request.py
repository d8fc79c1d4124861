"""Run a published experiment and compare its numbers with ours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pokerlab.answers import Answer, AnswerTable
from pokerlab.errors import PokerlabError
from pokerlab.experiments.registry import EXPERIMENTS, experiment, module_of
from pokerlab.experiments.results import Result, compared, reproduce
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.request import Place, Request, setting

QUICK_SECONDS = 120.0


@dataclass(frozen=True, kw_only=True)
class Reproduce(Request):
    """Run a published experiment and print its numbers beside ours; without a name, list the experiments.

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
        "It shows values run by run or by bet size, published beside ours, where a result has them. For several "
        "results name a directory.",
        identity=False,
    )

    def check(self) -> None:
        if self.quick and self.full:
            raise PokerlabError("--quick and --full contradict each other")
        experiment(self.name)  # refuses an unknown name
        if self.picture is not None and self.picture.suffix:
            from pokerlab.pictures.figures import check_suffix

            check_suffix(self.picture)

    @property
    def scale(self) -> str:
        """The scale of the experiment: "full" or "quick"."""
        return "full" if self.full else "quick"

    def identity(self) -> dict[str, Any]:
        """The experiment, the seed and the experiment's own settings."""
        wanted = experiment(self.name)
        settings = wanted.full if self.full else wanted.quick
        return {"experiment": self.name, "scale": self.scale, "seed": self.seed, **settings}

    @property
    def label(self) -> str:
        """The experiment, its scale and seed."""
        return f"{self.name}-{self.scale}-{self.seed}"

    @property
    def modules(self) -> tuple[str, ...]:
        """The module of the experiment."""
        return (module_of(self.name),)

    def cost(self, *, workers: int | None = None) -> Cost:
        """Expected cost, from the recorded time of the full settings on one core; quick settings take two minutes."""
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
    """A result as tables of the published numbers beside ours."""
    tables = tuple(
        AnswerTable(tuple(header), tuple(map(tuple, rows)), section) for section, header, rows in compared(result)
    )
    made = "; ".join((result.command, *result.made.values()))
    lines = (f"{result.cites}. {result.about}", *result.ours.notes, made)
    return Answer(result.title, tables, lines, result.data(), result=result, files=files)


def draw_results(results: list[Result], picture: Path) -> tuple[Path, ...]:
    """Draw one result to a file, or every result that has a picture to a directory."""
    from pokerlab.experiments.drawn import draw

    if picture.suffix and len(results) > 1:
        raise PokerlabError(f"{picture} is one picture for {len(results)} results; name a directory")
    if picture.suffix:
        draw(results[0], picture)
        return (picture,)
    drawn = [result for result in results if result.picture]
    for result in drawn:
        draw(result, picture / f"{result.experiment}.svg")
    return tuple(picture / f"{result.experiment}.svg" for result in drawn)
