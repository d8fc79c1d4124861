"""Exploitability on the way: a picture of one run or several, against iterations and against seconds, log-log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.errors import PokerlabError
from pokerlab.pictures.charts import COLOURS, check_suffix, drawing, new_figure, write_picture
from pokerlab.solvers.core.solve import Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINES = (
    ("#2563c9", "-"),
    ("#c26a00", (0, (5, 2))),
    ("#17803d", (0, (1.2, 1.4))),
    ("#c0322b", (0, (4, 1.4, 1, 1.4))),
    ("#6b4fb3", (0, (7, 2, 2, 2))),
    ("#3c4147", (0, (2, 1))),
)
"""Told apart by style as well as by colour."""


def save_convergence(runs: Mapping[str, Sequence[Look]], path: Path, *, title: str = "", unit: float = 1.0) -> None:
    """Write the picture of runs by name; the suffix of `path` (.png, .svg, .pdf) says how.

    `unit` is a thousandth of a big blind in chips, and exploitability is drawn in that; 1 draws chips.
    """
    check_suffix(path)
    if not any(look.exploitability > 0 for looks in runs.values() for look in looks):
        raise PokerlabError("nothing to draw: no look has an exploitability above 0")
    with drawing("pokerlab"):
        figure = new_figure(9.6, 4.4)
        figure.set_facecolor("white")
        for place, what in enumerate(("iterations", "seconds"), 1):
            axes = figure.add_subplot(1, 2, place)
            _draw(axes, runs, what, unit)
            if place == 1:
                name = "chips a hand" if unit == 1 else "thousandths of a big blind a hand"
                axes.set_ylabel(f"exploitability, {name}", fontsize=9, color=COLOURS["ink"])
        figure.text(0.012, 0.965, title, fontsize=13, fontweight="bold", va="top", parse_math=False)
        if len(runs) > 1:
            figure.axes[0].legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.92), w_pad=2)
        write_picture(figure, path)


def _draw(axes: Axes, runs: Mapping[str, Sequence[Look]], what: str, unit: float) -> None:
    for number, (name, looks) in enumerate(runs.items()):
        colour, style = _LINES[number % len(_LINES)]
        shown = [look for look in looks if look.exploitability > 0 and (what == "iterations" or look.seconds > 0)]
        x = [look.iteration if what == "iterations" else look.seconds for look in shown]
        y = [look.exploitability / unit for look in shown]
        axes.plot(x, y, color=colour, linestyle=style, linewidth=1.8, marker="o", markersize=3, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(what, fontsize=9, color=COLOURS["ink"])
    axes.grid(color=COLOURS["rule"], linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=COLOURS["ink"], labelsize=8, length=0, which="both")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(COLOURS["rule"])
