"""A picture of counter-strategies: winnings from a model against exploitability."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import BLUE
from pokerlab.solvers.vector.counter import Trade


def save_trade_off(trades: Sequence[Trade], path: Path, *, title: str = "", unit: float = 1.0) -> None:
    """Write the picture, a point for each p, in the format of `path`'s suffix (.png, .svg, .pdf). `unit` is a
    thousandth of a big blind in chips; 1 draws chips."""
    name = "chips per hand" if unit == 1 else "thousandths of a big blind per hand"
    with figure_file(path, 6.4, 4.4, title=title) as figure:
        axes = plain_axes(figure.add_subplot(), x=f"exploitability, {name}", y=f"won from the model, {name}")
        x, y = [t.exploitability / unit for t in trades], [t.wins / unit for t in trades]
        axes.plot(x, y, color=BLUE, linewidth=1.8, marker="o", markersize=4)
        labelled: list[tuple[float, float]] = []
        for trade, right, up in zip(trades, x, y, strict=True):
            if all(abs(right - a) > 0.08 * max(x) or abs(up - b) > 0.05 * max(y) for a, b in labelled):
                axes.annotate(f"p = {trade.p:g}", (right, up), xytext=(6, -9), textcoords="offset points", fontsize=8)
                labelled.append((right, up))
        axes.margins(x=0.12, y=0.1)
        figure.tight_layout(rect=(0, 0, 1, 0.94))
