"""A browser in the same process: requests and WebSockets straight to an ASGI application, every byte kept."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from random import Random

from pokerlab.web.hall import Hall
from pokerlab.web.server import application

HOST = "127.0.0.1:8765"
ROOT = Path(__file__).parent.parent
HAND = (ROOT / "docs" / "example-hand.phh").read_text()


def scope_of(kind, path, *, method="GET", headers=None):
    said = {"host": HOST, "origin": f"http://{HOST}", **(headers or {})}
    path, _, query = path.partition("?")
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "ws" if kind == "websocket" else "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(key.encode(), value.encode("latin-1")) for key, value in said.items() if value is not None],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8765),
        "subprotocols": [],
    }


async def request(app, path, *, method="GET", body=None, token=None, headers=None, breaks_off=False):
    """(status, headers, content) of one request; `body` is sent as JSON unless it is bytes, and may break off."""
    said = dict(headers or {})
    if body is not None:
        said.setdefault("content-type", "application/json")
    if token is not None:
        said["authorization"] = f"Bearer {token}"
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    sent = []

    messages = iter([{"type": "http.request", "body": content, "more_body": breaks_off}, {"type": "http.disconnect"}])

    async def receive():
        return next(messages)

    async def send(message):
        sent.append(message)

    await app(scope_of("http", path, method=method, headers=said), receive, send)
    start = sent[0]
    got = {key.decode(): value.decode() for key, value in start["headers"]}
    return start["status"], got, b"".join(message.get("body", b"") for message in sent[1:])


def answers(folder, *requests):
    """(status, JSON) of requests to one application, each (path, body or None)."""

    async def go():
        app = application(Hall(folder, ()), hosts=[HOST], results=ROOT / "docs" / "results")
        found = []
        for path, body in requests:
            status, _, content = await request(app, path, method="GET" if body is None else "POST", body=body)
            found.append((status, json.loads(content)))
        return found

    return asyncio.run(go())


def finished(desk, asked):
    """Solve or report that a desk was asked for, once it is there."""
    work = desk.begin(asked)
    until = time.monotonic() + 600
    while work.running:
        assert time.monotonic() < until
        time.sleep(0.005)
    assert work.wrong == ""
    return work


class Seat:
    """An open WebSocket; `texts` has everything that was sent to it, and nothing can be sent once it `breaks`."""

    def __init__(self, app, name, *, headers=None):
        self.texts, self.closed, self.breaks = [], None, False
        self.last, self.table = {}, {}  # the last message, and the last that says how the table stands
        self._in, self._news = asyncio.Queue(), asyncio.Event()
        self._in.put_nowait({"type": "websocket.connect"})
        scope = scope_of("websocket", f"/ws/{name}", headers=headers)
        self._task = asyncio.create_task(app(scope, self._in.get, self._sent))

    async def _sent(self, message):
        if self.breaks:
            raise OSError("the connection is gone")
        if message["type"] == "websocket.send":
            self.texts.append(message["text"])
            self.last = json.loads(message["text"])
            if self.last["type"] == "table":
                self.table = self.last
        elif message["type"] == "websocket.close":
            self.closed = message["code"]
        self._news.set()

    def say(self, message):
        text = message if isinstance(message, str) else json.dumps(message)
        self._in.put_nowait({"type": "websocket.receive", "text": text})

    async def until(self, true, seconds=20):
        """Wait until `true(self)`."""
        async with asyncio.timeout(seconds):
            while not true(self):
                self._news.clear()
                await self._news.wait()
        return self

    async def leave(self):
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


def my_turn(seat):
    return bool(seat.table.get("play", {}).get("legal")) and seat.last.get("type") == "table"


def over(seat):
    return bool(seat.table.get("play", {}).get("over"))


def asked(game, *chairs, **more):
    """What a page asks for to set up a table; people have names that begin with a capital. One alone has a seed."""
    seats = [{"person": who} if who[0].isupper() else {"agent": who} for who in chairs]
    alone = sum("person" in seat for seat in seats) == 1
    return {"game": game, "chairs": seats, "seed": 7 if alone else None, "pace": 0, **more}


async def open_table(tmp_path, data):
    """(hall, application, what the page is told) of a new table."""
    hall = Hall(tmp_path, ("caller", "raiser", "random", "random:smallest", "rulebot"))
    app = application(hall, hosts=[HOST])
    status, _, content = await request(app, "/api/tables", method="POST", body=data)
    assert status == 200, content
    return hall, app, json.loads(content)


def sat(app, made, chair):
    """A browser in a chair."""
    seat = Seat(app, made["name"])
    seat.say({"token": made["tokens"][str(chair)]})
    return seat


def some_action(legal, random):
    choices = ["f"] * legal["fold"] + ["c", "c"]
    if legal["low"] is not None:
        choices += (
            [f"r{legal['low']}"] if legal["high"] is None else [f"r{random.randint(legal['low'], legal['high'])}"]
        )
    return random.choice(choices)


async def play(seat, hands, seed=1):
    """Play by chance until so many hands are over."""
    random = Random(seed)
    for hand in range(hands):
        while True:
            await seat.until(lambda s, hand=hand: s.table.get("hand") == hand and (my_turn(s) or over(s)))
            table = seat.table
            if table["play"]["over"]:
                break
            turn = table["turn"]
            seat.say({"type": "act", "turn": turn, "action": some_action(table["play"]["legal"], random)})
            await seat.until(lambda s, turn=turn: s.table["turn"] != turn)
        if hand < hands - 1:
            seat.say({"type": "ready", "hand": hand})
