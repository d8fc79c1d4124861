"""A picture of counter-strategies: what each wins from a model, against what others could win from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pokerlab.pictures.charts import COLOURS, check_suffix, drawing, new_figure, write_picture
from pokerlab.solvers.vector.counter import Trade


def save_trade_off(trades: Sequence[Trade], path: Path, *, title: str = "", unit: float = 1.0) -> None:
    """Write the picture, a point for each p; the suffix of `path` (.png, .svg, .pdf) says how.

    `unit` is a thousandth of a big blind in chips; 1 draws chips.
    """
    check_suffix(path)
    with drawing("pokerlab"):
        figure = new_figure(6.4, 4.4)
        figure.set_facecolor("white")
        axes = figure.add_subplot()
        x, y = [t.exploitability / unit for t in trades], [t.wins / unit for t in trades]
        axes.plot(x, y, color="#2563c9", linewidth=1.8, marker="o", markersize=4)
        labelled: list[tuple[float, float]] = []
        for trade, right, up in zip(trades, x, y, strict=True):
            if all(abs(right - a) > 0.08 * max(x) or abs(up - b) > 0.05 * max(y) for a, b in labelled):
                axes.annotate(f"p = {trade.p:g}", (right, up), xytext=(6, -9), textcoords="offset points", fontsize=8)
                labelled.append((right, up))
        name = "chips a hand" if unit == 1 else "thousandths of a big blind a hand"
        axes.set_xlabel(f"exploitability, {name}", fontsize=9, color=COLOURS["ink"])
        axes.set_ylabel(f"won from the model, {name}", fontsize=9, color=COLOURS["ink"])
        axes.grid(color=COLOURS["rule"], linewidth=0.6)
        axes.set_axisbelow(True)
        axes.tick_params(colors=COLOURS["ink"], labelsize=8, length=0)
        axes.margins(x=0.12, y=0.1)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            axes.spines[side].set_color(COLOURS["rule"])
        axes.set_title(title, loc="left", fontsize=12, fontweight="bold", parse_math=False)
        figure.tight_layout()
        write_picture(figure, path)
