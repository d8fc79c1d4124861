"""Learned responses to players that compiled code cannot play, by copies of them.

The actions of each player are counted in matches, a copy is made of the counts, and a response to it tries every action
in millions of hands. As the response brings the player into situations that the first matches did not have, its matches
among two of the player are counted too, and a response to the better copy is learned. What that one wins alone among
two of the player itself, in further matches, is a lower bound on what can be won from it; what it wins among two copies
shows how far the copy differs.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7 (copies of agents as a learner's opponents).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.empirical.mixture_play import winnings_among
from pokerlab.empirical.response_rounds import FRESH, THOROUGH, learn_responses, learner_config
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Table
from pokerlab.experiments.threeplayer.cross import meet
from pokerlab.experiments.threeplayer.initial import GAME, UNITS, won_a_hand
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.systems.threeplayer.counted_copy import CountedActions
from pokerlab.systems.threeplayer.regret_tables import FEATURES
from pokerlab.table.match import MatchPlan
from pokerlab.table.matches import file_name

WON = "response to a copy, alone among two of the player, won, small bets a hand"
FROM_COPY = "the same response among two copies, won, small bets a hand"
COMPANY = ("rulebot", "formula")  #: alone among two of the player in the first matches that are counted


def run(config: Config) -> Table:
    """Copy each player twice, learn responses to the copies, and play the second responses against the players."""
    won: dict[str, Estimate] = {}
    copies: dict[str, Estimate] = {}
    with config.with_run() as at:
        for name, n in at.settings["players"].items():
            counts = CountedActions(game(GAME).n_seats)
            company: tuple[str, ...] = COMPANY
            for turn in (1, 2):
                for alone in company:
                    _count(at, counts, name, alone, turn)
                copy, response = _response(at, counts, f"{file_name(name)}-{turn}")
                company = (f"q:{response}",)
            hands = at.settings["match_hands"]
            parts = at.numbered(n, alone=f"q:{response}", two=name)
            won[name] = estimate(
                np.array(at.do(meet, parts, hands=hands)), units=UNITS, method=f"matches of {hands:,} hands"
            )
            among = {"hands": at.settings["gain_hands"], "seed": at.seed, "units": UNITS}
            copies[name] = winnings_among(game(GAME), f"q:{response}", {f"regrets:{copy}": 1.0}, **among)
    return Table.of({WON: won, FROM_COPY: copies})


def _count(config: Config, counts: CountedActions, name: str, alone: str, turn: int) -> None:
    """Add the actions of two players called `name` in matches with `alone`."""
    parts = config.numbered(config.settings["watched"], alone=alone, two=name, turn=turn)
    for rows in config.do(watched, parts, hands=config.settings["match_hands"]):
        for state, *numbers in rows:
            counts.actions[state] += numbers


def watched(part: Mapping[str, Any], *, hands: int) -> list[list[int]]:
    """Play one match of `part["alone"]` among two of `part["two"]`. Return rows of a state and the numbers of folds,
    calls and raises of the latter in it."""
    counts = CountedActions(game(GAME).n_seats)
    number = part["number"] + part["turn"] * FRESH
    plan = MatchPlan(GAME, (part["alone"], part["two"], part["two"]), hands, part["seed"], number)
    won_a_hand(plan, counts.watch(agent, part["two"]))
    met = np.flatnonzero(counts.actions.any(axis=1))
    return [[int(state), *map(int, counts.actions[state])] for state in met]


def _response(config: Config, counts: CountedActions, name: str) -> tuple[Path, Path]:
    """Save a copy, and learn a response to it. Return the paths of both."""
    assert config.run is not None
    folder = config.run.path / "learned"
    copy, response = folder / f"{name}.bin", folder / name
    folder.mkdir(exist_ok=True)
    counts.copy().save(copy)
    learning = replace(THOROUGH, hands=config.settings["response_hands"], features=FEATURES)
    learner = replace(learner_config(GAME, {f"regrets:{copy}": 1.0}, learning, 0), seed=config.seed + FRESH)
    learn_responses([(learner, response)], run=config.run, runner=config.runner, report=config.report)
    return copy, response
