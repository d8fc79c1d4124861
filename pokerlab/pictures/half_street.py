"""A picture of half-street Kuhn: the value of a bet size to the bettor, and the sizes that learned ranges end at.
References ---------- Hawkin (2014), equation 4.9, figures 4.2, 4.3 and 6.9."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import BLUE, GREEN, ORANGE, RED, RULE

_DOTS = ((GREEN, "o"), (ORANGE, "s"), (RED, "^"))


def save_half_street(
    values: Sequence[tuple[float, float]],
    ends: Mapping[str, Sequence[float]],
    path: Path,
    *,
    formula: Callable[[float], float],
    best: float,
) -> None:
    """Draw the formula, our (size, value) beside it, and below a dot for every size at which a range ended. `ends` are
    by learning method; `best` is the best size; the suffix of `path` selects the format."""
    sizes = np.linspace(0, 3, 301)
    with figure_file(path, 7.2, 4.2, title="Half-street Kuhn: bet sizes and their value") as figure:
        axes = plain_axes(figure.add_subplot(), x="bet size, fraction of the pot", y="value to the bettor, antes")
        axes.plot(sizes, [formula(size) for size in sizes], color=BLUE, linewidth=1.4, label="equation 4.9")
        axes.plot(*zip(*values, strict=True), "o", color=BLUE, markersize=4, label="linear programs")
        axes.axvline(best, color=RULE, linewidth=1, zorder=0)
        for place, ((name, sizes_at_end), (colour, marker)) in enumerate(zip(ends.items(), _DOTS, strict=True), 1):
            level = np.full(len(sizes_at_end), -0.006 * place)
            axes.plot(
                sizes_at_end, level, marker, color=colour, markersize=5, alpha=0.7, label=f"ranges end at: {name}"
            )
        axes.legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.94))
