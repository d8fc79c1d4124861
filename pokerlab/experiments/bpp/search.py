"""The search player of section 3.3.3 beside Poki and the hybrid: winnings against simple players, over a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.experiments.bpp.matches import GAME, SAME_CARDS, UNITS, cross
from pokerlab.experiments.experiment import Config, Rows, Section, Table
from pokerlab.experiments.notes import listed, signs
from pokerlab.players.registry import agent
from pokerlab.table.comparison import by_match, play_seatings, won_by_hand
from pokerlab.table.match import MatchPlan

RIVAL = "poki"
SEARCHERS = ("search:max", "search:mix")
PLAYERS = (RIVAL, "bpp", *SEARCHERS)
OPPONENTS = ("caller", "raiser", "random", "rulebot")
SPANS = 5  #: parts of a match, each of which is one point of a curve


def play(part: Mapping[str, Any]) -> list[float]:
    """Small bets that a player wins in each span of a match, both seatings together."""
    plan = MatchPlan(GAME, (part["first"], part["second"]), part["hands"], part["seed"], part["number"])
    won = won_by_hand(play_seatings(plan, agent), UNITS)
    return [float(span.sum()) for span in np.array_split(won, SPANS)]


def run(config: Config) -> Table:
    """Play every player against every opponent with the same cards."""
    hands = config.settings["hands"]
    spans = {cell: np.array(each) for cell, each in cross(config, play, PLAYERS, OPPONENTS).items()}  # [match, span]
    won = {cell: by_match(each.sum(axis=1), hands=2 * hands, units=UNITS) for cell, each in spans.items()}
    sections: dict[str, Section | Rows] = {
        f"against {o}, small bets/hand": {player: won[player, o].mean for player in PLAYERS} for o in OPPONENTS
    }
    notes = []
    for player in SEARCHERS:
        gains = {o: (won[player, o] - won[RIVAL, o]).mean for o in OPPONENTS}
        sections[f"gain of {player} over {RIVAL}, small bets/hand"] = gains
        more, less, unsure = map(listed, signs(gains))
        notes.append(f"At 95%, {player} wins more than {RIVAL} from {more}, less from {less}; not decided: {unsure}.")
    sizes = [len(span) for span in np.array_split(np.arange(hands), SPANS)]
    ends = np.cumsum(sizes).tolist()
    for (player, opponent), by_span in spans.items():
        numbers = [by_match(row, hands=2 * size).mean for row, size in zip(by_span.T, sizes, strict=True)]
        rows = {
            f"hands {end - size + 1} to {end}": number.scaled(1000, "mbb_per_hand")
            for number, size, end in zip(numbers, sizes, ends, strict=True)
        }
        title = f"{player} against {opponent} along a match, mbb/hand"
        sections[title] = Section(rows, "by hand", player, f"Against {opponent}", "mbb/hand", tuple(ends))
    return Table.of(sections, (*notes, SAME_CARDS))
