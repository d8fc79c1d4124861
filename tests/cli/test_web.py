"""`pokerlab web` and `pokerlab play --web`: one line for what cannot be served, and a link for what can."""

import contextlib
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from pokerlab.cli import main
from pokerlab.cli.web import run_server
from pokerlab.errors import PokerlabError


@pytest.fixture(autouse=True)
def own_level():
    """A server raises the level of the lab's logger, for its process is its own."""
    logger = logging.getLogger("pokerlab")
    level = logger.level
    yield
    logger.setLevel(level)


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        (["play", "--web", "--against", "nobody"], "no agent is called 'nobody'"),
        (["play", "--web", "--game", "leduc", "--against", "caller,caller"], "leduc seats 2 players; 3 were named"),
        (["play", "--web", "--name", "a<b"], "a name has 1 to 24 characters"),
        (["play", "--web", "--seconds-per-decision", "-1"], "more than 0"),
        (["play", "--join", "127.0.0.1:1"], "add --web"),
        (["web", "--extra-agent", "model:nowhere.bin"], "no model of a population at nowhere.bin"),
        (["play", "--web", "--join", "nowhere"], "nowhere is not HOST:PORT"),
        (["play", "--web", "--join", "127.0.0.1:1"], "cannot join 127.0.0.1 port 1"),
    ],
)
def test_tables_that_cannot_be_set_up(tokens, why, tmp_path, capsys):
    assert main([*tokens, "--port", "0", "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert why in said and said.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [["web"], ["play", "--web", "--against", "caller"]])
def test_places_that_cannot_be(command, tmp_path, capsys):
    taken = tmp_path / "notes.txt"
    taken.write_text("kept")
    assert main([*command, "--port", "0", "--out", str(taken)]) == 2
    assert capsys.readouterr().err == f"pokerlab: {taken} is not a directory\n"
    assert taken.read_text() == "kept"
    for port in ("65536", "-1"):
        assert main([*command, "--port", port, "--out", str(tmp_path / "tables")]) == 2
        assert capsys.readouterr().err == f"pokerlab: a port is a number from 0 to 65535, not {port}\n"
    assert not (tmp_path / "tables").exists()


def test_a_server_closes_no_handler_of_this_process(tmp_path, capsys, monkeypatch):
    closed = []
    handler = logging.NullHandler()
    monkeypatch.setattr(handler, "close", lambda: closed.append(handler))
    assert main(["play", "--web", "--game", "leduc", "--against", "caller,caller", "--out", str(tmp_path)]) == 2
    assert not closed
    monkeypatch.undo()
    handler.close()


def test_a_port_that_is_taken(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["web", "--port", str(port), "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert f"cannot listen at 127.0.0.1 port {port}" in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "records"), [([], True), (["--no-record"], False), (["--allow-host", "poker.example"], False)]
)
def test_a_server_that_others_reach_records_no_sessions(options, records, tmp_path, monkeypatch):
    seated = []

    def hall(*_, recorder, **__):
        seated.append(recorder)
        raise PokerlabError("no hall here")

    monkeypatch.setattr("pokerlab.web.hall.Hall", hall)
    assert main(["web", "--port", "0", "--out", str(tmp_path), *options]) == 2
    assert [each is not None for each in seated] == [records]


@pytest.mark.slow
def test_a_table_is_served_until_it_is_stopped(tmp_path):
    command = [sys.executable, "-m", "pokerlab.cli", "play", "--web", "--against", "caller", "--game", "leduc"]
    command += ["--port", "0", "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        name, link = server.stdout.readline().split(": ", 1)
        assert name == "you"
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/table/[0-9a-f]{12}#[\w-]{22}\n", link)
        assert urllib.request.urlopen(found[1], timeout=300).status == 200
        server.terminate()
        server.communicate(timeout=300)
    assert len(list(tmp_path.glob("*.journal"))) == 1


@pytest.mark.parametrize(
    ("host", "own", "reached"),
    [
        ("0.0.0.0", "192.0.2.7", "192.0.2.7"),
        ("::", "2001:db8::7", "2001:db8::7"),
        ("0.0.0.0", "127.0.0.1", ""),  # the system would send from itself
        ("::", "::1", ""),
        ("0.0.0.0", None, ""),  # there is no way out
        ("192.0.2.9", "192.0.2.7", ""),
        ("127.0.0.1", "192.0.2.7", ""),
    ],
)
def test_the_address_in_the_network_is_that_which_the_system_would_send_from(host, own, reached, monkeypatch):
    from pokerlab.web.server import network_address

    class Probe(contextlib.nullcontext):
        def __init__(self, family, kind):
            assert (family, kind) == (socket.AF_INET6 if host == "::" else socket.AF_INET, socket.SOCK_DGRAM)

        def __enter__(self):
            return self

        def connect(self, far):
            if own is None:
                raise OSError("Network is unreachable")

        def getsockname(self):
            return own, 5

    monkeypatch.setattr(socket, "socket", Probe)
    assert network_address(host) == reached


@pytest.mark.parametrize(
    ("own", "also", "passphrase", "address", "note"),
    [
        ("192.0.2.7", (), None, "192.0.2.7", True),
        ("192.0.2.7", (), "words of all", "192.0.2.7", False),
        ("2001:db8::7", ("lab.example",), None, "[2001:db8::7]", True),
        ("", (), None, "127.0.0.1", True),
    ],
)
def test_printed_links_open_their_seats_under_the_printed_address(
    own, also, passphrase, address, note, tmp_path, monkeypatch, capsys
):
    """On every network; nothing is sent: the application answers requests with the printed address as their host."""
    import uvicorn
    from asgi_browser import Seat, asked, request

    opened = []

    async def serve(server, sockets):
        said = capsys.readouterr().out
        found = re.findall(r"^(.*): http://(.*?)/table/(\w+)#(\S+)$", said, re.M)
        app = server.config.app
        for name, host, table, token in found:
            headers = {"host": host, "origin": f"http://{host}"}
            if passphrase is not None:
                form = headers | {"content-type": "application/x-www-form-urlencoded"}
                entered = await request(app, "/", method="POST", body=b"passphrase=words+of+all", headers=form)
                headers["cookie"] = entered[1]["set-cookie"].partition(";")[0]
            seat = Seat(app, table, headers=headers)
            seat.say({"token": token})
            await seat.until(lambda s: s.table)
            you = seat.table["you"]
            opened.append((name, host, "watcher" if you is None else seat.table["names"][you]))
            await seat.leave()
        opened.append(said.splitlines()[-2:])

    monkeypatch.setattr("pokerlab.web.server.network_address", lambda host: own)
    monkeypatch.setattr(uvicorn.Server, "serve", serve)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    table = asked("leduc", "Ann", "Bob")
    how = {"port": port, "host": "0.0.0.0", "also": also, "out": tmp_path, "open_page": False}
    run_server([table], passphrase=passphrase, **how)
    *seats, last = opened
    place = f"{address}:{port}"
    assert seats == [("Ann", place, "Ann"), ("Bob", place, "Bob"), ("to watch", place, "watcher")]
    assert ("Anyone who reaches this address can set up tables" in last[0]) == note
    assert last[1] == "Stop with Ctrl-C; tables are saved."


@pytest.mark.slow
def test_on_every_network_the_printed_link_is_an_address_that_others_can_open(tmp_path):
    from pokerlab.web.server import network_address

    address = network_address("0.0.0.0")
    if not address:
        pytest.skip("this machine is in no network")
    command = ["web", "--host", "0.0.0.0", "--port", "0", "--out", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "pokerlab.cli", *command], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            link = process.stdout.readline().split()[-1]
            assert re.fullmatch(rf"http://{re.escape(address)}:\d+/", link)
            assert urllib.request.urlopen(link, timeout=20).status == 200
        finally:
            process.terminate()


def test_a_terminated_server_records_the_last_hands(tmp_path, monkeypatch):
    """As on Ctrl-C; uvicorn repeats the signal after it has shut down, which would end the process at once."""
    pytest.importorskip("duckdb", reason="the extra tables is not installed")
    import uvicorn

    from pokerlab.cards.card import cards
    from pokerlab.games.actions import FOLD, RaiseTo
    from pokerlab.games.catalog import game
    from pokerlab.games.history import HandHistory
    from pokerlab.table import session_recorder
    from pokerlab.table.session_store import SessionStore

    path = tmp_path / "sessions.duckdb"
    recorder = session_recorder.SessionRecorder(path)
    monkeypatch.setattr(session_recorder, "SessionRecorder", lambda: recorder)
    start = uvicorn.Server.startup

    async def startup(server, sockets=None):
        await start(server, sockets)
        recorder.add(
            HandHistory(game("leduc"), cards("KhQsKs"), (RaiseTo(3), FOLD), ("ann", "bob")), 0, table="a table"
        )
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(uvicorn.Server, "startup", startup)
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended:
        run_server((), port=0, out=tmp_path / "tables", open_page=False)
    assert ended.value.code == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is before
    with SessionStore.reading(path) as store:
        assert store.ask("SELECT count(*) FROM hands").rows == [(1,)]
