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

from pokerlab.errors import AgentError, IllegalAction, PokerlabError
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
        state = acted(state, agents[seat], rngs[seat], names, number)
    return HandHistory.of(state, names, number)


def acted(state: State, agent: Agent, rng: np.random.Generator, names: tuple[str, ...], number: int) -> State:
    """The hand after `agent`, in the seat that is to act, has acted."""
    seat = state.betting.actor
    try:
        action = agent.act(state.view(seat, number, names), rng)
    except PokerlabError:
        raise  # it says itself what is wrong
    except Exception as error:
        raise _failed(error, names[seat], number) from error
    try:
        return state.after(action)
    except IllegalAction as error:
        raise IllegalAction(f"hand {number}: {names[seat]} at {error}") from error


def observer(agent: Agent | None) -> Observer | None:
    """The agent, if it is to be told of finished hands. Asking costs as much as a decision: ask when it is seated."""
    return agent if isinstance(agent, Observer) else None


def tell(hand: HandHistory, observers: Sequence[Observer | None], *, reveal: bool = False) -> None:
    """Show the finished hand to those who observe, by seat, each censored to what its seat saw.

    `reveal` shows all cards: a research option for protocols that relax the rules.
    """
    for seat, watching in enumerate(observers):
        if watching is not None:
            seen = hand if reveal else hand.seen_by(seat)
            try:
                watching.observe(seen)
            except PokerlabError:
                raise
            except Exception as error:
                raise _failed(error, hand.names[seat], hand.number) from error


def _failed(error: Exception, name: str, number: int) -> AgentError:
    """The line for a player whose code raised `error`."""
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    line = "" if where is None else f" at {where.tb_frame.f_code.co_filename}:{where.tb_lineno}"
    return AgentError(f"hand {number}: {name} failed with {type(error).__name__}: {error}{line}")
