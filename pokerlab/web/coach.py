"""What a coach says to a person whose turn it is: from what the seat sees, and nothing else.

Equity and EHS are against random hands of everyone left, pot odds what a call costs. Where Poki plays the game, it says
which hands it believes each opponent to hold, after it has watched the table from the same seat; where the lab has a
strategy near the equilibrium of the very game, what that does here.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("limit2p"), cards("AsAh KcQd 9h8s4c 5s 3d")).after(RaiseTo(20))
>>> said = advice(state.view(0, 0, ("You", "bob")))
>>> round(said["equity"], 3), round(said["pot_odds"], 3), said["opponents"]
(0.852, 0.25, 1)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pokerlab.agents.explanation import Explainer
from pokerlab.agents.recipes import is_trained
from pokerlab.agents.registry import EQUILIBRIA, agent
from pokerlab.cards.odds import odds_of_hand
from pokerlab.cards.strength import pot_odds
from pokerlab.games.history import HandHistory
from pokerlab.games.narration import action_words
from pokerlab.games.protocols import Observer, Policy, plays
from pokerlab.games.views import View
from pokerlab.web.walk import Belief

MOST_WATCHED = 200
"""Hands that the coach's Poki looks back on: enough to know a player, and read in a second or so."""


def advice(view: View, watched: Iterable[HandHistory] = ()) -> dict[str, Any]:
    """What there is to say at a decision; `watched` are earlier hands as the same player saw them."""
    betting, rules = view.betting, view.rules
    others = sum(betting.in_hand(seat) for seat in range(rules.n_seats)) - 1
    said: dict[str, Any] = {
        "opponents": others,
        "pot_odds": pot_odds(float(view.to_call), float(view.pot)) if view.to_call else None,
        "equity": None,
        "ehs": None,
        "beliefs": [],
        "equilibrium": _equilibrium(view),
    }
    if not rules.is_holdem:
        return said
    odds = odds_of_hand(view.hole, view.board, n_opponents=others)
    said |= {"equity": odds.equity, "interval": list(odds.interval), "n": odds.n, "ehs": odds.ehs}
    poki = agent("poki")
    if isinstance(poki, Explainer) and plays(poki, rules):
        for hand in watched:
            if isinstance(poki, Observer) and plays(poki, hand.rules):
                poki.observe(hand)
        seen = (*view.hole, *view.board)
        for seat, weights in poki.beliefs(view).items():
            belief = Belief(weights, seen)
            grid = [None if np.isnan(value) else round(float(value), 3) for value in belief.grid().ravel()]
            said["beliefs"].append({"name": view.names[seat], "likely": belief.likely(), "grid": grid})
    return said


def _equilibrium(view: View) -> dict[str, Any] | None:
    """What the first trained strategy for this very game does here."""
    for name in EQUILIBRIA:
        if not is_trained(name):
            continue
        player = agent(f"equilibrium:{name}")
        if plays(player, view.rules) and isinstance(player, Policy):
            actions, p = player.probabilities(view)
            words = [action_words(view.betting, action) for action in actions]
            return {"name": f"equilibrium:{name}", "actions": list(zip(words, p.round(4).tolist(), strict=True))}
    return None
