"""All tables of a server. Each is saved in a journal.

A table that is not in memory, because the server was restarted or the table was not used for a while, is restored from
its journal when a browser opens it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
from collections import defaultdict
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import Any

from pokerlab.errors import FileError, PokerlabError, line_for
from pokerlab.table.session_recorder import SessionRecorder
from pokerlab.web.dealt_table import Entries
from pokerlab.web.desk import WATCHER, Desk, Refused
from pokerlab.web.joined_table import JoinedTable
from pokerlab.web.journal import Journal, read_journal
from pokerlab.web.live_table import LiveTable
from pokerlab.web.table_settings import TableSettings

LOG = logging.getLogger("pokerlab.web")
MOST_TABLES, THREADS = 1000, 256
FORGET_SECONDS = 600.0


class Hall:
    """All tables by name. `agents` are the agents that a browser may seat, and `folder` contains the journals.

    If `join` is False, browsers cannot make the server connect to a dealer; otherwise anyone who opens the page can.
    `recorder`, if given, gets the hands of people at tables that were set up with it.
    """

    def __init__(
        self, folder: Path, agents: Collection[str], *, join: bool = True, recorder: SessionRecorder | None = None
    ) -> None:
        if folder.exists() and not folder.is_dir():
            raise FileError(f"{folder} is not a directory")
        folder.mkdir(parents=True, exist_ok=True)  # checked before anyone plays
        if not os.access(folder, os.W_OK):
            raise FileError(f"{folder} cannot be written")
        self.folder, self.agents, self.join, self._recorder = folder, agents, join, recorder
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="agent")
        self._desks: dict[str, Desk] = {}
        self._opening: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def set_up(self, data: Any, *, trusted: bool = False) -> Desk:
        """Set up a new table; if `trusted`, it may seat any agent and join any dealer."""
        settings = TableSettings.from_data(data, agents=None if trusted else self.agents).resolved()
        if settings.dealer and not (trusted or self.join):
            raise Refused("a server that is open to others joins dealers only from the command line")
        self._forget()
        name = secrets.token_hex(6)
        loop = asyncio.get_running_loop()
        table = await loop.run_in_executor(self._threads, _new_table, settings)
        people = [chair for chair, person in enumerate(table.people) if person]
        tokens = {str(key): secrets.token_urlsafe(16) for key in (*people, WATCHER)}
        recorded = self._record(table, name)
        about = {"settings": settings.data(), "tokens": tokens, "invited": people[1:], "recorded": recorded}
        try:
            journal = Journal.begin(self.folder / f"{name}.journal", about)
        except PokerlabError:
            table.close()
            raise
        return self._seat(name, table, about, journal)

    async def desk(self, name: str) -> Desk:
        """The table called `name`, from memory or from its journal."""
        if name in self._desks:
            return self._desks[name]
        path = self.folder / f"{name}.journal"
        if not re.fullmatch("[0-9a-f]{12}", name) or not path.is_file():
            raise Refused(f"there is no table called {name[:20]!r}")
        async with self._opening[name]:
            if name not in self._desks:
                self._forget()
                await self._open(name, path)
        return self._desks[name]

    async def _open(self, name: str, path: Path) -> None:
        try:
            about, entries = read_journal(path)
            settings = TableSettings.from_data(about["settings"])
            taken = {chair: token for _, what, *more in entries if what == "seat" for chair, token in (more,)}
            about["tokens"] |= {str(chair): token for chair, token in taken.items()}
            about["invited"] = [chair for chair in about["invited"] if chair not in taken]
        except (LookupError, TypeError, ValueError) as error:
            raise FileError(line_for(error) or f"{path} is damaged: {error}") from error
        journal = Journal.go_on(path)
        loop = asyncio.get_running_loop()
        try:
            recorded = about.get("recorded", False)  # a table that was not recorded from the start never is
            table = await loop.run_in_executor(self._threads, self._restored, name, settings, entries, recorded)
        except BaseException:
            journal.close()
            raise
        self._seat(name, table, about, journal)

    def _seat(self, name: str, table: LiveTable | JoinedTable, about: Mapping[str, Any], journal: Journal) -> Desk:
        table.keep(journal.add)
        invited = set(about["invited"])
        desk = Desk(name, table, dict(about["tokens"]), invited=invited, journal=journal, threads=self._threads)
        self._desks[name] = desk
        return desk

    def _forget(self) -> None:
        """Close tables that no browser has used for a while."""
        empty = [desk for desk in self._desks.values() if not desk.browsers]
        for desk in empty:
            if monotonic() - desk.left_at > FORGET_SECONDS:
                desk.close()
                del self._desks[desk.name]
        if len(self._desks) >= MOST_TABLES:
            raise Refused(f"{MOST_TABLES} tables are open already")

    def _restored(
        self, name: str, settings: TableSettings, entries: Entries, recorded: bool
    ) -> LiveTable | JoinedTable:
        """Restore a table by applying all events in `entries`; if it is `recorded`, hands that a crash lost are
        recorded now."""
        table = JoinedTable(settings) if settings.dealer else LiveTable(settings)
        if recorded:
            self._record(table, name)
        for _ in table.replayed(entries):
            pass
        return table

    def _record(self, table: LiveTable | JoinedTable, name: str) -> bool:
        """Start recording the table's hands. Return False if this server records none."""
        if self._recorder is not None:
            table.record = partial(self._recorder.add, table=name)
        return self._recorder is not None

    def remove_unused(self, days: float) -> int:
        """Delete the journals of tables that were unused for `days` days. Return their number."""
        oldest = time() - days * 86400
        unused = [path for path in self.folder.glob("*.journal") if path.stat().st_mtime < oldest]
        for path in unused:
            for view in self.folder.glob(f"{path.stem}.*.view.json"):  # saved views of agents that failed at the table
                view.unlink()
            path.unlink()
        return len(unused)

    def close(self) -> None:
        """Close all tables and threads."""
        for desk in self._desks.values():
            desk.close()
        self._desks.clear()
        if self._recorder is not None and (line := self._recorder.close()):
            LOG.error("%s", line)
        self._threads.shutdown(wait=False, cancel_futures=True)


def _new_table(settings: TableSettings) -> LiveTable | JoinedTable:
    if not settings.dealer:
        return LiveTable(settings)
    table = JoinedTable(settings)
    table.join()
    return table
