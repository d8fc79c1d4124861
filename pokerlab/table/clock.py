"""The clock of a match: time limits for decisions, and what happens to a player that exceeds them.

The clock interrupts a player's code with a system alarm (`SIGALRM`), which raises `OutOfTime` in it. An alarm reaches
Python code and system calls. Compiled code runs to its end first, and then counts as late. Code that never returns is
ended from outside, together with its process: see `runs.workers`, whose tasks declare how long they may be silent.

Alarms reach only the main thread of a process; in another thread lateness is noticed when the player returns. Time is
wall time, so results with late decisions are not determined by the seed alone; late decisions are therefore counted.

>>> from time import sleep
>>> with Clock(0.05) as clock:
...     clock.timed(lambda: 3), clock.timed(lambda: sleep(10))
Traceback (most recent call last):
pokerlab.table.clock.OutOfTime
"""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from math import inf
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

from pokerlab.errors import PokerlabError

Result = TypeVar("Result")
AGAIN_SECONDS = 1.0
"""Seconds until the next alarm for a player whose code has swallowed the last one."""

MAKING_SECONDS = 60.0
"""Time for making a player (at least one decision's time): it may have tables to load."""

FOREIGN_SECONDS = 600.0
"""Default time limit for a decision of foreign agents; the reference dealer of ACPC gives programs as long."""

MOST_SECONDS = 1e6
KILL_SECONDS = 60.0
"""How long a player that no alarm reaches may overrun all its time before its process is ended."""


class OutOfTime(BaseException):
    """Raised when time is up. It is not a subclass of Exception, so a player's `except Exception` does not catch it."""


class Clock:
    """Gives players `seconds` for each call and counts late calls by name in `late`. `beat(0)` is called before each
    call, as a sign of life for a supervising process; `on_late` receives the late player's name."""

    def __init__(
        self,
        seconds: float,
        beat: Callable[[int], None] | None = None,
        on_late: Callable[[str], None] | None = None,
    ) -> None:
        self.seconds, self._beat, self._on_late = seconds, beat, on_late
        self.late: Counter[str] = Counter()
        self._running, self._alarm = False, False
        self._before: Any = None

    def __enter__(self) -> Clock:
        self._alarm = threading.current_thread() is threading.main_thread()
        if self._alarm:
            self._before = signal.signal(signal.SIGALRM, self._ring)
        return self

    def __exit__(self, *_: object) -> None:
        self._set(0)
        if self._alarm:
            signal.signal(signal.SIGALRM, self._before)

    def timed(self, call: Callable[[], Result], seconds: float | None = None) -> Result:
        """Return the result of `call`; raise `OutOfTime` if it takes too long."""
        limit = self.seconds if seconds is None else seconds
        if self._beat is not None:
            self._beat(0)
        until = monotonic() + limit
        try:
            self._running = True
            self._set(limit)
            result = call()
        finally:
            self._running = False  # from here on a pending alarm does nothing
            self._set(0)
        if monotonic() > until:  # the player swallowed the alarm, or no alarm could reach it
            raise OutOfTime
        return result

    def count_late(self, name: str) -> None:
        self.late[name] += 1
        if self._on_late is not None:
            self._on_late(name)

    def _set(self, seconds: float) -> None:
        if self._alarm:
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS if seconds else 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._running:
            raise OutOfTime


def clock_for(
    seconds: float | None,
    beat: Callable[[int], None] | None = None,
    on_late: Callable[[str], None] | None = None,
) -> AbstractContextManager[Clock | None]:
    """Make a clock; None for untimed play."""
    return nullcontext() if seconds is None else Clock(seconds, beat, on_late)


def check_seconds(seconds: float) -> None:
    """Refuse an invalid time limit.

    >>> check_seconds(0)
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: seconds for each decision must be more than 0 and fewer than a million, not 0
    """
    if not 0 < seconds < MOST_SECONDS:
        raise PokerlabError(f"seconds for each decision must be more than 0 and fewer than a million, not {seconds:g}")


def longest_silence(seconds: float | None) -> float:
    """Longest possible time between two calls of players in a timed match; after a longer silence the match is assumed
    to hang.

    >>> longest_silence(2.0), longest_silence(None)
    (120.0, inf)
    """
    return inf if seconds is None else max(seconds, MAKING_SECONDS) + KILL_SECONDS
