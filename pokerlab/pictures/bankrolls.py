"""Bankroll graphs: one panel per player, as a picture or as SVG to put into a page.

Lines differ by style as well as by colour. In a page colours are CSS variables (`--net`, `--ink` ..), so that the page
decides how they look in light and dark mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.errors import PokerlabError
from pokerlab.pictures.figures import drawing, figure_file, plain_axes
from pokerlab.pictures.palette import BAND, BLUE, GREEN, INK, ORANGE, RED, RULE
from pokerlab.table.bankroll import Bankroll

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"net": GREEN, "adjusted": ORANGE, "showdown": BLUE, "non-showdown": RED}
COLOURS |= {"ink": INK, "rule": RULE, "band": BAND}
"""Also the names of the CSS variables that stand for them in a page."""

POINTS = 500
MOST_PANELS = 12
_STYLES: dict[str, dict[str, Any]] = {
    "net": {"linewidth": 2.4, "linestyle": "-"},
    "adjusted": {"linewidth": 1.3, "linestyle": (0, (4, 1.4, 1, 1.4))},
    "showdown": {"linewidth": 1.3, "linestyle": (0, (5, 2))},
    "non-showdown": {"linewidth": 1.3, "linestyle": (0, (1.2, 1.4))},
}
LABELS = {
    "net": "net",
    "adjusted": "net, all-ins at their expected value",
    "showdown": "won at showdown",
    "non-showdown": "won without showdown",
}
BAND_LABEL = "95% band of breaking even"


def save_bankrolls(bankrolls: Sequence[Bankroll], path: Path, *, title: str = "") -> None:
    """Write the graphs in the format of `path`'s suffix (.png, .svg, .pdf). The same call gives the same bytes."""
    if not bankrolls:
        raise PokerlabError("nothing to draw: no player has enough hands")
    shown = bankrolls[:MOST_PANELS]
    n_columns = 1 if len(shown) == 1 else 2 if len(shown) <= 4 else 3
    n_rows = -(-len(shown) // n_columns)
    width, height = (8.0 if n_columns == 1 else 5.4 * n_columns), 3.4 * n_rows + 1.1
    with figure_file(path, width, height, title=title) as figure:
        for number, bankroll in enumerate(shown, 1):
            axes = figure.add_subplot(n_rows, n_columns, number)
            _draw(axes, bankroll)
            axes.set_title(bankroll.name, loc="left", fontsize=11, fontweight="bold", parse_math=False)
        left_out = len(bankrolls) - len(shown)
        note = f"the {len(shown)} players with the most hands; {left_out} more are not shown" if left_out else ""
        figure.text(0.988, 1 - 0.16 / height, note, fontsize=9, color=INK, va="top", ha="right")
        words = figure.axes[0].get_legend_handles_labels()
        place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (0.005, 1 - 0.42 / height)}
        figure.legend(*words, ncols=5 if n_columns > 1 else 3, frameon=False, fontsize=9, **place)
        figure.tight_layout(rect=(0, 0, 1, 1 - (0.72 if n_columns > 1 else 0.9) / height), h_pad=1.6, w_pad=1.6)


def bankroll_svg(bankroll: Bankroll, *, salt: str) -> str:
    """One panel as an `<svg>` element for a page; `salt` keeps its identifiers distinct from those of other panels."""
    with drawing(5.2, 2.9, salt=salt) as figure:
        figure.patch.set_alpha(0)
        _draw(figure.add_subplot(), bankroll)
        figure.tight_layout(pad=0.4)
        out = StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' id="[A-Za-z0-9.]+_\d+"', "", text)  # numbered by matplotlib, and not referenced
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r"\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}", text)  # a tenth of a point is invisible
    for name, colour in COLOURS.items():
        text = text.replace(colour, f"var(--{name})")
    return text.strip()


def legend_svgs() -> Iterator[tuple[str, str]]:
    """(label, `<svg>` of its line style) for everything in a panel, for a page."""
    for name, label in LABELS.items():
        style = _STYLES[name]
        dashes = "" if style["linestyle"] == "-" else " ".join(f"{length:g}" for length in style["linestyle"][1])
        wide = 2.6 if name == "net" else 1.8
        line = f'stroke="var(--{name})" stroke-width="{wide}" stroke-dasharray="{dashes}"'
        yield label, f'<svg viewBox="0 0 34 12"><line x1="0" x2="34" y1="6" y2="6" {line}/></svg>'
    yield BAND_LABEL, '<svg viewBox="0 0 34 12"><rect width="34" height="12" fill="var(--band)" opacity=".2"/></svg>'


def bankroll_parts(lines: Sequence[Bankroll], note: str = "") -> list[str]:
    """HTML of a page's bankroll graphs; `note` is appended to the sentence about independent hands."""
    if not lines:
        return []
    charts = [
        f'<div class="card"><h3>{escape(line.name)}</h3>{bankroll_svg(line, salt=f"chart {i}")}</div>'
        for i, line in enumerate(lines)
    ]
    return [
        "<h2>Bankrolls</h2>",
        '<p class="note">Big blinds won, hand after hand, over an agent\'s matches. The grey band is where the net '
        f"line of an agent that breaks even would stay 19 times in 20 if hands were independent{note}.</p>",
        f'<ul class="legend">{"".join(f"<li>{swatch}{escape(label)}</li>" for label, swatch in legend_svgs())}</ul>',
        f'<div class="charts">{"".join(charts)}</div>',
    ]


def _draw(axes: Axes, bankroll: Bankroll) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    drawn = bankroll.thinned(POINTS)
    plain_axes(axes, x="hands", y="big blinds")
    axes.fill_between(
        drawn.hands, -drawn.band, drawn.band, color=BAND, alpha=0.16, linewidth=0, zorder=1, label=BAND_LABEL
    )
    axes.axhline(0, color=INK, linewidth=0.8, zorder=2)
    for depth, name in enumerate(LABELS, start=3):  # net is lowest and widest: a coinciding line remains visible
        line = getattr(drawn, name.replace("-", "_"))
        axes.plot(drawn.hands, line, color=COLOURS[name], label=LABELS[name], zorder=depth, **_STYLES[name])
    axes.set_xlim(0, max(bankroll.n_hands, 2))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(6))
    thousands = FuncFormatter(lambda value, _: f"{value:,.0f}" if abs(value) >= 10 or value == 0 else f"{value:g}")
    axes.xaxis.set_major_formatter(thousands)
    axes.yaxis.set_major_formatter(thousands)
