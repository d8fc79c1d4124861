"""Lines about a run that a person should read, such as where an answer was read from. They go through `logging`, so
that rooms never print and whoever asks says where they go.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGER = logging.getLogger("pokerlab")


def note(line: str) -> None:
    """Say something about a run."""
    _LOGGER.info(line)


@contextmanager
def notes_on_stderr() -> Iterator[None]:
    """What is said inside is printed to stderr, a line each."""
    handler, level = logging.StreamHandler(sys.stderr), _LOGGER.level
    handler.setFormatter(logging.Formatter("pokerlab: %(message)s"))
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)
