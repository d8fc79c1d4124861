"""A picture of the value of one bet by its size, with the solved sizes marked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pokerlab.pictures.figures import figure_file, plain_axes
from pokerlab.pictures.palette import BLUE, GREEN, RULE


def save_size_values(
    tried: Sequence[tuple[float, float]],
    found: Sequence[float],
    path: Path,
    *,
    worth: float,
    without: float,
    title: str,
) -> None:
    """Draw the (size, chips) of sizes solved one by one, and a mark at each size in `found`, at the value of all
    together. `without` is the player's value with no size but all-in; the suffix of `path` selects the format."""
    with figure_file(path, 7.2, 4.2, title=title) as figure:
        axes = plain_axes(figure.add_subplot(), x="bet size, pots (logarithmic)", y="the player's value, chips")
        axes.set_xscale("log")
        axes.axhline(without, color=RULE, linewidth=1, zorder=0, label="all-in only")
        if tried:  # short stacks are past every usual size
            sizes, values = zip(*sorted(tried), strict=True)
            axes.plot(sizes, values, "o-", color=BLUE, markersize=4, linewidth=1, label="one usual size")
        axes.plot(found, [worth] * len(found), "D", color=GREEN, markersize=7, label="found")
        ticks = sorted({*(size for size, _ in tried), *found})
        axes.set_xticks(ticks, [f"{size:.3g}" for size in ticks], fontsize=7, rotation=45)
        axes.minorticks_off()
        axes.legend(frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.94))
