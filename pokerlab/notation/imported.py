"""The result of reading a hand file: the hands that could be read, and the problems.

A bad line does not affect the rest of a file: it becomes a `ReadProblem` with its line number and what was expected.

>>> print(ReadProblem(7, "expected a card"))
line 7: expected a card
>>> print(ReadProblem(7, "expected a card", "old.phh"), ReadProblem(0, "expected a hand", "new.phh"), sep="\\n")
old.phh:7: expected a card
new.phh: expected a hand
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.errors import FileError, PokerlabError, one_line
from pokerlab.games.history import HandHistory

MOST_CHARACTERS = 400
"""Maximum number of characters of a printed problem, which may quote a line of any length."""


class ReadProblem(NamedTuple):
    """A line (counted from 1; 0 is the whole file) that could not be read, and what was expected there."""

    line: int
    expected: str
    path: str = ""  # path of the file, if one was read

    def __str__(self) -> str:
        where = f"line {self.line}"
        if self.path:
            where = f"{self.path}:{self.line}" if self.line else self.path
        return one_line(f"{where}: {self.cut}")

    @property
    def cut(self) -> str:
        """Return the text `expected`, shortened to `MOST_CHARACTERS` characters."""
        return self.expected if len(self.expected) <= MOST_CHARACTERS else f"{self.expected[:MOST_CHARACTERS]} ..."

    def data(self) -> dict[str, Any]:
        """The problem as JSON values."""
        return {"line": self.line, "expected": self.cut, "path": self.path}


class LineError(PokerlabError):
    """Raised by an importer for a hand that cannot be read because of an error on `line`; becomes a `ReadProblem`."""

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(expected)
        self.line = line


class Repair(NamedTuple):
    """A hand that was repaired by one of the rules for common errors in files; `line` is its first line."""

    line: int
    rule: str
    path: str = ""


@dataclass(frozen=True)
class Imported:
    """The hands of a file, in file order, the problems of lines that could not be read, and the repaired hands."""

    hands: tuple[HandHistory, ...]
    problems: tuple[ReadProblem, ...] = ()
    repairs: tuple[Repair, ...] = ()

    @classmethod
    def together(cls, parts: Iterable[Imported]) -> Imported:
        """Combine the hands, problems and repairs of several files."""
        files = list(parts)
        return cls(
            tuple(hand for file in files for hand in file.hands),
            tuple(problem for file in files for problem in file.problems),
            tuple(repair for file in files for repair in file.repairs),
        )

    @property
    def repairs_by_rule(self) -> dict[str, int]:
        """The number of hands that each rule repaired, most first."""
        return dict(Counter(repair.rule for repair in self.repairs).most_common())


def read_text(path: Path) -> str:
    """Read a text file, decompressing it if its name ends in `.gz`; UTF-16 if it has a byte-order mark, otherwise
    UTF-8.

    Invalid bytes become replacement characters, so they affect only their own line.
    """
    try:
        opened = gzip.open if path.suffix.lower() == ".gz" else open
        with opened(path, "rb") as raw:
            wide = raw.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        with opened(path, "rt", encoding="utf-16" if wide else "utf-8-sig", errors="replace") as file:
            return str(file.read())
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"cannot read {path}: {reason}") from error


def lines_of(text: str) -> list[str]:
    """Split `text` into lines as editors count them, without line ends.

    >>> lines_of("a\\r\\nb\\x0cc\\n")
    ['a', 'b\\x0cc', '']
    """
    return [line.removesuffix("\r") for line in text.split("\n")]
