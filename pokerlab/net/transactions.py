"""Transactions of a match: one line per decision, from which an interrupted match is resumed.

They have the format of the reference dealer's `.tlog`: the action, the hand, the time when the state was sent and the
time of the reply. The seed reproduces the cards, so nothing else is needed.

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
    """A decision: the action as in match states, its hand, and its duration."""

    action: str
    hand: int
    seconds: float


def transaction_line(action: str, *, hand: int, sent: float, received: float) -> str:
    """The line of one decision; times are seconds since 1970."""
    return f"{action} {hand} {sent:.6f} {received:.6f}"


def parse_transactions(text: str) -> list[Transaction]:
    """Parse the decisions of a file, in order; an incomplete last line does not count."""
    transactions = []
    for number, line in enumerate(lines_of(text)[:-1], 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ParseError(f"expected ACTION HAND SENT RECEIVED on line {number}", text=line)
        transactions.append(Transaction(match[1], int(match[2]), float(match[4]) - float(match[3])))
    return transactions
