"""Clients that send half a header, or nothing, are dropped after a time; those that wait for an answer are not."""

import asyncio
import logging
import socket

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")

import uvicorn
from uvicorn.server import ServerState

from pokerlab.web import patience
from pokerlab.web.hall import Hall
from pokerlab.web.patience import HEADER_SECONDS, PatientProtocol
from pokerlab.web.server import serve

WHOLE = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHo"
POST = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n"
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Timer:
    def __init__(self, when, call):
        self.when, self.call, self.cancelled = when, call, False

    def cancel(self):
        self.cancelled = True


class Clock:
    """An event loop whose timers run when they are told the time."""

    def __init__(self):
        self.now, self.timers = 0.0, []

    def call_later(self, seconds, call):
        self.timers.append(Timer(self.now + seconds, call))
        return self.timers[-1]

    def advance(self, seconds):
        self.now += seconds
        due = [timer for timer in self.timers if timer.when <= self.now]
        self.timers = [timer for timer in self.timers if timer.when > self.now]
        for timer in due:
            if not timer.cancelled:
                timer.call()

    def __getattr__(self, name):
        return getattr(asyncio.get_running_loop(), name)


class Transport(asyncio.Transport):
    def __init__(self):
        super().__init__({"peername": ("192.0.2.1", 5)})
        self.closed, self.written, self.protocol = False, b"", None

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def set_protocol(self, protocol):
        self.protocol = protocol

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


@pytest.fixture(autouse=True)
def _log(caplog):
    caplog.set_level(logging.WARNING, "pokerlab.web")


async def dropped_at(script, seconds=60):
    """(the second at which a connection was closed, if it was, what it was sent), by what arrives at each second.

    The application answers at once, except to `GET /slow`, which it never answers.
    """

    async def application(scope, receive, send):
        if scope["path"] == "/slow":
            await asyncio.Event().wait()
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await asyncio.Event().wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    clock, transport = Clock(), Transport()
    config = uvicorn.Config(application, http=PatientProtocol, ws="websockets-sansio", log_config=None, lifespan="off")
    config.load()
    connection = PatientProtocol(config, ServerState(), {}, clock)
    connection.connection_made(transport)
    for second in range(seconds):
        if second in script:
            (transport.protocol or connection).data_received(script[second])
            for _ in range(5):
                await asyncio.sleep(0)  # the application answers
        clock.advance(1)
        if transport.closed:
            break
    connection.connection_lost(None)
    return clock.now if second < seconds - 1 else None, transport.written


DROPPED = [
    ({}, HEADER_SECONDS, 0, []),
    ({0: HALF}, HEADER_SECONDS, 0, ["a request broke off after 18 bytes"]),
    ({3: b"G", **dict.fromkeys(range(5, 50), b"E")}, HEADER_SECONDS, 0, ["a request broke off after 16 bytes"]),
    ({0: WHOLE}, 5, 1, []),  # uvicorn's time for a further request
    ({0: WHOLE, 4: WHOLE, 8: WHOLE}, 13, 3, []),
    ({0: WHOLE, 3: HALF}, 3 + HEADER_SECONDS, 1, ["a request broke off after 18 bytes"]),
    ({0: WHOLE, 3: HALF, 9: WHOLE[len(HALF) :]}, 14, 2, []),
    ({0: POST, **dict.fromkeys(range(1, 9), b"x")}, 1 + HEADER_SECONDS, 1, ["broke off after 8 bytes"]),
    ({0: WHOLE.replace(b"/ ", b"/slow ")}, None, 0, []),
    ({0: UPGRADE}, None, 0, []),
]


@pytest.mark.parametrize(("script", "when", "answers", "lines"), DROPPED)
def test_only_those_who_do_not_send_a_whole_header_are_dropped(script, when, answers, lines, caplog):
    async def go():
        return await dropped_at(script)  # tasks that still wait are cancelled with the loop

    dropped, written = asyncio.run(go())
    assert dropped == when
    assert written.count(b"HTTP/1.1 200") == answers
    assert (b"HTTP/1.1 101" in written) == (script.get(0) == UPGRADE)
    said = [record.getMessage() for record in caplog.records if record.name == "pokerlab.web"]
    assert len(said) == len(lines)
    assert all(line in each and "192.0.2.1" in each for each, line in zip(said, lines, strict=True))


def test_the_server_drops_them(tmp_path, monkeypatch):
    """On a real connection, until the other end is closed."""
    monkeypatch.setattr(patience, "HEADER_SECONDS", 0.05)

    async def go(sock):
        opened = asyncio.Event()
        how = {"also": (), "results": tmp_path, "runs": tmp_path, "tables": (), "ready": lambda *_: opened.set()}
        server = asyncio.create_task(serve(Hall(tmp_path, ()), sock, **how))
        await opened.wait()
        reader, writer = await asyncio.open_connection(*sock.getsockname())
        writer.write(HALF)
        got = await asyncio.wait_for(reader.read(), 60)
        writer.close()
        server.cancel()
        await asyncio.wait([server])
        return got

    with socket.create_server(("127.0.0.1", 0)) as sock:
        assert asyncio.run(go(sock)) == b""
