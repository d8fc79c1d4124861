"""A seat at an ACPC dealer, ours or any other, as a table that a browser can sit at.

The dealer deals, keeps the time and says who acts; its lines are all that is known, and the journal saves them. Chair 0
is ours and the others follow from our left, whether the dealer moves the button or not. A table restored from its
journal has its hands and no dealer: the match ended for us when we disconnected.

>>> from pokerlab.web.table_settings import TableSettings
>>> table = JoinedTable(TableSettings.from_data({"game": "limit2p", "chairs": [{"person": "Ann"}], "dealer": "host:1"}))
>>> table.hear("MATCHSTATE:1:0:r:|TcAd")
>>> table.names, table.actor, table.turn
(('Ann', 'player2'), 1, (0, 1))
>>> table.hear("MATCHSTATE:1:0:rrrrr:|TcAd")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: host:1 does not follow the ACPC protocol of limit2p: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pokerlab.errors import FileError, IllegalAction, ParseError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView
from pokerlab.net.client import joined
from pokerlab.net.connection import Connection, ConnectionLostError, LineTooLongError, address_of
from pokerlab.notation.acpc.match_state import MatchState, MatchStateReader, action_text
from pokerlab.web.score import Score
from pokerlab.web.table_settings import TableSettings

CONNECT_SECONDS = 10.0


class MatchOver(PokerlabError):  # noqa: N818 - the normal end of a match, not an error
    """The dealer has ended the match, or we have disconnected."""


class JoinedTable:
    """A table of an external dealer, updated by its messages; `note` receives every event as `[hand, what, ..]`."""

    def __init__(self, settings: TableSettings, note: Callable[[Sequence[Any]], None] = lambda entry: None) -> None:
        self.settings, self.rules, self.names = settings, settings.rules, settings.names
        self.people = (True, *(False for _ in self.names[1:]))
        self._note = note
        self._reader = MatchStateReader(self.rules)
        self._state: MatchState | None = None
        self._line = ""  # the dealer's last line
        self._answered = False  # whether we have acted, and the dealer has not yet confirmed it
        self._dealer: Connection | None = None
        self._listening = False  # whether a thread waits for the dealer's next line
        self.finished: HandHistory | None = None
        self.coached: set[int] = set()
        self.score = Score(len(self.names))

    # --- the dealer ---------------------------------------------------------------------------------------------------

    def join(self) -> None:
        """Connect to the dealer, within `CONNECT_SECONDS`."""
        host, port = address_of(self.settings.dealer)
        self._dealer = joined(host, port, connect_seconds=CONNECT_SECONDS)

    def next_line(self) -> str:
        """Wait, in a thread, for the dealer's next message; raises `MatchOver` at the end of the match."""
        dealer = self._dealer
        try:
            if dealer is None:
                raise ConnectionLostError("disconnected")
            self._listening = True
            return dealer.line()
        except LineTooLongError as error:
            raise self._protocol_error(error) from error
        except ConnectionLostError as error:
            if dealer is not None:
                dealer.close()
                self._dealer = None
            if self._state is not None and self.finished is None:
                raise MatchOver(f"the match ended in the middle of hand {self.hand + 1}") from error
            raise MatchOver(f"the match is over after {self.score.hands} hands") from error
        finally:
            self._listening = False

    def hear(self, line: str) -> None:
        """Process a line from the dealer."""
        try:
            state = self._reader.read(line)
        except ParseError as error:
            raise self._protocol_error(error) from error
        self._note([state.hand, "heard", line])
        if state.hand != self.hand:
            self.finished, self.coached = None, set()
        self._state, self._line, self._answered = state, line, False
        if state.betting.over and self.finished is None:
            tags = {"_coached": self.names[0]} if self.coached else {}
            over = state.history(self.seated)
            self.finished = HandHistory(over.rules, over.deck, over.actions, over.names, over.number, tags=tags)
            self.score.add(self.finished, self.chair_of)

    def _protocol_error(self, error: PokerlabError) -> PokerlabError:
        return PokerlabError(f"{self.settings.dealer} does not follow the ACPC protocol of {self.rules.name}: {error}")

    def close(self) -> None:
        """Disconnect; a listening thread then sees the end of the stream and closes the connection itself."""
        if self._dealer is not None:
            self._dealer.hang_up()
            if not self._listening:
                self._dealer.close()
                self._dealer = None

    # --- the hand -----------------------------------------------------------------------------------------------------

    @property
    def hand(self) -> int:
        """The dealer's hand number; -1 before the first hand."""
        return -1 if self._state is None else self._state.hand

    @property
    def turn(self) -> tuple[int, int]:
        """(hand, number of actions so far)."""
        return self.hand, 0 if self._state is None else len(self._state.actions)

    def seat_of(self, chair: int) -> int:
        """The dealer's position for a chair."""
        return (chair + (self._state.position if self._state else 0)) % len(self.names)

    def chair_of(self, seat: int) -> int:
        """The chair of a position."""
        return (seat - (self._state.position if self._state else 0)) % len(self.names)

    @property
    def seated(self) -> tuple[str, ...]:
        """The names by position."""
        return tuple(self.names[self.chair_of(seat)] for seat in range(len(self.names)))

    @property
    def actor(self) -> int | None:
        """The chair to act; None until the dealer has confirmed our action."""
        state = self._state
        return None if state is None or state.betting.over or self._answered else self.chair_of(state.betting.actor)

    def seen(self, chair: int | None) -> PublicView | HandHistory | None:
        """The hand as our chair or a spectator may see it."""
        if self._state is None:
            return None
        if self.finished is not None:
            return self.finished if chair is not None else self.finished.seen_by()
        view = self._state.view(self.seated)
        if chair is not None:
            return view
        return PublicView(view.rules, view.hand, view.names, view.board, view.up, view.actions, view.betting)

    def take(self, action: Action) -> None:
        """Send our action to the dealer; an illegal action raises and is not sent."""
        state = self._state
        if state is None or self.actor != 0 or self._dealer is None:
            raise IllegalAction("the dealer is not waiting for us")
        state.betting.check(action)
        self._dealer.send(f"{self._line}:{action_text(state.betting, action)}")
        self._answered = True

    def passive(self) -> Action:
        """The action of a player who is too late: check, or fold to a bet."""
        assert self._state is not None
        return FOLD if self._state.betting.to_call else CALL

    def ask_coach(self, chair: int) -> None:
        """Record that the person asked the coach in this hand."""
        if chair not in self.coached:
            self._note([self.hand, "coach", chair])
            self.coached.add(chair)

    # --- restoring from the journal -----------------------------------------------------------------------------------

    def keep(self, note: Callable[[Sequence[Any]], None]) -> None:
        """Send all further events to `note`."""
        self._note = note

    def replayed(self, entries: Sequence[Sequence[Any]]) -> Iterator[HandHistory]:
        """Replay a journal on this table, which must be new; yields every finished hand."""
        try:
            for _, what, *more in entries:
                if what == "heard":
                    before = self.score.hands
                    self.hear(more[0])
                    if self.score.hands > before and self.finished is not None:
                        yield self.finished
                elif what == "coach":
                    self.ask_coach(more[0])
        except (PokerlabError, ValueError, LookupError, TypeError) as error:
            raise FileError(f"the journal of this table cannot be replayed: {error}") from error

    def hands_seen(
        self, entries: Sequence[Sequence[Any]], chair: int | None, *, last: int | None = None
    ) -> Iterator[HandHistory]:
        """The finished hands of this table's journal as a chair saw them: all, or only the `last` ones."""
        first = max(0, entries[-1][0] - last) if last is not None and entries else 0
        table = JoinedTable(self.settings)
        for hand in table.replayed([entry for entry in entries if entry[0] >= first]):
            yield hand if chair is not None else hand.seen_by()
