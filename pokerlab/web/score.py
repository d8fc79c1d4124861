"""Winnings at a table, hand by hand and chair by chair, in chips: as they are, and with all-ins at their expected
value."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pokerlab.games.history import HandHistory
from pokerlab.table.player_hands import all_in_adjusted

POINTS = 500
"""Maximum number of points of a curve on a page."""


class Score:
    """The winnings of `n` chairs.

    >>> from pokerlab.cards.card import cards
    >>> from pokerlab.games.actions import CALL, RaiseTo
    >>> from pokerlab.games.catalog import game
    >>> hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), (RaiseTo(20000), CALL), ("a", "b"))
    >>> score = Score(2)
    >>> score.add(hand, lambda seat: 1 - seat)
    >>> score.total, [round(line[0]) for line in score.adjusted]
    ([20000.0, -20000.0], [-1514, 1514])
    """

    def __init__(self, n: int) -> None:
        self.net = [array("d") for _ in range(n)]  # net[chair][hand]
        self.total = [0.0] * n  # by chair, the sum of `net`
        self.adjusted = [array("d") for _ in range(n)]

    @property
    def hands(self) -> int:
        """Number of hands counted."""
        return len(self.net[0])

    def add(self, hand: HandHistory, chair_of: Callable[[int], int]) -> None:
        """Count a finished hand; `chair_of(seat)` is the chair of a seat."""
        for seat, (won, fair) in enumerate(zip(hand.payoffs, all_in_adjusted(hand), strict=True)):
            chair = chair_of(seat)
            self.net[chair].append(float(won))
            self.total[chair] += float(won)
            self.adjusted[chair].append(fair)

    def lines(self, names: Sequence[str], *, chip: float) -> dict[str, Any]:
        """The running totals for a page, in units of `chip` chips."""
        n = self.hands
        shown = np.unique(np.linspace(0, n - 1, min(n, POINTS)).round().astype(int)) if n else np.zeros(0, dtype=int)

        def line(chips: Sequence[float]) -> list[float]:
            return (np.cumsum(chips)[shown] / chip).round(3).tolist() if n else []

        rows = zip(names, self.net, self.adjusted, strict=True)
        return {
            "hands": (shown + 1).tolist(),
            "lines": [{"name": name, "net": line(net), "adjusted": line(fair)} for name, net, fair in rows],
        }
