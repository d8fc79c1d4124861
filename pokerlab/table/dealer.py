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
from functools import partial

import numpy as np

from pokerlab.errors import AgentError, IllegalAction, PokerlabError
from pokerlab.games.actions import CALL, FOLD
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Observer
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card, State
from pokerlab.table.clock import Clock, OutOfTime

MOST_RAISES = 64
"""Raises on one street of an unbounded game (`Rules.bounded`) after which the dealer calls for all players."""


def play_hand(
    rules: Rules,
    agents: Sequence[Agent],
    deck: tuple[Card, ...],
    rngs: Sequence[np.random.Generator],
    *,
    names: tuple[str, ...],
    number: int = 0,
    clocks: Sequence[Clock | None] = (),
) -> HandHistory:
    """Deal one hand from `deck` and play it to the end; `agents`, `rngs`, `names` and any `clocks` are by seat."""
    state = State.start(rules, deck)
    while not state.over:
        seat = state.betting.actor
        clock = clocks[seat] if clocks else None
        state = acted(state, agents[seat], rngs[seat], names, number, clock=clock)
    return HandHistory.of(state, names, number)


def acted(
    state: State,
    agent: Agent,
    rng: np.random.Generator,
    names: tuple[str, ...],
    number: int,
    *,
    clock: Clock | None = None,
) -> State:
    """The state after `agent`, in the seat to act, has acted. A player late by the `clock` checks, or folds to a bet.
    Where two players could raise each other for ever, the dealer calls for them after `MOST_RAISES`."""
    seat = state.betting.actor
    if state.betting.n_raises >= MOST_RAISES and not state.rules.bounded:
        return state.after(CALL)
    view = state.view(seat, number, names)
    try:
        action = agent.act(view, rng) if clock is None else clock.timed(lambda: agent.act(view, rng))
    except OutOfTime:
        assert clock is not None
        clock.count_late(names[seat])
        action = FOLD if state.betting.to_call else CALL
    except PokerlabError:
        raise  # its message is already complete
    except (Exception, SystemExit) as error:
        raise AgentError.of(f"hand {number}: {names[seat]}", error) from error
    try:
        return state.after(action)
    except IllegalAction as error:
        raise IllegalAction(f"hand {number}: {names[seat]} at {error}") from error


def observer(agent: Agent | None) -> Observer | None:
    """The agent, if it observes finished hands. The check costs as much as a decision: do it once per seating."""
    return agent if isinstance(agent, Observer) else None


def tell(
    hand: HandHistory,
    observers: Sequence[Observer | None],
    *,
    reveal: bool = False,
    clocks: Sequence[Clock | None] = (),
) -> None:
    """Show the finished hand to observers, by seat, each censored to what its seat saw. `reveal` shows all cards: a
    research option for protocols that relax the rules."""
    for seat, watching in enumerate(observers):
        if watching is not None:
            seen = hand if reveal else hand.seen_by(seat)
            clock = clocks[seat] if clocks else None
            try:
                if clock is None:
                    watching.observe(seen)
                else:
                    clock.timed(partial(watching.observe, seen))
            except OutOfTime:
                assert clock is not None
                clock.count_late(hand.names[seat])
            except PokerlabError:
                raise
            except (Exception, SystemExit) as error:
                raise AgentError.of(f"hand {hand.number}: {hand.names[seat]}", error) from error
