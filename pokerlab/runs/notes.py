"""Notes about a run for people, such as which file a result was read from.

Notes go through `logging`: the library never prints, and the caller decides where they appear.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGER = logging.getLogger("pokerlab")


def note(line: str) -> None:
    """Log a note about a run."""
    _LOGGER.info(line)


@contextmanager
def notes_on_stderr() -> Iterator[None]:
    """Context that prints the notes made inside it to stderr, one line each."""
    handler, level = logging.StreamHandler(sys.stderr), _LOGGER.level
    handler.setFormatter(logging.Formatter("pokerlab: %(message)s"))
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)
