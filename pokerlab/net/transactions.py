"""The transactions of a match: one line for each decision, from which a match that was broken off goes on.

They are written as the reference dealer writes its `.tlog`: the action, the hand, when the state was sent and when the
reply came. The seed gives the cards again, so nothing else is needed.

>>> text = transaction_line("r300", hand=12, sent=1341695999.222349, received=1341695999.5)
>>> text
'r300 12 1341695999.222349 1341695999.500000'
>>> parse_transactions(text + "\\n")[0].seconds
0.277651...
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pokerlab.errors import ParseError
from pokerlab.notation.imported import lines_of

_LINE = re.compile(r"([fc]|r\d{0,18}) (\d{1,18}) (\d{1,18}\.\d{1,9}) (\d{1,18}\.\d{1,9})", re.ASCII)


class Transaction(NamedTuple):
    """A decision: the action as match states write it, the hand it is of, and how long it took."""

    action: str
    hand: int
    seconds: float


def transaction_line(action: str, *, hand: int, sent: float, received: float) -> str:
    """The line of one decision; times are seconds since 1970."""
    return f"{action} {hand} {sent:.6f} {received:.6f}"


def parse_transactions(text: str) -> list[Transaction]:
    """The decisions of a file, in order; a last line that was cut short in the middle of writing does not count."""
    found = []
    for number, line in enumerate(lines_of(text)[:-1], 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ParseError(f"expected ACTION HAND SENT RECEIVED on line {number}", text=line)
        found.append(Transaction(match[1], int(match[2]), float(match[4]) - float(match[3])))
    return found
