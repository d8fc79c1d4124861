"""Compute requests in the background, one at a time, with progress, stopping, and errors reported in one line.

A queue refuses a second request, or, with `line`, lets it wait its turn. Waiting requests that are stopped never start.

>>> import tempfile
>>> from dataclasses import dataclass
>>> from pokerlab.runs.request import Request, setting
>>> @dataclass(frozen=True, kw_only=True)
... class Count(Request):
...     kind = "count"
...     upto: int = setting(3, identity=False)
...     def compute(self, place):
...         place.progress("counting", self.upto, 9)
...         return Answer(f"counted to {self.upto}")
>>> with tempfile.TemporaryDirectory() as where:
...     work = Queue().submit([Count(upto=3), Count(upto=9)], Path(where) / "run")
...     work.wait()
>>> str(work.answer), work.done, work.running, work.wrong
('counted to 9', 9, False, '')
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError, line_for
from pokerlab.runs.request import Request, no_part

NICENESS = 10
"""Niceness of threads that compute. If cores are few, threads that answer people run first."""

POLL_SECONDS = 0.2
"""How often waiting work looks whether it was stopped."""


@dataclass(eq=False)
class Submission:
    """A background computation: one request, repeated in growing rounds in one run directory, and its progress."""

    rounds: Sequence[Request]
    out: Path
    words: str = ""
    done: int = 0
    total: int = 0
    answer: Answer | None = None  # the answer of the last finished round
    running: bool = True
    waiting: bool = False  # whether it waits for the work before it
    stop: bool = False  # set it to stop between two steps or parts; the run directory can be resumed
    wrong: str = ""
    thread: threading.Thread | None = field(default=None, repr=False)

    def progress(self, words: str, done: int, total: int) -> None:
        self.words, self.done, self.total = words, done, total

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the work has ended, or for at most `seconds`."""
        if self.thread is not None:
            self.thread.join(seconds)


class Followed:
    """A question answered by the background computation `work`, with its state for a web page."""

    work: Submission | None = None

    @property
    def running(self) -> bool:
        return self.work is not None and self.work.running

    @property
    def wrong(self) -> str:
        """One-line reason for a failure; '' if there is none."""
        return "" if self.work is None else self.work.wrong

    def end(self) -> Self:
        """Stop the computation after the current step or part; asking the same question again resumes it."""
        if self.work is not None:
            self.work.stop = True
        return self


class Queue:
    """A queue of requests computed in the background, one at a time; each may use `workers` processes for its parts."""

    def __init__(self, what: str = "run", *, workers: int | None = None, line: bool = False) -> None:
        self._what, self._workers, self._waits = what, workers, line
        self._current: Submission | None = None
        self._line: list[Submission] = []
        self._lock = threading.Condition()

    @property
    def line(self) -> tuple[Submission, ...]:
        """The running computation, then those waiting, in order."""
        with self._lock:
            return tuple(self._line)

    @property
    def running(self) -> Submission | None:
        current = self._current
        return current if current is not None and current.running else None

    def submit(
        self,
        rounds: Sequence[Request],
        out: Path,
        *,
        finished: Callable[[Answer], bool] = lambda answer: False,
        after_stop: Callable[[], Request | None] = lambda: None,
        part: Callable[[Any], None] = no_part,
    ) -> Submission:
        """Start computing the same request in growing rounds, in the run directory `out`. Returns immediately.

        The answer of one round can be read while the next one runs. `finished(answer)` is called after each round and
        ends the computation if it returns True. If it is stopped in the middle of a round, `after_stop` may return a
        request whose answer is the result so far. `part` is called with each part of an answer as soon as it is known.
        """
        with self._lock:
            if self.running is not None and not self._waits:
                raise PokerlabError(f"another {self._what} is running; stop it first")
            work = self._current = Submission(rounds, out, waiting=bool(self._line))
            self._line.append(work)
        compute = partial(self._run, work, finished, after_stop, part)
        work.thread = threading.Thread(target=self._in_turn, args=(work, compute), daemon=True)
        work.thread.start()
        return work

    def _in_turn(self, work: Submission, compute: Callable[[], None]) -> None:
        """Wait until all earlier work is finished, then call `compute`, unless `work` was stopped meanwhile."""
        _yield_to_others()
        with self._lock:
            while self._line[0] is not work and not work.stop:
                self._lock.wait(POLL_SECONDS)
            work.waiting = False
        try:
            if not work.stop:
                compute()
        finally:
            with self._lock:
                self._line.remove(work)
                work.running = False
                self._lock.notify_all()

    def _run(
        self,
        work: Submission,
        finished: Callable[[Answer], bool],
        after_stop: Callable[[], Request | None],
        part: Callable[[Any], None],
    ) -> None:
        def computed(request: Request, stopped: Callable[[], bool] | None = None) -> bool:
            work.answer = request.run(
                work.out, workers=self._workers, progress=work.progress, stopped=stopped, part=part
            )
            return finished(work.answer)

        stopped_within = False
        try:
            try:
                for request in work.rounds:
                    if computed(request, lambda: work.stop) or work.stop:
                        break
            except KeyboardInterrupt:  # it was stopped in the middle of a round
                stopped_within = True
            # only now, when the memory of the round's arrays is free again
            if stopped_within and (last := after_stop()) is not None:
                computed(last)
        except Exception as error:
            work.wrong = line_for(error) or f"{type(error).__name__}: {error}"


def _yield_to_others() -> None:
    """Lower the priority of this thread, and of those that it will start; Linux has a niceness for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
