"""Picture of replicator dynamics: paths in a triangle for three strategies, otherwise shares over steps.

>>> import tempfile
>>> from pokerlab.empirical.symmetric_games import matrix_game
>>> rps = matrix_game(("rock", "paper", "scissors"), [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
>>> with tempfile.TemporaryDirectory() as folder:
...     save_replicator(rps, Path(folder) / "rps.svg")
...     "scissors" in (Path(folder) / "rps.svg").read_text()
True
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.empirical.game_solutions import REPLICATOR_STEPS, replicator
from pokerlab.empirical.symmetric_games import SymmetricGame
from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import BLUE, INK, LINES, RED, RULE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 3**0.5 / 2]])
STARTS = np.array([[6, 3, 1], [3, 6, 1], [1, 6, 3], [1, 3, 6], [3, 1, 6], [6, 1, 3], [4, 3, 3]]) / 10
"""Starting points of the triangle's paths: around it, and near its middle."""


def save_replicator(
    game: SymmetricGame,
    path: Path,
    *,
    title: str = "",
    kind: Literal["discrete", "continuous"] = "discrete",
    steps: int = REPLICATOR_STEPS,
) -> None:
    """Write the picture in the format of `path`'s suffix (.png, .svg, .pdf)."""
    three = len(game.strategies) == 3
    with figure_file(path, 6.0 if three else 7.2, 5.6 if three else 4.2, title=title) as figure:
        axes = figure.add_subplot()
        (_triangle if three else _lines)(axes, game, kind, steps)
        figure.tight_layout(rect=(0, 0, 1, 0.94))


def _triangle(axes: Axes, game: SymmetricGame, kind: Literal["discrete", "continuous"], steps: int) -> None:
    axes.set_aspect("equal")
    axes.axis("off")
    around = np.vstack([CORNERS, CORNERS[:1]])
    axes.plot(*around.T, color=RULE, linewidth=1.4)
    for corner, name, (x, y) in zip(CORNERS, game.strategies, ((0, -14), (0, -14), (0, 7)), strict=True):
        axes.annotate(name, corner, xytext=(x, y), textcoords="offset points", ha="center", fontsize=9, color=INK)
    for start in STARTS:
        way = replicator(game, start, kind=kind, steps=steps)
        points = way.mixtures @ CORNERS
        axes.plot(*points.T, color=BLUE, linewidth=1.1)
        axes.plot(*points[0], color=BLUE, marker="o", markersize=3)
        _arrow(axes, points)
        if way.outcome == "converged":
            axes.plot(*points[-1], color=RED, marker="s", markersize=6)
    axes.margins(0.12)


def _arrow(axes: Axes, points: Floats) -> None:
    """Draw an arrow after a third of the path."""
    gone = np.cumsum(np.hypot(*np.diff(points, axis=0).T))
    if gone[-1] < 0.02:
        return
    at = int(np.searchsorted(gone, gone[-1] / 3))
    step = points[at + 1] - points[at]
    ahead = points[at] + step / max(float(np.hypot(*step)), 1e-12) * 1e-3
    axes.annotate("", ahead, xytext=points[at], arrowprops={"arrowstyle": "-|>", "color": BLUE})


def _lines(axes: Axes, game: SymmetricGame, kind: Literal["discrete", "continuous"], steps: int) -> None:
    plain_axes(axes, x="steps of replicator dynamics", y="share")
    n = len(game.strategies)
    way = replicator(game, np.full(n, 1 / n), kind=kind, steps=steps)
    for place, name in enumerate(game.strategies):
        line = LINES[place % len(LINES)]
        axes.plot(way.mixtures[:, place], color=line.colour, linestyle=line.dash, linewidth=1.8, label=name)
    axes.set_ylim(-0.02, 1.02)
    axes.legend(frameon=False, fontsize=8)
