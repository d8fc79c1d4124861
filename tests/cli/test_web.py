"""`pokerlab web` and `pokerlab play --web`: one line for what cannot be served, and a link for what can."""

import logging
import re
import socket
import subprocess
import sys
import urllib.request

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from pokerlab.cli import main
from pokerlab.errors import PokerlabError


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
