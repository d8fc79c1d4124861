"""Players at the ACPC dealer's table: a remote program, or an agent in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from time import monotonic
from typing import Protocol, TypeVar

from pokerlab.errors import AgentError, IllegalAction, PokerlabError
from pokerlab.games.actions import CALL, Action, Kind
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent
from pokerlab.games.state import State
from pokerlab.net.connection import Connection, ConnectionLostError, LineTooLongError, printable
from pokerlab.net.replies import ReplyIgnoredError, action_of, repaired, round_is_full
from pokerlab.net.traffic import Traffic
from pokerlab.notation.acpc.log import HAND_MS, PER_HAND_MS, RESPONSE_MS
from pokerlab.rng import IndexedStream
from pokerlab.table.clock import Clock, OutOfTime
from pokerlab.table.dealer import observer

MAX_WARNINGS = 100
"""Maximum warnings about one player in one match, so that a faulty program cannot fill the disk."""

LEAST_SECONDS = 1e-3
"""A clock cannot be set to zero; a player without time left is out of time after this."""

Warn = Callable[[str], None]
Result = TypeVar("Result")


@dataclass(frozen=True)
class TimeLimits:
    """Milliseconds: for one response, for one player's responses of a hand, and on average for those of all hands."""

    t_response: int = RESPONSE_MS
    t_hand: int = HAND_MS
    t_per_hand: int = PER_HAND_MS


class Player(Protocol):
    """A player at the dealer's table."""

    name: str

    def tell(self, message: str, *, asked: bool) -> None:
        """Receive a match state; `asked` if a reply is expected."""
        ...

    def act(self, message: str, state: State, *, hand: int, names: tuple[str, ...]) -> Action:
        """Reply to `message`, just received: the state visible to the actor of `state`."""
        ...

    def used(self, seconds: float) -> None:
        """Take `seconds` off its clock, for a decision made before the match was interrupted."""
        ...

    def decided(self, state: State, *, hand: int, names: tuple[str, ...]) -> None:
        """Record a decision of the resumed hand that was made before the match was interrupted."""
        ...

    def hand_over(self, hand: HandHistory, position: int) -> None:
        """Record the end of a hand."""
        ...


class _Times:
    """A player's remaining time in seconds."""

    def __init__(self, limits: TimeLimits, hands: int) -> None:
        self._response, self._hand = limits.t_response / 1000, limits.t_hand / 1000
        self._hand_left, self._match_left = self._hand, limits.t_per_hand * hands / 1000

    @property
    def response(self) -> float:
        """For the next response."""
        return min(self._response, self._hand_left, self._match_left)

    def used(self, seconds: float) -> None:
        """Take `seconds` off the clocks of the hand and of the match."""
        self._hand_left -= seconds
        self._match_left -= seconds

    def hand_over(self) -> None:
        """Reset the clock of the hand."""
        self._hand_left = self._hand


class RemotePlayer:
    """A program at the other end of a connection, on the clock."""

    def __init__(
        self,
        name: str,
        seat: int,
        connection: Connection,
        *,
        hands: int,
        limits: TimeLimits,
        warn: Warn,
        traffic: Traffic | None = None,
    ) -> None:
        self.name, self._seat, self._who = name, seat, f"seat {seat} ({name})"
        self._connection, self._traffic = connection, traffic
        self._warn, self._n_warnings = warn, 0
        self._reading = limits.t_response / 1000  # seconds for receiving a message
        self._times = _Times(limits, hands)

    def tell(self, message: str, *, asked: bool) -> None:
        """Send a match state. One that needs no reply is not urgent, since it would wake the program needlessly."""
        try:
            self._connection.send(message, monotonic() + self._reading, urgent=asked)
        except ConnectionLostError as error:
            raise ConnectionLostError(f"{self._who} {error}") from error
        if self._traffic is not None:
            self._traffic.sent(self._seat, message)

    def act(self, message: str, state: State, *, hand: int, names: tuple[str, ...]) -> Action:
        """Wait for the reply to `message`, ignoring other lines, and repair the action if necessary."""
        started = monotonic()
        deadline = started + self._times.response
        while True:
            try:
                reply = self._connection.line(deadline)
                if self._traffic is not None:
                    self._traffic.received(self._seat, reply)
                text = action_of(reply, to=message, rules=state.rules)
                break
            except ConnectionLostError as error:
                raise ConnectionLostError(f"{self._who} {error}") from error
            except (ReplyIgnoredError, LineTooLongError) as error:
                self._say(f"ignored in hand {hand}: {error}")
        self.used(monotonic() - started)
        action, repair = repaired(state.betting, text, full=round_is_full(state))
        if repair:
            self._say(f"{repair} (hand {hand})")
        return action

    def used(self, seconds: float) -> None:
        """Take `seconds` off the clocks of the hand and of the match."""
        self._times.used(seconds)

    def decided(self, state: State, *, hand: int, names: tuple[str, ...]) -> None:
        """Does nothing; the next state contains the decision."""

    def _say(self, warning: str) -> None:
        self._n_warnings += 1
        if self._n_warnings <= MAX_WARNINGS:
            self._warn(printable(f"{self._who}: {warning}"))
        if self._n_warnings == MAX_WARNINGS:
            self._warn(f"{self._who}: further warnings are not shown")

    def hand_over(self, hand: HandHistory, position: int) -> None:
        """Reset the clock of the hand."""
        self._times.hand_over()


def checked(action: object, betting: Betting, who: str) -> Action:
    """`action` if the actor of `betting` may take it; our own agents' actions are never repaired."""
    if not isinstance(action, Action):
        raise IllegalAction(f"{who} at seat {betting.actor} returned {action!r}, not an Action")
    try:
        betting.check(action)
    except IllegalAction as error:
        raise IllegalAction(f"{who} at {error}") from error
    return action


class AgentPlayer:
    """One of our agents, on the clock like programs; it receives views and hand histories, never messages."""

    def __init__(
        self, name: str, seat: int, agent: Agent, *, seed: int, hands: int, limits: TimeLimits, clock: Clock
    ) -> None:
        self.name, self._who = name, f"seat {seat} ({name})"
        self._clock, self._times = clock, _Times(limits, hands)
        self._agent, self._stream = agent, IndexedStream(seed, "agent", seat)
        self._observer = observer(agent)
        self._rng, self._rng_hand = self._stream.at(0), 0

    def tell(self, message: str, *, asked: bool) -> None:
        """Does nothing; the view already contains this state."""

    def act(self, message: str, state: State, *, hand: int, names: tuple[str, ...]) -> Action:
        """The agent's own choice; an illegal one is an error."""
        started = monotonic()
        action = self._choice(state, hand, names)
        self.used(monotonic() - started)
        chosen = checked(action, state.betting, f"hand {hand}: {self.name}")
        return CALL if chosen.kind is Kind.RAISE and round_is_full(state) else chosen

    def _choice(self, state: State, hand: int, names: tuple[str, ...]) -> Action:
        if hand != self._rng_hand:
            self._rng, self._rng_hand = self._stream.at(hand), hand
        view = state.view(state.betting.actor, hand, names)
        return self._timed(lambda: self._agent.act(view, self._rng), hand)

    def decided(self, state: State, *, hand: int, names: tuple[str, ...]) -> None:
        """Call the agent once more, so that it repeats its random draws and the rest of the hand is unchanged."""
        self._choice(state, hand, names)

    def used(self, seconds: float) -> None:
        """Take `seconds` off the clocks of the hand and of the match."""
        self._times.used(seconds)

    def hand_over(self, hand: HandHistory, position: int) -> None:
        """Let an observing agent see what its seat saw, and reset the clock of the hand."""
        self._times.hand_over()
        if self._observer is not None:
            watching, seen = self._observer, hand.seen_by(position)
            self._timed(lambda: watching.observe(seen), hand.number)

    def _timed(self, call: Callable[[], Result], hand: int) -> Result:
        """The result of the agent's code; its output goes to stderr, and a failure becomes one line."""
        try:
            with redirect_stdout(sys.stderr):
                return self._clock.timed(call, max(self._times.response, LEAST_SECONDS))
        except OutOfTime:
            raise ConnectionLostError(f"{self._who} timed out") from None
        except PokerlabError:
            raise
        except (Exception, SystemExit) as error:
            raise AgentError.of(f"hand {hand}: {self.name}", error) from error
