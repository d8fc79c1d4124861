"""The value of re-solving rivers, measured by exact best responses on rivers that the blueprint reaches in play.

On each river both players have the ranges that the blueprint gives them. For either seat, the best response with real
cards is computed, both against the blueprint's strategy on this river and against the resolver's. The mean over both
seats is the exploitability on this river, in thousandths of a big blind per river.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from pokerlab.agents.equilibrium import make_equilibrium
from pokerlab.agents.resolver import Resolver
from pokerlab.arrays import Floats
from pokerlab.estimates import estimate
from pokerlab.experiments.experiment import Config, Table
from pokerlab.experiments.records import notes_of
from pokerlab.games.hands import hands_of
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.rng import stream
from pokerlab.valuing.quiz_spots import NAMES, Source
from pokerlab.valuing.resolved import acting_order
from pokerlab.valuing.river_response import River, range_before

RIVER = 3
MILLI = 1000.0


@lru_cache(maxsize=1)
def blueprint_of(name: str) -> StrategyPolicy:
    """The equilibrium player, loaded once for all parts."""
    return make_equilibrium(name)


def measure(part: Mapping[str, Any]) -> dict[str, Any]:
    """Measure one river. Return the exploitability of the blueprint and of each resolver (with different settings of
    `expected`), and what each resolver concedes beyond the blueprint."""
    blueprint = blueprint_of(part["blueprint"])
    source, rng = Source(blueprint.strategy(0)), stream(part["seed"], "resolving", index=part["river"])
    hands, decisions = 1, source.play_to(RIVER, rng)
    while not decisions:
        hands, decisions = hands + 1, source.play_to(RIVER, rng)
    start = decisions[0].public(0, NAMES)
    players = [Resolver(blueprint, iterations=part["iterations"], expected=share) for share in part["expected"]]
    units = MILLI / float(start.rules.big_blind)
    return {
        "hands": hands,
        "blueprint": units * exploitability(start, blueprint, blueprint),
        "resolvers": [units * exploitability(start, blueprint, player) for player in players],
        "beyond": [units * conceded(start, blueprint, player) for player in players],
    }


def exploitability(start: PublicView, blueprint: Policy, policy: Policy) -> float:
    """Exploitability of `policy` in chips per river, as the mean over both seats; ranges are the blueprint's."""
    ranges = [range_before(blueprint, start, seat) for seat in acting_order(start)]
    assert ranges[0] is not None and ranges[1] is not None, "it came here itself"
    river = River(start, (ranges[0], ranges[1]))
    return sum(river.best_value(1 - player, river.played_by(policy, player)) for player in (0, 1)) / 2


def conceded(start: PublicView, blueprint: Policy, policy: Policy) -> float:
    """What `policy` concedes, in chips per river, to an opponent that may hold any hand: how much more a hand wins from
    it than from the blueprint. Hands that win less count as 0. It is the mean over hands and both seats; 0 is perfectly
    safe."""
    every, total = hands_of(start.rules).live(start.board).astype(np.float64), 0.0
    for player, seat in enumerate(acting_order(start)):
        own: Floats | None = range_before(blueprint, start, seat)
        assert own is not None, "it came here itself"
        river = River(start, (own, every) if player == 0 else (every, own))
        now, before = (river.best_values(1 - player, river.played_by(each, player)) for each in (policy, blueprint))
        total += float(np.maximum(now - before, 0.0) @ river.passes.cells.per_hand(1 - player))
    return total / 2


def run(config: Config) -> Table:
    """Measure rivers drawn by seed, the same for the blueprint and every resolver; differences are paired."""
    settings = dict(config.settings)
    parts = [{**settings, "river": river, "seed": config.seed} for river in range(settings.pop("rivers"))]
    rivers = config.do(measure, parts)
    blueprint = np.array([river["blueprint"] for river in rivers])
    resolvers, beyond = (np.array([river[name] for river in rivers]) for name in ("resolvers", "beyond"))
    shares = [f"expected={share:g}" for share in settings["expected"]]
    unit = "mbb a river"
    sections = {
        f"exploitability, {unit}": {
            settings["blueprint"]: estimate(blueprint),
            **{name: estimate(column) for name, column in zip(shares, resolvers.T, strict=True)},
        },
        f"less than the blueprint by, {unit}": {
            name: estimate(blueprint - column) for name, column in zip(shares, resolvers.T, strict=True)
        },
        f"conceded beyond the blueprint, mean over all hands, {unit}": {
            name: estimate(column) for name, column in zip(shares, beyond.T, strict=True)
        },
    }
    dealt = sum(river["hands"] for river in rivers)
    return Table.of(sections, notes_of("resolver-rivers", rivers=len(rivers), hands=dealt))
