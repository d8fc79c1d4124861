"""A fuzzer over every reader of foreign text: `python tests/fuzz.py --minutes 60 --processor`.

Each reader of `fuzz_readers.py` is given texts that it knows, changed in a few places, and rubbish. It must answer, or
refuse by an error of ours in one line, in its time; hands that it reads must balance and can be written in every
format. Hypothesis draws the texts and makes those that fail small. `tests/test_fuzz.py` runs a short form of it, and
keeps what the long one has found. `--processor` counts the minutes by the processor's time, so that a busy machine
takes longer instead of trying less; SIGTERM ends a run early, with its report. `fuzz_one_by_one.py` finds other
failures.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pokerlab.errors import PokerlabError

TURN_SECONDS = 5.0  #: how long a reader is tried before it is the next one's turn
WAITING = 12.0  #: a reader may take so much longer by the clock than by the processor, on a busy machine
SHRINK_SECONDS = 120.0  #: as much is left when a text that fails is still made small
PROGRESS_SECONDS = 300.0  #: between two lines that say how far a run is
MAX_CHARACTERS = 20_000
PACKAGES = ("cyclopts", "duckdb", "jax", "matplotlib", "pyarrow", "rich")
NOT_INSTALLED = frozenset(name for name in PACKAGES if find_spec(name) is None)
"""Packages without which a machine may still fuzz what does not need them."""

NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "9",
    "10",
    "13",
    "52",
    "53",
    "64",
    "65",
    "255",
    "256",
    "1326",
    "65535",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
]
NUMBERS += [
    "-1",
    "-0",
    "0.5",
    "1e9",
    "1e400",
    "nan",
    "inf",
    "1_000",
    "1,000",
    "007",
    "9" * 25,
    "9" * 400,
    "9" * 5000,
    "٣",
    "²",
]
WORDS = ["", " ", "\t", "\r", "\0", "\x1b[2J", "\ufeff", "\u2028", "é", "♠", "🂡", "\udc80", "null", "true", "[]", "{}"]
WORDS += [
    "AsAs",
    "??",
    "@",
    "/",
    ":",
    "|",
    ",",
    "#",
    ";",
    "=",
    '"',
    "'",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "%",
    "*",
    "+",
    "-",
]
_TOKEN = re.compile(r"\d+(?:\.\d+)?|\w+|[^\w\s]|\s+")


class TooSlow(BaseException):
    """A reader was at it for too long; no reader catches this by mistake."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` in what takes longer by the processor's time, or `WAITING` times as long by the clock."""

    def too_slow(*_: object) -> None:
        raise TooSlow(f"took longer than {seconds:g} s")

    timers = ((signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, WAITING * seconds))
    before = {number: signal.signal(number, too_slow) for _, number, _ in timers}
    for timer, _, limit in timers:
        signal.setitimer(timer, limit, 1.0)  # again and again: one may be raised where nobody takes it
    try:
        yield
    finally:
        for timer, number, _ in timers:
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


def checked(reader, text: str) -> None:
    """Read `text`; whatever is neither an answer nor a refusal in one line comes out as it was raised.

    What needs a package that is not installed here is neither.
    """
    with within(reader.seconds), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            reader.read(text)
        except ModuleNotFoundError as error:
            if error.name not in NOT_INSTALLED:
                raise
        except PokerlabError as error:
            assert str(error), "a refusal that says nothing"
            assert "\n" not in str(error), f"a refusal in several lines: {error}"


# What texts are made of


@st.composite
def changed(draw: st.DrawFn, samples: Sequence[str]) -> str:
    """One of `samples` changed in up to six places, or rubbish."""
    if draw(st.integers(0, 19)) == 19:
        return draw(st.text(max_size=60))
    text = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(0, 6))):
        text = draw(st.sampled_from([_token, _token, _token, _number, _characters, _lines, _splice]))(
            draw, text, samples
        )
        text = text[:MAX_CHARACTERS]
    return text


def _token(draw: st.DrawFn, text: str, samples: Sequence[str]) -> str:
    """A token becomes another of the same or of another text, or is left out, or comes twice."""
    found = list(_TOKEN.finditer(text))
    if not found:
        return draw(st.sampled_from(WORDS))
    one = draw(st.sampled_from(found))
    others = [token[0] for token in _TOKEN.finditer(draw(st.sampled_from(samples)))] or [""]
    new = draw(st.one_of(st.sampled_from(others), st.sampled_from(WORDS), st.just(one[0] * 2)))
    return text[: one.start()] + new + text[one.end() :]


def _number(draw: st.DrawFn, text: str, samples: Sequence[str]) -> str:
    """A number becomes another one."""
    found = list(re.finditer(r"-?\d+(?:\.\d+)?", text))
    if not found:
        return text
    one = draw(st.sampled_from(found))
    new = draw(st.one_of(st.sampled_from(NUMBERS), st.integers(-3, 10**4).map(str)))
    return text[: one.start()] + new + text[one.end() :]


def _characters(draw: st.DrawFn, text: str, samples: Sequence[str]) -> str:
    """Some characters become others."""
    at = draw(st.integers(0, len(text)))
    gone = draw(st.integers(0, 3))
    return text[:at] + draw(st.text(max_size=3)) + text[at + gone :]


def _lines(draw: st.DrawFn, text: str, samples: Sequence[str]) -> str:
    """A line is left out, comes twice, comes elsewhere, or is one of another text."""
    lines, others = text.split("\n"), draw(st.sampled_from(samples)).split("\n")
    at, to = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
    how = draw(st.sampled_from(["out", "twice", "elsewhere", "another"]))
    line = draw(st.sampled_from(others)) if how == "another" else lines[at]
    if how != "twice":
        del lines[at]
    if how != "out":
        lines.insert(to, line)
    return "\n".join(lines)


def _splice(draw: st.DrawFn, text: str, samples: Sequence[str]) -> str:
    """The beginning of a text, and the end of another or nothing."""
    end = draw(st.sampled_from([*samples[:3], "", text]))
    return text[: draw(st.integers(0, len(text)))] + end[draw(st.integers(0, len(end))) :]


# The long form


def turn(
    reader,
    samples: Sequence[str],
    number: int,
    *,
    examples: int,
    shrinks: bool,
    known: set[str],
    count: Counter[str],
) -> tuple[str, BaseException] | None:
    """Some more examples of a reader; the first that fails in a way not yet known, made small."""
    last = ""

    @hypothesis.seed(number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if shrinks else (Phase.generate,),
    )
    @given(changed(samples))
    def read(text: str) -> None:
        nonlocal last
        count[reader.name] += 1
        try:
            checked(reader, text)
        except (Exception, TooSlow) as error:
            if where(reader, error) not in known:
                last = text
                raise

    try:
        read()
    except (Exception, TooSlow) as error:
        return last, error
    return None


def where(reader, error: BaseException) -> str:
    """A failure by reader, kind and place: two that agree in these are one."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = "" if isinstance(error, TooSlow) else f" at {Path(frame.filename).name}:{frame.lineno}"
    return f"{reader.name}: {type(error).__name__}{place}"


@dataclass
class Tried:
    """What was tried: texts and seconds by reader, the failures found, and the processor's seconds."""

    texts: Counter[str]
    seconds: Counter[str]
    known: set[str]
    processor: float = 0.0


def fuzz(*, minutes: float, processor: bool, only: Sequence[str], seed: int, found: Path) -> Tried:
    """Try one reader after another for some minutes, of the processor's time or by the clock.

    Failures are printed and added to the file `found`.
    """
    from fuzz_readers import readers

    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))

    wanted = [each for each in readers() if not only or any(part in each.name for part in only)]
    chosen = [(each, samples) for each in wanted if (samples := each.samples())]  # some are recorded elsewhere
    tried = Tried(Counter(), Counter(), set())
    for reader, samples in chosen:  # what is compiled at its first use is not a text's time
        with suppress(Exception):
            reader.read(samples[0])
    used = processor_seconds()  # importing and compiling are not fuzzing
    clock = processor_seconds if processor else time.monotonic
    until, number, told = clock() + 60 * minutes, 1_000_000 * seed, time.monotonic()
    while clock() < until and not stopped:
        if time.monotonic() - told > PROGRESS_SECONDS:
            told, spent = time.monotonic(), (processor_seconds() - used) / 60
            print(f"{sum(tried.texts.values()):,} texts in {spent:.1f} minutes of processor time", flush=True)
        reader, samples = chosen[number % len(chosen)]
        number, start = number + 1, time.monotonic()
        each = tried.seconds[reader.name] / max(tried.texts[reader.name], 1) or TURN_SECONDS / 10
        examples = min(max(int(TURN_SECONDS / each), 2), 5000)
        shrinks = until - clock() > SHRINK_SECONDS
        failed = turn(reader, samples, number, examples=examples, shrinks=shrinks, known=tried.known, count=tried.texts)
        tried.seconds[reader.name] += time.monotonic() - start
        if failed is not None:
            text, error = failed
            tried.known.add(where(reader, error))
            print(f"{where(reader, error)}: {error}\n  on {text!r}"[:2000], flush=True)
            with found.open("a") as file:
                tell = {"where": where(reader, error), "error": str(error)[:500], "text": text}
                file.write(json.dumps(tell) + "\n")
    tried.processor = processor_seconds() - used
    return tried


def processor_seconds() -> float:
    """What this process, and those that it waited for, have taken of the processor."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


def together(all_tried: Sequence[Tried]) -> Tried:
    """What several processes have tried."""
    tried = Tried(Counter(), Counter(), set())
    for each in all_tried:
        tried.texts += each.texts
        tried.seconds += each.seconds
        tried.known |= each.known
        tried.processor += each.processor
    return tried


def main() -> int:
    """Fuzz for some minutes, and say what was tried and what was found."""
    parser = argparse.ArgumentParser(description="Fuzz every reader of foreign text.")
    parser.add_argument("--minutes", type=float, default=60.0, help="by the clock, for each worker")
    parser.add_argument("--processor", action="store_true", help="minutes of processor time instead of the clock's")
    parser.add_argument("--only", default="", help="readers whose names contain one of these, separated by commas")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other texts; each worker has its own")
    parser.add_argument("--workers", type=int, default=1, help="processes, with seeds from --seed on")
    parser.add_argument("--found", type=Path, default=Path("fuzz-found.jsonl"), help="where failures are written")
    given_ = parser.parse_args()
    settings: dict[str, Any] = {"minutes": given_.minutes, "only": [part for part in given_.only.split(",") if part]}
    settings |= {"found": given_.found.resolve(), "processor": given_.processor}
    if given_.workers == 1:
        tried = fuzz(**settings, seed=given_.seed)
    else:
        with ProcessPoolExecutor(given_.workers, mp_context=get_context("spawn")) as pool:
            each = [pool.submit(fuzz, **settings, seed=given_.seed + n) for n in range(given_.workers)]
            tried = together([one.result() for one in each])
    clock = "processor" if given_.processor else "clock"
    for name, n in tried.texts.items():
        print(f"{n:>10,} {name} ({tried.seconds[name]:.0f} s)")
    print(
        f"{sum(tried.texts.values()):,} texts for {len(tried.texts)} readers in {tried.processor / 60:.1f} minutes of "
        f"processor time ({given_.workers} x {given_.minutes:g} minutes by the {clock}, seeds from {given_.seed}), "
        f"{len(tried.known)} failures"
    )
    return 1 if tried.known else 0


if __name__ == "__main__":
    sys.exit(main())
