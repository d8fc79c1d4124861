"""Exploitability during solving: a picture of one or several runs, over iterations and over seconds, log-log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.errors import PokerlabError
from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import LINES
from pokerlab.solvers.core.solve import Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def save_convergence(runs: Mapping[str, Sequence[Look]], path: Path, *, title: str = "", unit: float = 1.0) -> None:
    """Draw runs by name in the format of `path`'s suffix (.png, .svg, .pdf). `unit` is a thousandth of a big blind in
    chips, and exploitability is drawn in that unit; 1 draws chips."""
    if not any(look.exploitability > 0 for looks in runs.values() for look in looks):
        raise PokerlabError("nothing to draw: no look has an exploitability above 0")
    name = "chips per hand" if unit == 1 else "thousandths of a big blind per hand"
    with figure_file(path, 9.6, 4.4, title=title) as figure:
        for place, what in enumerate(("iterations", "seconds"), 1):
            axes = plain_axes(figure.add_subplot(1, 2, place), x=what, y=f"exploitability, {name}" * (place == 1))
            _draw(axes, runs, what, unit)
        if len(runs) > 1:
            figure.axes[0].legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.92), w_pad=2)


def _draw(axes: Axes, runs: Mapping[str, Sequence[Look]], what: str, unit: float) -> None:
    for number, (name, looks) in enumerate(runs.items()):
        line = LINES[number % len(LINES)]
        shown = [look for look in looks if look.exploitability > 0 and (what == "iterations" or look.seconds > 0)]
        x = [look.iteration if what == "iterations" else look.seconds for look in shown]
        y = [look.exploitability / unit for look in shown]
        axes.plot(x, y, color=line.colour, linestyle=line.dash, linewidth=1.8, marker="o", markersize=3, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
