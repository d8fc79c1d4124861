"""The default Bayesian player: chosen among all variants against some opponents, tested against eight others.

>>> CANDIDATES[:3], len(set(CHOOSING) & set(OTHERS))
(('bpp:plain', 'bpp:adaptive', 'bpp:interactive'), 0)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pokerlab.experiments.bpp.matches import GAME, SAME_CARDS, UNITS, cross
from pokerlab.experiments.experiment import Config, Sections, Table, bare_rows, listed, signs
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.networks import STUD
from pokerlab.systems.bpp.variants import VARIANTS
from pokerlab.table.comparison import Winnings, adjusted_chances, by_match, play_seatings, won_by_hand
from pokerlab.table.match import MatchPlan

CANDIDATES = tuple(f"bpp:{name}" for name, settings in VARIANTS.items() if name and settings.network not in STUD)
"""The candidates: every named Bayesian hold'em player, including `bpp` itself."""
CHOOSING = ("caller", "raiser", "rulebot", "formula:steady", "bpp:2003")
OTHERS = (
    *("random", "rulebot:tight", "rulebot:loose", "rulebot:passive", "rulebot:aggressive", "formula:aggressive"),
    *("equilibrium:limit2p", "bpp:aggressive"),
)
"""Opponents that are used only for the test, not for the choice."""
CHOOSE, TEST = "choosing", "test"
SURE = 0.05

Cells = Mapping[tuple[str, str], Winnings]


def play_agents(part: Mapping[str, Any]) -> float:
    """Small bets won by the first agent in a match, over both seatings."""
    plan = MatchPlan(GAME, (part["first"], part["second"]), part["hands"], part["seed"], part["number"])
    return float(won_by_hand(play_seatings(plan, agent), UNITS).sum())


def play_all(config: Config, opponents: tuple[str, ...], matches: int) -> Cells:
    """Winnings of every candidate against every opponent, with the same cards."""
    config = replace(config, settings={**config.settings, "matches": matches})
    done = cross(config, play_agents, CANDIDATES, opponents)
    return {cell: by_match(each, hands=2 * config.settings["hands"], units=UNITS) for cell, each in done.items()}


def together(cells: Cells, player: str, opponents: tuple[str, ...]) -> Winnings:
    """A player's winnings over all opponents. Matches of the same number have the same cards, so together they count as
    one independent unit."""
    each = [cells[player, opponent] for opponent in opponents]
    totals, hands = (np.sum([getattr(w, name) for w in each], axis=0) for name in ("total", "hands"))
    return replace(each[0], total=totals, hands=hands)


def run_defaults(config: Config) -> Table:
    """Choose the player with the highest mean against the first opponents. Then compare it with the others, against
    other opponents and with other cards."""
    sizes = config.settings
    met = {
        CHOOSE: play_all(config.part_of(1, 3), CHOOSING, sizes["choosing"]),
        TEST: play_all(replace(config, seed=config.seed + 1), OTHERS, sizes["matches"]),
    }
    sections: Sections = {}
    for name, opponents in ((CHOOSE, CHOOSING), (TEST, OTHERS)):
        cells = met[name]
        sections[f"{name}: mean over opponents, small bets/hand"] = {
            player: together(cells, player, opponents).mean for player in CANDIDATES
        }
    chosen = max(CANDIDATES, key=lambda player: together(met[CHOOSE], player, CHOOSING).mean.mean)
    rest = [player for player in CANDIDATES if player != chosen]
    mine = together(met[TEST], chosen, OTHERS)
    gains = {player: mine - together(met[TEST], player, OTHERS) for player in rest}
    chances = adjusted_chances(gains)
    sections[f"{TEST}: gain of {chosen} over, small bets/hand"] = {p: gains[p].mean for p in rest}
    sections[f"{TEST}: p-values after Holm of these gains"] = bare_rows({p: round(chances[p], 4) for p in rest})
    for opponent in OTHERS:
        sections[f"{TEST}: against {opponent}, small bets/hand"] = {
            player: met[TEST][player, opponent].mean for player in CANDIDATES
        }
    return Table.of(sections, (*verdict(chosen, gains, chances), *by_opponent(chosen, met[TEST]), SAME_CARDS))


def verdict(chosen: str, gains: Mapping[str, Winnings], chances: Mapping[str, float]) -> tuple[str, str]:
    """Two sentences: which player was chosen, and which others it is significantly better or worse than."""
    sure = {player: gain.mean.mean for player, gain in gains.items() if chances[player] < SURE}
    better = [player for player, gain in sure.items() if gain > 0]
    worse = [player for player, gain in sure.items() if gain < 0]
    unsure = [player for player in gains if player not in sure]
    return (
        f"Chosen: {chosen}, which wins most from {listed(CHOOSING)} together.",
        f"Against the eight others together, 5% and Holm's procedure for {len(gains)} comparisons: it wins more than "
        f"{listed(better)}, less than {listed(worse)}; not decided: {listed(unsure)}.",
    )


def by_opponent(chosen: str, cells: Cells) -> list[str]:
    """For each test opponent, return a sentence that lists the players that win more from it than `chosen` does."""
    said = []
    for opponent in OTHERS:
        gains = {p: (cells[chosen, opponent] - cells[p, opponent]).mean for p in CANDIDATES if p != chosen}
        said.append(f"From {opponent}, {listed(signs(gains).below)} wins more than {chosen} (95% each, unadjusted).")
    return said
