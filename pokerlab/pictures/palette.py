"""Colours of every picture, terminal grid and page. Lines differ by dash or marker as well as by colour, and the ramp
darkens evenly, so that pictures are also readable in grey and by the colour-blind."""

from __future__ import annotations

from typing import Any, NamedTuple

BLUE, ORANGE, GREEN, RED, VIOLET = "#2563c9", "#c26a00", "#17803d", "#c0322b", "#6b4fb3"
INK, RULE, BAND, DEAD = "#3c4147", "#d9dcdf", "#6b7785", "#d9d9d9"
"""Text and axes; lines behind a drawing; shading and background; a hand that cannot be held."""


class LineStyle(NamedTuple):
    """Style of the first, second .. line of a picture."""

    colour: str
    dash: Any
    marker: str


LINES = (
    LineStyle(BLUE, "-", "o"),
    LineStyle(ORANGE, (0, (5, 2)), "s"),
    LineStyle(GREEN, (0, (1.2, 1.4)), "^"),
    LineStyle(RED, (0, (4, 1.4, 1, 1.4)), "v"),
    LineStyle(VIOLET, (0, (7, 2, 2, 2)), "D"),
    LineStyle(INK, (0, (2, 1)), "P"),
    LineStyle("#0b8a8f", (0, (3, 1, 1, 1, 1, 1)), "X"),
)

RAMP = ("#fdf9e7", "#d3ecba", "#7fcdb4", "#3a9fbf", "#2a62a6", "#1b2d6b")
"""Colours from low to high, along one path of hues."""


def ramp_colour(share: float) -> str:
    """Colour at the fraction `share` of `RAMP`, as #rrggbb.

    >>> ramp_colour(0) == RAMP[0], ramp_colour(2) == RAMP[-1]
    (True, True)
    """
    position = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    left = min(int(position), len(RAMP) - 2)
    mix = position - left
    ends = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in RAMP[left : left + 2]]
    return "#" + "".join(f"{round(a + mix * (b - a)):02x}" for a, b in zip(*ends, strict=True))


def ink_on(ground: str) -> str:
    """Black or white, whichever is more readable on `ground` (#rrggbb)."""
    red, green, blue = (int(ground[at : at + 2], 16) for at in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
