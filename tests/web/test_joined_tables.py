"""A browser's seat at an ACPC dealer: it is told what the dealer says, and the dealer what it does."""

import asyncio
import json

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, Seat, my_turn, over, request

from pokerlab.errors import PokerlabError
from pokerlab.net.server import Server, service_of
from pokerlab.players.registry import agent
from pokerlab.table.session_queries import list_sessions
from pokerlab.table.session_recorder import SessionRecorder
from pokerlab.table.session_store import SessionStore
from pokerlab.web.hall import Hall
from pokerlab.web.journal import read_journal
from pokerlab.web.server import application
from pokerlab.web.table_settings import TableSettings


def dealer_of(game, *agents, hands, **settings):
    return Server(service_of(game, make=agent, agents=agents, hands=hands, seed=7, **settings), warn=print)


def joining(game, port, **more):
    return {"game": game, "chairs": [{"person": "Ann"}], "dealer": f"127.0.0.1:{port}", "pace": 0, **more}


async def set_up(folder, data, **hall):
    hall = Hall(folder, ("caller",), **hall)
    app = application(hall, hosts=[HOST])
    status, _, content = await request(app, "/api/tables", method="POST", body=data)
    return hall, app, status, json.loads(content)


async def call_through(seat, hands):
    """Check and call until so many hands are over, and watch each to its end; the cards held in each hand."""
    held = []
    for hand in range(hands):
        await seat.until(lambda s, hand=hand: s.table.get("hand") == hand and (my_turn(s) or over(s)))
        table = seat.table
        held.append(table["play"]["seats"][table["chairs"].index(0)]["cards"])
        while not over(seat):
            turn = seat.table["turn"]
            seat.say({"type": "act", "turn": turn, "action": "c"})
            await seat.until(lambda s, turn=turn: s.table["turn"] != turn and (my_turn(s) or over(s)))
        if hand < hands - 1:
            seat.say({"type": "ready", "hand": hand})
    return held


def test_hands_at_a_dealer_are_recorded(tmp_path):
    path = tmp_path / "sessions.duckdb"

    async def go(dealer):
        playing = asyncio.create_task(asyncio.to_thread(dealer.play))
        joining_data = joining("nolimit2p", dealer.ports[0])
        hall, app, _, made = await set_up(tmp_path / "tables", joining_data, recorder=SessionRecorder(path))
        seat = Seat(app, made["name"])
        seat.say({"token": made["tokens"]["0"]})
        await call_through(seat, 3)
        seat.say({"type": "ready", "hand": 2})
        totals = await playing
        await seat.leave()
        hall.close()
        return totals

    with dealer_of("nolimit2p", "acpc", "caller", hands=3) as dealer:
        totals = asyncio.run(go(dealer))
    with SessionStore.reading(path) as store:
        ((session,), _) = list_sessions(store)
    assert (session.name, session.hands, session.result) == ("Ann", 3, totals[0])


@pytest.mark.parametrize("fixed", [False, True])
def test_a_person_plays_a_match_at_a_dealer_with_two_programs(tmp_path, fixed):
    """What Ann won by her own table is what the dealer's score says, whether the button moves or not."""
    log = tmp_path / "match.log"

    async def go(dealer):
        playing = asyncio.create_task(asyncio.to_thread(dealer.play))
        hall, app, _, made = await set_up(tmp_path, joining("nolimit3p", dealer.ports[0]))
        assert set(made["tokens"]) == {"0", "watch"}
        seat, watcher = Seat(app, made["name"]), Seat(app, made["name"])
        seat.say({"token": made["tokens"]["0"]})
        watcher.say({"token": made["tokens"]["watch"]})
        held = await call_through(seat, 4)
        seat.say({"type": "ready", "hand": 3})
        await seat.until(lambda s: s.table["stopped"])
        totals = await playing
        table, stopped = seat.table, seat.table["stopped"]
        path = f"/api/tables/{made['name']}/hands.log"
        _, _, hands = await request(app, path, token=made["tokens"]["0"])
        for each in (seat, watcher):
            await each.leave()
        hall.close()
        again = Hall(tmp_path, ())
        desk = await again.desk(made["name"])
        return held, totals, table, stopped, hands.decode(), desk.seen_from(0), watcher.texts

    with dealer_of("nolimit3p", "acpc", "raiser", "caller", hands=4, log=log, fixed_seats=fixed) as dealer:
        held, totals, table, stopped, hands, again, watched = asyncio.run(go(dealer))
    assert table["names"] == ["Ann", "player2", "player3"]
    assert table["net"] == [int(chips) for chips in totals]
    assert stopped == "the match is over after 4 hands"
    dealt = [line for line in log.read_text().splitlines() if line.startswith("STATE")]
    for hand, line in zip(held, dealt, strict=True):
        assert "".join(hand) in line
    assert hands.count("STATE:") == 4 and "Ann" in hands
    assert again["net"] == table["net"] and again["hands"] == 4
    early = [json.loads(text) for text in watched if '"over":false' in text]
    assert early and not any(card for said in early for seat in said["play"]["seats"] for card in seat["cards"])


def test_what_is_not_legal_or_twice_never_reaches_the_dealer(tmp_path):
    async def go(dealer):
        playing = asyncio.create_task(asyncio.to_thread(dealer.play))
        hall, app, _, made = await set_up(tmp_path, joining("limit2p", dealer.ports[0]))
        seat = Seat(app, made["name"])
        seat.say({"token": made["tokens"]["0"]})
        await seat.until(my_turn)
        turn = seat.table["turn"]
        seat.say({"type": "act", "turn": turn, "action": "r9999"})
        await seat.until(lambda s: s.last["type"] == "refused")
        illegal = seat.last["why"]
        seat.say({"type": "act", "turn": turn, "action": "c"})
        seat.say({"type": "act", "turn": turn, "action": "f"})
        await seat.until(
            lambda s: [json.loads(text) for text in s.texts].count({"type": "refused", "why": illegal}) == 1
        )
        await call_through(seat, 1)
        seat.say({"type": "ready", "hand": 0})
        await playing
        await seat.leave()
        hall.close()
        return illegal, seat.texts

    with dealer_of("limit2p", "acpc", "caller", hands=1) as dealer:
        illegal, texts = asyncio.run(go(dealer))
    assert "cannot raise to 9999" in illegal
    assert not any(
        line.get("words") == "folds" for text in texts for line in json.loads(text).get("play", {}).get("log", [])
    )


def test_who_speaks_no_acpc_is_one_line_for_the_page(tmp_path):
    async def go():
        async def talk(reader, writer):
            writer.write(b"220 mail.example ready\r\n")
            await reader.read()
            writer.close()
            await writer.wait_closed()
            gone.set()

        gone = asyncio.Event()

        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        hall, app, _, made = await set_up(tmp_path, joining("limit2p", server.sockets[0].getsockname()[1]))
        seat = Seat(app, made["name"])
        seat.say({"token": made["tokens"]["0"]})
        await seat.until(lambda s: s.table.get("stopped"))
        await seat.leave()
        hall.close()
        await asyncio.wait_for(gone.wait(), 20)
        server.close()
        return seat.table["stopped"]

    assert "does not follow the ACPC protocol of limit2p: expected MATCHSTATE" in asyncio.run(go())


def test_dealers_that_are_not_there_or_not_to_be_called_at(tmp_path):
    async def go(data, **hall):
        return (await set_up(tmp_path, data, **hall))[2:]

    status, said = asyncio.run(go(joining("limit2p", 1)))
    assert status == 400 and "cannot join 127.0.0.1 port 1" in said["error"]
    status, said = asyncio.run(go(joining("limit2p", 1), join=False))
    assert status == 403 and "from the command line" in said["error"]
    assert not list(tmp_path.glob("*.journal"))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (joining("limit2p", "x"), "127.0.0.1:x is not HOST:PORT"),
        (joining("stud2p", 1) | {"game": "stud2p"}, "ACPC messages cannot describe cards"),
        (joining("limit2p", 1) | {"chairs": [{"agent": "caller"}]}, "seat one person"),
    ],
)
def test_seats_at_a_dealer_that_cannot_be_are_one_line(data, why):
    from pokerlab.web.joined_table import JoinedTable

    with pytest.raises(PokerlabError, match=why):
        JoinedTable(TableSettings.from_data(data))


def test_the_journal_keeps_what_the_dealer_said(tmp_path):
    async def go(dealer):
        playing = asyncio.create_task(asyncio.to_thread(dealer.play))
        hall, app, _, made = await set_up(tmp_path, joining("leduc", dealer.ports[0]))
        seat = Seat(app, made["name"])
        seat.say({"token": made["tokens"]["0"]})
        await call_through(seat, 1)
        seat.say({"type": "ready", "hand": 0})
        await playing
        await seat.leave()
        hall.close()
        return read_journal(tmp_path / f"{made['name']}.journal")[1]

    with dealer_of("leduc", "acpc", "caller", hands=1) as dealer:
        entries = asyncio.run(go(dealer))
    assert [entry[1] for entry in entries] == ["heard"] * 5
    assert entries[0][2].startswith("MATCHSTATE:0:0::")
