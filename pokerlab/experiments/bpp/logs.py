"""Opponent tables from logs: bots of our own play each other, and BPP takes what they did for its opponent's table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.estimates import bare, share
from pokerlab.experiments.bpp.opponents import GAME, play, won
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.experiments.notes import listed, signs
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.opponent_action import BASE, action_table, count_actions, counted_table, distance
from pokerlab.table.comparison import play_seatings
from pokerlab.table.match import MatchPlan

BOTS = (
    *("rulebot", "rulebot:tight", "rulebot:loose", "rulebot:passive", "rulebot:aggressive"),
    *("poki", "poki:maniac", "equilibrium:limit2p"),
)
COMBINED = "combined"
SECTIONS = ("small bets/hand", "hands won, %", "showdowns won, %", "distance of the counted table")


def log(part: Mapping[str, Any]) -> dict[str, list[Any]]:
    """`counts[win, round, bpp action, action]` of two bots that play each other in both seatings."""
    hands: list[HandHistory] = []
    plan = MatchPlan(GAME, tuple(part["bots"]), part["hands"], part["seed"], part["number"])
    play_seatings(plan, agent, on_hand=hands.append)
    return {bot: count_actions(hands, bot).tolist() for bot in part["bots"]}


def run(config: Config) -> Table:
    """Log, count, and play the combinatory player with each table."""
    sizes, seed = config.settings, config.seed
    logs = [
        {"bots": [bot, BOTS[(i + 1) % len(BOTS)]], "hands": sizes["logged"], "seed": seed, "number": i}
        for i, bot in enumerate(BOTS)
    ]
    counts: dict[str, Any] = {}
    for each in config.part_of(1, 10).do(log, logs):
        for bot, found in each.items():
            counts[bot] = counts.get(bot, 0) + np.array(found)
    counts[COMBINED] = sum(counts[bot] for bot in BOTS)
    base = action_table(BASE)
    tables = {bot: counted_table(found, base) for bot, found in counts.items()}
    both = {"second": "combinatory/0/base", "hands": sizes["hands"]}
    groups = {
        bot: config.numbered(sizes["matches"], first=f"hybrid/0/{bot}", tables={bot: table.tolist()}, **both)
        for bot, table in tables.items()
    }
    sections: Sections = {title: {} for title in SECTIONS}
    for bot, results in config.do_groups(play, groups).items():
        total = {what: sum(each[what] for each in results) for what in ("won", "decided", "shown_won", "shown")}
        row = (
            won(results).mean,
            share(total["won"], total["decided"]).scaled(100, "%"),
            share(total["shown_won"], total["shown"]).scaled(100, "%"),
            bare(distance(tables[bot], base), n=int(counts[bot].sum())),
        )
        for title, number in zip(SECTIONS, row, strict=True):
            sections[title][bot] = number
    better, worse, _ = signs(sections[SECTIONS[0]])
    note = f"At 95%, {listed(better, 'none')} win from the combinatory player; {listed(worse, 'none')} lose."
    return Table.of(sections, [note])
