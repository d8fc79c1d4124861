"""Small drawings for a page, as `<svg>` elements in the page's own colours, by CSS class or variable.

>>> whisker_svg(5.0, 1.0, 9.0, span=(0.0, 10.0))[:48]
'<svg class="whisker" viewBox="0 0 240 20"><line '
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape


def whisker_svg(mean: float, low: float | None, high: float | None, *, span: tuple[float, float]) -> str:
    """An interval as a line with a dot at the mean, and a mark at zero; `span` is the range of the whole width."""
    width = (span[1] - span[0]) or 1.0

    def at(value: float) -> str:
        return f"{8 + 224 * (value - span[0]) / width:.1f}"

    line = "" if low is None or high is None else f'<line x1="{at(low)}" x2="{at(high)}" y1="10" y2="10"/>'
    zero = f'<line class="zero" x1="{at(0)}" x2="{at(0)}" y1="0" y2="20"/>'
    return f'<svg class="whisker" viewBox="0 0 240 20">{zero}{line}<circle cx="{at(mean)}" cy="10" r="4"/></svg>'


def scale_svg(parts: Mapping[str, tuple[float, float]], mark: float, words: str) -> str:
    """A line from 0 to 1 made of parts (CSS class -> its ends), with a mark labelled `words`."""
    bars = "".join(
        f'<rect class="{kind}" x="{600 * low:.1f}" y="16" width="{600 * (high - low):.1f}" height="8"/>'
        for kind, (low, high) in parts.items()
        if high > low
    )
    at = 600 * mark
    beside, anchor = (at - 6, "end") if at > 450 else (at + 6, "start")
    return (
        f'<svg class="scale" viewBox="0 0 600 40">{bars}'
        f'<line class="mark" x1="{at:.1f}" x2="{at:.1f}" y1="4" y2="28"/>'
        f'<text class="mine" x="{beside:.1f}" y="12" text-anchor="{anchor}">{escape(words)}</text>'
        '<text x="0" y="37">0</text><text x="600" y="37" text-anchor="end">100%</text></svg>'
    )
