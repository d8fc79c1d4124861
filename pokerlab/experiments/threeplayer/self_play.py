"""Self-play by regret matching: what fresh responses gain from it, by number of deals on either side.

Fictitious play of best responses goes through a series of brittle strategies. Regret matching (`regret_tables`)
averages many small changes instead; with three players nothing guarantees that it approaches an equilibrium. How close
it came is measured by responses that try every action (`every_action`), learned on new cards, with the same states and
with finer ones, from up to ten times as many hands, and again with other seeds: their gains are lower bounds on its
epsilon. `threeplayer.cross` has what it wins from other players.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7 (a response to the result of the loop).
Abou Risk and Szafron (2010), "Using counterfactual regret minimization to create competitive multiplayer poker agents".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pokerlab.empirical.mixture_play import winnings_among
from pokerlab.empirical.response_rounds import FRESH, THOROUGH, learn_responses, learner_config
from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Table
from pokerlab.experiments.threeplayer.initial import GAME, UNITS
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.policies.compiled_players import SPENT_EARLIER, ValueFeatures
from pokerlab.runs.steps import Watch
from pokerlab.systems.threeplayer.q_learning import build_turn_table
from pokerlab.systems.threeplayer.regret_tables import CHECKPOINT, FEATURES, RegretConfig, learn_regrets

GAINS = "gain of a fresh response that tries every action, small bets a hand"
FINER = ValueFeatures(24, 6, 4, street=True, pot=3, expected=SPENT_EARLIER, history=True, squared=True)
GOAL = 0.10  #: the epsilon that a good result stays below


class Response(NamedTuple):
    """A response to learn: its opponent, the number of hands, and the kind of states."""

    row: str
    against: str
    hands: int
    features: ValueFeatures
    seed: int = 0  # added to the experiment's


def run(config: Config) -> Table:
    """Learn tables from an increasing number of deals, and responses to them."""
    with config.with_run() as at:
        tables = learn_tables(at)
        wanted = responses(at.settings, tables)
        gains = learned_gains(at, wanted)
    return Table.of({GAINS: gains}, (_verdict([gains[each.row] for each in wanted if each.hands > wanted[0].hands]),))


def learn_tables(config: Config) -> dict[int, str]:
    """{number of deals: file of the player at that point}, all from a single run of self-play."""
    assert config.run is not None
    numbers, share, tables = config.settings["deals"], config.settings["guest_share"], {}
    build_turn_table(max(numbers))
    for n in numbers:
        path = config.run.path / f"regrets-{n}.bin"
        if not path.is_file():
            watch = Watch(config.run.path / CHECKPOINT)
            learn_regrets(RegretConfig(GAME, n, guest_share=share, seed=config.seed), agent, watch=watch).save(path)
        tables[n] = f"regrets:{path}"
    return tables


def responses(settings: Mapping[str, Any], tables: Mapping[int, str]) -> list[Response]:
    """Responses to learn: to each table and to two rule bots from few hands; to the last table from more hands, with
    finer states and with other seeds."""
    few, last = settings["response_hands"], max(tables)
    longer, against = settings["longer_hands"], f"against {last:,} deals"
    return [
        Response(f"{few:,} hands, against rulebot", "rulebot", few, FEATURES),
        *(Response(f"{few:,} hands, against {n:,} deals", table, few, FEATURES) for n, table in tables.items()),
        *(Response(f"{n:,} hands, {against}", tables[last], n, FEATURES) for n in longer),
        Response(f"{longer[0]:,} hands in finer states, {against}", tables[last], longer[0], FINER),
        *(
            Response(f"{longer[0]:,} hands, seed {seed}, {against}", tables[last], longer[0], FEATURES, seed)
            for seed in range(1, settings["seeds"])
        ),
    ]


def learned_gains(config: Config, wanted: list[Response]) -> dict[str, Estimate]:
    """Learn each response, and measure its winnings in new hands."""
    assert config.run is not None
    requested = []
    for number, each in enumerate(wanted):
        learning = replace(THOROUGH, hands=each.hands, features=each.features)
        learner = learner_config(GAME, {each.against: 1.0}, learning, 0)
        where = config.run.path / "learned" / f"{number}"
        requested.append((replace(learner, seed=config.seed + FRESH + each.seed), where))
    longest_first = sorted(requested, key=lambda each: -each[0].hands)
    learn_responses(longest_first, run=config.run, runner=config.runner, report=config.report)
    hands, seed = config.settings["gain_hands"], config.seed + FRESH
    return {
        each.row: winnings_among(game(GAME), f"q:{where}", {each.against: 1.0}, hands=hands, seed=seed, units=UNITS)
        for each, (_, where) in zip(wanted, requested, strict=True)
    }


def _verdict(gains: Sequence[Estimate]) -> str:
    """Sentence on the largest of the gains of longer responses to the last table."""
    largest = max(gains, key=lambda each: each.mean)
    word = "below" if largest.high < GOAL else "above" if largest.low > GOAL else "not significantly apart from"
    return (
        f"Of the {len(gains)} longer responses to the last table the best gains {largest.mean:.3f} ({largest.low:.3f} "
        f"to {largest.high:.3f}): at 95% {word} {GOAL:.2f} small bets a hand. It is a lower bound of epsilon."
    )
