"""The dealer: the only code that has access to both a state and an agent.

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
from pokerlab.games.actions import CALL, FOLD, Action
from pokerlab.games.betting import NOBODY, OPENER_DUE, Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Observer
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card, State, check_deck
from pokerlab.games.views import View, view_at
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
    """Deal one hand from `deck` and play it to the end; `agents`, `rngs`, `names` and any `clocks` are by seat.

    Only the `Betting` is updated after each action, since its states recur from hand to hand. A `State` is made only at
    the end, or if cards are unknown or decide which seat opens.
    """
    check_deck(rules, deck)
    betting = Betting.start(rules)
    street, up, unknown = -1, ((),) * rules.n_seats, None in deck
    while (seat := betting.actor) != NOBODY:
        if betting.street != street:
            street = betting.street
            take_hole, take_up, take_board = rules.takers[street]
            board = take_board(deck)
            if rules.has_up_cards:
                up = tuple([take(deck) for take in take_up])
        if seat == OPENER_DUE:
            betting = State.at(rules, deck, betting).opened().betting
            continue
        if betting.n_raises >= MOST_RAISES and not rules.bounded:
            betting = betting.after(CALL)
            continue
        if unknown:
            State.at(rules, deck, betting).seen_by(seat)  # refuses to show unknown cards
        view = view_at(betting, board, take_hole[seat](deck), up, number, names)
        clock = clocks[seat] if clocks else None
        try:
            action = (
                agents[seat].act(view, rngs[seat]) if clock is None else _timed(clock, agents[seat], view, rngs[seat])
            )
        except BaseException as error:
            action = _excused(error, betting, number, names, clock)
        try:
            betting = betting.after(action)
        except (IllegalAction, TypeError) as error:
            raise _refusal(error, number, names[seat]) from error
    return HandHistory.of(State.at(rules, deck, betting), names, number)


def acted(
    state: State,
    agent: Agent,
    rng: np.random.Generator,
    names: tuple[str, ...],
    number: int,
    *,
    clock: Clock | None = None,
) -> State:
    """Return the state after the action of `agent` in the seat to act. If the agent exceeds the time limit of `clock`,
    it checks, or folds to a bet. In games without a limit on raises, every action after `MOST_RAISES` raises is a call.
    """
    seat = state.betting.actor
    if state.betting.n_raises >= MOST_RAISES and not state.rules.bounded:
        return state.after(CALL)
    view = state.view(seat, number, names)
    try:
        action = agent.act(view, rng) if clock is None else _timed(clock, agent, view, rng)
    except BaseException as error:
        action = _excused(error, state.betting, number, names, clock)
    try:
        return state.after(action)
    except (IllegalAction, TypeError) as error:
        raise _refusal(error, number, names[seat]) from error


def _timed(clock: Clock, agent: Agent, view: View, rng: np.random.Generator) -> Action:
    return clock.timed(lambda: agent.act(view, rng))


def _excused(
    error: BaseException, betting: Betting, number: int, names: tuple[str, ...], clock: Clock | None
) -> Action:
    """Action taken on behalf of a late player; any other error is raised with the player's name."""
    name = names[betting.actor]
    if isinstance(error, OutOfTime) and clock is not None:
        clock.count_late(name)
        return FOLD if betting.to_call else CALL
    if isinstance(error, PokerlabError) or not isinstance(error, (Exception, SystemExit)):
        raise error  # the message is already complete, or the error is not an agent's
    raise AgentError.of(f"hand {number}: {name}", error) from error


def _refusal(error: IllegalAction | TypeError, number: int, name: str) -> PokerlabError:
    """The error to raise for an illegal action, or for one whose size is not a number."""
    if isinstance(error, IllegalAction):
        return IllegalAction(f"hand {number}: {name} at {error}")
    return AgentError.of(f"hand {number}: {name}", error)


def observer(agent: Agent | None) -> Observer | None:
    """Return the agent if it observes finished hands, otherwise None. The check costs as much as a decision, so do it
    once per seating."""
    return agent if isinstance(agent, Observer) else None


def tell(
    hand: HandHistory,
    observers: Sequence[Observer | None],
    *,
    reveal: bool = False,
    clocks: Sequence[Clock | None] = (),
) -> None:
    """Show the finished hand to each seat's observer, censored to what the seat saw. `reveal` shows all cards; this
    research option is for protocols that relax the rules."""
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
