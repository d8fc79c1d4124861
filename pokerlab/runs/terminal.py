"""The process's terminal: printing text in any encoding, reliable Ctrl-C, and notices about long work."""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

FIRST_SECONDS, LATER_SECONDS = 5.0, 30.0
QUIET = "POKERLAB_QUIET"
"""Environment variable that turns lines about long work off."""
SPELLINGS = dict(zip("♠♥♦♣±×²µ·–’─│", ("s", "h", "d", "c", "+-", "x", "^2", "u", ".", "-", "'", "-", "|"), strict=True))
"""How a stream that cannot print a character spells it; others become `?`."""


def _spelled(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(SPELLINGS.get(c, "?") for c in error.object[error.start : error.end]), error.end


codecs.register_error("pokerlab", _spelled)


def spell_what_streams_cannot_print() -> None:
    """Make stdout and stderr accept any text: characters missing from their encoding are spelled out or become `?`.

    >>> "K♠ ± 3 €".encode("ascii", "pokerlab")
    b'Ks +- 3 ?'
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="pokerlab")


# --- Ctrl-C -----------------------------------------------------------------------------------------------------------


@contextmanager
def interruptible() -> Iterator[None]:
    """Context in which Ctrl-C raises KeyboardInterrupt, but never inside a callback from the compiler.

    If a callback from the compiler raises an exception, Python prints and drops it, and the compiler fails later.
    Therefore the signal is sent again until the callback has returned.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        while frame is not None:
            if frame.f_code.co_name.startswith("_raw_object_cache"):  # llvmlite's callbacks
                again = threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT))
                again.daemon = True
                again.start()
                return
            frame = frame.f_back
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def terminable() -> Iterator[None]:
    """Context in which SIGTERM ends the process by SystemExit, so that `finally` clauses still run; its status is that
    of a process which the signal ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# --- long work --------------------------------------------------------------------------------------------------------


class _Latest:
    """The latest progress report, and whether a progress bar shows it."""

    words = ""
    bar = False


def report_progress(words: str, done: int, total: int) -> None:
    """Record the latest progress for the next notice about long work."""
    _Latest.words = f"{words}, {done:,} of {total:,}" if total else words


def bar_shown(shown: bool) -> None:
    """Record whether a progress bar is visible; while it is, no notices are printed."""
    _Latest.bar = shown


@contextmanager
def long_work(what: str) -> Iterator[None]:
    """Context that prints `what` and the progress to stderr, first after `FIRST_SECONDS`, then every
    `LATER_SECONDS`."""
    ended, started = threading.Event(), time.monotonic()
    _Latest.words = ""

    def tell() -> None:
        wait = FIRST_SECONDS
        while not ended.wait(wait):
            wait = LATER_SECONDS
            if not _Latest.bar:
                words = _Latest.words or "working (a first use compiles for up to a minute)"
                print(f"pokerlab: {what}: {words}, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    if not os.environ.get(QUIET):
        teller.start()
    try:
        yield
    finally:
        ended.set()
