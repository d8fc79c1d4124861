"""What reading a file of hands came to: the hands that could be read, and the problems beside them.

One bad line never costs the rest of a file: it becomes a `ReadProblem` that names the line and what was expected there.

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

MOST_SAID = 400
"""Characters of a problem that are told: it may quote a line of any length."""


class ReadProblem(NamedTuple):
    """A line (counted from 1; 0 is the whole file) that could not be read, and what was expected there."""

    line: int
    expected: str
    path: str = ""  # where reading a file, or several, was asked for

    def __str__(self) -> str:
        where = f"line {self.line}"
        if self.path:
            where = f"{self.path}:{self.line}" if self.line else self.path
        return one_line(f"{where}: {self.cut}")

    @property
    def cut(self) -> str:
        """What was expected, in `MOST_SAID` characters."""
        return self.expected if len(self.expected) <= MOST_SAID else f"{self.expected[:MOST_SAID]} ..."

    def data(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {"line": self.line, "expected": self.cut, "path": self.path}


class LineError(PokerlabError):
    """A hand that cannot be read because of what stands on `line`; an importer turns it into a `ReadProblem`."""

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(expected)
        self.line = line


class Repair(NamedTuple):
    """A hand that was read by one of the rules for what files get wrong; `line` is where the hand begins."""

    line: int
    rule: str
    path: str = ""


@dataclass(frozen=True)
class Imported:
    """The hands of a file, in its order, those of them that had to be repaired, and what could not be read."""

    hands: tuple[HandHistory, ...]
    problems: tuple[ReadProblem, ...] = ()
    repairs: tuple[Repair, ...] = ()

    @classmethod
    def together(cls, parts: Iterable[Imported]) -> Imported:
        """All that several files hold."""
        each = list(parts)
        return cls(
            tuple(hand for part in each for hand in part.hands),
            tuple(problem for part in each for problem in part.problems),
            tuple(repair for part in each for repair in part.repairs),
        )

    @property
    def repairs_by_rule(self) -> dict[str, int]:
        """How many hands each rule repaired, the most first."""
        return dict(Counter(repair.rule for repair in self.repairs).most_common())


def read_text(path: Path) -> str:
    """The text of a file, unpacked if its name ends in `.gz`; UTF-16 where it begins as such files do, else UTF-8.

    Bytes that are not UTF-8 become replacement characters, and spoil only their own line.
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
    """The lines of `text` as editors count them, without their ends.

    >>> lines_of("a\\r\\nb\\x0cc\\n")
    ['a', 'b\\x0cc', '']
    """
    return [line.removesuffix("\r") for line in text.split("\n")]
