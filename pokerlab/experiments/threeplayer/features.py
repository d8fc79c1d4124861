"""Features of Q-learners: the published ones, richer ones, and bets that betting densities expect of opponents.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7: a higher fidelity of states, and using the
opponent model in the learner, are what it leaves to the future.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from pokerlab.empirical.response_rounds import RICHER, Learning
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.experiments.threeplayer.initial import CITES, GAME, UNITS
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
    """What a learner wins at the end of its learning."""
    features = ValueFeatures(**part["features"])
    config = QConfig(
        GAME, part["against"], features=features, files=file_digests(tuple(part["against"])), **part["settings"]
    )
    curve = learn(config, agent).curve
    return float(curve[-max(len(curve) // 20, 1) :].mean())


def run(config: Config, report: Report) -> Table:
    """Learn with every kind of features against both kinds of company, from the same cards."""
    settings = config.settings
    build_turn_table(settings["learn_hands"])
    seen = [{"against": each, "hands": settings["hands"], "seed": config.seed} for each in AGAINST.values()]
    tables = dict(zip(AGAINST, do_parts(watch, seen, config, report), strict=True))
    parts, asked = [], []
    for against, chances in AGAINST.items():
        for name, learning in LEARNERS.items():
            features = learning.features
            if name == EXPECTED:
                features = replace(features, expected=tuple(map(tuple, tables[against])))
            for seed in range(settings["learners"]):
                own = {"own_count": learning.own_count, "power": learning.power, "seed": config.seed + seed}
                own["hands"] = settings["learn_hands"]
                parts.append({"against": chances, "features": features.data(), "settings": own})
                asked.append((against, name))
    ends: dict[tuple[str, str], list[float]] = {}
    for key, end in zip(asked, do_parts(respond, parts, config, report), strict=True):
        ends.setdefault(key, []).append(end)
    won: dict[str, Estimate] = {}
    gained: dict[str, Estimate] = {}
    for (against, name), values in ends.items():
        row = f"{name}, against {against}"
        won[row] = estimate(np.array(values), units=UNITS, method="learners")
        if name != "richer":
            gap = np.array(values) - ends[against, "richer"]
            gained[row] = estimate(gap, units=UNITS, method="learners")
    notes = tuple(
        f"Buckets expected of {against}, by street and spending: {table}." for against, table in tables.items()
    )
    return Table.of({WON: won, GAINED: gained}, notes)


EXPERIMENT = Experiment(
    name="threeplayer-features",
    title="Features of Q-learners, expected bets of opponents among them",
    cites=f"{CITES}, section 7",
    about=(
        "The published learner (500 states, one count for all steps), the same with a count for each value, one that "
        "tells apart streets, players left and pots, and that with the bets that betting densities expect of the "
        "opponents left, by what they spent on earlier streets. Learners of the same number see the same cards. "
        "Nothing was published."
    ),
    published=Table(),
    run=run,
    quick={"learn_hands": 50_000, "learners": 2, "hands": 300},
    full={"learn_hands": 500_000, "learners": 5, "hands": 1000},
)
