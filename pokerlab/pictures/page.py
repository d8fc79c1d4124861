"""HTML pages in one file each, without network access, readable in light and dark mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files

from pokerlab import __version__

TOKENS, REPORT = "web/static/tokens.css", "pictures/report.css"
"""Style sheets, by their path in the package: the colours of every page, live tables included; tables."""


def page_text(title: str, parts: Iterable[str], *, styles: Iterable[str] = (REPORT,), more_css: str = "") -> str:
    """An HTML page of `parts` under a title, with our colours and style sheets of the package.

    >>> page_text("One & two", ["<p>three</p>"]).splitlines()[-2:]
    ['<p>three</p>', '</body></html>']
    """
    style = "".join(files("pokerlab").joinpath(name).read_text(encoding="utf-8") for name in (TOKENS, *styles))
    lines = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style}{more_css}</style></head><body>",
        *parts,
        "</body></html>",
    ]
    return "\n".join(lines) + "\n"


def made_parts(facts: Mapping[str, object]) -> list[str]:
    """The end of a page: how it was made, the command first if it is known."""
    texts = {key: escape(str(value)) for key, value in facts.items()} | {"page made by": f"pokerlab {__version__}"}
    entries = [
        f"<dt>{escape(key)}</dt><dd>{f'<code>{text}</code>' if key == 'command' else text}</dd>"
        for key, text in texts.items()
    ]
    return ["<h2>How this was made</h2>", f'<div class="card"><dl>{"".join(entries)}</dl></div>']


def table_parts(
    title: str, note: str, heads: str, rows: Iterable[str], *, card: str = "card", table: str = ' class="wide"'
) -> list[str]:
    """A table under a title and a note, all of them HTML."""
    return [
        f"<h2>{title}</h2>",
        f'<p class="note">{note}</p>',
        f'<div class="{card}"><table{table}><thead><tr>{heads}</tr></thead><tbody>',
        *rows,
        "</tbody></table></div>",
    ]
