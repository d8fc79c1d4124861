"""Page that shows profiles side by side: every section as a table with pictures of the intervals, and bankrolls.

One HTML file without network access, readable in light and dark mode; the same profiles give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isnan

from pokerlab.pictures.bankrolls import bankroll_parts
from pokerlab.pictures.page import made_parts, page_text, table_parts
from pokerlab.table.bankroll import Bankroll
from pokerlab.valuing.profile_sections import Number, ProfileRow, ProfileSection

COLOURS = ("net", "adjusted", "showdown", "non-showdown")
"""CSS variables of the players' colours, in turn; their order and names tell them apart without colour."""
CSS = """
.forest { display: block; width: 16rem; }
.forest line { stroke-width: 2; }
.forest .zero { stroke: var(--rule); stroke-width: 1; }
"""


def profile_html(
    names: Sequence[str],
    sections: Sequence[ProfileSection],
    bankrolls: Sequence[Bankroll] = (),
    *,
    lead: str = "",
    facts: Mapping[str, object] | None = None,
) -> str:
    """The page as text; `facts` say how it was made."""
    title = f"Profile of {', '.join(names)}"
    parts = [f"<h1>{escape(title)}</h1>", f'<p class="lead">{escape(lead)}</p>', *_legend(names)]
    for section in sections:
        parts += section_parts(names, section)
    parts += [*bankroll_parts(bankrolls), *made_parts(facts or {})]
    return page_text(title, parts, more_css=CSS)


def _legend(names: Sequence[str]) -> list[str]:
    swatches = [
        f'<li><svg viewBox="0 0 34 12">{_mark(place, 17, 6)}</svg>{escape(name)}</li>'
        for place, name in enumerate(names)
    ]
    note = "Every number has its 95% interval over the player's hands, and n, the number of chances."
    return [f'<p class="note">{note}</p>', f'<ul class="legend">{"".join(swatches)}</ul>']


def section_parts(names: Sequence[str], section: ProfileSection, *, pictured: bool = True) -> list[str]:
    """A section as a table; if `pictured`, with the intervals of every row as a picture."""
    heads = "<td></td>" + "".join(f"<th>{escape(name)}</th>" for name in names) + "<td></td>" * pictured
    rows = [
        f'<tr><th scope="row" title="{escape(row.meaning)}">{escape(row.label)}</th>'
        f"{''.join(map(_cell, row.numbers))}{f'<td>{forest_svg(row)}</td>' if pictured else ''}</tr>"
        for row in section.rows
    ]
    meanings = "".join(f"<dt>{escape(row.label)}</dt><dd>{escape(row.meaning)}</dd>" for row in section.rows)
    return [
        *table_parts(escape(section.title), escape(section.note), heads, rows),
        f'<details class="note"><summary>What each of them counts</summary><dl>{meanings}</dl></details>',
    ]


def _cell(number: Number) -> str:
    if number.undefined:
        return f'<td class="even">{number.undefined.replace("-", "–")}</td>'
    value = number.value
    ends = "" if isnan(value.low) else f"{number.text(value.low)} to {number.text(value.high)}<br>"
    return f"<td>{number.text(value.mean)}{number.unit}<small>{ends}n {number.n:,.0f}</small></td>"


def forest_svg(row: ProfileRow) -> str:
    """SVG of all players' intervals on one scale, one line each in the order of the columns."""
    known = [number.value for number in row.numbers if not isnan(number.value.mean)]
    if not known:
        return ""
    ends = [0.0, *(end for value in known for end in (value.mean, value.low, value.high) if not isnan(end))]
    low, width = min(ends), (max(ends) - min(ends)) or 1.0

    def at(value: float) -> float:
        return 8 + 240 * (value - low) / width

    height = 12 * len(row.numbers) + 4
    lines = [f'<line class="zero" x1="{at(0):.1f}" x2="{at(0):.1f}" y1="0" y2="{height}"/>']
    for place, number in enumerate(row.numbers):
        value, y = number.value, 8 + 12 * place
        if isnan(value.mean):
            continue
        if not isnan(value.low):
            colour = f'stroke="var(--{COLOURS[place % len(COLOURS)]})"'
            lines.append(f'<line {colour} x1="{at(value.low):.1f}" x2="{at(value.high):.1f}" y1="{y}" y2="{y}"/>')
        lines.append(_mark(place, at(value.mean), y))
    return f'<svg class="forest" viewBox="0 0 256 {height}">{"".join(lines)}</svg>'


def _mark(place: int, x: float, y: float) -> str:
    """SVG of a player's mark: circles, squares, diamonds and triangles in turn."""
    colour = f'fill="var(--{COLOURS[place % len(COLOURS)]})"'
    corners = (
        "",
        f"{x - 3.5:.1f},{y - 3.5} {x + 3.5:.1f},{y - 3.5} {x + 3.5:.1f},{y + 3.5} {x - 3.5:.1f},{y + 3.5}",
        f"{x - 4.5:.1f},{y} {x:.1f},{y - 4.5} {x + 4.5:.1f},{y} {x:.1f},{y + 4.5}",
        f"{x - 4:.1f},{y + 4} {x:.1f},{y - 4} {x + 4:.1f},{y + 4}",
    )[place % len(COLOURS)]
    return f'<polygon {colour} points="{corners}"/>' if corners else f'<circle {colour} cx="{x:.1f}" cy="{y}" r="4"/>'
