"""A picture of values by run, by action or by hand: ours with intervals beside the published ones, in panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pokerlab.estimates import Estimate
from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import BAND, INK, LINES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Points: TypeAlias = Sequence[tuple[float, Estimate]]
"""(number of the run, action or hand, value)."""


class RunCurve(NamedTuple):
    """One curve: its name, and its points here and as published."""

    name: str
    ours: Points
    published: Points


def save_run_curves(
    panels: Mapping[str, Sequence[RunCurve]],
    path: Path,
    *,
    title: str,
    unit: str,
    levels: Mapping[str, float],
    author: str,
    x: str = "run",
    digits: int = 1,
) -> None:
    """Draw the curves of each panel and their reference levels; the suffix of `path` selects the format. The legend
    gives the last values with `digits` decimals."""
    with figure_file(path, max(4.9 * len(panels), 6.6), 4.5, title=title) as figure:
        for place, (name, curves) in enumerate(panels.items(), 1):
            axes = plain_axes(figure.add_subplot(1, len(panels), place), x=x, y=unit)
            _draw(axes, curves, levels, digits)
            axes.set_title(name, loc="left", fontsize=10, fontweight="bold", color=INK)
        kinds = {number.kind for curves in panels.values() for curve in curves for _, number in curve.ours}
        shades = {"interval": "95% intervals", "bounds": "best-response bounds"}
        shade = " and ".join(words for kind, words in shades.items() if kind in kinds)
        note = "Filled, solid: ours (the last value after its name)" + (f", shaded {shade}." if shade else ".")
        if any(curve.published for curves in panels.values() for curve in curves):
            note += f" Hollow, dashed: {author}."
        figure.text(0.012, 0.015, note, fontsize=8, color=INK, parse_math=False)
        figure.tight_layout(rect=(0, 0.04, 1, 0.94), w_pad=2)


def _draw(axes: Axes, curves: Sequence[RunCurve], levels: Mapping[str, float], digits: int) -> None:
    from matplotlib.ticker import MaxNLocator

    for name, value in levels.items():
        axes.axhline(value, color=BAND, linewidth=1.2, linestyle=(0, (1.2, 1.4)), label=f"{name}: {value:.{digits}f}")
    for place, curve in enumerate(curves):
        colour, _, marker = LINES[place % len(LINES)]
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 4.5}
        _line(axes, curve.published, style | {"markerfacecolor": "white", "linestyle": (0, (4, 2)), "linewidth": 1.0})
        low, high = ([getattr(number, end) for _, number in curve.ours] for end in ("low", "high"))
        axes.fill_between([run for run, _ in curve.ours], low, high, color=colour, alpha=0.15, linewidth=0)
        last = f"{curve.name}: {curve.ours[-1][1].mean:.{digits}f}"
        _line(axes, curve.ours, style | {"linewidth": 1.8, "label": last})
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.08)
    axes.legend(frameon=False, fontsize=8)


def _line(axes: Axes, points: Points, style: dict[str, Any]) -> None:
    axes.plot([run for run, _ in points], [number.mean for _, number in points], **style)
