"""A configured computation, ready to be run, continued or only estimated: what `python -m pokerlab.run` needs to know.

Every kind of run has a function from its configuration (JSON values) to a `Job`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from pokerlab.runs.cost import Cost

Say: TypeAlias = Callable[[str], None]  #: told a line for people

SECONDS_BETWEEN_LINES = 20.0


@dataclass(frozen=True)
class Job:
    """`run(out, say)` does it, or goes on with what is in `out`, where it is kept; `out` unless somebody says where."""

    out: Path
    cost: Callable[[], Cost]
    run: Callable[[Path, Say], None]


def now_and_then(what: str, say: Say) -> Callable[[int, int], None]:
    """A report of (done, total) that says how far `what` is, but not all the time."""
    began, told = time.monotonic(), float("-inf")

    def report(done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told > SECONDS_BETWEEN_LINES or done == total:
            say(f"{what}: {done:,} of {total:,} after {now - began:.0f} s")
            told = now

    return report
