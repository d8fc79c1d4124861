"""Layout of help pages: paragraphs fill the width of the terminal; examples stay lines that can be copied."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cyclopts.help import DefaultFormatter

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions


class FilledHelp(DefaultFormatter):
    """Cyclopts' help pages, with docstrings rewrapped to the width of the terminal."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        for entry in panel.entries:
            _fill(entry.description, options.max_width)
        super().__call__(console, options, panel)

    def render_description(self, console: Console, options: ConsoleOptions, description: Any) -> None:
        _fill(description, options.max_width)
        super().render_description(console, options, description)


def _fill(description: Any, width: int) -> None:
    from rich.text import Text

    page = getattr(description, "primary_renderable", None)
    if isinstance(page, Text):
        description.primary_renderable = Text(filled(page.plain, width), end=page.end)


def filled(text: str, width: int) -> str:
    r"""Rewrap `text` to `width`: join the lines of each paragraph, and leave indented lines as examples for a shell.

    An example wider than the page continues on the next line, broken before an option with a backslash.

    >>> print(filled("One\ntwo.\n\n    pokerlab match --agents caller,raiser --hands 2000", 40))
    One two.
    <BLANKLINE>
        pokerlab match \
            --agents caller,raiser \
            --hands 2000
    """
    joined = re.sub(r"(?<=\S)\n(?=\S)", " ", text)
    return "\n".join(_folded(line, width) for line in joined.split("\n"))


def _folded(line: str, width: int) -> str:
    if not line.startswith("    ") or len(line) <= width:
        return line
    first, *options = line.split(" --")
    lines = [first]
    for option in options:
        if len(lines[-1]) + len(" --") + len(option) + len(" \\") <= width:
            lines[-1] += f" --{option}"
        else:
            lines.append(f"        --{option}")
    return " \\\n".join(lines)
