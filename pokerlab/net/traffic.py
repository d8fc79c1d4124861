"""Transcript of a match: the lines sent to and received from each seat, in the reference dealer's format. Seats are
counted from 1, as in that format: `TO 1 at 1341695999.222281 MATCHSTATE:0:0::5d5c|`."""

from __future__ import annotations

from time import time
from typing import TextIO

from pokerlab.notation.acpc.log import LogHeader


class Traffic:
    """Writes a transcript."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def start(self, header: LogHeader) -> None:
        """Record that the first hand is about to be dealt."""
        self._out.write(f"{header}\nSTARTED at {time():.6f}\n")

    def sent(self, seat: int, line: str) -> None:
        """Record that the dealer sent `line` to `seat` (counted from 0)."""
        self._out.write(f"TO {seat + 1} at {time():.6f} {line}\n")

    def received(self, seat: int, line: str) -> None:
        """Record that the dealer received `line` from `seat` (counted from 0)."""
        self._out.write(f"FROM {seat + 1} at {time():.6f} {line}\n")

    def finish(self) -> None:
        self._out.write(f"FINISHED at {time():.6f}\n")
