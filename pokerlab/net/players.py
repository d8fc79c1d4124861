"""Players at the ACPC dealer's table: a remote program, or an agent in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

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
    """Time limits in milliseconds: for a response, for a player's responses in one hand, and for their mean over all
    hands."""

    t_response: int = RESPONSE_MS
    t_hand: int = HAND_MS
    t_per_hand: int = PER_HAND_MS


class Player:
    """A player at the dealer's table, with a clock."""

    def __init__(self, name: str, seat: int, limits: TimeLimits, hands: int) -> None:
        self.name, self._who = name, f"seat {seat} ({name})"
        self._response, self._hand = limits.t_response / 1000, limits.t_hand / 1000
        self._hand_left, self._match_left = self._hand, limits.t_per_hand * hands / 1000

    @property
    def seconds_left(self) -> float:
        """Seconds allowed for the next response."""
        return min(self._response, self._hand_left, self._match_left)

    def tell(self, message: str, *, asked: bool) -> None:
        """Receive a match state; `asked` if a reply is expected."""

    def flush(self) -> None:
        """Send the messages that are waiting to be sent with later ones."""

    def before_waiting(self, call: Callable[[], None]) -> None:
        """Call `call` before the table waits for this player for a long time."""

    def act(self, message: str, state: State, *, hand: int, names: tuple[str, ...]) -> Action:
        """Reply to `message`, just received: the state visible to the actor of `state`."""
        raise NotImplementedError

    def used(self, seconds: float) -> None:
        """Subtract `seconds` from the time left for the hand and for the match."""
        self._hand_left -= seconds
        self._match_left -= seconds

    def decided(self, state: State, *, hand: int, names: tuple[str, ...]) -> None:
        """Record a decision of the resumed hand that was made before the match was interrupted."""

    def hand_over(self, hand: HandHistory, position: int) -> None:
        """Record the end of a hand; the hand's clock starts anew."""
        self._hand_left = self._hand


class RemotePlayer(Player):
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
        super().__init__(name, seat, limits, hands)
        self._seat, self._connection, self._traffic = seat, connection, traffic
        self._warn, self._n_warnings = warn, 0

    def tell(self, message: str, *, asked: bool) -> None:
        """Send a match state. A state that needs no reply is not urgent, since it would wake the program needlessly."""
        try:
            self._connection.send(message, urgent=asked, seconds=self._response)
        except ConnectionLostError as error:
            raise ConnectionLostError(f"{self._who} {error}") from error
        if self._traffic is not None:
            self._traffic.sent(self._seat, message)

    def flush(self) -> None:
        """Send the messages that need no reply and have not been sent."""
        with suppress(ConnectionLostError):  # a lost program is noticed when it has to act
            self._connection.flush(self._response)

    def before_waiting(self, call: Callable[[], None]) -> None:
        self._connection.idle = call

    def act(self, message: str, state: State, *, hand: int, names: tuple[str, ...]) -> Action:
        """Wait for the reply to `message`, ignoring other lines, and repair the action if necessary."""
        started = monotonic()
        deadline = started + self.seconds_left
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
        if text == "c":
            return CALL
        action, repair = repaired(state.betting, text, full=round_is_full(state))
        if repair:
            self._say(f"{repair} (hand {hand})")
        return action

    def _say(self, warning: str) -> None:
        self._n_warnings += 1
        if self._n_warnings <= MAX_WARNINGS:
            self._warn(printable(f"{self._who}: {warning}"))
        if self._n_warnings == MAX_WARNINGS:
            self._warn(f"{self._who}: further warnings are not shown")


def checked(action: object, betting: Betting, who: str) -> Action:
    """Return `action` if the actor of `betting` may take it; our own agents' actions are never repaired."""
    if not isinstance(action, Action):
        raise IllegalAction(f"{who} at seat {betting.actor} returned {action!r}, not an Action")
    try:
        betting.check(action)
    except IllegalAction as error:
        raise IllegalAction(f"{who} at {error}") from error
    return action


class AgentPlayer(Player):
    """One of our agents, with a clock like programs; it receives views and hand histories, never messages."""

    def __init__(
        self, name: str, seat: int, agent: Agent, *, seed: int, hands: int, limits: TimeLimits, clock: Clock
    ) -> None:
        super().__init__(name, seat, limits, hands)
        self._clock, self._agent, self._stream = clock, agent, IndexedStream(seed, "agent", seat)
        self._observer = observer(agent)
        self._rng, self._rng_hand = self._stream.at(0), 0
        self._idle: Callable[[], None] | None = None

    def before_waiting(self, call: Callable[[], None]) -> None:
        self._idle = call

    def act(self, message: str, state: State, *, hand: int, names: tuple[str, ...]) -> Action:
        """The agent's own choice; an illegal one is an error."""
        if self._idle is not None:
            self._idle()
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
        """Call the agent once more for a decision already made, so that it uses up the same random numbers and the rest
        of the hand is unchanged."""
        self._choice(state, hand, names)

    def hand_over(self, hand: HandHistory, position: int) -> None:
        """If the agent observes hands, show it the finished hand, with only the cards that its seat saw."""
        super().hand_over(hand, position)
        if self._observer is not None:
            watching, seen = self._observer, hand.seen_by(position)
            self._timed(lambda: watching.observe(seen), hand.number)

    def _timed(self, call: Callable[[], Result], hand: int) -> Result:
        """Run the agent's code with the clock running; its output goes to stderr, and a failure becomes a one-line
        error."""
        try:
            with redirect_stdout(sys.stderr):
                return self._clock.timed(call, max(self.seconds_left, LEAST_SECONDS))
        except OutOfTime:
            raise ConnectionLostError(f"{self._who} timed out") from None
        except PokerlabError:
            raise
        except (Exception, SystemExit) as error:
            raise AgentError.of(f"hand {hand}: {self.name}", error) from error
