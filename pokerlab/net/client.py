"""The ACPC client: seats an agent at an ACPC dealer, ours or any other.

The dealer sends no names, so players are called `player1` and so on by their places at the table, which do not change
while the button moves; the agent's own place has its own name.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass

from pokerlab.errors import ParseError, PokerlabError
from pokerlab.games.actions import Chips
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent
from pokerlab.games.rules import Rules
from pokerlab.net.connection import VERSION, Connection, ConnectionLostError, LineTooLongError
from pokerlab.net.players import checked
from pokerlab.notation.acpc.match_state import MatchState, MatchStateReader, action_text
from pokerlab.rng import IndexedStream
from pokerlab.table.dealer import observer
from pokerlab.table.players import check_supported


@dataclass(frozen=True)
class Played:
    """Result of a match for one client."""

    hands: int
    chips: Chips


class Client:
    """Answers match states for an agent and tracks its score; `record` gets every finished hand and its seat."""

    def __init__(self, rules: Rules, agent: Agent, *, name: str = "agent", seed: int = 0) -> None:
        check_supported([agent], [name], rules)
        self._rules, self._agent, self._name = rules, agent, name
        self._reader, self._observer = MatchStateReader(rules), observer(agent)
        self.record: Callable[[HandHistory, int], None] = lambda hand, seat: None
        self._last: MatchState | None = None
        self._hands = 0
        self._chips: Chips = 0
        self._moves = True  # whether the button moves, judging by the positions of two hands
        self._names: tuple[str, ...] = ()
        self._streams = [IndexedStream(seed, "agent", name, seat) for seat in range(rules.n_seats)]
        self._rng = self._streams[0].at(0)

    @property
    def played(self) -> Played:
        return Played(self._hands, self._chips)

    @property
    def unfinished(self) -> int | None:
        """Number of the unfinished hand; None if there is none."""
        return None if self._last is None or self._last.betting.over else self._last.hand

    def answer(self, line: str) -> str | None:
        """Reply to a line from the dealer; None if it needs none."""
        state = self._reader.read(line)
        if self._last is None or self._last.hand != state.hand:
            self._begin(state)
        self._last = state
        if state.betting.over:
            self._end(state)
        elif state.to_act:
            action = self._agent.act(state.view(self._names), self._rng)
            checked(action, state.betting, f"hand {state.hand}: {self._name}")
            return f"{line}:{action_text(state.betting, action)}"
        return None

    def _begin(self, state: MatchState) -> None:
        n = self._rules.n_seats
        if self._last is not None and state.hand == self._last.hand + 1:
            self._moves = state.position != self._last.position
        seats = [(position + state.hand * self._moves) % n for position in range(n)]
        names = [f"player{seat + 1}" for seat in seats]
        names[state.position] = self._name
        self._names = tuple(names)
        self._rng = self._streams[seats[state.position]].at(state.hand)

    def _end(self, state: MatchState) -> None:
        self._hands += 1
        self._chips += state.final().payoffs()[state.position]
        seen = state.history(self._names)
        self.record(seen, state.position)
        if self._observer is not None:
            self._observer.observe(seen)


def joined(host: str, port: int, *, connect_seconds: float = 30.0) -> Connection:
    """Open a connection to a dealer and send the greeting."""
    if not 0 < port < 65536:
        raise PokerlabError(f"a port is a number from 1 to 65535, not {port}")
    try:
        sock = socket.create_connection((host, port), timeout=connect_seconds)
    except OSError as error:
        raise ConnectionLostError(f"cannot join {host} port {port}: {error}") from error
    connection = Connection(sock)
    connection.send(VERSION)
    return connection


def join(host: str, port: int, client: Client, *, connect_seconds: float = 30.0) -> Played:
    """Play until the dealer ends the match. Return the result."""
    with joined(host, port, connect_seconds=connect_seconds) as connection:
        while True:
            try:
                reply = client.answer(connection.line())
                if reply is not None:
                    connection.send(reply)
            except ConnectionLostError:
                break
            except (ParseError, LineTooLongError) as error:
                raise PokerlabError(f"{host} port {port} does not follow the ACPC protocol: {error}") from error
    if client.unfinished is not None:
        raise ConnectionLostError(f"the dealer ended the match in the middle of hand {client.unfinished}")
    return client.played
