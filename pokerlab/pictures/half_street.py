"""A picture of half-street Kuhn: what a bet size is worth to the bettor, and where ranges lead.

References
----------
Hawkin (2014), equation 4.9, figures 4.2, 4.3 and 6.9.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.experiments.hawkin2014_table_4_1 import (
    CURVE,
    LEADS,
    LEADS_AT_ONCE,
    LEADS_SAMPLED,
    ROOT,
    half_street_value,
)
from pokerlab.experiments.results import Result
from pokerlab.pictures.charts import COLOURS, check_suffix, drawing, new_figure, write_picture

_ENDS = {  # how players learn: where the dots lie below the curve, and their look
    LEADS: ("in turn, discounted", "#17803d", "o"),
    LEADS_AT_ONCE: ("at once", "#c26a00", "s"),
    LEADS_SAMPLED: ("sampled deals", "#c0322b", "^"),
}


def save_half_street(result: Result, path: Path) -> None:
    """Draw equation 4.9, our values, and a dot for the end of every range; the suffix of `path` says how."""
    check_suffix(path)
    if CURVE not in result.ours.sections:
        raise PokerlabError(f"{result.experiment} has no values by bet size to draw")
    sizes = np.linspace(0, 3, 301)
    with drawing("pokerlab"):
        figure = new_figure(7.2, 4.2)
        figure.set_facecolor("white")
        axes = figure.add_subplot(1, 1, 1)
        axes.plot(sizes, [half_street_value(s) for s in sizes], color="#2563c9", linewidth=1.4, label="equation 4.9")
        ours = [(float(size), number.value) for size, number in result.ours[CURVE].items()]
        axes.plot(*zip(*ours, strict=True), "o", color="#2563c9", markersize=4, label="linear programs")
        axes.axvline(ROOT, color=COLOURS["rule"], linewidth=1, zorder=0)
        for place, (section, (name, colour, marker)) in enumerate(_ENDS.items(), 1):
            ends = [number.value for number in result.ours[section].values() if number.value is not None]
            level = np.full(len(ends), -0.006 * place)
            axes.plot(ends, level, marker, color=colour, markersize=5, alpha=0.7, label=f"ranges end at: {name}")
        axes.set_xlabel("bet size, fraction of the pot")
        axes.set_ylabel("value to the bettor, antes")
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        figure.text(
            0.012, 0.985, "Half-street Kuhn: bet sizes and their value", fontsize=12, fontweight="bold", va="top"
        )
        figure.tight_layout(rect=(0, 0, 1, 0.94))
        write_picture(figure, path)
