"""Lines about a run for people, such as which file a result was read from.

They go through `logging`, so that the library never prints and the caller decides where lines go.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGER = logging.getLogger("pokerlab")


def note(line: str) -> None:
    """Report a line about a run."""
    _LOGGER.info(line)


@contextmanager
def notes_on_stderr() -> Iterator[None]:
    """Print notes made inside to stderr, one line each."""
    handler, level = logging.StreamHandler(sys.stderr), _LOGGER.level
    handler.setFormatter(logging.Formatter("pokerlab: %(message)s"))
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)
