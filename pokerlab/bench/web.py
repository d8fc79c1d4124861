"""Benchmarks of `web/`: people at many tables of one server, and one server over many hands. The server and this
process each run on all cores, and communicate over loopback as browsers do."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from pokerlab.bench.benchmark import AFTERWARDS, EVERY_CORE, REMARKS, Work, on_every_core, repeated
from pokerlab.table.session_store import PLACE

TABLES, SECONDS, THINKING = 200, 20.0, 1.0
"""Number of people, one per table, and seconds of play; each takes about a second to act."""

MEMORY_TABLES, MEMORY_HANDS = 10, 10_000


class _Server:
    """`pokerlab web` in its own process, on all cores; it records its hands, as people's servers do, in a database of
    its own."""

    def __init__(self) -> None:
        import starlette  # noqa: F401 - one line names the extra if any of these is missing
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401

        self._folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-m", "pokerlab.cli", "web", "--port", "0", "--out", self._folder.name]
        self.sessions = Path(self._folder.name) / "sessions.duckdb"
        environment = {**os.environ, PLACE: str(self.sessions)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        os.sched_setaffinity(self.process.pid, EVERY_CORE)
        assert self.process.stdout is not None
        self.host = self.process.stdout.readline().split()[-1].strip("/").removeprefix("http://")
        AFTERWARDS.callback(self.stop)

    def stop(self) -> None:
        """Stop the server."""
        self.process.terminate()
        self.process.wait(20)
        self._folder.cleanup()

    def memory(self) -> float:
        """Memory of the server in megabytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1000
        raise AssertionError

    async def table(self, game: str, opponent: str, seed: int) -> tuple[str, str]:
        """(name, token) of a new table."""
        chairs = [{"person": "You"}, {"agent": opponent}]
        body = json.dumps({"game": game, "chairs": chairs, "seed": seed, "pace": 0}).encode()
        reader, writer = await asyncio.open_connection(*self.host.split(":"))
        head = f"POST /api/tables HTTP/1.1\r\nHost: {self.host}\r\nOrigin: http://{self.host}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        made = json.loads((await reader.read()).partition(b"\r\n\r\n")[2])
        writer.close()
        return made["name"], made["tokens"]["0"]


class _Person:
    """A person who checks, calls and sometimes raises; `waits` are the seconds until the agent has acted."""

    def __init__(self, server: _Server, seed: int, *, game: str, opponent: str) -> None:
        self._server, self._random, self._seed = server, Random(seed), seed
        self._game, self._opponent = game, opponent
        self.waits: list[float] = []
        self.hands = 0

    async def sit(self) -> None:
        """Set up a table and wait for the first turn."""
        from websockets.asyncio.client import connect
        from websockets.typing import Origin

        name, token = await self._server.table(self._game, self._opponent, self._seed)
        address, origin = f"ws://{self._server.host}/ws/{name}", Origin(f"http://{self._server.host}")
        self._socket = await connect(address, origin=origin, proxy=None, ping_interval=None)
        await self._socket.send(json.dumps({"token": token}))
        self._table = await self._turn(None)

    async def play(self, *, until: float, hands: int | None = None, thinking: float = 0.0) -> None:
        """Play until a time, or up to a total number of hands."""
        while perf_counter() < until and (hands is None or self.hands < hands):
            if thinking:
                await asyncio.sleep(thinking * self._random.uniform(0.5, 1.5))
            table = self._table
            started, over = perf_counter(), table["play"]["over"]
            self.hands += over
            message = {"type": "ready", "hand": table["hand"]} if over else self._action(table)
            await self._socket.send(json.dumps(message))
            self._table = await self._turn(table)
            self.waits.append(perf_counter() - started)

    async def leave(self) -> None:
        """Close the page."""
        await self._socket.close()

    def _action(self, table: dict[str, Any]) -> dict[str, Any]:
        legal = table["play"]["legal"]
        raises = legal["low"] is not None and self._random.random() < 0.3
        to = min(legal["low"] * self._random.randint(1, 3), legal["high"]) if raises else 0
        return {"type": "act", "turn": table["turn"], "action": f"r{to}" if raises else "c"}

    async def _turn(self, before: dict[str, Any] | None) -> dict[str, Any]:
        """The table once it is the person's turn again, or the hand is over."""
        while True:
            table: dict[str, Any] = json.loads(await self._socket.recv())
            assert table["type"] == "table", table
            play = table.get("play")
            news = before is None or (table["turn"], table["hand"]) != (before["turn"], before["hand"])
            if play and news and (play["over"] or "legal" in play):
                return table


def tables() -> Work:
    server = _Server()

    async def people() -> list[float]:
        seated = [_Person(server, seed, game="nolimit2p", opponent="rulebot") for seed in range(TABLES)]
        first = _Person(server, TABLES, game="nolimit2p", opponent="rulebot")
        await first.sit()
        await first.play(until=inf, hands=5)  # so that loading and compiling at the first action are not measured
        for person in seated:
            await person.sit()
        gc.freeze()  # our own garbage collection must not add to the waits
        until = perf_counter() + SECONDS
        await asyncio.gather(*(person.play(until=until, thinking=THINKING) for person in seated))
        gc.unfreeze()
        await asyncio.gather(*(person.leave() for person in (first, *seated)))
        return sorted(wait for person in seated for wait in person.waits)

    def work() -> int:
        with on_every_core():
            waits = asyncio.run(people())
        at = [waits[int(len(waits) * share)] for share in (0.5, 0.95, 0.99)]
        half, most, nearly_all = (f"{1000 * wait:.1f} ms" for wait in at)
        REMARKS["web-tables"] = [
            f"{TABLES} tables, {len(waits):,} actions in {SECONDS:g} s on {len(EVERY_CORE)} cores: until the agent has "
            f"answered {half} at the median, {most} at the 95th and {nearly_all} at the 99th percentile"
        ]
        return len(waits)

    return work


def memory() -> Work:
    server = _Server()

    async def people() -> list[float]:
        sizes = []
        seated = [_Person(server, seed, game="nolimit2p", opponent="random") for seed in range(MEMORY_TABLES)]
        for person in seated:
            await person.sit()
        for hands in (MEMORY_HANDS // 10, MEMORY_HANDS):
            each = hands // MEMORY_TABLES
            await asyncio.gather(*(person.play(until=inf, hands=each) for person in seated))
            sizes.append(server.memory())
        await asyncio.gather(*(person.leave() for person in seated))
        return sizes

    def work() -> int:
        with on_every_core():
            early, late = asyncio.run(people())
        remark = (
            f"memory of the server after {MEMORY_HANDS // 10:,} and {MEMORY_HANDS:,} hands: {early:.1f}, {late:.1f} MB"
        )
        REMARKS.setdefault("web-memory", []).append(remark)
        return MEMORY_HANDS

    return work


def resolve() -> Work:
    import numpy as np

    from pokerlab.cards.card import cards
    from pokerlab.games.actions import CALL, RaiseTo
    from pokerlab.games.catalog import game
    from pokerlab.games.state import State
    from pokerlab.valuing.resolved import resolved

    state = State.start(game("nolimit2p"), cards("AsAhKcQd9h8s4c5s3d"))
    for action in (RaiseTo(300), CALL, CALL, CALL, CALL, CALL, RaiseTo(300)):
        state = state.after(action)
    view, anything = state.view(1, 0, ("them", "you")), np.ones(1326)

    return repeated(lambda: resolved(view, {0: anything, 1: anything}, seconds=inf, target=0.01), 1)
