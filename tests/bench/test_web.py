"""The server of the benchmarks of `web/`: it leaves the user's own files alone."""

import asyncio
import signal

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("websockets", reason="the extra web is not installed")

from pokerlab.bench import web
from pokerlab.table.session_store import SessionStore


@pytest.mark.slow
def test_hands_of_the_benchmark_are_not_those_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_SESSIONS", str(tmp_path / "mine.duckdb"))
    server = web._Server()
    try:
        asyncio.run(one_hand(server))
        server.process.send_signal(signal.SIGINT)
        server.process.wait(60)
        with SessionStore.reading(server.sessions) as store:
            assert store.ask("SELECT count(*) FROM hands").rows == [(1,)]  # recorded, as a person's hands are
    finally:
        server.stop()
    assert list(tmp_path.iterdir()) == []


async def one_hand(server):
    person = web._Person(server, 3, game="leduc", opponent="caller")
    await person.sit()
    await person.play(until=float("inf"), hands=1)
    await person.leave()
