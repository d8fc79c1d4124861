"""How commands show a solver on its way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from pokerlab.solvers.core.solve import Look

Plot = Annotated[
    Path | None,
    Parameter(help="Draw exploitability against iterations and seconds here; .png, .svg or .pdf says how."),
]


def check_picture(path: Path) -> None:
    """Before the work, not after it."""
    from pokerlab.pictures.figures import check_suffix

    check_suffix(path)


def draw_looks(name: str, looks: Sequence[Look], path: Path, *, title: str, as_json: bool) -> None:
    """Draw a run's way, and say where to."""
    from pokerlab.cli.output import console
    from pokerlab.pictures.convergence import save_convergence

    save_convergence({name: looks}, path, title=title)
    if not as_json:
        console().print(f"picture: {path}", markup=False, soft_wrap=True)


@contextmanager
def looks_shown(iterations: int, target: float | None) -> Iterator[Callable[[Look], None]]:
    """A line on stderr that follows a run, shown only to a terminal."""
    if not sys.stderr.isatty():
        yield lambda look: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting (a first run compiles for some seconds)", total=None)

        def report(look: Look) -> None:
            goal = "" if target is None else f" (to {target:g})"
            text = f"iteration {look.iteration:,}  {look.seconds:.1f} s  exploitability {look.exploitability:.3g}{goal}"
            bar.update(task, description=text, completed=look.iteration, total=iterations)

        yield report


def number(value: float | None, form: str) -> str:
    """A number, or `-` for one that is not known."""
    return "-" if value is None else format(value, form)
