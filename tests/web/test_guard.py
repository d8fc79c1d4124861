"""Strangers and cheats: refused, one line in the log, and the table unharmed."""

import asyncio
import json
import logging

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, Seat, asked, my_turn, open_table, over, request, sat, scope_of

from pokerlab.web.answers import MOST_BODY
from pokerlab.web.server import static_files
from pokerlab.web.table_answers import MOST_BYTES, MOST_REFUSALS


def refusals(caplog):
    return [record.getMessage() for record in caplog.records if record.getMessage().startswith("refused")]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8765", "127.0.0.1", "", "localhost\n"])
def test_another_host_is_refused(tmp_path, caplog, host):
    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        page = await request(app, "/", headers={"host": host})
        seat = Seat(app, made["name"], headers={"host": host, "origin": f"http://{host}"})
        await seat.until(lambda s: s.closed)
        return page, seat

    (status, _, content), seat = asyncio.run(go())
    assert (status, content, seat.closed, seat.texts) == (403, b"refused\n", 1008, [])
    assert len(refusals(caplog)) == 2
    assert all("\n" not in line and "Host" in line for line in refusals(caplog))


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:8766", None])
def test_a_page_of_another_site_reaches_no_table(tmp_path, caplog, origin):
    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        seat = Seat(app, made["name"], headers={"origin": origin})
        await seat.until(lambda s: s.closed)
        post = await request(
            app, "/api/tables", method="POST", body=asked("leduc", "You", "caller"), headers={"origin": origin}
        )
        return seat, post

    seat, post = asyncio.run(go())
    assert (seat.closed, seat.texts, post[0]) == (1008, [], 403)
    assert len(refusals(caplog)) == 2 and all("Origin" in line for line in refusals(caplog))


BAD = [
    {"type": "act", "turn": [0, 0], "action": "r99"},
    {"type": "act", "turn": [0, 0], "action": "rinf"},
    {"type": "act", "turn": [0, 0], "action": "r1/0"},
    {"type": "act", "turn": [0, 0], "action": "x"},
    {"type": "act", "turn": [0, 0], "action": 3},
    {"type": "act", "turn": [0, 1], "action": "c"},
    {"type": "act", "turn": None, "action": "c"},
    {"type": "act", "action": "c"},
    {"type": "ready", "hand": 5},
    {"type": "ready", "hand": 0},  # in the middle of it
    {"type": "peek"},
    [],
    "not json",
    '{"type": "act"' + "[" * 3000,
    "x" * (MOST_BYTES + 1),
]


def test_what_cannot_be_taken_is_refused_and_changes_nothing(tmp_path, caplog):
    async def go():
        hall, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        seat = sat(app, made, 0)
        await seat.until(my_turn)
        before = seat.table
        for bad in BAD:
            n = len(seat.texts)
            seat.say(bad)
            await seat.until(lambda s, n=n: len(s.texts) > n)
            assert seat.last["type"] == "refused"
        after = hall._desks[made["name"]].seen_from(0)
        seat.say({"type": "act", "turn": [0, 0], "action": "c"})
        await seat.until(lambda s: s.table["turn"] != [0, 0])
        n = len(seat.texts)
        seat.say({"type": "act", "turn": [0, 0], "action": "c"})  # a second time
        await seat.until(lambda s: any("refused" in text for text in s.texts[n:]))
        await seat.leave()
        return before, after, seat

    before, after, seat = asyncio.run(go())
    assert before == after
    assert len(refusals(caplog)) == len(BAD) + 1
    assert all(line.isprintable() for line in refusals(caplog))
    assert seat.table["play"]["log"][3]["words"] == "checks"


def test_out_of_turn_and_with_the_token_of_another_seat(tmp_path, caplog):
    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "Ann", "Bob"))
        ann, bob = sat(app, made, 0), sat(app, made, 1)
        await ann.until(my_turn)
        await bob.until(lambda s: s.table.get("play"))
        bob.say({"type": "act", "turn": [0, 0], "action": "c"})
        await bob.until(lambda s: s.last["type"] == "refused")
        watcher = Seat(app, made["name"])
        watcher.say({"token": made["tokens"]["watch"]})
        await watcher.until(lambda s: s.table.get("play"))
        watcher.say({"type": "act", "turn": [0, 0], "action": "c"})
        await watcher.until(lambda s: s.last["type"] == "refused")
        strangers = []
        for hello in (
            {"token": "x"},
            {"token": "\ud800"},
            {"token": None},
            {},
            [],
            {"token": made["tokens"]["0"] + "x"},
        ):
            stranger = Seat(app, made["name"])
            stranger.say(hello)
            await stranger.until(lambda s: s.closed)
            strangers.append(stranger)
        nowhere = Seat(app, "0123456789ab")
        await nowhere.until(lambda s: s.closed)
        status = [
            (await request(app, f"/api/tables/{made['name']}/{what}", token=token))[0]
            for what in ("session", "hands.phhs")
            for token in ("x", None)
        ]
        table = ann.table
        for seat in (ann, bob, watcher):
            await seat.leave()
        return table, bob, [*strangers, nowhere], status

    table, bob, strangers, status = asyncio.run(go())
    assert table["turn"] == [0, 0]
    assert [json.loads(text)["why"] for text in bob.texts if "refused" in text] == ["Bob is not to act"]
    assert all(len(s.texts) == 1 and "refused" in s.texts[0] for s in strangers)
    assert status == [403] * 4
    assert len(refusals(caplog)) == 2 + len(strangers) + 4


def test_who_goes_on_with_nonsense_is_shut_out(tmp_path):
    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        seat = sat(app, made, 0)
        await seat.until(my_turn)
        for _ in range(MOST_REFUSALS):
            seat.say("x")
        await seat.until(lambda s: s.closed)
        again = sat(app, made, 0)
        await again.until(my_turn)
        await again.leave()
        return seat.closed

    assert asyncio.run(go()) == 1008


def test_who_is_late_now_and_then_is_not_shut_out(tmp_path):
    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        seat = sat(app, made, 0)
        for _ in range(MOST_REFUSALS):
            await seat.until(lambda s: my_turn(s) or over(s))
            table = seat.table
            n = len(seat.texts)
            seat.say({"type": "act", "turn": [-1, 0], "action": "c"})
            await seat.until(lambda s, n=n: any("refused" in text for text in s.texts[n:]))
            call, ready = (
                {"type": "act", "turn": table["turn"], "action": "c"},
                {"type": "ready", "hand": table["hand"]},
            )
            seat.say(ready if table["play"]["over"] else call)
            await seat.until(lambda s, turn=table["turn"]: s.closed or s.table["turn"] != turn)
        await seat.leave()
        return seat.closed

    assert asyncio.run(go()) is None


def test_who_is_gone_before_being_refused_is_no_error(tmp_path):
    async def go():
        hall, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        seat = sat(app, made, 0)
        await seat.until(my_turn)

        seat.breaks = True
        seat.say("nonsense")
        await seat._task
        return hall._desks[made["name"]].browsers

    assert asyncio.run(go()) == set()


@pytest.mark.parametrize(
    "path",
    [
        "../desk.py",
        "/etc/passwd",
        "../../../../etc/passwd",
        "%2e%2e/desk.py",
        "vendor/../../desk.py",
        "",
        "vendor",
        "nothing",
    ],
)
def test_no_path_leads_out_of_the_static_folder(tmp_path, caplog, path):
    async def go():
        _, app, _ = await open_table(tmp_path, asked("leduc", "You", "caller"))
        return await request(app, f"/static/{path}")

    status, _, content = asyncio.run(go())
    assert (status, content) == (404, b"not found\n")
    assert len(refusals(caplog)) == 1


def test_bodies_that_are_too_long_or_no_json(tmp_path):
    async def go():
        _, app, _ = await open_table(tmp_path, asked("leduc", "You", "caller"))
        bodies = [b"x" * (MOST_BODY + 1), b"{", b"[" * 10_000]
        bodies += [b'{"pace": 1%s}' % (b"0" * 400), b'{"seconds": 1e999}', b'{"seconds": NaN}']
        found = [await request(app, "/api/tables", method="POST", body=body) for body in bodies]
        plain = {"content-type": "text/plain"}
        found.append(await request(app, "/api/tables", method="POST", body=b"{}", headers=plain))
        return found

    for status, _, content in asyncio.run(go()):
        assert status == 403
        assert set(json.loads(content)) == {"error"}


@pytest.mark.parametrize("path", ["/api/tables", "/api/solves", "/api/range"])
def test_a_request_that_breaks_off_is_one_line_of_the_log(tmp_path, caplog, path):
    async def go():
        _, app, _ = await open_table(tmp_path, asked("leduc", "You", "caller"))
        return await request(app, path, method="POST", body=b'{"text', breaks_off=True)

    status, _, content = asyncio.run(go())
    assert (status, json.loads(content)["error"]) == (403, "the request broke off after 6 bytes of its body")
    assert refusals(caplog) == [f"refused 127.0.0.1: {path}: the request broke off after 6 bytes of its body"]


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("pokerlab.web.answers.BODY_SECONDS", 0.01)

    async def go():
        _, app, _ = await open_table(tmp_path, asked("leduc", "You", "caller"))
        sent, silence = [], asyncio.Event()
        scope = scope_of("http", "/api/range", method="POST", headers={"content-type": "application/json"})

        async def send(message):
            sent.append(message)

        await app(scope, silence.wait, send)
        return sent[0]["status"]

    assert asyncio.run(go()) == 403


def test_every_page_says_what_a_browser_may_do(tmp_path):
    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        return [await request(app, path) for path in ("/", f"/table/{made['name']}", "/static/app.js", "/api/lobby")]

    for status, headers, _ in asyncio.run(go()):
        assert status == 200
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_front_end_is_small_and_asks_nothing_of_other_hosts():
    found = static_files()
    code = {name: content for name, content in found.items() if not name.endswith("LICENSES.txt")}
    assert sum(map(len, code.values())) < 320_000
    own = b"".join(content for name, content in code.items() if "vendor" not in name)
    assert own.replace(b"http://www.w3.org/2000/svg", b"").count(b"http") == own.count(b'"https:"')
    assert b"MIT" in found["vendor/LICENSES.txt"] and b"Apache License" in found["vendor/LICENSES.txt"]


def test_who_says_no_token_is_not_waited_for(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("pokerlab.web.table_answers.HELLO_SECONDS", 0.05)

    async def go():
        _, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        seat = Seat(app, made["name"])
        await seat.until(lambda s: s.closed)
        return seat.closed

    assert asyncio.run(go()) == 1008
    assert len(refusals(caplog)) == 1 and "no token" in refusals(caplog)[0]


def test_hosts_are_named_with_their_port():
    from pokerlab.web.server import own_hosts

    assert HOST in own_hosts("127.0.0.1", 8765)
    assert "192.0.2.7:8765" in own_hosts("192.0.2.7", 8765)
    assert own_hosts("0.0.0.0", 8765) == own_hosts("::", 8765) == own_hosts("127.0.0.1", 8765)
    proxied = own_hosts("127.0.0.1", 8765, ["lab.example", "other.example:8443"])
    assert {"lab.example", "lab.example:8765", "other.example:8443"} <= proxied and "127.0.0.1" not in proxied
    assert "[2001:db8::1]:8765" in own_hosts("2001:db8::1", 8765)


@pytest.fixture(autouse=True)
def _log(caplog):
    caplog.set_level(logging.WARNING, "pokerlab.web")
