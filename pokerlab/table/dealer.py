"""The dealer: the only code that holds a state and an agent together.

>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> from pokerlab.cards.card import cards
>>> class Caller:
...     def act(self, view, rng):
...         return CALL
>>> hand = play_hand(game("leduc"), (Caller(), Caller()), cards("KhQsKs"), (None, None), names=("a", "b"))
>>> hand.payoffs
(1, -1)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.errors import IllegalAction
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Observer
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card, State


def play_hand(
    rules: Rules,
    agents: Sequence[Agent],
    deck: tuple[Card, ...],
    rngs: Sequence[np.random.Generator],
    *,
    names: tuple[str, ...],
    number: int = 0,
) -> HandHistory:
    """Deal one hand from `deck` and play it to the end; `agents`, `rngs` and `names` are by seat."""
    state = State.start(rules, deck)
    while not state.over:
        seat = state.betting.actor
        action = agents[seat].act(state.view(seat, number, names), rngs[seat])
        try:
            state = state.after(action)
        except IllegalAction as error:
            raise IllegalAction(f"hand {number}: {names[seat]} at {error}") from error
        except (AttributeError, TypeError) as error:
            raise IllegalAction(
                f"hand {number}: {names[seat]} at seat {seat} returned {action!r}, not an Action"
            ) from error
    return HandHistory.of(state, names, number)


def tell(hand: HandHistory, agents: Sequence[Agent], *, reveal: bool = False) -> None:
    """Show the finished hand to every agent that observes, censored to what its seat saw.

    `reveal` shows all cards: a research option for protocols that relax the rules.
    """
    for seat, agent in enumerate(agents):
        if isinstance(agent, Observer):
            agent.observe(hand if reveal else hand.seen_by(seat))
