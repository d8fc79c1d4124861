"""A player's bankroll over time: the four lines that poker trackers draw, in big blinds.

`net` is the total won; `showdown` and `non_showdown` are its two parts, by whether the player showed down; `adjusted`
is `net` with all-ins at their expected value (`all_in`). `band` is the range around zero in which the net line of a
break-even player stays 19 times in 20: 1.96 standard deviations of the sum of the hands so far.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.history import HandHistory
>>> hands = [HandHistory(game("leduc"), cards("KhQsKs"), actions, ("ann", "bob"))
...          for actions in ((CALL,) * 4, (RaiseTo(3), FOLD), (CALL, RaiseTo(3), FOLD))]
>>> with Database(imported={"three hands": hands}) as database:
...     ann, bob = bankrolls(database)
>>> ann.net.tolist(), ann.showdown.tolist(), ann.non_showdown.tolist()
([1.0, 2.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0])
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pokerlab.arrays import Bools, Floats, Int64s
from pokerlab.table.database import Database


@dataclass(frozen=True)
class Bankroll:
    """Cumulative big blinds of one player; entry i of each line is its value after `hands[i]` hands."""

    name: str
    hands: Int64s
    net: Floats
    showdown: Floats
    non_showdown: Floats
    adjusted: Floats
    band: Floats

    @property
    def n_hands(self) -> int:
        return int(self.hands[-1])

    def thinned(self, most: int) -> Bankroll:
        """Reduce the lines to at most `most` evenly spaced points, including the last; enough for drawing."""
        if len(self.hands) <= most:
            return self
        kept = np.unique(np.linspace(0, len(self.hands) - 1, most).round().astype(np.int64))
        lines = {
            name: getattr(self, name)[kept] for name in ("hands", "net", "showdown", "non_showdown", "adjusted", "band")
        }
        return replace(self, **lines)


def bankrolls(database: Database, *, min_hands: int = 1) -> list[Bankroll]:
    """Bankrolls of all players with at least `min_hands` hands, most hands first; points are in the order of files and
    hands."""
    names = database.ask(
        "SELECT name FROM player_hands WHERE net IS NOT NULL GROUP BY name "
        f"HAVING count(*) >= {int(min_hands)} ORDER BY count(*) DESC, name"
    ).rows
    return [_bankroll(database, name) for (name,) in names]


def _bankroll(database: Database, name: str) -> Bankroll:
    quoted = name.replace("'", "''")
    rows = database.arrays(
        f"""SELECT net / big_blind AS net, adjusted / big_blind AS adjusted, showdown
            FROM player_hands WHERE name = '{quoted}' AND net IS NOT NULL ORDER BY filename, hand, seat"""
    )
    return bankroll_of(name, np.asarray(rows["net"]), np.asarray(rows["adjusted"]), np.asarray(rows["showdown"]) > 0)


def bankroll_of(name: str, net: Floats, adjusted: Floats, shown: Bools) -> Bankroll:
    """Make a bankroll from hands in order: the big blinds won in each hand, and whether the hand went to a showdown."""
    hands = np.arange(1, len(net) + 1)
    deviations = net - net.mean()
    return Bankroll(
        name,
        hands,
        net.cumsum(),
        np.where(shown, net, 0.0).cumsum(),
        np.where(shown, 0.0, net).cumsum(),
        adjusted.cumsum(),
        1.96 * np.sqrt((deviations * deviations).cumsum()),
    )
