"""Heads-up cross-table: the shipped equilibrium players against every other kind of agent.

Every deal is played in both seatings. The same hands are measured twice: by chips, and by AIVAT, which uses the policy
of the equilibrium player (and, if it can be queried, of its opponent) to remove luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Rows, Sections, Table, signs
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import SCHEMES, agent, personalities
from pokerlab.table.comparison import Contest
from pokerlab.table.match import play_match
from pokerlab.valuing.aivat import known_policy
from pokerlab.valuing.aivat_baselines import value_function
from pokerlab.valuing.measures import AIVAT, RAW, measures, ways_of

UNITS = "mbb_per_hand"
PLAYERS = {"limit2p": "equilibrium:limit2p", "nolimit2p": "equilibrium:nolimit2p"}
RULE = "pseudo-harmonic"  # rule of bet translation when the full table was measured; today's default differs
OPPONENTS: Mapping[str, tuple[str, ...]] = {
    "scripted": ("caller", "raiser", "shover", "folder", "random", "random:smallest"),
    "rulebot": ("rulebot", *(f"rulebot:{variant}" for variant in SCHEMES["rulebot"].variants)),
    "poki": ("poki", "poki:neural"),
    "personality": personalities("poki"),
    "simulation": ("simbot:quick",),
}
"""Opponents by kind. The quick simbot stands for all simulation players, which differ only in how long they think."""


def match(part: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Winnings of the equilibrium player against one opponent, measured by chips and by AIVAT."""
    found = duplicate_winnings((f"{PLAYERS[part['game']]}?translation={RULE}", part["opponent"]), part)
    return {name: found[name].data() for name in (RAW, AIVAT)}


def duplicate_winnings(entrants: tuple[str, str], part: Mapping[str, Any]) -> dict[str, Estimate]:
    """Winnings of the first of two agents over both seatings of every deal, measured by chips and by AIVAT."""
    todo = Contest(part["game"], entrants, part["deals"], part["matches"]).plans(part["seed"])
    hands: list[list[HandHistory]] = [[] for _ in todo]
    results = [play_match(plan, agent, on_hand=of.append) for plan, of in zip(todo, hands, strict=True)]
    rules = todo[0].rules
    policies = {name: known_policy(agent(name), rules) for name in entrants}
    ways = ways_of(results, lambda i: hands[i], policies=policies, value=value_function(rules))
    return {way.name: way.winnings[0] for way in measures(ways, units=UNITS) if way.duplicate}


def pairings(deals: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, str, int]]:
    """Yield (game, opponent, deals per match). At limit, where there is one raise size, agents that equal others are
    omitted."""
    for game in PLAYERS:
        for kind, opponents in OPPONENTS.items():
            for opponent in opponents:
                if not (game == "limit2p" and opponent in ("shover", "random:smallest")):
                    yield game, opponent, deals[game][kind]


def run(config: Config) -> Table:
    """Play every pairing; report winnings by chips and by AIVAT."""
    settings = config.settings
    parts = [
        {"game": game, "opponent": opponent, "deals": deals, "matches": settings["matches"], "seed": config.seed}
        for game, opponent, deals in pairings(settings["deals_a_match"])
    ]
    sections: Sections = {}
    for part, found in zip(parts, config.do(match, parts), strict=True):
        for way, won in found.items():
            section = f"{PLAYERS[part['game']]} wins, mbb/hand, {SAID[way]}"
            sections.setdefault(section, {})[part["opponent"]] = Estimate.from_data(won, units=UNITS)
    return Table.of(sections, notes(sections))


SAID = {AIVAT: "duplicate and AIVAT", RAW: "duplicate alone"}


def notes(sections: Mapping[str, Rows]) -> tuple[str, ...]:
    """Sentences on how many intervals lie above zero; they name the opponents for which this is not so."""
    lines = []
    for section, rows in sections.items():
        won, lost, unsure = signs(rows)
        line = f"{section}: {len(won)} of {len(rows)} intervals lie above zero"
        line += f"; they hold zero against {', '.join(unsure)}" if unsure else ""
        lines.append(line + (f"; they lie below zero against {', '.join(lost)}." if lost else "."))
    return (*lines, "n counts deals, or sets of matches (both seatings of the same deals) where the opponent learns.")
