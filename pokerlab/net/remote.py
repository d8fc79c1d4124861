"""An ACPC program as an agent, `acpc://HOST:PORT`: pokerlab listens there, and the program joins as it would a dealer.

So any program that speaks the protocol can take part in any match or tournament. It receives every state of every hand,
as the protocol requires, but states of other players' decisions arrive only at its own turn or at the end of the hand.
"""

from __future__ import annotations

import logging
import socket
import weakref
from collections.abc import Sequence
from contextlib import ExitStack
from time import monotonic

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card, State
from pokerlab.games.views import View
from pokerlab.net.connection import address_of
from pokerlab.net.players import RemotePlayer, TimeLimits
from pokerlab.net.server import BACKLOG, admitted
from pokerlab.notation.acpc.match_state import check_rules, match_state_text
from pokerlab.notation.room import deck_of

JOIN_SECONDS = 600.0
NO_END = 10**9
"""A number of hands that means no limit on their total time."""


class RemoteAgent:
    """An agent played by the program that connects to `host` and `port`, at the latest when it first has to act."""

    def __init__(self, host: str, port: int, *, limits: TimeLimits | None = None, join_seconds: float = JOIN_SECONDS):
        try:
            self._listener = socket.create_server((host, port), backlog=BACKLOG)
        except OSError as error:
            raise PokerlabError(f"cannot listen on {host} port {port}: {error}") from error
        self.port: int = self._listener.getsockname()[1]
        self._who, self._limits, self._join_seconds = f"acpc://{host}:{self.port}", limits or TimeLimits(), join_seconds
        self._player: RemotePlayer | None = None
        self._place: int | None = None  # our place at the table, which does not change when the button moves
        self._hand, self._n_told = -1, 0
        self._sockets = ExitStack()
        self._sockets.enter_context(self._listener)
        self.close = weakref.finalize(self, self._sockets.close)  # the program reads the end of the match

    def supports(self, rules: Rules) -> bool:
        """Whether the protocol can describe this game."""
        try:
            check_rules(rules)
        except PokerlabError:
            return False
        return True

    def prepare(self) -> None:
        self._joined()

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Send the new states to the program, and wait for its action."""
        rules, seat = view.rules, view.seat
        self._place = (seat + view.hand) % rules.n_seats
        player, deck = self._joined(), deck_of(rules, {seat: view.hole}, view.board)
        state = self._tell(rules, deck, [step.action for step in view.actions], seat=seat, hand=view.hand)
        return player.act(match_state_text(state, seat, view.hand), state, hand=view.hand, names=view.names)

    def observe(self, hand: HandHistory) -> None:
        """Send the end of the hand to the program."""
        seat = self._seat_in(hand)
        if seat is not None:
            self._tell(hand.rules, hand.deck, hand.actions, seat=seat, hand=hand.number)
            self._joined().hand_over(hand, seat)

    def _seat_in(self, hand: HandHistory) -> int | None:
        """Our seat: known once we have acted; before that, the only seat with known cards that were not shown."""
        if self._place is not None:
            return (self._place - hand.number) % hand.rules.n_seats
        holes = hand.rules.layout[0][0]
        seen = [seat for seat, hole in enumerate(holes) if None not in hand.deck[hole] and seat not in hand.shown]
        return seen[0] if len(seen) == 1 else None

    def _joined(self) -> RemotePlayer:
        if self._player is None:
            warn = logging.getLogger(__name__).warning
            connection = admitted(self._listener, who=self._who, until=monotonic() + self._join_seconds, warn=warn)
            self._player = RemotePlayer(self._who, 0, connection, hands=NO_END, limits=self._limits, warn=warn)
            self._sockets.enter_context(connection)
        return self._player

    def _tell(self, rules: Rules, deck: tuple[Card, ...], actions: Sequence[Action], *, seat: int, hand: int) -> State:
        """Send the states of this hand that have not been sent. Return the last of them."""
        if hand != self._hand:
            self._hand, self._n_told = hand, 0
        player, state = self._joined(), State.start(rules, deck)
        for n, action in enumerate((None, *actions)):
            state = state if action is None else state.after(action)
            if n >= self._n_told:
                player.tell(match_state_text(state, seat, hand), asked=n == len(actions))
        self._n_told = len(actions) + 1
        return state


def remote_agent(address: str) -> RemoteAgent:
    """The agent `acpc:address`; the address is `//HOST:PORT`."""
    return RemoteAgent(*address_of(address.removeprefix("//")))
