"""A picture of bet sizes: the betting tree of the most important sized bets, each with its size and importance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.errors import FileError
from pokerlab.solvers.bet_sizing.runs import Run
from pokerlab.solvers.bet_sizing.table import BetRow, bet_rows
from pokerlab.web.charts import COLOURS, SUFFIXES, drawing, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def save_bet_sizes(run: Run, path: Path, *, title: str = "", most: int = 30) -> None:
    """Draw the `most` important bets of a run; the suffix of `path` (.png, .svg, .pdf) says how.

    Rows are in the order of the tree, indented by how many actions come before. The dot is the size on its axis and the
    grey line its range; its area is its importance.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise FileError(f"{path}: a picture ends in {', '.join(SUFFIXES)}")
    rows = sorted(bet_rows(run)[:most], key=lambda row: row.agent)
    with drawing("pokerlab"):
        figure = new_figure(10.5, 1.3 + 0.24 * len(rows))
        figure.set_facecolor("white")
        axes = figure.add_axes((0.5, 0.62 / (1.3 + 0.24 * len(rows)), 0.46, 1 - 1.2 / (1.3 + 0.24 * len(rows))))
        _draw(axes, rows)
        figure.text(0.012, 0.985, title, fontsize=12, fontweight="bold", va="top", parse_math=False)
        undated = {"Date": None} if path.suffix.lower() == ".svg" else {}
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150, metadata=undated)


def _draw(axes: Axes, rows: Sequence[BetRow]) -> None:
    most = max(row.importance for row in rows) or 1.0
    for place, row in enumerate(rows):
        colour = COLOURS["showdown"] if row.player == 0 else COLOURS["non-showdown"]
        axes.plot([row.low, row.high], [place, place], color=COLOURS["rule"], linewidth=4, zorder=1)
        axes.scatter([row.size], [place], s=12 + 240 * row.importance / most, color=colour, linewidth=0, zorder=2)
        depth = row.actions.count(",") + 1
        axes.text(
            -1.08 + 0.02 * min(depth, 12),
            place,
            row.actions,
            fontsize=7.5,
            va="center",
            color=COLOURS["ink"],
            transform=axes.get_yaxis_transform(),
            parse_math=False,
        )
    axes.set_yticks([])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("bet, as a fraction of the pot; area: importance", fontsize=9, color=COLOURS["ink"])
    axes.grid(axis="x", color=COLOURS["rule"], linewidth=0.6, zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
