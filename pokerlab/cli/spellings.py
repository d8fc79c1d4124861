"""Old names of options, and their current names."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ANY = "*"


@cache
def _old_spellings() -> dict[str, dict[str, str]]:
    """Load the renamed options: command -> old option -> new option."""
    return tomllib.loads(Path(__file__).with_name("spellings.toml").read_text(encoding="utf-8"))


def new_spelling(command: Sequence[str], option: str) -> str | None:
    """Current name of an option that was renamed; None if `option` is not an old name.

    >>> new_spelling(["bets"], "--ranges=1"), new_spelling(["match"], "--no-keep"), new_spelling(["match"], "--hand")
    ('--size-ranges', '--no-save', None)
    """
    name = option.partition("=")[0]
    return _old_spellings().get(" ".join(command), {}).get(name) or _old_spellings()[ANY].get(name)
