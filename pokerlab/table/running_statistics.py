"""Statistics of the players at a table, updated hand by hand without storing the hands.

The sums are those of `statistics`: each definition there, an SQL expression of a row's columns, is evaluated only for
the rows of the new hand, so the answer is immediate however long the table has run.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> running = RunningStatistics(("vpip", "af"))
>>> running.add(HandHistory(game("nolimit2p"), cards("AsAhKsKd5h6h7hTcJc"), (RaiseTo(300), FOLD), ("ann", "bob")))
>>> [(each.statistic.key, each.value, each.chances) for each in running.of("bob")]
[('vpip', 1.0, 1.0), ('af', None, 0.0)]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import CodeType
from typing import NamedTuple

from pokerlab.games.history import HandHistory
from pokerlab.table.player_hands import player_hands
from pokerlab.table.statistics import STATISTICS, Statistic


class RunningValue(NamedTuple):
    """Current value of a statistic of one player (None if undefined), and the sum of its opportunities."""

    statistic: Statistic
    value: float | None
    chances: float


class RunningStatistics:
    """Sums for shares and ratios by player; `keys` are those of `STATISTICS`."""

    def __init__(self, keys: Sequence[str]) -> None:
        known = {statistic.key: statistic for statistic in STATISTICS}
        self._statistics = [known[key] for key in keys]
        self._code = [(_compiled(each.done), _compiled(each.chances)) for each in self._statistics]
        self._sums: dict[str, list[list[float]]] = {}
        self.hands: dict[str, int] = {}

    def add(self, hand: HandHistory) -> None:
        """Count a finished hand; a hand whose chips do not balance is skipped."""
        columns = player_hands([hand], on_problem=lambda problem: None)
        for row, name in enumerate(columns["name"]):
            values = {column: cells[row] for column, cells in columns.items()}
            won = values["won"]
            values |= {"won": won or 0.0, "won_known": won is not None}  # sums in SQL omit unknown values
            sums = self._sums.setdefault(name, [[0.0, 0.0] for _ in self._statistics])
            self.hands[name] = self.hands.get(name, 0) + 1
            for total, codes in zip(sums, self._code, strict=True):
                for part, code in enumerate(codes):
                    total[part] += float(
                        eval(code, {"__builtins__": {}}, values)
                    )  # safe: only our own definitions are evaluated

    def of(self, name: str) -> list[RunningValue]:
        """Statistics of a player who has played at least one hand."""
        return [
            RunningValue(statistic, done / chances if chances else None, chances)
            for statistic, (done, chances) in zip(self._statistics, self._sums[name], strict=True)
        ]


def _compiled(sql: str) -> CodeType:
    """Compile an expression of `statistics.toml` to Python code, in which `won_known` is whether a share of a pot is
    known."""
    return compile(re.sub(r"CAST\(won IS NOT NULL AS INTEGER\)", "won_known", sql), "statistics.toml", "eval")
