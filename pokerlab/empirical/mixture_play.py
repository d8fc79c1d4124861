"""Play one player among players of a mixture: in every hand, every other seat draws its strategy anew.

>>> from pokerlab.games.catalog import game
>>> print(winnings_among(game("limit3p"), "raiser", {"folder": 1.0}, hands=3000, seed=7, units="small_bets_per_hand"))
+1.000 ± 0.001 small bets/hand (n = 3 blocks of 1,000 hands)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.agents.mixture import Mixture
from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, estimate
from pokerlab.games.protocols import Agent
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.players.seating import decision_seconds
from pokerlab.players.sources import seated_agent
from pokerlab.rng import stream, stream_key
from pokerlab.table.limit_batch import limit_table
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.players import MakeAgent

BLOCK = 1000  #: hands of one observation of an interval


def winnings_among(
    rules: Rules,
    name: str,
    against: Mapping[str, float],
    *,
    hands: int,
    seed: int,
    units: str,
    make: MakeAgent = seated_agent,
) -> Estimate:
    """Winnings per hand of the agent `name`, which plays in all positions. In every hand each of the other seats is
    filled at random with the probabilities in `against`; `make` makes agents from names."""
    blocks = max(hands // BLOCK, 2)
    won = _compiled(rules, name, against, blocks * BLOCK, seed, make)
    if won is None:
        won = np.concatenate([_dealt(rules, name, against, number, seed, make) for number in range(blocks)])
    means = won.reshape(blocks, BLOCK).mean(axis=1) * units_per_chip(rules, units)
    return estimate(means, units=units, method=f"blocks of {BLOCK:,} hands")


def _compiled(
    rules: Rules, name: str, against: Mapping[str, float], hands: int, seed: int, make: MakeAgent
) -> Floats | None:
    """Play the hands in compiled code. Return the chips won in each; None if some player cannot be compiled."""
    table = limit_table(rules, [make(each) for each in (name, *against)])
    if table is None:
        return None
    chances, own = np.array(list(against.values())), np.arange(hands) % rules.n_seats
    drawn = stream(seed, "among", "opponents").choice(
        len(against), size=(hands, rules.n_seats), p=chances / chances.sum()
    )
    lineups = drawn + 1
    lineups[np.arange(hands), own] = 0
    draws = np.stack([stream_key(seed, "among", "agents", seat) for seat in range(rules.n_seats)])
    places = np.broadcast_to(np.arange(rules.n_seats), lineups.shape).copy()
    batches = table.batches(hands, lineups, stream_key(seed, "among", "cards"), draws, places)
    return np.concatenate([chips[np.arange(len(chips)), own[first : first + len(chips)]] for first, chips in batches])


def _dealt(rules: Rules, name: str, against: Mapping[str, float], number: int, seed: int, make: MakeAgent) -> Floats:
    """Play one match at the ordinary table. Return the chips won in each hand."""

    def seated(entrant: str) -> Agent:
        if entrant == name:
            return make(name)
        return Mixture([make(each) for each in against], list(against.values()))

    others = tuple(f"mixture {seat}" for seat in range(1, rules.n_seats))
    seconds = decision_seconds((name, *against), None)
    return play_match(MatchPlan(rules, (name, *others), BLOCK, seed, number, seconds=seconds), seated).chips[:, 0]
