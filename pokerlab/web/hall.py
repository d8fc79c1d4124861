"""All tables of a server, each kept in a journal.

A table that is not in memory, because the server was restarted or nobody had been at it for a while, is made again from
its journal when somebody comes.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import defaultdict
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

from pokerlab.errors import FileError, line_for
from pokerlab.web.desk import WATCHER, Desk, Refused
from pokerlab.web.journal import Journal, read_journal
from pokerlab.web.live_table import LiveTable
from pokerlab.web.table_settings import TableSettings

MOST_TABLES, THREADS = 1000, 256
FORGET_SECONDS = 600.0


class Hall:
    """All tables, by name; `agents` are those that a browser may seat, and `folder` has the journals."""

    def __init__(self, folder: Path, agents: Collection[str]) -> None:
        if folder.exists() and not folder.is_dir():
            raise FileError(f"{folder} is not a directory")
        self.folder, self.agents = folder, agents
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="agent")
        self._desks: dict[str, Desk] = {}
        self._opening: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def set_up(self, data: Any, *, trusted: bool = False) -> Desk:
        """A new table; where `trusted`, any agent may sit at it."""
        settings = TableSettings.from_data(data, agents=None if trusted else self.agents)
        self._forget()
        name = secrets.token_hex(6)
        people = [str(chair) for chair, who in enumerate(settings.chairs) if who.person]
        tokens = {key: secrets.token_urlsafe(16) for key in (*people, WATCHER)}
        loop = asyncio.get_running_loop()
        table = await loop.run_in_executor(self._threads, LiveTable, settings)
        path = self.folder / f"{name}.journal"
        journal = Journal.begin(path, {"settings": settings.data(), "tokens": tokens})
        table.keep(journal.add)
        return self._seat(Desk(name, table, tokens, path=path, threads=self._threads), journal)

    async def desk(self, name: str) -> Desk:
        """The table called `name`, from memory or from its journal."""
        if name in self._desks:
            return self._desks[name]
        path = self.folder / f"{name}.journal"
        if not re.fullmatch("[0-9a-f]{12}", name) or not path.is_file():
            raise Refused(f"there is no table {name[:20]!r}")
        async with self._opening[name]:
            if name not in self._desks:
                self._forget()
                await self._open(name, path)
        return self._desks[name]

    async def _open(self, name: str, path: Path) -> None:
        try:
            about, entries = read_journal(path)
            settings, tokens = TableSettings.from_data(about["settings"]), about["tokens"]
        except (LookupError, TypeError, ValueError) as error:
            raise FileError(line_for(error) or f"{path} is damaged: {error}") from error
        journal = Journal.go_on(path)
        loop = asyncio.get_running_loop()
        try:
            table = await loop.run_in_executor(self._threads, LiveTable.of_journal, settings, entries, journal.add)
        except BaseException:
            journal.close()
            raise
        self._seat(Desk(name, table, tokens, path=path, threads=self._threads), journal)

    def _seat(self, desk: Desk, journal: Journal) -> Desk:
        desk.journal = journal
        self._desks[desk.name] = desk
        return desk

    def _forget(self) -> None:
        """Let go of tables that nobody has been at for a while."""
        empty = [desk for desk in self._desks.values() if not desk.browsers]
        for desk in empty:
            if monotonic() - desk.left_at > FORGET_SECONDS:
                desk.close()
                del self._desks[desk.name]
        if len(self._desks) >= MOST_TABLES:
            raise Refused(f"{MOST_TABLES} tables are open already")

    def close(self) -> None:
        """Let go of everything."""
        for desk in self._desks.values():
            desk.close()
        self._desks.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
