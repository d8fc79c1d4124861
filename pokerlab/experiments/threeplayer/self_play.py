"""Self-play by regret matching: how much new responses win from it, by number of deals learned from; and its winnings
against other opponents.

Fictitious play of best responses goes through a series of brittle strategies. Regret matching (`regret_tables`)
averages many small changes instead; with three players nothing guarantees that it approaches an equilibrium. How close
it comes is measured by responses that try every action (`every_action`). They are learned on new cards, with the same
states and with finer ones; their gains are lower bounds on its epsilon. Its other opponents include the guests of its
training.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7 (a response to the result of the loop).
Abou Risk and Szafron (2010), "Using counterfactual regret minimization to create competitive multiplayer poker agents".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pokerlab.empirical.mixture_play import winnings_among
from pokerlab.empirical.response_rounds import FRESH, THOROUGH, learn_responses, learner_config
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Table, listed, signs
from pokerlab.experiments.threeplayer.initial import GAME, UNITS, won_a_hand
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.policies.compiled_players import SPENT_EARLIER, ValueFeatures
from pokerlab.runs.steps import Watch
from pokerlab.systems.threeplayer.q_learning import build_turn_table
from pokerlab.systems.threeplayer.regret_tables import CHECKPOINT, FEATURES, RegretConfig, learn_regrets
from pokerlab.table.match import MatchPlan

GAINS = "gain of a fresh response that tries every action, small bets a hand"
ALONE = "self-play alone among two of each, won, small bets a hand"
TWO = "each alone among two of self-play, won, small bets a hand"
FINER = ValueFeatures(24, 6, 4, street=True, pot=3, expected=SPENT_EARLIER, history=True, squared=True)
GOAL = 0.10  #: the epsilon that a good result stays below


class Response(NamedTuple):
    """A response to learn: its opponent, the number of hands, and the kind of states."""

    row: str
    against: str
    hands: int
    features: ValueFeatures


def run(config: Config) -> Table:
    """Learn tables from an increasing number of deals, learn responses to them, and play the last table against
    others."""
    with config.with_run() as at:
        tables = learn_tables(at)
        gains = learned_gains(at, responses(at.settings, tables))
        last = list(tables.values())[-1]
        alone, two = among_others(at, last, alone=True), among_others(at, last, alone=False)
    return Table.of({GAINS: gains, ALONE: alone, TWO: two}, (_verdict(gains), _answer(alone)))


def learn_tables(config: Config) -> dict[int, str]:
    """{number of deals: file of the player at that point}, all from a single run of self-play."""
    assert config.run is not None
    numbers, tables = config.settings["deals"], {}
    build_turn_table(max(numbers))
    for n in numbers:
        path = config.run.path / f"regrets-{n}.bin"
        if not path.is_file():
            watch = Watch(config.run.path / CHECKPOINT)
            learn_regrets(RegretConfig(GAME, n, seed=config.seed), agent, watch=watch).save(path)
        tables[n] = f"regrets:{path}"
    return tables


def responses(settings: Mapping[str, Any], tables: Mapping[int, str]) -> list[Response]:
    """The responses to learn: from few hands to each table and to two rule bots; from more hands, and with finer
    states, to the last table."""
    few, longer, last = settings["response_hands"], settings["longer_hands"], max(tables)
    return [
        Response(f"{few:,} hands, against rulebot", "rulebot", few, FEATURES),
        *(Response(f"{few:,} hands, against {n:,} deals", table, few, FEATURES) for n, table in tables.items()),
        Response(f"{longer:,} hands, against {last:,} deals", tables[last], longer, FEATURES),
        Response(f"{longer:,} hands in finer states, against {last:,} deals", tables[last], longer, FINER),
    ]


def learned_gains(config: Config, wanted: list[Response]) -> dict[str, Estimate]:
    """Learn each response, and measure its winnings in new hands."""
    assert config.run is not None
    requested = []
    for number, (_, against, hands, features) in enumerate(wanted):
        learning = replace(THOROUGH, hands=hands, features=features)
        learner = learner_config(GAME, {against: 1.0}, learning, 0)
        where = config.run.path / "learned" / f"{number}"
        requested.append((replace(learner, seed=config.seed + FRESH), where))
    learn_responses(requested, run=config.run, runner=config.runner, report=config.report)
    hands, seed = config.settings["gain_hands"], config.seed + FRESH
    return {
        each.row: winnings_among(game(GAME), f"q:{where}", {each.against: 1.0}, hands=hands, seed=seed, units=UNITS)
        for each, (_, where) in zip(wanted, requested, strict=True)
    }


def among_others(config: Config, player: str, *, alone: bool) -> dict[str, Estimate]:
    """With `alone`, winnings of one copy of the player at a table with two copies of each other player. Otherwise, in a
    quarter of the matches, winnings of each other player at a table with two copies of the player."""
    hands = config.settings["match_hands"]
    groups = {
        other: config.numbered(n, alone=player, two=other)
        if alone
        else config.numbered(max(n // 4, 2), alone=other, two=player)
        for other, n in config.settings["others"].items()
    }
    won = config.do_groups(meet, groups, hands=hands)
    method = f"matches of {hands:,} hands"
    return {other: estimate(np.array(values), units=UNITS, method=method) for other, values in won.items()}


def meet(part: Mapping[str, Any], *, hands: int) -> float:
    """Play one match of `part["alone"]` against two of `part["two"]`. Return the former's winnings per hand."""
    return float(
        won_a_hand(MatchPlan(GAME, (part["alone"], part["two"], part["two"]), hands, part["seed"], part["number"]))[0]
    )


def _verdict(gains: Mapping[str, Estimate]) -> str:
    """Sentence on the largest gain against the last table."""
    last = list(gains.values())[-2:]
    largest = max(last, key=lambda each: each.mean)
    word = "below" if largest.high < GOAL else "above" if largest.low > GOAL else "not significantly apart from"
    return (
        f"Of the longest responses to the last table the better gains {largest.mean:.3f} ({largest.low:.3f} to "
        f"{largest.high:.3f}): at 95% {word} {GOAL:.2f} small bets a hand. It is a lower bound of epsilon."
    )


def _answer(alone: Mapping[str, Estimate]) -> str:
    """A sentence that lists the players that one copy of the self-play strategy beats, or loses to, at a table with two
    copies of the player."""
    wins, loses, unsure = signs(alone)
    return (
        f"Alone among two, self-play wins from {listed(wins)}, loses to {listed(loses)}; unsettled: {listed(unsure)}."
    )
