"""A picture of values run by run: ours with their bounds, and what was published, one panel for each player sized."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.errors import PokerlabError
from pokerlab.experiments.experiment import Number
from pokerlab.experiments.results import Result
from pokerlab.experiments.value_curves import Point, ValueCurve, levels
from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import BAND, INK, LINES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def save_value_curves(result: Result, path: Path) -> None:
    """Draw the curves of a result; the suffix of `path` (.png, .svg, .pdf) says how. Same result, same bytes."""
    curves = result.curves
    if not curves:
        raise PokerlabError(f"{result.experiment} has no values run by run to draw")
    players = list(dict.fromkeys(curve.player for curve in curves))
    with figure_file(path, max(4.9 * len(players), 6.6), 4.5, title=result.title) as figure:
        for place, player in enumerate(players, 1):
            axes = figure.add_subplot(1, len(players), place)
            _draw(axes, [curve for curve in curves if curve.player == player], levels(result.ours))
            axes.set_title(f"{player} sized", loc="left", fontsize=10, fontweight="bold", color=INK)
        intervals = any(point.number.n is not None for curve in curves for point in curve.ours)
        shade = "95% intervals" if intervals else "best-response bounds"
        author = result.cites.partition(",")[0]
        note = f"Filled, solid: ours (the last value after its name), shaded {shade}. Hollow, dashed: {author}."
        figure.text(0.012, 0.015, note, fontsize=8, color=INK, parse_math=False)
        figure.tight_layout(rect=(0, 0.04, 1, 0.94), w_pad=2)


def _draw(axes: Axes, curves: Sequence[ValueCurve], compared_with: Mapping[str, Number]) -> None:
    from matplotlib.ticker import MaxNLocator

    plain_axes(axes, x="run", y=curves[0].unit)
    for name, number in compared_with.items():
        if number.value is not None:
            axes.axhline(
                number.value,
                color=BAND,
                linewidth=1.2,
                linestyle=(0, (1.2, 1.4)),
                label=f"{name}: {number.value:.1f}",
            )
    for place, curve in enumerate(curves):
        colour, _, marker = LINES[place % len(LINES)]
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 4.5}
        _line(axes, curve.published, style | {"markerfacecolor": "white", "linestyle": (0, (4, 2)), "linewidth": 1.0})
        bounded = [p for p in curve.ours if p.number.low is not None and p.number.high is not None]
        low, high = ([getattr(p.number, end) for p in bounded] for end in ("low", "high"))
        axes.fill_between([p.run for p in bounded], low, high, color=colour, alpha=0.15, linewidth=0)
        _line(axes, curve.ours, style | {"linewidth": 1.8, "label": f"{curve.name}: {curve.ours[-1].number.value:.1f}"})
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.08)
    axes.legend(frameon=False, fontsize=8)


def _line(axes: Axes, points: Sequence[Point], style: dict[str, Any]) -> None:
    axes.plot([point.run for point in points], [point.number.value or 0.0 for point in points], **style)
