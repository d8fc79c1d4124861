"""Record hands in the database of sessions during play, from a separate thread.

Only what the player saw is recorded: cards that were not shown never reach the file. The file is opened for each write
and closed again, so that other programs can use it in between; while one does, hands wait. A hand is identified by its
table and number, so recording it again, as after a table is restored, adds nothing.

>>> from tempfile import TemporaryDirectory
>>> from pathlib import Path
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("leduc"), cards("KhQsKs"), (RaiseTo(3), FOLD), ("ann", "bob"))
>>> with TemporaryDirectory() as folder:
...     recorder = SessionRecorder(Path(folder) / "sessions.duckdb")
...     recorder.add(hand, 0, table="a table"), recorder.add(hand, 0, table="a table")
...     recorder.close()
...     with SessionStore.reading(Path(folder) / "sessions.duckdb") as store:
...         store.ask("SELECT deck, hero FROM hands").rows
(None, None)
''
[('Kh????', 0)]
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.table.session_rows import HandOrigin
from pokerlab.table.session_store import SessionStore

VENUE = "pokerlab"
EVERY_SECONDS = 5.0
"""Time between two writings; what is played in between is lost if the process is killed."""
MOST_WAITING = 10_000
"""Hands that wait for a file that cannot be written; more are dropped and counted."""


class SessionRecorder:
    """Records hands in the file at `path` (default: the user's database), which is not opened before the first hand."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._waiting: list[HandHistory] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing, self._dropped, self._problem = False, 0, ""

    def add(self, hand: HandHistory, seat: int, *, table: str) -> None:
        """Record a finished hand as `seat` saw it; `table` and its number identify it. Returns immediately."""
        now = datetime.now(UTC)
        date = {"year": str(now.year), "month": str(now.month), "day": str(now.day), "time": f"{now:%H:%M:%S}"}
        tags = {"venue": VENUE, "table": table, "hand": f"{table}-{hand.number}", "_hero": hand.names[seat]}
        seen = hand.seen_by(seat)
        seen = replace(seen, tags={**seen.tags, **tags, **date, "time_zone_abbreviation": "UTC"})
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                self._dropped += 1
                return
            self._waiting.append(seen)
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_on, name="sessions", daemon=True)
                self._thread.start()

    def close(self) -> str:
        """Write the waiting hands and end the thread. Return a line about hands that could not be recorded, or ''."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()
        lost = len(self._waiting) + self._dropped
        return f"{lost:,} hand{'s' * (lost != 1)} not recorded: {self._problem}" if lost else ""

    def _write_on(self) -> None:
        while True:
            with self._changed:
                closing = self._changed.wait_for(lambda: self._closing, timeout=EVERY_SECONDS)
                hands = list(self._waiting)
            if hands and self._written(hands, patience=EVERY_SECONDS):
                with self._changed:
                    del self._waiting[: len(hands)]
            if closing:
                return

    def _written(self, hands: Sequence[HandHistory], patience: float) -> bool:
        try:
            with SessionStore.writing(self._path, patience=patience) as store:
                store.add(hands, HandOrigin(VENUE))
        except (PokerlabError, OSError, ImportError) as error:
            self._problem = str(error)
            return False
        return True
