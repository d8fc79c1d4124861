"""Extensions suggested in the thesis's conclusion: loose and tight types, bluffs, types in the decision, other bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.estimates import estimate
from pokerlab.experiments.bpp.matches import GAME, UNITS, cross
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.experiments.notes import listed, signs
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.table.comparison import by_match, play_seatings, won_by_hand
from pokerlab.table.match import MatchPlan

PRESSURE = 0.03
PLAYERS: dict[str, dict[str, Any]] = {
    "as in the thesis": {},
    "four types and bluffs": {"network": "beyond", "model": "beyond"},
    "the type in the decision": {"pressure": PRESSURE},
    "both (bpp:beyond)": {"network": "beyond", "model": "beyond", "pressure": PRESSURE},
}
OPPONENTS = (
    *("caller", "raiser", "random", "rulebot", "rulebot:tight", "rulebot:loose", "rulebot:passive"),
    *("rulebot:aggressive", "poki", "bpp:aggressive", "bpp:conservative"),
)


def play(part: Mapping[str, Any]) -> dict[str, Any]:
    """Play one match in both seatings; returns the player's winnings in small bets and its final beliefs."""
    settings = BppSettings(**PLAYERS[part["first"]])
    plan = MatchPlan(GAME, ("bpp", part["second"]), part["hands"], part["seed"], part["number"])
    made: list[Any] = []
    results = play_seatings(
        plan, lambda name: BayesianPlayer(settings) if name == "bpp" else agent(name), on_end=made.extend
    )
    models = [each.model_of(part["second"]) for each in made[::2]]  # of each seating the first player
    believed = np.mean([[model.conservative, model.loose] for model in models], axis=0)
    return {"won": float(won_by_hand(results, UNITS).sum()), "believed": believed.tolist()}


def run(config: Config) -> Table:
    """Play every player against every opponent with the same cards."""
    done, hands = cross(config, play, PLAYERS, OPPONENTS), config.settings["hands"]
    won = {cell: by_match([each["won"] for each in of], hands=2 * hands, units=UNITS) for cell, of in done.items()}
    plain, *others = PLAYERS
    sections: Sections = {f"{plain}, small bets/hand": {o: won[plain, o].mean for o in OPPONENTS}}
    for player in others:
        gains = {o: (won[player, o] - won[plain, o]).mean for o in OPPONENTS}
        sections[f"gain of {player}, small bets/hand"] = gains
    for i, what in enumerate(("conservative", "loose")):
        believed = {o: np.array([100 * each["believed"][i] for each in done[player, o]]) for o in OPPONENTS}
        sections[f"taken for {what} at the end of a match, %"] = {
            o: estimate(each, method="matches") for o, each in believed.items()
        }
    up, down, _ = signs(gains)
    note = f"At 95%, {player} gains against {listed(up)} and loses against {listed(down)}."
    return Table.of(sections, (note, "n counts matches, each in both seatings."))
