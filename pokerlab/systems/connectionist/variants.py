"""The agents `connectionist:VARIANT`, which use shipped weights, and the choice of a variant for each game.

>>> from pokerlab.games.catalog import game
>>> [variant_for(game(name)) for name in ("limit2p", "limit3p", "limit6p", "limit9p", "nolimit2p")]
['2p', '3p', '6p', 'any', 'nolimit2p']
>>> variant_for(game("nolimit3p"))
Traceback (most recent call last):
pokerlab.errors.RulesError: no connectionist player is made for nolimit3p; there are players for limit2p to limit10p ...
"""

from __future__ import annotations

from pokerlab.errors import RulesError
from pokerlab.games.protocols import Agent
from pokerlab.games.rules import Rules
from pokerlab.systems.connectionist.player import MOST_SEATS, make_weights, shipped_weights
from pokerlab.systems.connectionist.rollout_player import make_rollout_player

ANY = "any"
"""The weights trained at tables of two to ten players."""

MADE_FOR = {("limit", 2): "2p", ("limit", 3): "3p", ("limit", 6): "6p", ("no-limit", 2): "nolimit2p"}
"""(limits, number of players) -> the variant trained only for that game."""


def make_connectionist(variant: str) -> Agent:
    """Make the agent of a variant from its shipped weights. The variant `rollouts` uses those of
    `connectionist:any`."""
    if variant == "rollouts":
        return make_rollout_player()
    return make_weights(str(shipped_weights(f"connectionist:{variant or ANY}")))


def variant_for(rules: Rules) -> str:
    """Choose the variant for a game: one trained for its betting and number of players, otherwise one for any
    number."""
    if rules.is_holdem and (rules.limits, rules.n_seats) in MADE_FOR:
        return MADE_FOR[rules.limits, rules.n_seats]
    if rules.is_holdem and rules.limits == "limit" and rules.n_seats <= MOST_SEATS:
        return ANY
    games = f"limit2p to limit{MOST_SEATS}p and nolimit2p"
    raise RulesError(f"no connectionist player is made for {rules.name}; there are players for {games}")
