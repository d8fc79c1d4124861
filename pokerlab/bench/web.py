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
from collections.abc import Sequence
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from pokerlab.bench.benchmark import AFTERWARDS, EVERY_CORE, REMARKS, Work, on_every_core, repeated
from pokerlab.table.session_store import PLACE

TABLES, SECONDS, THINKING = 200, 20.0, 1.0
"""Number of people, one per table, and seconds of play; each takes about a second to act."""

CLUB_TABLES, SOLVING_TABLES = 25, 10
FLOP = {
    "board": "Ks7h2d",
    "ranges": ["30%", "40%"],
    "pot": 60,
    "stack": 120,
    "sizes": "0.5p, 1p",
    "target_percent": 1e-3,
}
"""A flop that takes minutes, as the study page asks for it."""
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
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._folder.cleanup()

    def memory(self) -> float:
        """Memory of the server in megabytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1000
        raise AssertionError

    async def table(self, game: str, chairs: list[dict[str, str]], seed: int | None) -> tuple[str, dict[str, str]]:
        """(name, tokens) of a new table."""
        made = await self.ask("/api/tables", {"game": game, "chairs": chairs, "seed": seed, "pace": 0})
        return made["name"], made["tokens"]

    async def ask(self, path: str, data: Any = None) -> Any:
        """The answer to a request of a page, with `data` as its body if given."""
        body = b"" if data is None else json.dumps(data).encode()
        reader, writer = await asyncio.open_connection(*self.host.split(":"))
        head = f"{'GET' if data is None else 'POST'} {path} HTTP/1.1\r\nHost: {self.host}\r\n"
        head += f"Origin: http://{self.host}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        answer = json.loads((await reader.read()).partition(b"\r\n\r\n")[2])
        writer.close()
        return answer

    async def seat(self, name: str, token: str) -> Any:
        """A WebSocket of a person in a seat."""
        from websockets.asyncio.client import connect
        from websockets.typing import Origin

        address, origin = f"ws://{self.host}/ws/{name}", Origin(f"http://{self.host}")
        socket = await connect(address, origin=origin, proxy=None, ping_interval=None)
        await socket.send(json.dumps({"token": token}))
        return socket


class _Person:
    """A person who checks, calls and sometimes raises; `waits` are the seconds until the agent has acted."""

    def __init__(self, server: _Server, seed: int, *, game: str, opponent: str) -> None:
        self._server, self._random, self._seed = server, Random(seed), seed
        self._game, self._opponent = game, opponent
        self.waits: list[float] = []
        self.hands = 0

    async def sit(self) -> None:
        """Set up a table and wait for the first turn."""
        chairs = [{"person": "You"}, {"agent": self._opponent}]
        name, tokens = await self._server.table(self._game, chairs, self._seed)
        self._socket = await self._server.seat(name, tokens["0"])
        self._table = await self._turn(None)

    async def play(self, *, until: float, hands: int | None = None, thinking: float = 0.0) -> None:
        """Play until a time, or up to a total number of hands."""
        while perf_counter() < until and (hands is None or self.hands < hands):
            if thinking:
                await asyncio.sleep(thinking * self._random.uniform(0.5, 1.5))
            table = self._table
            started, over = perf_counter(), table["play"]["over"]
            self.hands += over
            message = {"type": "ready", "hand": table["hand"]} if over else _action(table, self._random)
            await self._socket.send(json.dumps(message))
            self._table = await self._turn(table)
            self.waits.append(perf_counter() - started)

    async def leave(self) -> None:
        """Close the page."""
        await self._socket.close()

    async def _turn(self, before: dict[str, Any] | None) -> dict[str, Any]:
        """The table once it is the person's turn again, or the hand is over."""
        while True:
            table: dict[str, Any] = json.loads(await self._socket.recv())
            assert table["type"] == "table", table
            play = table.get("play")
            news = before is None or (table["turn"], table["hand"]) != (before["turn"], before["hand"])
            if play and news and (play["over"] or "legal" in play):
                return table


class _Friends:
    """Two people at a table of their own; `waits` are the seconds until both see what one of them has done."""

    def __init__(self, server: _Server, seed: int, *, game: str) -> None:
        self._server, self._random, self._game = server, Random(seed), game
        self.waits: list[float] = []

    async def sit(self) -> None:
        """Set up a table, open both seats and wait for the first hand."""
        name, tokens = await self._server.table(self._game, [{"person": "Ann"}, {"person": "Bob"}], None)
        self._sockets = [await self._server.seat(name, tokens[chair]) for chair in "01"]
        self._tables = await asyncio.gather(*(_news(socket, None) for socket in self._sockets))

    async def play(self, *, until: float, moves: int | None = None, thinking: float = 0.0) -> None:
        """Play until a time, or for a number of moves; the player to act thinks for about `thinking` seconds."""
        while perf_counter() < until and (moves is None or len(self.waits) < moves):
            await asyncio.sleep(thinking * self._random.uniform(0.5, 1.5))
            before = self._tables[0]
            acting = [(socket, table) for socket, table in zip(self._sockets, self._tables, strict=True)]
            if not before["play"]["over"]:
                acting = [(socket, table) for socket, table in acting if "legal" in table["play"]]
            started = perf_counter()
            for socket, table in acting:
                ready = {"type": "ready", "hand": table["hand"]}
                await socket.send(json.dumps(ready if table["play"]["over"] else _action(table, self._random)))
            self._tables = await asyncio.gather(*(_news(socket, before) for socket in self._sockets))
            self.waits.append(perf_counter() - started)

    async def leave(self) -> None:
        """Close both pages."""
        for socket in self._sockets:
            await socket.close()


def _action(table: dict[str, Any], random: Random) -> dict[str, Any]:
    legal = table["play"]["legal"]
    raises = legal["low"] is not None and random.random() < 0.3
    to = min(legal["low"] * random.randint(1, 3), legal["high"]) if raises else 0
    return {"type": "act", "turn": table["turn"], "action": f"r{to}" if raises else "c"}


async def _news(socket: Any, before: dict[str, Any] | None) -> dict[str, Any]:
    """The next table that differs from `before` in its hand or in the number of actions."""
    while True:
        table: dict[str, Any] = json.loads(await socket.recv())
        if table.get("play") and (before is None or (table["turn"], table["hand"]) != (before["turn"], before["hand"])):
            return table


def _spread(waits: list[float]) -> str:
    """Median, 95th and 99th percentile in words."""
    ordered = sorted(waits)
    half, most, nearly_all = (f"{1000 * ordered[int(len(ordered) * share)]:.1f} ms" for share in (0.5, 0.95, 0.99))
    return f"{half} at the median, {most} at the 95th and {nearly_all} at the 99th percentile"


def _load() -> str:
    return f"on {len(EVERY_CORE)} cores, at a load of {os.getloadavg()[0]:.1f} before"


async def _play_at_once(seated: Sequence[_Person | _Friends], *, thinking: float) -> None:
    """Let everyone seated play for `SECONDS`."""
    gc.freeze()  # our own garbage collection must not add to the waits
    until = perf_counter() + SECONDS
    await asyncio.gather(*(each.play(until=until, thinking=thinking) for each in seated))
    gc.unfreeze()


def club() -> Work:
    server = _Server()

    async def people() -> list[float]:
        seated = [_Friends(server, seed, game="nolimit2p") for seed in range(CLUB_TABLES)]
        for friends in seated:
            await friends.sit()
        await _play_at_once(seated, thinking=THINKING)
        await asyncio.gather(*(friends.leave() for friends in seated))
        return [wait for friends in seated for wait in friends.waits]

    def work() -> int:
        with on_every_core():
            load, waits = _load(), asyncio.run(people())
        REMARKS["web-club"] = [
            f"{2 * CLUB_TABLES} people at {CLUB_TABLES} tables, {len(waits):,} moves in {SECONDS:g} s {load}: until "
            f"both have seen it {_spread(waits)}"
        ]
        return len(waits)

    return work


def while_solving() -> Work:
    server = _Server()

    async def people(seated: list[_Person]) -> list[float]:
        for person in seated:
            person.waits.clear()
        await _play_at_once(seated, thinking=THINKING / 4)
        return [wait for person in seated for wait in person.waits]

    async def both() -> tuple[list[float], list[float], Any]:
        seated = [_Person(server, seed, game="nolimit2p", opponent="rulebot") for seed in range(SOLVING_TABLES)]
        for person in seated:
            await person.sit()
        await seated[0].play(until=inf, hands=5)  # so that loading and compiling at the first action are not measured
        gc.freeze()
        without = await people(seated)
        solve = (await server.ask("/api/solves", FLOP))["name"]
        while (state := await server.ask(f"/api/solves/{solve}"))["under_way"] < 2:  # loading and compiling come first
            assert state["running"], state["wrong"]
            await asyncio.sleep(0.2)
        during = await people(seated)
        state = await server.ask(f"/api/solves/{solve}")
        assert state["running"], "the flop was solved before the people had played"
        await server.ask(f"/api/solves/{solve}/stop", {})
        while (await server.ask(f"/api/solves/{solve}"))["running"]:
            await asyncio.sleep(0.2)
        gc.unfreeze()
        await asyncio.gather(*(person.leave() for person in seated))
        return without, during, state

    def work() -> int:
        with on_every_core():
            load = _load()
            without, during, state = asyncio.run(both())
        REMARKS["web-solving"] = [
            f"{SOLVING_TABLES} tables {load}: until the agent has answered, {len(without):,} actions without a solve "
            f"{_spread(without)}; {len(during):,} actions while a flop is solved ({state['under_way']} iterations by "
            f"the end) {_spread(during)}"
        ]
        return len(during)

    return work


def tables() -> Work:
    server = _Server()

    async def people() -> list[float]:
        seated = [_Person(server, seed, game="nolimit2p", opponent="rulebot") for seed in range(TABLES)]
        first = _Person(server, TABLES, game="nolimit2p", opponent="rulebot")
        await first.sit()
        await first.play(until=inf, hands=5)  # so that loading and compiling at the first action are not measured
        for person in seated:
            await person.sit()
        await _play_at_once(seated, thinking=THINKING)
        await asyncio.gather(*(person.leave() for person in (first, *seated)))
        return [wait for person in seated for wait in person.waits]

    def work() -> int:
        with on_every_core():
            load, waits = _load(), asyncio.run(people())
        REMARKS["web-tables"] = [
            f"{TABLES} tables, {len(waits):,} actions in {SECONDS:g} s {load}: until the agent has answered "
            f"{_spread(waits)}"
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
