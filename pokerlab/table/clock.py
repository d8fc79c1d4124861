"""The clock of a match: how many seconds a player has for each decision, and what happens when they have passed.

The clock interrupts a player's code by an alarm of the system (`SIGALRM`), which raises `OutOfTime` in it. An alarm
reaches Python code and system calls, wherever they are; code compiled from another language runs on to its end first,
and the player is late then. Code that never comes back at all is ended from outside, with its process: see
`runs.workers`, whose tasks say how long they may be silent.

Alarms reach the main thread of a process only: in another a player is found to be late when it comes back. The time is
that of the wall, so a late decision is no longer a function of the seed alone; every one is counted.

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
"""How long a player whose code has swallowed the alarm goes on until the next."""

MAKING_SECONDS = 60.0
"""A player may take this long to be made, or one decision's time if that is longer: it may have tables to load."""

MOST_SECONDS = 1e6
KILL_SECONDS = 60.0
"""How long past all its time a player that no alarm reaches may go on before its process is ended."""


class OutOfTime(BaseException):
    """The time is up. No player's `except Exception` catches it."""


class Clock:
    """Gives players `seconds` for each call, and counts in `late` how often, by name, one was too late.

    `beat(0)` is called before each: whoever watches from outside knows that the match goes on. `on_late` is told the
    name of whoever was late.
    """

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
        """What `call` returns, if it does so in time; otherwise raises `OutOfTime`."""
        limit = self.seconds if seconds is None else seconds
        if self._beat is not None:
            self._beat(0)
        until = monotonic() + limit
        try:
            self._running = True
            self._set(limit)
            result = call()
        finally:
            self._running = False  # from here on an alarm that is on its way does nothing
            self._set(0)
        if monotonic() > until:  # it has swallowed the alarm, or was where no alarm reaches
            raise OutOfTime
        return result

    def count_late(self, name: str) -> None:
        """Take note that `name` was late."""
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
    """A clock, or None where nobody is timed."""
    return nullcontext() if seconds is None else Clock(seconds, beat, on_late)


def check_seconds(seconds: float) -> None:
    """Refuse what is no time for a decision.

    >>> check_seconds(0)
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: a decision takes some seconds, more than 0 and fewer than a million, not 0
    """
    if not 0 < seconds < MOST_SECONDS:
        raise PokerlabError(f"a decision takes some seconds, more than 0 and fewer than a million, not {seconds:g}")


def longest_silence(seconds: float | None) -> float:
    """How long a timed match may take from one call of a player to the next, before it must be hung.

    >>> longest_silence(2.0), longest_silence(None)
    (120.0, inf)
    """
    return inf if seconds is None else max(seconds, MAKING_SECONDS) + KILL_SECONDS
