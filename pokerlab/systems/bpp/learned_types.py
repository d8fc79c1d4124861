"""Opponent types from recorded hands: each player of a log becomes a type that a Bayesian player can recognise.

Every player of a heads-up log becomes a type, or all players together become one. A player's actions are counted by
winner of the hand, round and the other player's last action; its cards need not be known. To each row of counts the
base table is added with the weight of `WEIGHT` actions. The file is a memory of the Bayesian player with these types
and no opponents yet: `bpp@FILE`, or `bpp:adaptive@FILE`, identifies opponents with these types. `pokerlab train
opponents` writes it.

>>> from pokerlab.agents.scripted import SCRIPTS, Scripted
>>> from pokerlab.table.match import MatchPlan, play_match
>>> hands = []
>>> plan = MatchPlan("limit2p", ("caller", "raiser"), 30, seed=1)
>>> _ = play_match(plan, lambda name: Scripted(SCRIPTS[name]), on_hand=hands.append)
>>> logs = count_players(hands)
>>> {name: log.hands for name, log in logs.items()}
{'caller': 30, 'raiser': 30}
>>> [round(log.aggression, 2) for log in logs.values()]
[0.0, 1.0]

References
----------
Taylor (2007), section 4.1.1 and appendices A and B, whose programs are not printed. The weight is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.systems.bpp.opponent import BASE, SHAPE, action_table, add_actions, counted_table, distance
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings

WEIGHT = 5.0
"""Weight of a row of the base table when it is added to the counted actions, as a number of actions."""
COMBINED = "combined"


@dataclass
class PlayerLog:
    """Counted actions of one player, `counts[win, round, bpp action, action]`, and the number of hands."""

    hands: int = 0
    counts: Floats = field(default_factory=lambda: np.zeros(SHAPE))

    @property
    def actions(self) -> int:
        return int(self.counts.sum())

    @property
    def aggression(self) -> float:
        """Share of bets and raises in all actions."""
        return float(self.counts[..., 3:].sum() / max(self.counts.sum(), 1))

    @property
    def table(self) -> Floats:
        """`table[win, round, bpp action, action]`: the player's action frequencies."""
        return counted_table(self.counts, action_table(BASE), WEIGHT)

    @property
    def apart(self) -> float:
        """Bhattacharyya distance between the player's table and the base table."""
        return distance(self.table, action_table(BASE))


def is_countable(rules: Rules) -> bool:
    """Whether hands of a game can be counted: limit hold'em for two."""
    return rules.is_holdem and rules.n_seats == 2 and rules.limits == "limit"


def count_players(hands: Iterable[HandHistory]) -> dict[str, PlayerLog]:
    """Logs of all players in heads-up limit hold'em hands, by name; other hands are skipped."""
    logs: dict[str, PlayerLog] = {}
    for hand in hands:
        if is_countable(hand.rules):
            for seat, name in enumerate(hand.names):
                log = logs.setdefault(name, PlayerLog())
                log.hands += 1
                add_actions(log.counts, hand, seat)
    return logs


def combined(logs: Mapping[str, PlayerLog]) -> dict[str, PlayerLog]:
    """Merge all logs into one; it counts every hand twice, once for each player."""
    counts = np.sum([log.counts for log in logs.values()], axis=0)
    return {COMBINED: PlayerLog(sum(log.hands for log in logs.values()), counts)}


def write_types(path: Path, logs: Mapping[str, PlayerLog]) -> Path:
    """Write a file of opponent types, one for each player, as the memory of a Bayesian player."""
    tables = np.stack([log.table for log in logs.values()])
    BayesianPlayer(BppSettings(tables=tables, types=tuple(logs))).save(path)
    return path
