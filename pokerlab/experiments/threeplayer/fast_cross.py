"""Cross-table of the players that compiled code plays, and of learned responses to them, to a given precision.

A pilot of 100,000 hands tells how much the winnings of a pair vary; from that follows the number of hands for an
interval of the requested width, which are then played with other cards. Raisers need the most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from math import ceil
from typing import Any

from pokerlab.empirical.mixture_play import BLOCK, winnings_among
from pokerlab.empirical.response_rounds import THOROUGH, learn_responses, learner_config
from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Table
from pokerlab.experiments.threeplayer.cross import WON, notes
from pokerlab.experiments.threeplayer.initial import GAME, UNITS
from pokerlab.games.catalog import game
from pokerlab.systems.threeplayer.regret_tables import FEATURES
from pokerlab.table.matches import file_name

PILOT = 1_000_000  #: added to the seed of the pilot's cards
MARGIN = 1.15  #: more hands than the pilot asks for, since its variance is an estimate


def run(config: Config) -> Table:
    """Learn the responses, and play every player alone among two of every other."""
    with config.with_run() as at:
        agents = {name: name for name in at.settings["players"]} | _responses(at)
        pairs = list(permutations(agents, 2))
        parts = [{"alone": agents[alone], "two": agents[two], "seed": at.seed} for alone, two in pairs]
        sizes = {name: at.settings[name] for name in ("pilot_hands", "half_width")}
        cells = at.do(cell, parts, **sizes)
    rows: dict[str, dict[str, Estimate]] = {alone: {} for alone in agents}
    for (alone, two), data in zip(pairs, cells, strict=True):
        rows[alone][two] = Estimate(**data, units=UNITS, method=f"blocks of {BLOCK:,} hands")
    return Table.of({WON.format(alone=alone): each for alone, each in rows.items()}, notes(rows))


def _responses(config: Config) -> dict[str, str]:
    """{name: agent} of a response to two of each of the players in `respond_to`."""
    assert config.run is not None
    learning = replace(THOROUGH, hands=config.settings["response_hands"], features=FEATURES)
    folder, requested = config.run.path / "learned", []
    for name in config.settings["respond_to"]:
        learner = replace(learner_config(GAME, {name: 1.0}, learning, 0), seed=config.seed)
        requested.append((learner, folder / file_name(name)))
    learn_responses(requested, run=config.run, runner=config.runner, report=config.report)
    names = [f"response to {name}" for name in config.settings["respond_to"]]
    return {name: f"q:{where}" for name, (_, where) in zip(names, requested, strict=True)}


def cell(part: Mapping[str, Any], *, pilot_hands: int, half_width: float) -> dict[str, Any]:
    """Winnings of `part["alone"]` among two of `part["two"]`, as the fields of an estimate."""
    rules, against = game(GAME), {part["two"]: 1.0}

    def play(hands: int, seed: int) -> Estimate:
        return winnings_among(rules, part["alone"], against, hands=hands, seed=seed, units=UNITS)

    pilot = play(pilot_hands, part["seed"] + PILOT)
    share = (pilot.high - pilot.low) / 2 / half_width
    won = play(max(ceil(MARGIN * share**2 * pilot_hands / BLOCK) * BLOCK, pilot_hands), part["seed"])
    return {"mean": won.mean, "low": won.low, "high": won.high, "n": won.n, "kind": won.kind}
