"""The page of sessions: what is played at a table is in it once, and only a server for this machine shows it."""

import asyncio
import json
from decimal import Decimal

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
from asgi_browser import HOST, Seat, my_turn, request
from session_hands import DECK, store_fifty

from pokerlab.games.actions import FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.table.session_queries import list_hands, list_sessions
from pokerlab.table.session_recorder import SessionRecorder
from pokerlab.table.session_rows import HandOrigin
from pokerlab.table.session_store import SessionStore
from pokerlab.web.hall import Hall
from pokerlab.web.server import application

HANDS = 4


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_SESSIONS", str(tmp_path / "sessions.duckdb"))
    return tmp_path / "sessions.duckdb"


@pytest.fixture
def fifty(path):
    """Fifty hands of ann's are in the database."""
    store_fifty(path)


def got(folder, *paths, join=True):
    """(status, content) of requests to one application."""

    async def go():
        app = application(Hall(folder, (), join=join), hosts=[HOST])
        return [(status, content) for status, _, content in [await request(app, each) for each in paths]]

    return asyncio.run(go())


def test_fifty_hands_are_found_filtered_and_replayed(tmp_path, fifty):
    paths = ("/api/sessions", "/api/sessions/hands?session=1&pot_type=raised&order=cost-most", "/api/sessions/graph")
    listed, hands, graph = [json.loads(content) for _, content in got(tmp_path / "tables", *paths)]
    [session] = listed["sessions"]
    assert (session["hands"], session["place"], session["start"]) == (50, "club", "2026-01-02T12:00:00")
    assert session["result_bb"] == 10 * 200 + 40 * 3  # the board lets aces win
    assert [each["id"] for each in hands["hands"]] == list(range(1, 50, 5)) and hands["total"]["hands"] == 10
    assert graph["net"][-1] == session["result_bb"] and graph["adjusted"][-1] < graph["net"][-1]
    ((status, text),) = got(tmp_path / "tables", "/api/sessions/hands.phhs?ids=2,1")
    assert status == 200 and text.decode().count("variant = ") == 2

    async def replayed():
        app = application(Hall(tmp_path / "tables", ()), hosts=[HOST])
        return await request(app, "/api/replay", method="POST", body={"text": text.decode(), "index": 0})

    found = json.loads(asyncio.run(replayed())[2])
    seats = found["frames"][-1]["play"]["seats"]
    assert (found["hero"], seats[0]["cards"], seats[1]["cards"]) == (0, ["As", "Ah"], [None, None])


def test_hands_are_filtered_by_site_and_dates_and_reviewed(tmp_path, path, fifty):
    date = {"year": "2026", "month": "2", "day": "1", "time": "20:00:00", "venue": "room"}
    lost = HandHistory(game("nolimit2p"), DECK, (RaiseTo(300), FOLD), ("ann", "bob"), 1, tags=date)
    with SessionStore.writing(path) as store:
        store.add([lost], HandOrigin("a file", hero="ann"))
    queries = ("sessions?", "sessions/hands?site=room", "sessions/hands?before=2026-02-01", "sessions/review?")
    queries += ("sessions/review?before=2026-02-01&pot_type=raised",)
    listed, room, january, review, before = [
        json.loads(content) for _, content in got(tmp_path / "tables", *(f"/api/{query}" for query in queries))
    ]
    assert listed["sites"] == ["room"]
    assert [each["result_bb"] for each in room["hands"]] == [-1.0] and room["total"]["hands"] == 1
    assert january["total"]["hands"] == 50
    assert [each["id"] for each in review["hands"]] == [51]  # the only one that lost, with all-ins at expectation
    assert review["luck_bb"] == pytest.approx(review["total"]["result_bb"] - review["total"]["adjusted_bb"])
    assert review["luck_bb"] > 300  # ten all-ins with aces against kings on a board that lets aces win
    assert {each["group"]: each["hands"] for each in review["pot_type"]} == {"raised": 11, "3bet": 40}
    assert (before["hands"], before["total"]["hands"]) == ([], 10)


def test_a_server_that_others_reach_shows_no_sessions(tmp_path, fifty):
    for path in (
        "/api/sessions",
        "/api/sessions/hands",
        "/api/sessions/review",
        "/api/sessions/graph",
        "/api/sessions/hands.phhs?ids=1",
    ):
        ((status, content),) = got(tmp_path / "tables", path, join=False)
        assert status == 403 and b"does not show your sessions" in content and b"As" not in content


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("?session=x", "'x' is not the number of a hand or session"),
        ("?pot_type=six", "no pot type is called 'six'"),
        ("?versus=nobody", "no hand has a hero that these filters keep"),
    ],
)
def test_wrong_filters_are_one_line(tmp_path, fifty, query, why):
    ((status, content),) = got(tmp_path / "tables", f"/api/sessions{query}")
    assert status == 400 and why in json.loads(content)["error"]


async def play_at_a_table(tmp_path, recorder, **stakes):
    """Play hands at a table and open it again; (status, players) of its statistics."""
    hall = Hall(tmp_path / "tables", ("folder", "caller"), recorder=recorder)
    app = application(hall, hosts=[HOST])
    chairs = [{"person": "You"}, {"agent": "caller"}]
    body = {"game": "nolimit2p", "chairs": chairs, "seed": 7, "pace": 0, **stakes}
    _, _, content = await request(app, "/api/tables", method="POST", body=body)
    made = json.loads(content)
    seat = Seat(app, made["name"])
    seat.say({"token": made["tokens"]["0"]})
    for number in range(HANDS):
        await seat.until(lambda seat, number=number: seat.table.get("hand") == number)
        while (await seat.until(lambda seat: my_turn(seat) or seat.table.get("play", {}).get("over"))).table[
            "hands"
        ] <= number:
            folds = seat.table["play"]["legal"]["fold"]
            turn = seat.table["turn"]
            seat.say({"type": "act", "turn": turn, "action": "f" if folds else "c"})
            await seat.until(lambda seat, turn=turn: seat.table["turn"] != turn)
        seat.say({"type": "ready", "hand": seat.table["hand"]})
    await seat.until(my_turn)
    await seat.leave()
    status, _, content = await request(app, f"/api/tables/{made['name']}/statistics", token=made["tokens"]["0"])
    hall.close()
    again = Hall(tmp_path / "tables", (), recorder=SessionRecorder())  # a restart replays the journal
    await again.desk(made["name"])
    again.close()
    return status, json.loads(content)["players"]


def test_what_is_played_at_a_table_is_recorded_once_without_hidden_cards(tmp_path, path):
    status, players = asyncio.run(play_at_a_table(tmp_path, SessionRecorder()))
    assert status == 200 and [(each["name"], each["hands"]) for each in players] == [("You", HANDS), ("caller", HANDS)]
    with SessionStore.reading(path) as store:
        rows = store.ask("SELECT deck, seat, name, showdown FROM hands JOIN seats ON hand = id WHERE seats.hero").rows
    assert len(rows) == HANDS and {name for _, _, name, _ in rows} == {"You"}
    assert {showdown for *_, showdown in rows} == {0, 1}  # a big blind that is checked down, a button that folds
    for deck, seat, _, showdown in rows:
        own, other = (deck[:4], deck[4:8]) if seat == 0 else (deck[4:8], deck[:4])
        assert "?" not in own and (other == "????") == (not showdown)


def test_a_table_in_cents_is_recorded_in_dollars(tmp_path, path):
    asyncio.run(play_at_a_table(tmp_path, SessionRecorder(), currency="$", small_blind=10, big_blind=25))
    with SessionStore.reading(path) as store:
        ((session,), _) = list_sessions(store)
        lost = [(each.position, each.result, each.result_bb) for each in list_hands(store, order="oldest")]
    assert (session.stakes, session.currency, session.hands) == ("$0.10/$0.25", "$", HANDS)
    assert ("BTN", Decimal("-0.1"), -0.4) in lost and sum(result for _, result, _ in lost) == session.result
    assert all(float(result) == pytest.approx(0.25 * bb) for _, result, bb in lost)


def test_a_table_without_a_record_stays_without(tmp_path, path):
    asyncio.run(play_at_a_table(tmp_path, None))  # opened again by a server that records
    assert not path.exists()
