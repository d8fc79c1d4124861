"""How commands show a solver on its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.cli.output import followed, say

if TYPE_CHECKING:
    from pokerlab.solvers.core.solve import Look

Plot = Annotated[
    Path | None, Parameter(help="Draw exploitability against iterations and seconds here; .png, .svg or .pdf says how.")
]


def check_picture(*paths: Path | None) -> None:
    """Refuse pictures that cannot be drawn before the work, not after it; None is no picture."""
    from pokerlab.pictures.figures import check_suffix

    for path in filter(None, paths):
        check_suffix(path)


def draw_looks(name: str, looks: Sequence[Look], path: Path, *, title: str, as_json: bool) -> None:
    """Draw a run's way, and say where to."""
    from pokerlab.pictures.convergence import save_convergence

    save_convergence({name: looks}, path, title=title)
    if not as_json:
        say(f"picture: {path}")


@contextmanager
def looks_shown(iterations: int, target: float | None) -> Iterator[Callable[[Look], None]]:
    """A line on stderr that follows a run, shown only to a terminal."""
    goal = "" if target is None else f" (to {target:g})"
    with followed() as show:

        def report(look: Look) -> None:
            words = (
                f"iteration {look.iteration:,}  {look.seconds:.1f} s  exploitability {look.exploitability:.3g}{goal}"
            )
            show(words, look.iteration, iterations)

        yield report


def number(value: float | None, form: str) -> str:
    """A number, or `-` for one that is not known."""
    return "-" if value is None else format(value, form)


def chips_text(chips: float) -> str:
    """An amount for people: sizes that were found have no end of digits.

    >>> chips_text(109.188629046), chips_text(20_000.0), chips_text(0.41421356)
    ('109.19', '20000', '0.4142')
    """
    return f"{chips:.2f}".rstrip("0").rstrip(".") if chips >= 10 else f"{chips:.4g}"
