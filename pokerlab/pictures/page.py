"""HTML pages in one file each, without network access, readable in light and dark mode.

A page with tables to sort has one short script (`report.js`), which a policy in the page names by its digest: no other
script would run, and nothing is fetched. Without scripts the page reads the same.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files

from pokerlab import __version__

TOKENS, REPORT = "web/static/tokens.css", "pictures/report.css"
"""Style sheets, by their path in the package: the colours of every page, live tables included; tables."""
SORTING = "pictures/report.js"
"""The script that sorts tables of the class `sortable`."""


def page_text(
    title: str,
    parts: Iterable[str],
    *,
    styles: Iterable[str] = (REPORT,),
    more_css: str = "",
    sorting: bool = False,
) -> str:
    """An HTML page of `parts` under a title, with the colours and the style sheets `styles` of the package; `sorting`
    adds the script that sorts tables.

    >>> page_text("One & two", ["<p>three</p>"]).splitlines()[-3:]
    ['<p>three</p>', '</main>', '</body></html>']
    """
    style = "".join(map(_text, (TOKENS, *styles)))
    script = _text(SORTING) if sorting else ""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    lines = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        *([f'<meta http-equiv="Content-Security-Policy" content="{policy}">'] if script else []),
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style}{more_css}</style></head><body><main>",
        *parts,
        "</main>",
        *([f"<script>{script}</script>"] if script else []),
        "</body></html>",
    ]
    return "\n".join(lines) + "\n"


def _text(name: str) -> str:
    """Return the text of a file in the package."""
    return files("pokerlab").joinpath(name).read_text(encoding="utf-8")


def with_contents(parts: Iterable[str]) -> list[str]:
    """Parts of a page, preceded by a list of links to their headings.

    >>> with_contents(["<h2>One &amp; two</h2>", "<p>three</p>"])[1:]
    ['<h2 id="part-1">One &amp; two</h2>', '<p>three</p>']
    """
    links, named = list[str](), list[str]()
    for part in parts:
        if part.startswith("<h2>"):
            place = len(links) + 1
            links.append(f'<li><a href="#part-{place}">{part.removeprefix("<h2>").partition("</h2>")[0]}</a></li>')
            part = f'<h2 id="part-{place}">{part.removeprefix("<h2>")}'
        named.append(part)
    return [f'<nav class="contents" aria-label="Contents"><ul>{"".join(links)}</ul></nav>', *named]


def made_parts(facts: Mapping[str, object]) -> list[str]:
    """Last part of a page: how it was made, with the command first if it is known."""
    texts = {key: escape(str(value)) for key, value in facts.items()} | {"page made by": f"pokerlab {__version__}"}
    entries = [
        f"<dt>{escape(key)}</dt><dd>{f'<code>{text}</code>' if key == 'command' else text}</dd>"
        for key, text in texts.items()
    ]
    return ["<h2>How this was made</h2>", f'<div class="card"><dl>{"".join(entries)}</dl></div>']


def table_parts(
    title: str, note: str, heads: str, rows: Iterable[str], *, card: str = "card", table: str = "wide"
) -> list[str]:
    """A table of the class `table` under a title and a note, all of them HTML; a wide one scrolls in its `card`."""
    return [
        f"<h2>{title}</h2>",
        f'<p class="note">{note}</p>',
        f'<div class="{card}" tabindex="0" role="region" aria-label="{title}">',
        f'<table class="{table}"><thead><tr>{heads}</tr></thead><tbody>',
        *rows,
        "</tbody></table></div>",
    ]


def whisker_svg(mean: float, low: float | None, high: float | None, *, span: tuple[float, float]) -> str:
    """An interval as a line with a dot at the mean, and a mark at zero; `span` is the range of the whole width."""
    width = (span[1] - span[0]) or 1.0

    def at(value: float) -> str:
        return f"{8 + 224 * (value - span[0]) / width:.1f}"

    line = "" if low is None or high is None else f'<line x1="{at(low)}" x2="{at(high)}" y1="10" y2="10"/>'
    zero = f'<line class="zero" x1="{at(0)}" x2="{at(0)}" y1="0" y2="20"/>'
    return f'<svg class="whisker" viewBox="0 0 240 20">{zero}{line}<circle cx="{at(mean)}" cy="10" r="4"/></svg>'


def scale_svg(parts: Mapping[str, tuple[float, float]], mark: float, words: str) -> str:
    """SVG of a line from 0 to 1 made of parts (CSS class -> its ends), with a mark labelled `words`."""
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
