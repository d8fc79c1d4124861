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


@pytest.mark.slow
def test_two_people_at_a_table_see_every_move_of_each_other():
    server = web._Server()
    try:
        friends = asyncio.run(some_moves(server))
    finally:
        server.stop()
    assert len(friends.waits) == 12 and min(friends.waits) > 0
    assert [table["you"] for table in friends._tables] == [0, 1]
    assert friends._tables[0]["turn"] == friends._tables[1]["turn"] > [0, 0]


async def some_moves(server):
    friends = web._Friends(server, 3, game="leduc")
    await friends.sit()
    await friends.play(until=float("inf"), moves=12)
    await friends.leave()
    return friends


async def one_hand(server):
    person = web._Person(server, 3, game="leduc", opponent="caller")
    await person.sit()
    await person.play(until=float("inf"), hands=1)
    await person.leave()
