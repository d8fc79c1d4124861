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
from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import BLUE, GREEN, ORANGE, RED, RULE

_ENDS = {  # how players learn: where the dots lie below the curve, and their look
    LEADS: ("in turn, discounted", GREEN, "o"),
    LEADS_AT_ONCE: ("at once", ORANGE, "s"),
    LEADS_SAMPLED: ("sampled deals", RED, "^"),
}


def save_half_street(result: Result, path: Path) -> None:
    """Draw equation 4.9, our values, and a dot for the end of every range; the suffix of `path` says how."""
    if CURVE not in result.ours.sections:
        raise PokerlabError(f"{result.experiment} has no values by bet size to draw")
    sizes = np.linspace(0, 3, 301)
    with figure_file(path, 7.2, 4.2, title="Half-street Kuhn: bet sizes and their value") as figure:
        axes = plain_axes(figure.add_subplot(), x="bet size, fraction of the pot", y="value to the bettor, antes")
        axes.plot(sizes, [half_street_value(s) for s in sizes], color=BLUE, linewidth=1.4, label="equation 4.9")
        ours = [(float(size), number.value) for size, number in result.ours[CURVE].items()]
        axes.plot(*zip(*ours, strict=True), "o", color=BLUE, markersize=4, label="linear programs")
        axes.axvline(ROOT, color=RULE, linewidth=1, zorder=0)
        for place, (section, (name, colour, marker)) in enumerate(_ENDS.items(), 1):
            ends = [number.value for number in result.ours[section].values() if number.value is not None]
            level = np.full(len(ends), -0.006 * place)
            axes.plot(ends, level, marker, color=colour, markersize=5, alpha=0.7, label=f"ranges end at: {name}")
        axes.legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.94))
