"""Features of Q-learners: the published ones, richer ones, and bets that betting densities expect of opponents.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7: a higher fidelity of states, and using the
opponent model in the learner, are what it leaves to the future.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice, product
from typing import Any

import numpy as np

from pokerlab.empirical.response_rounds import RICHER, Learning
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Table
from pokerlab.experiments.threeplayer.initial import GAME, UNITS
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.players.sources import file_digests
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.systems.threeplayer.expected_bets import expected_bets
from pokerlab.systems.threeplayer.q_learning import QConfig, build_turn_table, learn
from pokerlab.table.match import MatchPlan, play_match

AGAINST: dict[str, dict[str, float]] = {
    "two rule bots": {"rulebot": 1.0},
    "rule bots of three kinds": {"rulebot": 1.0, "rulebot:aggressive": 1.0, "rulebot:tight": 1.0},
}
EXPECTED = "richer, with expected bets"
LEARNERS: dict[str, Learning] = {
    "published": Learning(),
    "published features, own counts": Learning(own_count=True, power=RICHER.power),
    "richer": RICHER,
    EXPECTED: RICHER,
}
WON = "won over the last twentieth of learning, small bets a hand"
GAINED = "won more than the richer learner on the same cards, small bets a hand"


def watch(part: Mapping[str, Any]) -> list[list[int]]:
    """Buckets of the bets that are expected of opponents, from one match of them."""
    hands: list[HandHistory] = []
    names = list(part["against"])
    entrants = tuple(islice((name for _ in range(3) for name in names), 3))
    play_match(MatchPlan(GAME, entrants, part["hands"], part["seed"]), agent, on_hand=hands.append)
    return [list(row) for row in expected_bets(hands, names)]


def respond(part: Mapping[str, Any]) -> float:
    """Winnings of a learner at the end of its learning."""
    features = ValueFeatures(**part["features"])
    config = QConfig(
        GAME, part["against"], features=features, files=file_digests(tuple(part["against"])), **part["settings"]
    )
    curve = learn(config, agent).curve
    return float(curve[-max(len(curve) // 20, 1) :].mean())


def run(config: Config) -> Table:
    """Learn with every kind of features against both kinds of company, from the same cards."""
    settings = config.settings
    build_turn_table(settings["learn_hands"])
    seen = [{"against": each, "hands": settings["hands"], "seed": config.seed} for each in AGAINST.values()]
    tables = dict(zip(AGAINST, config.do(watch, seen), strict=True))
    groups = {}
    for (against, chances), (name, learning) in product(AGAINST.items(), LEARNERS.items()):
        features = learning.features
        if name == EXPECTED:
            features = replace(features, expected=tuple(map(tuple, tables[against])))
        own = {"own_count": learning.own_count, "power": learning.power, "hands": settings["learn_hands"]}
        groups[against, name] = [
            {"against": chances, "features": features.data(), "settings": {**own, "seed": config.seed + seed}}
            for seed in range(settings["learners"])
        ]
    ends = {key: np.array(each) for key, each in config.do_groups(respond, groups).items()}
    won: dict[str, Estimate] = {}
    gained: dict[str, Estimate] = {}
    for (against, name), values in ends.items():
        row = f"{name}, against {against}"
        won[row] = estimate(values, units=UNITS, method="learners")
        if name != "richer":
            gained[row] = estimate(values - ends[against, "richer"], units=UNITS, method="learners")
    notes = tuple(
        f"Buckets expected of {against}, by street and spending: {table}." for against, table in tables.items()
    )
    return Table.of({WON: won, GAINED: gained}, notes)
