"""Opponent types learned from players that are not Bayesian: does the player recognise them, and how much does it gain?

Each player's actions are counted in matches with the Bayesian player, and become a type (`systems.bpp.learned_types`).
Then a Bayesian player that has all these types plays each player with other cards. The experiment measures which type
it recognises, and how much more it wins than two versions of itself: one with the printed types, and one with a single
table of all logs combined.

>>> sorted(HOW)
['all types', 'combined', 'printed types']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pokerlab.estimates import estimate, share
from pokerlab.experiments.bpp.matches import GAME, SAME_CARDS, UNITS
from pokerlab.experiments.bpp.types import THRESHOLD
from pokerlab.experiments.experiment import Config, Sections, Table, listed, signs
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.learned_types import PlayerLog, combined
from pokerlab.systems.bpp.opponent import count_actions
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.systems.bpp.variants import WEIGHT
from pokerlab.table.comparison import by_match, play_seatings, won_by_hand
from pokerlab.table.match import MatchPlan

PLAYER = "bpp:plain"
WATCHED = ("rulebot", "rulebot:passive", "rulebot:aggressive", "poki", "poki:maniac", "equilibrium:limit2p")
HOW = ("printed types", "combined", "all types")
LEARNER = BppSettings(combinatory=0.5, evidence="winner", weight=WEIGHT)
"""The Bayesian player that plays all others. Evidence has the same weight as for the three counted types."""


def log_player(part: Mapping[str, Any]) -> dict[str, Any]:
    """Count one player's actions against the Bayesian player, in both seatings."""
    hands: list[Any] = []
    plan = MatchPlan(GAME, (PLAYER, part["player"]), part["hands"], part["seed"], part["number"])
    play_seatings(plan, agent, on_hand=hands.append)
    return {"hands": len(hands), "counts": count_actions(hands, part["player"]).tolist()}


def meet(part: Mapping[str, Any]) -> dict[str, Any]:
    """Play one match against a player in both seatings. Return small bets won, and the mean final belief in
    each type."""
    settings = LEARNER
    if part["tables"]:
        settings = replace(settings, tables=np.array(part["tables"]), types=tuple(part["types"]))
    plan = MatchPlan(GAME, ("learner", part["player"]), part["hands"], part["seed"], part["number"])
    made: list[Any] = []
    results = play_seatings(
        plan, lambda name: BayesianPlayer(settings) if name == "learner" else agent(name), on_end=made.extend
    )
    belief = np.mean([each.model_of(part["player"]).belief for each in made[::2]], axis=0)
    return {"won": float(won_by_hand(results, UNITS).sum()), "belief": belief.tolist()}


def run_learned(config: Config) -> Table:
    """Count every player's actions; then play each with every set of opponent types."""
    sizes = config.settings
    logging = {
        player: config.numbered(sizes["logs"], seed=config.seed + 1, player=player, hands=sizes["logged"])
        for player in WATCHED
    }
    logs = {
        player: PlayerLog(sum(each["hands"] for each in done), np.sum([each["counts"] for each in done], axis=0))
        for player, done in config.part_of(1, 4).do_groups(log_player, logging).items()
    }
    together = combined(logs)["combined"]
    tables = dict(zip(HOW, ([], [together.table.tolist()], [log.table.tolist() for log in logs.values()]), strict=True))
    types = dict(zip(HOW, ([], ["combined"], list(WATCHED)), strict=True))
    meeting = {
        (how, player): config.numbered(
            sizes["matches"], player=player, hands=sizes["hands"], tables=tables[how], types=types[how]
        )
        for player in WATCHED
        for how in HOW
    }
    met = config.do_groups(meet, meeting)
    return Table.of({**described(logs), **calls(met), **winnings(met, sizes["hands"])}, remarks(met, sizes["hands"]))


Met = Mapping[tuple[str, str], list[dict[str, Any]]]


def described(logs: Mapping[str, PlayerLog]) -> Sections:
    """Make two sections of the result, which describe the players by the logs of their play.

    One has the percentage of bets and raises among each player's actions; the other has the distance between the table
    of actions counted in its log and the base table.
    """
    bets = {name: share(float(log.counts[..., 3:].sum()), log.actions).scaled(100, "%") for name, log in logs.items()}
    apart = {name: estimate(np.array([log.apart]), method="logs") for name, log in logs.items()}
    return {"bets and raises in the logs, %": bets, "distance of the counted table from the base table": apart}


def calls(met: Met) -> Sections:
    """For every player, the percentage of matches after which each type is the most probable, and the percentage in
    which the player is confident of its type."""
    sections: Sections = {}
    for player in WATCHED:
        beliefs = np.array([each["belief"] for each in met["all types", player]])
        best, n = beliefs.argmax(axis=1), len(beliefs)
        rows = {name: share(int((best == i).sum()), n).scaled(100, "%") for i, name in enumerate(WATCHED)}
        sure = int((beliefs.max(axis=1) >= THRESHOLD).sum())
        rows[f"at {THRESHOLD:.0%} or more"] = share(sure, n).scaled(100, "%")
        sections[f"{player} is called, %"] = rows
    return sections


def winnings(met: Met, hands: int) -> Sections:
    """Winnings with the printed types, and gains from the learned types."""
    won = {cell: by_match([each["won"] for each in done], hands=2 * hands, units=UNITS) for cell, done in met.items()}
    first, *others = HOW
    sections: Sections = {f"with {first}, small bets/hand": {player: won[first, player].mean for player in WATCHED}}
    for how in others:
        rows = {player: (won[how, player] - won[first, player]).mean for player in WATCHED}
        sections[f"gain of {how} over {first}, small bets/hand"] = rows
    return sections


def remarks(met: Met, hands: int) -> list[str]:
    """Sentences on how many matches end with the right type recognised, and against whom learned types gain."""
    right = sum(
        int(np.argmax(each["belief"]) == place)
        for place, player in enumerate(WATCHED)
        for each in met["all types", player]
    )
    n = sum(len(met["all types", player]) for player in WATCHED)
    called = (
        f"After {hands} hands a player is called its own type in {right} of {n} matches, by the mean belief of both "
        "seatings, which know nothing of each other."
    )
    gains = winnings(met, hands)["gain of all types over printed types, small bets/hand"]
    up, down, unsure = signs(gains)
    gained = (
        f"At 95%, learned types gain against {listed(up)}, lose against {listed(down)}; not decided: {listed(unsure)}."
    )
    return [called, gained, SAME_CARDS]
