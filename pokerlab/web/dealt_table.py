"""Base class of our own tables and of seats at an external dealer's table: turns, events, score, restoring from a
journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action
from pokerlab.games.history import HandHistory
from pokerlab.table.running_statistics import RunningStatistics
from pokerlab.web.currency import paid
from pokerlab.web.score import Score
from pokerlab.web.table_settings import TableSettings

Entries = Sequence[Sequence[Any]]
Note = Callable[[Sequence[Any]], None]
Record = Callable[[HandHistory, int], None]
"""A function called with (finished hand, seat of the person who set up the table)."""
HUD = ("vpip", "pfr", "af", "wtsd", "w_at_sd")
"""Names of the statistics shown beside a seat."""


class DealtTable:
    """A table in play. Every event is passed to the function `note` as `[hand, what, ..]`, which saves it in the
    journal."""

    state: Any = None  # state of the current hand; None before the first
    hand = -1  # number of the current or last hand

    def __init__(self, settings: TableSettings, note: Note = lambda entry: None) -> None:
        self.settings, self.rules, self.names = settings, settings.rules, settings.names
        self._note = note
        self.finished: HandHistory | None = None  # the last hand, once it is over
        self.coached: set[int] = set()  # chairs whose players asked the coach in this hand
        self.score = Score(len(self.names))
        self.statistics = RunningStatistics(HUD)
        self.record: Record = lambda hand, owner: None

    @property
    def first_chair(self) -> int:
        """The chair of seat 0 in this hand."""
        raise NotImplementedError

    def seat_of(self, chair: int) -> int:
        """The seat of a chair in this hand; seat 0 is left of the button."""
        return (chair - self.first_chair) % len(self.names)

    def chair_of(self, seat: int) -> int:
        """The chair of a seat in this hand."""
        return (seat + self.first_chair) % len(self.names)

    @property
    def seated(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(self.names[self.chair_of(seat)] for seat in range(len(self.names)))

    @property
    def actor(self) -> int | None:
        """The chair to act, if any."""
        return None if self.state is None or self.state.betting.over else self.chair_of(self.state.betting.actor)

    @property
    def turn(self) -> tuple[int, int]:
        """Return (hand, number of actions so far), which identifies the turn. An action for another turn is too
        late."""
        return self.hand, 0 if self.state is None else len(self.state.actions)

    def passive(self) -> Action:
        """The action taken for a player who is late or fails: check, or fold to a bet."""
        return FOLD if self.state.betting.to_call else CALL

    def ask_coach(self, chair: int) -> None:
        """Record that a person asked the coach in this hand."""
        if chair not in self.coached:
            self._note([self.hand, "coach", chair])
            self.coached.add(chair)

    def _finish(self, over: HandHistory) -> None:
        """Score a finished hand, and tag it with the names of those who asked the coach."""
        tags = {"_coached": ", ".join(self.names[chair] for chair in sorted(self.coached))} if self.coached else {}
        self.finished = HandHistory(over.rules, over.deck, over.actions, over.names, over.number, tags=tags)
        self.score.add(over, self.chair_of)
        self.statistics.add(over)
        people = [chair for chair, person in enumerate(self.settings.chairs) if person.person]
        if people:
            self.record(paid(self.finished, self.settings.currency), self.seat_of(people[0]))

    # --- restoring from the journal -----------------------------------------------------------------------------------

    def keep(self, note: Note) -> None:
        """From now on, pass all events to `note`."""
        self._note = note

    def replayed(self, entries: Entries) -> Iterator[HandHistory]:
        """Apply the events of a journal to this table, which must be new. Yield every finished hand."""
        try:
            for _, what, *more in entries:
                if what == "coach":
                    self.ask_coach(more[0])
                elif what not in ("failed", "late", "seat"):
                    before = self.score.hands
                    self._replay(what, *more)
                    if self.score.hands > before and self.finished is not None:
                        yield self.finished
        except (PokerlabError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise FileError(f"the journal of this table cannot be replayed: {error}") from error

    def _replay(self, what: str, *more: Any) -> None:
        """Apply one event of a journal."""
        raise NotImplementedError
