"""A transcript of a match: what the dealer sent to and received from each seat, as the reference dealer writes it.

Seats count from 1 here, as they do there: `TO 1 at 1341695999.222281 MATCHSTATE:0:0::5d5c|`.
"""

from __future__ import annotations

from time import time
from typing import TextIO

from pokerlab.notation.acpc.log import LogHeader


class Traffic:
    """Writes a transcript."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def start(self, header: LogHeader) -> None:
        """The first hand is about to be dealt."""
        self._out.write(f"{header}\nSTARTED at {time():.6f}\n")

    def sent(self, seat: int, line: str) -> None:
        """The dealer sent `line` to `seat` (counted from 0)."""
        self._out.write(f"TO {seat + 1} at {time():.6f} {line}\n")

    def received(self, seat: int, line: str) -> None:
        """The dealer received `line` from `seat` (counted from 0)."""
        self._out.write(f"FROM {seat + 1} at {time():.6f} {line}\n")

    def finish(self) -> None:
        """The match is over."""
        self._out.write(f"FINISHED at {time():.6f}\n")
