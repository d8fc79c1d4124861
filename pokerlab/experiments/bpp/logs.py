"""Opponent tables from logs: bots of our own play each other, and BPP takes what they did for its opponent's table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate, bare, share
from pokerlab.experiments.bpp.opponents import GAME, parts_of, played, small_bets
from pokerlab.experiments.experiment import Config, Experiment, Report, Table, bare_rows
from pokerlab.experiments.parts import do_parts
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.opponent_action import BASE, action_table, count_actions, counted_table, distance
from pokerlab.table.match import MatchPlan, play_match, seatings

BOTS = (
    *("rulebot", "rulebot:tight", "rulebot:loose", "rulebot:passive", "rulebot:aggressive"),
    *("poki", "poki:maniac", "equilibrium:limit2p"),
)
COMBINED = "combined"
PRINTED = {
    "Bot 1": (0.20, 50.74, 53.33, 0.05554),
    "Bot 2": (0.30, 51.05, 51.11, 0.05201),
    "Bot 3": (0.16, 52.79, 47.96, 0.03011),
    "Bot 4": (-0.16, 48.90, 61.65, 0.14473),
    "Bot 5": (-0.01, 51.28, 52.73, 0.04185),
    "Bot 6": (0.02, 51.70, 51.79, 0.04573),
    "Bot 7": (0.14, 52.33, 48.22, 0.03004),
    "Bot 8": (0.23, 50.77, 50.27, 0.04003),
    "Combined Bot": (-0.05, 50.88, 55.13, 0.02380),
}
SECTIONS = ("small bets/hand", "hands won, %", "showdowns won, %", "distance of the counted table")


def logged(part: Mapping[str, Any]) -> dict[str, list[Any]]:
    """`counts[win, round, bpp action, action]` of two bots that play each other in both seatings."""
    hands: list[HandHistory] = []
    for seating in seatings(2, duplicate=True):
        plan = MatchPlan(GAME, tuple(part["bots"]), part["hands"], part["seed"], part["number"], seating)
        play_match(plan, agent, on_hand=hands.append)
    return {bot: count_actions(hands, bot).tolist() for bot in part["bots"]}


def run(config: Config, report: Report) -> Table:
    """Log, count, and play the combinatory player with each table."""
    sizes, seed = config.settings, config.seed
    logs = [
        {"bots": [bot, BOTS[(i + 1) % len(BOTS)]], "hands": sizes["logged"], "seed": seed, "number": i}
        for i, bot in enumerate(BOTS)
    ]
    counts: dict[str, Any] = {}
    for each in do_parts(logged, logs, config, lambda done, total: report(done, 10 * total)):
        for bot, found in each.items():
            counts[bot] = counts.get(bot, 0) + np.array(found)
    counts[COMBINED] = sum(counts[bot] for bot in BOTS)
    base = action_table(BASE)
    tables = {bot: counted_table(found, base) for bot, found in counts.items()}
    playing = []
    for bot, table in tables.items():
        first, more = f"hybrid/0/{bot}", {"tables": {bot: table.tolist()}}
        each = parts_of(first, "combinatory/0/base", matches=sizes["matches"], hands=sizes["hands"], seed=seed, **more)
        playing += [{"play": part} for part in each]
    done = do_parts(logged_or_played, [*logs, *playing], config, report)[len(logs) :]
    sections: dict[str, dict[str, Estimate]] = {title: {} for title in SECTIONS}
    for i, bot in enumerate(tables):
        results = done[i * sizes["matches"] : (i + 1) * sizes["matches"]]
        total = {what: sum(each[what] for each in results) for what in ("won", "decided", "shown_won", "shown")}
        row = (
            small_bets(results),
            share(total["won"], total["decided"]).scaled(100, "%"),
            share(total["shown_won"], total["shown"]).scaled(100, "%"),
            bare(distance(tables[bot], base), n=int(counts[bot].sum())),
        )
        for title, number in zip(SECTIONS, row, strict=True):
            sections[title][bot] = number
    return Table.of(sections, (_note(sections[SECTIONS[0]]),))


def logged_or_played(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part of either kind, so that both are kept in one run."""
    return played(part["play"]) if "play" in part else logged(part)


def _note(won: Mapping[str, Estimate]) -> str:
    better = [bot for bot, number in won.items() if number.low > 0]
    worse = [bot for bot, number in won.items() if number.high < 0]
    return f"At 95%, {', '.join(better) or 'none'} win from the combinatory player; {', '.join(worse) or 'none'} lose."


EXPERIMENT = Experiment(
    name="taylor2007-logs",
    title="Table 4.1: opponent tables counted from logs",
    cites="Taylor (2007), section 4.1.1, table 4.1",
    about=(
        "The logs of the AAAI competition of 2006 are replaced by those of eight agents of ours, each of which plays "
        "two others. A bot is the hybrid with a log's table as its opponent's, against the combinatory player; that is "
        "our reading. The distance is from the base table, since the original one is not printed."
    ),
    published=Table.of(
        {
            title: bare_rows({f"{bot} of 2006": row[i] for bot, row in PRINTED.items()})
            for i, title in enumerate(SECTIONS)
        }
    ),
    run=run,
    quick={"logged": 100, "matches": 2, "hands": 40},
    full={"logged": 1000, "matches": 10, "hands": 400},
)
