"""A server with a passphrase: nothing of it is had without, guesses are few, and the links of seats work with it."""

import asyncio
import json
import logging
import re

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, Seat, asked, my_turn, request
from starlette.routing import Route, WebSocketRoute

from pokerlab.cli import main
from pokerlab.web import passphrase as gates
from pokerlab.web.hall import Hall
from pokerlab.web.passphrase import MOST_FORM, MOST_WRONG, MOST_WRONG_IN_ALL, WRONG_SECONDS, Gate
from pokerlab.web.server import application

WORDS = "sieben Bären 7"
COOKIE = re.compile(r"(pokerlab8765=[\w-]{43}); HttpOnly; Path=/; SameSite=lax(; Secure)?")


@pytest.fixture(autouse=True)
def _log(caplog):
    caplog.set_level(logging.WARNING, "pokerlab.web")


def lab(folder, words=WORDS):
    return application(Hall(folder, ("caller",)), hosts=[HOST], passphrase=words)


def enter(app, words, path="/", **more):
    """(status, headers, content) of the form with these words."""
    form = {"content-type": "application/x-www-form-urlencoded"} | more.pop("headers", {})
    body = words if isinstance(words, bytes) else b"passphrase=" + words.encode()
    return request(app, path, method="POST", body=body, headers=form, **more)


async def cookie_of(app):
    _, headers, _ = await enter(app, WORDS)
    return {"cookie": COOKIE.fullmatch(headers["set-cookie"])[1]}


def test_nothing_is_had_without_the_passphrase(tmp_path):
    """Every route of the application, and paths that have none, with no cookie and with a wrong one."""

    async def go():
        app = lab(tmp_path)
        routes = app._app._app.routes
        answers = []
        for cookie in (None, "pokerlab8765=x", "pokerlab8765=", "pokerlab8765=\xe9"):
            for route in [*routes, Route("/nothing", print), Route("/api/nothing", print)]:
                path = re.sub(r"\{.*?\}", "0123456789ab", route.path)
                if isinstance(route, WebSocketRoute):
                    seat = Seat(app, "0123456789ab", headers={"cookie": cookie})
                    await seat.until(lambda s: s.closed)
                    answers.append((path, seat.closed, "".join(seat.texts)))
                    continue
                for method in (route.methods or {"GET"}) | {"DELETE"}:
                    body = {} if method == "POST" else None
                    status, _, content = await request(app, path, method=method, body=body, headers={"cookie": cookie})
                    answers.append((path, status, content.decode()))
        return answers

    answers = asyncio.run(go())
    assert len({path for path, _, _ in answers}) > 40
    asking = gates.PAGE.format(style=gates.STYLE, why="", longest=gates.LONGEST)
    line = "this server asks for a passphrase; load the page again to enter it"
    for path, status, content in answers:
        if path.startswith("/ws/"):
            assert (status, content) == (1008, "")
        elif path.startswith("/api/"):
            assert (status, json.loads(content)) == (401, {"error": line})
        else:
            assert (status, content) == (401, asking)


def test_the_link_of_a_seat_works_once_the_passphrase_is_entered(tmp_path):
    async def go():
        app = lab(tmp_path)
        cookie = await cookie_of(app)
        status, _, content = await request(
            app, "/api/tables", method="POST", body=asked("leduc", "You", "caller"), headers=cookie
        )
        made = json.loads(content)
        back = await enter(app, "sieben%20Ba%CC%88ren%207%20", f"/table/{made['name']}?a=b")  # as another keyboard does
        found = COOKIE.fullmatch(back[1]["set-cookie"])[1]
        page = await request(app, f"/table/{made['name']}", headers={"cookie": f"other=1; {found}"})
        seat = Seat(app, made["name"], headers={"cookie": found})
        seat.say({"token": made["tokens"]["0"]})
        await seat.until(my_turn)
        await seat.leave()
        again = await enter(app, "wrong words", headers={"cookie": found})  # a page from before, sent once more
        return status, back, page, again, made["name"]

    status, back, page, again, name = asyncio.run(go())
    assert status == 200
    assert (back[0], back[1]["location"], back[2]) == (303, f"/table/{name}?a=b", b"")
    assert page[0] == 200 and b"importmap" in page[2]
    assert again[0] == 303


@pytest.mark.parametrize(
    ("path", "place"),
    [("//evil.example/x", "/evil.example/x"), ("/\\evil.example", "/%5Cevil.example"), ("/a\r\nb", "/a%0D%0Ab")],
)
def test_the_way_back_leads_to_no_other_host(tmp_path, path, place):
    assert asyncio.run(enter(lab(tmp_path), WORDS, path))[1]["location"] == place


def test_the_cookie_and_the_headers_of_the_page(tmp_path):
    async def go():
        app = lab(tmp_path)
        here = await enter(app, WORDS)
        proxied = await enter(app, WORDS, headers={"origin": f"https://{HOST}"})
        other = await enter(lab(tmp_path), WORDS)
        return here, proxied, other, await request(app, "/study")

    here, proxied, other, page = asyncio.run(go())
    ours, theirs, next_run = (COOKIE.fullmatch(each[1]["set-cookie"]) for each in (here, proxied, other))
    assert (ours[2], theirs[2]) == (None, "; Secure")
    assert ours[1] == theirs[1] != next_run[1]  # it ends with the server
    assert WORDS not in str(here)
    assert page[1]["content-security-policy"] == gates.POLICY and "form-action 'self'" in gates.POLICY
    assert (page[1]["referrer-policy"], page[1]["x-frame-options"]) == ("same-origin", "DENY")


def test_the_page_of_another_site_may_not_guess(tmp_path):
    status, _, content = asyncio.run(enter(lab(tmp_path), WORDS, headers={"origin": "http://evil.example"}))
    assert (status, content) == (403, b"refused\n")


def test_guesses_are_few_from_one_address_and_in_all(tmp_path, caplog):
    now = [100.0]

    async def go():
        gate = Gate(None, WORDS, clock=lambda: now[0])

        async def guess(words, address):
            async def from_address(scope, receive, send):
                await gate({**scope, "client": (address, 5)}, receive, send)

            return (await enter(from_address, words))[0]

        one = [await guess("sieben Bienen", "192.0.2.1") for _ in range(MOST_WRONG)]
        one += [await guess(WORDS, "192.0.2.1"), await guess(WORDS, "192.0.2.2")]
        now[0] += WRONG_SECONDS
        one.append(await guess(WORDS, "192.0.2.1"))
        many = [await guess("x", f"2001:db8::{i}") for i in range(MOST_WRONG_IN_ALL)]
        many.append(await guess(WORDS, "192.0.2.2"))
        now[0] += WRONG_SECONDS
        many.append(await guess(WORDS, "192.0.2.2"))
        return one, many

    one, many = asyncio.run(go())
    assert one == [403] * MOST_WRONG + [429, 303, 303]
    assert many == [403] * MOST_WRONG_IN_ALL + [429, 303]
    assert sum("a wrong passphrase" in line for line in caplog.messages) == MOST_WRONG + MOST_WRONG_IN_ALL
    assert "sieben" not in caplog.text


@pytest.mark.parametrize("body", [b"x" * (MOST_FORM + 1), b"a&" * 9, b"\xff\xfe", b"passphrase=", b""])
def test_forms_that_are_none(tmp_path, body):
    status, headers, content = asyncio.run(enter(lab(tmp_path), body))
    assert status in (400, 403) and "set-cookie" not in headers and b'role="alert"' in content


@pytest.mark.parametrize("words", ["", "sevenxx", " sevenxx  ", "x" * 201])
@pytest.mark.parametrize("by", ["option", "environment"])
def test_a_passphrase_that_is_too_short_or_too_long(words, by, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("POKERLAB_PASSPHRASE", raising=False)
    if by == "environment":
        monkeypatch.setenv("POKERLAB_PASSPHRASE", words)
    option = ["--passphrase", words] if by == "option" else []
    assert main(["web", "--port", "0", "--out", str(tmp_path), *option]) == 2
    n = len(words.strip())
    assert capsys.readouterr().err == f"pokerlab: a passphrase has 8 to 200 characters, not {n}\n"


@pytest.mark.parametrize(
    ("options", "environment", "used"),
    [
        ([], None, None),
        ([], "words of all", "words of all"),
        (["--passphrase", "other words"], "words of all", "other words"),
    ],
)
def test_the_passphrase_comes_from_the_option_or_the_environment(options, environment, used, tmp_path, monkeypatch):
    served = []

    async def serve(*_, passphrase, **__):
        served.append(passphrase)

    monkeypatch.setattr("pokerlab.web.server.serve", serve)
    monkeypatch.delenv("POKERLAB_PASSPHRASE", raising=False)
    if environment:
        monkeypatch.setenv("POKERLAB_PASSPHRASE", environment)
    assert main(["web", "--port", "0", "--out", str(tmp_path), *options]) == 0
    assert served == [used]


def test_programs_of_others_do_not_get_it():
    from pokerlab.runs.processes import SECRETS

    assert "POKERLAB_PASSPHRASE" in SECRETS
