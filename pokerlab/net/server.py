"""Serve matches: listen on ports, admit programs, deal their matches, write logs."""

from __future__ import annotations

import re
import select
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

from pokerlab.errors import AgentError, FileError, IllegalAction, ParseError, PokerlabError
from pokerlab.games.actions import Chips
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.protocols import Agent
from pokerlab.games.rules import Rules
from pokerlab.net.connection import VERSION, Connection, ConnectionLostError, LineTooLongError, printable
from pokerlab.net.dealer import play_match
from pokerlab.net.players import AgentPlayer, Player, RemotePlayer, TimeLimits, Warn
from pokerlab.net.traffic import Traffic
from pokerlab.net.transactions import Transaction, parse_transactions
from pokerlab.notation.acpc.deal import reference_decks
from pokerlab.notation.acpc.definition import DEFINITION_NAMES, find_game
from pokerlab.notation.acpc.log import LogHeader, score_line, state_line
from pokerlab.notation.acpc.match_state import check_rules
from pokerlab.notation.imported import read_text
from pokerlab.rng import Shuffler
from pokerlab.table.clock import Clock
from pokerlab.table.match import unique_names
from pokerlab.table.players import check_supported, made

_VERSION = re.compile(r"VERSION:2\.0\.\d+\s*")
BACKLOG = 1024
"""Maximum number of connections that wait to be accepted."""

REMOTE = "acpc"
"""Marks a seat, in a list of agents, for a program that joins over TCP."""

GREETING_SECONDS = 10.0
"""Time for a new connection to send its version before it is turned away."""

MAX_WAITING = 600
"""Maximum number of connections that have not greeted yet at one port; the oldest makes room."""


@dataclass(frozen=True)
class Service:
    """Matches to serve. `agents` makes the agent of each seat played in this process; None stands for a program that
    will connect."""

    rules: Rules
    names: tuple[str, ...]
    hands: int
    seed: int
    match: str = "match"
    definition: str = ""  # the game's name in logs
    agents: tuple[Callable[[], Agent] | None, ...] = ()
    host: str = "127.0.0.1"
    ports: tuple[int, ...] = ()  # 0, or none at all, means any free port
    limits: TimeLimits = field(default_factory=TimeLimits)
    start_timeout: int | None = None  # milliseconds for all programs to join
    fixed_seats: bool = False
    reference_deal: bool = True
    log: Path | None = None
    traffic: Path | None = None
    transactions: Path | None = None
    append: bool = False  # whether to resume the match whose transactions are in the file

    def __post_init__(self) -> None:
        check_rules(self.rules)
        n = self.rules.n_seats
        if len(self.names) != n:
            raise PokerlabError(f"{self.rules.name} seats {n} players; {len(self.names)} were named")
        for name in (*self.names, self.match):
            if not name or re.search(r"[\s:|]", name):
                raise PokerlabError(f"{name!r} cannot be a name in a log: no spaces, colons or bars")
        if self.agents and len(self.agents) != n:
            raise PokerlabError(f"{self.rules.name} seats {n} players; {len(self.agents)} agents were named")
        if self.ports and len(self.ports) != len(self.remote_seats):
            raise PokerlabError(f"{len(self.ports)} ports for {len(self.remote_seats)} programs")
        if not all(0 <= port < 65536 for port in self.ports):
            raise PokerlabError(f"ports are numbers from 0 to 65535, not {self.ports}")
        if self.append and self.transactions is None:
            raise PokerlabError("a match is resumed from its transactions; name their file")
        if self.hands < 1:
            raise PokerlabError(f"a match needs at least one hand, not {self.hands}")
        next(self.decks(0))  # refuses an illegal seed

    @property
    def remote_seats(self) -> tuple[int, ...]:
        """Seats played by programs over TCP."""
        return tuple(s for s in range(self.rules.n_seats) if not self.agents or self.agents[s] is None)

    def decks(self, number: int) -> Iterator[tuple[int, ...]]:
        """Decks of match `number`; the seed increases by one per match."""
        if self.reference_deal:
            return reference_decks(self.rules, self.seed + number)
        shuffler, rules = Shuffler(self.seed + number, "cards", 0), self.rules
        return (deck_of_hand(rules, shuffler, hand) for hand in range(self.hands))

    def header(self, number: int) -> LogHeader:
        """The header of the logs of match `number`."""
        limits, game = self.limits, self.definition or self.rules.name
        times = (limits.t_response, limits.t_hand, limits.t_per_hand)
        return LogHeader(self.match, game, self.hands, self.seed + number, *times)


def service_of(
    game: str,
    *,
    make: Callable[[str], Agent],
    names: Sequence[str] = (),
    agents: Sequence[str] = (),
    ports: Sequence[str] = (),
    match: str = "",
    **settings: Any,
) -> Service:
    """Make a service from the names of a game and of agents; `acpc` is a program that joins over TCP. `make` turns
    the other names into agents."""
    rules = find_game(game)
    known = DEFINITION_NAMES.get(rules.name) if rules.name == game else None
    makers = tuple(None if name == REMOTE else partial(make, name) for name in agents)
    if not names:
        players = [
            f"player{i + 1}" if i >= len(agents) or agents[i] == REMOTE else agents[i] for i in range(rules.n_seats)
        ]
        names = unique_names([_in_a_log(name) for name in players])
    for port in ports:
        if not re.fullmatch(r"\d{1,5}", port, re.ASCII):
            raise PokerlabError(f"{port!r} is not a port")
    return Service(
        rules,
        tuple(names),
        agents=makers,
        ports=tuple(map(int, ports)),
        match=match or _in_a_log(f"{rules.name}.h{settings['hands']}.r{settings['seed']}"),
        definition=f"{known}.game" if known else game,
        **settings,
    )


def _in_a_log(name: str) -> str:
    return re.sub(r"[\s:|]", "-", name)


class Server:
    """Listening sockets, one for each seat played by a program. Close it, or use it as a context manager."""

    def __init__(self, service: Service, *, warn: Warn) -> None:
        self.service, self._warn = service, warn
        self._sockets: dict[int, socket.socket] = {}
        try:
            for seat, port in zip(service.remote_seats, service.ports or (0,) * 10, strict=False):
                self._sockets[seat] = socket.create_server((service.host, port), backlog=BACKLOG)
        except OSError as error:
            self.close()
            raise PokerlabError(f"cannot listen on {service.host} port {port}: {error}") from error

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for sock in self._sockets.values():
            sock.close()

    @property
    def ports(self) -> tuple[int, ...]:
        return tuple(sock.getsockname()[1] for sock in self._sockets.values())

    def play(self, number: int = 0) -> tuple[Chips, ...]:
        """Admit the programs and play match `number`. Return the net chips of each seat, and close all connections."""
        service = self.service
        with ExitStack() as stack:
            past = self._past()
            log = _opened(stack, service.log, number)
            transactions = _opened(stack, service.transactions, number, append=service.append)
            transcript = _opened(stack, service.traffic, number, append=service.append)
            traffic = None if transcript is None else Traffic(transcript)
            until = inf if service.start_timeout is None else monotonic() + service.start_timeout / 1000
            clock = stack.enter_context(Clock(service.limits.t_response / 1000))
            players = [
                self._agent_at(seat, make, number, clock) if make else self._program_at(seat, stack, until, traffic)
                for seat, make in enumerate(service.agents or (None,) * service.rules.n_seats)
            ]
            if log is not None:
                print(service.header(number), file=log)
            if traffic is not None:
                traffic.start(service.header(number))
            totals = play_match(
                service.rules,
                players,
                service.decks(number),
                hands=service.hands,
                fixed_seats=service.fixed_seats,
                on_hand=None if log is None else lambda hand, bets: print(state_line(hand, bets), file=log),
                past=past,
                on_transaction=None if transactions is None else lambda line: print(line, file=transactions),
            )
            if log is not None:
                print(score_line(totals, service.names), file=log)
            if traffic is not None:
                traffic.finish()
        return totals

    def _past(self) -> list[Transaction]:
        """Decisions already made in the match to resume."""
        path = self.service.transactions
        if not self.service.append or path is None or not path.exists():
            return []
        try:
            text = read_text(path)
            if not text.endswith("\n"):  # the dealer was killed while writing a line
                text = text[: text.rfind("\n") + 1]
                path.write_text(text, encoding="utf-8")
            return parse_transactions(text)
        except ParseError as error:
            raise FileError(f"{path}: {error}") from error

    def _agent_at(self, seat: int, make: Callable[[], Agent], number: int, clock: Clock) -> Player:
        service, name = self.service, self.service.names[seat]
        with redirect_stdout(sys.stderr):  # stdout is for the ports and the scores
            agent = made(lambda _: make(), name, clock)
        check_supported([agent], [name], service.rules)
        times: dict[str, Any] = {"hands": service.hands, "limits": service.limits, "clock": clock}
        return AgentPlayer(name, seat, agent, seed=service.seed + number, **times)

    def _program_at(self, seat: int, stack: ExitStack, until: float, traffic: Traffic | None) -> Player:
        service, name = self.service, self.service.names[seat]
        who = f"seat {seat} ({name})"
        connection = stack.enter_context(admitted(self._sockets[seat], who=who, until=until, warn=self._warn))
        return RemotePlayer(
            *(name, seat, connection), hands=service.hands, limits=service.limits, warn=self._warn, traffic=traffic
        )


def admitted(listener: socket.socket, *, who: str, until: float, warn: Warn) -> Connection:
    """Return the first connection that greets as the protocol requires; `until` is a `monotonic()` time. Connections
    are polled together, so that a silent one does not delay others. Those that do not greet correctly, or in time, are
    closed."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    waiting: dict[int, tuple[Connection, float]] = {}  # file number -> (connection, its deadline for greeting)

    def turned_away(number: int, problem: str) -> None:
        poll.unregister(number)
        waiting.pop(number)[0].close()
        warn(printable(f"{who}: turned a connection away: {problem}"))

    listener.setblocking(False)
    try:
        while (now := monotonic()) < until:
            for number in [number for number, (_, deadline) in waiting.items() if deadline <= now]:
                turned_away(number, "timed out")
            first = min([until, *(deadline for _, deadline in waiting.values())])
            for number, _ in poll.poll(None if first == inf else max(1000 * (first - now), 1)):
                if number == listener.fileno():
                    for connection in _accepted(listener, MAX_WAITING - len(waiting)):
                        poll.register(connection, select.POLLIN)
                        waiting[connection.fileno()] = connection, monotonic() + GREETING_SECONDS
                    continue
                problem = _greeting_problem(waiting[number][0])
                if problem == "":
                    return waiting.pop(number)[0]
                if problem is not None:
                    turned_away(number, problem)
            if len(waiting) == MAX_WAITING:
                turned_away(next(iter(waiting)), "too many connections wait to greet")
        raise ConnectionLostError(f"{who} did not join in time")
    finally:
        for connection, _ in waiting.values():
            connection.close()


def _accepted(listener: socket.socket, most: int) -> Iterator[Connection]:
    """The waiting connections, at most `most` of them."""
    with suppress(BlockingIOError):
        for _ in range(most):
            yield Connection(listener.accept()[0])


def _greeting_problem(connection: Connection) -> str | None:
    """Problem with a connection's greeting: '' for none, None while the greeting is incomplete."""
    try:
        greeting = connection.line_so_far()
    except (ConnectionLostError, LineTooLongError) as error:
        return str(error)
    if greeting is None:
        return None
    return "" if _VERSION.fullmatch(greeting) else f'expected {VERSION}, not "{greeting[:40]}"'


def _opened(stack: ExitStack, path: Path | None, number: int, *, append: bool = False) -> TextIO | None:
    """The file of match `number`, written line by line: FILE.log, FILE.1.log, FILE.2.log .."""
    if path is None:
        return None
    if number:
        path = path.with_name(f"{path.stem}.{number}{path.suffix}")
    path.parent.mkdir(parents=True, exist_ok=True)
    return stack.enter_context(path.open("a" if append else "w", buffering=1, encoding="utf-8"))


def serve(
    service: Service,
    *,
    matches: int = 1,
    announce: Callable[[tuple[int, ...]], None],
    report: Callable[[str], None],
    warn: Warn,
) -> int:
    """Serve `matches` matches one after another (0: until interrupted). Return the number of interrupted ones.
    `announce` receives the ports, `report` the SCORE line of each match. A lost player ends its match, and the next one
    begins."""
    if matches < 0 or (service.append and matches != 1):
        raise PokerlabError(f"cannot {'resume' if service.append else 'serve'} {matches} matches")
    n_broken_off = 0
    with Server(service, warn=warn) as server:
        announce(server.ports)
        for number in count() if matches == 0 else range(matches):
            try:
                report(score_line(server.play(number), service.names))
            except (ConnectionLostError, AgentError, IllegalAction) as error:
                n_broken_off += 1
                warn(f"match {number} was interrupted: {error}")
    return n_broken_off
