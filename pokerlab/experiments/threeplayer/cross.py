"""Cross-table of three-player limit hold'em: every player alone among two of every other.

Each match has its own cards, and positions rotate in it. The settings have the number of matches of each player; a pair
plays the larger of its two numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Table, listed, signs
from pokerlab.experiments.threeplayer.initial import GAME, UNITS, won_a_hand
from pokerlab.table.match import MatchPlan

WON = "{alone} alone among two of each, won, small bets a hand"


def run(config: Config) -> Table:
    """Play every pair of players, and say whom the first player beats and which intervals are widest."""
    players, hands = config.settings["players"], config.settings["match_hands"]
    groups = {
        (alone, two): config.numbered(max(players[alone], players[two]), alone=alone, two=two)
        for alone, two in pairs(list(players))
    }
    won = config.do_groups(meet, groups, hands=hands)
    rows: dict[str, dict[str, Estimate]] = {alone: {} for alone in players}
    for (alone, two), values in won.items():
        rows[alone][two] = estimate(np.array(values), units=UNITS, method=f"matches of {hands:,} hands")
    return Table.of({WON.format(alone=alone): each for alone, each in rows.items()}, _notes(rows))


def pairs(players: list[str]) -> list[tuple[str, str]]:
    """(alone, two of) for all pairs; those of the first players come first, so that a stopped run has them.

    >>> pairs(["a", "b", "c"])
    [('a', 'b'), ('b', 'a'), ('a', 'c'), ('b', 'c'), ('c', 'a'), ('c', 'b')]
    """
    return sorted(permutations(players, 2), key=lambda pair: max(players.index(each) for each in pair))


def meet(part: Mapping[str, Any], *, hands: int) -> float:
    """Play one match of `part["alone"]` against two of `part["two"]`. Return the former's winnings per hand."""
    return float(
        won_a_hand(MatchPlan(GAME, (part["alone"], part["two"], part["two"]), hands, part["seed"], part["number"]))[0]
    )


def _notes(rows: Mapping[str, Mapping[str, Estimate]]) -> list[str]:
    """Whom the first player beats, and the widest interval of all."""
    first = next(iter(rows))
    wins, loses, unsure = signs(rows[first])
    widest = max((each.high - each.low) / 2 for row in rows.values() for each in row.values())
    return [
        f"Alone among two, {first} wins from {listed(wins)}, loses to {listed(loses)}; unsettled: {listed(unsure)}.",
        f"The widest interval is ± {widest:.3f}.",
    ]
