"""A seat at an ACPC dealer, ours or another, as a table that a browser can join.

The dealer deals, keeps the time and decides who acts. We know only its messages, which the journal saves. Chair 0 is
ours; the others follow from our left, whether or not the dealer moves the button. A table that was restored from its
journal has its hands but no dealer, since the match ended for us when we disconnected.

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

from collections.abc import Iterator

from pokerlab.errors import IllegalAction, ParseError, PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView
from pokerlab.net.client import joined
from pokerlab.net.connection import Connection, ConnectionLostError, LineTooLongError, address_of
from pokerlab.notation.acpc.match_state import MatchState, MatchStateReader, action_text
from pokerlab.web.dealt_table import DealtTable, Entries, Note
from pokerlab.web.table_settings import TableSettings

CONNECT_SECONDS = 10.0


class MatchOver(PokerlabError):  # noqa: N818 - the normal end of a match, not an error
    """Raised if the dealer has ended the match, or we have disconnected."""


class JoinedTable(DealtTable):
    """Our seat at the table of an external dealer, whose messages update it. `hand` is the dealer's number of the
    hand."""

    state: MatchState | None

    def __init__(self, settings: TableSettings, note: Note = lambda entry: None) -> None:
        super().__init__(settings, note)
        self.people = (True, *(False for _ in self.names[1:]))
        # time limits; the dealer sets those of the others
        self.limits = (settings.seconds, *(None for _ in self.names[1:]))
        self._reader = MatchStateReader(self.rules)
        self._line = ""  # the dealer's last line
        self._answered = False  # whether the dealer has yet to confirm our action
        self._dealer: Connection | None = None
        self._listening = False  # whether a thread is waiting for the dealer's next line

    # --- the dealer ---------------------------------------------------------------------------------------------------

    def join(self) -> None:
        """Connect to the dealer, within `CONNECT_SECONDS`."""
        host, port = address_of(self.settings.dealer)
        self._dealer = joined(host, port, connect_seconds=CONNECT_SECONDS)

    def next_line(self) -> str:
        """Wait, in a thread, for the dealer's next message; raises `MatchOver` if the match has ended."""
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
            if self.state is not None and self.finished is None:
                raise MatchOver(f"the match ended in the middle of hand {self.hand + 1}") from error
            raise MatchOver(f"the match is over after {self.score.hands} hands") from error
        finally:
            self._listening = False

    def hear(self, line: str) -> None:
        """Process one message line from the dealer."""
        try:
            state = self._reader.read(line)
        except ParseError as error:
            raise self._protocol_error(error) from error
        self._note([state.hand, "heard", line])
        if state.hand != self.hand:
            self.finished, self.coached = None, set()
        self.hand, self.state, self._line, self._answered = state.hand, state, line, False
        if state.betting.over and self.finished is None:
            self._finish(state.history(self.seated))

    def _protocol_error(self, error: PokerlabError) -> PokerlabError:
        return PokerlabError(f"{self.settings.dealer} does not follow the ACPC protocol of {self.rules.name}: {error}")

    def close(self) -> None:
        """Disconnect. If a thread is listening, it sees the end of the stream and closes the connection itself."""
        dealer = self._dealer  # copied, since the listening thread may set it to None at any moment
        if dealer is not None:
            dealer.hang_up()
            if not self._listening:
                dealer.close()
                self._dealer = None

    # --- the hand -----------------------------------------------------------------------------------------------------

    @property
    def first_chair(self) -> int:
        """The chair of seat 0. It follows from the position that the dealer reports for us, who sit in chair 0."""
        return -self.state.position if self.state else 0

    @property
    def actor(self) -> int | None:
        """The chair to act; None until the dealer has confirmed our action."""
        return None if self._answered else super().actor

    def seen(self, chair: int | None) -> PublicView | HandHistory | None:
        """The hand as we may see it (`chair` 0), or as a spectator may (None)."""
        if self.state is None:
            return None
        if self.finished is not None:
            return self.finished if chair is not None else self.finished.seen_by()
        view = self.state.view(self.seated)
        if chair is not None:
            return view
        return PublicView(view.rules, view.hand, view.names, view.board, view.up, view.actions, view.betting)

    def take(self, action: Action) -> None:
        """Send our action to the dealer. An illegal action raises an error and is not sent."""
        state = self.state
        if state is None or self.actor != 0 or self._dealer is None:
            raise IllegalAction("the dealer is not waiting for us")
        state.betting.check(action)
        self._dealer.send(f"{self._line}:{action_text(state.betting, action)}")
        self._answered = True

    def _replay(self, what: str, *more: str) -> None:
        if what == "heard":
            self.hear(more[0])

    def hands_seen(self, entries: Entries, chair: int | None, *, last: int | None = None) -> Iterator[HandHistory]:
        """Yield the finished hands in this table's journal as the player in `chair` saw them, or as a spectator did
        (None); with `last` only the last `last` hands."""
        first = max(0, entries[-1][0] - last) if last is not None and entries else 0
        table = JoinedTable(self.settings)
        for hand in table.replayed([entry for entry in entries if entry[0] >= first]):
            yield hand if chair is not None else hand.seen_by()
