"""`pokerlab serve acpc` and `pokerlab join` as processes, and what they refuse."""

import json
import re
import socket
import subprocess
import sys
import threading

import pytest

from pokerlab.cli import main
from pokerlab.notation.acpc import read_log

POKERLAB = [sys.executable, "-m", "pokerlab.cli"]


@pytest.fixture
def start():
    """`start(*tokens)` runs a command line; it is killed when the test ends or after a minute."""
    processes = []

    def run(*tokens):
        processes.append(subprocess.Popen([*POKERLAB, *tokens], stdout=-1, stderr=-1, text=True))
        clock = threading.Timer(60, processes[-1].kill)
        clock.daemon = True
        clock.start()
        return processes[-1]

    yield run
    for process in processes:
        process.kill()
        process.communicate()


def test_our_dealer_and_two_of_our_clients(start, tmp_path):
    log = tmp_path / "match.log"
    options = ["--game", "limit2p", "--hands", "50", "--seed", "0", "--names", "ann,bob", "--log", str(log)]
    dealer = start("serve", "acpc", *options)
    ports = dealer.stdout.readline().split()
    assert len(ports) == 2
    ann = start("join", "127.0.0.1", ports[0], "--agent", "random", "--json")
    bob = start("join", "127.0.0.1", ports[1], "--agent", "caller")
    score, dealer_errors = dealer.communicate()
    answer, said = json.loads(ann.communicate()[0]), bob.communicate()[0]
    assert (dealer.returncode, ann.returncode, bob.returncode, dealer_errors) == (0, 0, 0, "")
    written = read_log(log)
    assert written.problems == ()
    assert score == log.read_text().splitlines()[-1] + "\n"
    assert (answer["game"], answer["agent"], answer["hands"], answer["chips"]) == (
        "limit2p",
        "random",
        50,
        written.totals[0],
    )
    assert said == f"caller: {written.totals[1]} chips in 50 hands of limit2p\n"
    assert log.read_text().startswith(
        "# name/game/hands/seed limit2p.h50.r0 holdem.limit.2p.reverse_blinds.game 50 0\n#--t_response 600000\n"
    )
    assert "5d5c|9hQd" in log.read_text().splitlines()[4]


def test_a_program_that_leaves_ends_the_match_with_status_1(start, tmp_path):
    dealer = start("serve", "acpc", "--agents", "acpc,random:smallest", "--log", str(tmp_path / "match.log"))
    (port,) = dealer.stdout.readline().split()
    with socket.create_connection(("127.0.0.1", int(port)), timeout=20) as program:
        program.sendall(b"VERSION:2.0.0\r\n")
        assert program.recv(1000).startswith(b"MATCHSTATE:0:0::")
    _, errors = dealer.communicate()
    assert dealer.returncode == 1
    assert re.fullmatch(r"pokerlab: match 0 was broken off: seat 0 \(player1\) disconnected in hand \d+\n", errors)


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["serve", "acpc", "--names", "a,b,c"], "limit2p seats 2 players; 3 were named"),
        (["serve", "acpc", "--names", "a|x,b"], "'a|x' cannot be a player's name in a log"),
        (["serve", "acpc", "--agents", "acpc,acpc,caller"], "limit2p seats 2 players; 3 agents were named"),
        (["serve", "acpc", "--ports", "1,x"], "'x' is not a port"),
        (["serve", "acpc", "--ports", "18790"], "1 ports for 2 programs"),
        (["serve", "acpc", "--ports", "70000,0"], "ports are numbers from 0 to 65535, not (70000, 0)"),
        (["serve", "acpc", "--hands", "0"], "a match needs at least one hand, not 0"),
        (["serve", "acpc", "--seed", "-1"], "the reference deal takes a seed from 0 to 4294967295, not -1"),
        (["serve", "acpc", "--matches", "-1"], "cannot serve -1 matches"),
        (["serve", "acpc", "--game", "stud2p"], "ACPC messages have no place for cards dealt to players after"),
        (["serve", "acpc", "--game", "nowhere.game"], "no game definition at nowhere.game"),
        (["join", "127.0.0.1", "1", "--agent", "caller"], "cannot join 127.0.0.1 port 1: "),
        (["join", "127.0.0.1", "1", "--agent", "cller"], "no agent is called 'cller'; did you mean caller"),
    ],
)
def test_mistakes_are_one_line_and_status_2(tokens, says, capsys):
    assert main(tokens) == 2
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
