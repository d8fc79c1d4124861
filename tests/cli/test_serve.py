"""`pokerlab serve acpc` and `pokerlab join` as processes, and what they refuse."""

import json
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pokerlab.cli import main
from pokerlab.notation.acpc.log import parse_log
from pokerlab.table.session_queries import list_sessions
from pokerlab.table.session_store import SessionStore

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


def test_a_game_with_other_stacks_is_served_and_its_log_read(tmp_path):
    log = tmp_path / "short.log"
    asked = ["--game", "nolimit2p:20bb", "--agents", "caller,caller", "--hands", "3", "--log", str(log)]
    assert main(["serve", "acpc", *asked]) == 0
    hands = parse_log(log.read_text()).hands
    assert (len(hands), hands[0].rules.stacks) == (3, (2000, 2000))


@pytest.mark.slow
def test_the_commands_of_the_guide(start, tmp_path, monkeypatch):
    """Our dealer and two of our clients, started as docs/acpc.md says, but on ports that are free."""
    sessions = tmp_path / "sessions.duckdb"
    monkeypatch.setenv("POKERLAB_SESSIONS", str(sessions))
    guide = Path(__file__).parents[2] / "docs" / "acpc.md"
    commands = [line.split()[2:] for line in guide.read_text().splitlines() if line.startswith("$ pokerlab ")]
    serve, ann, bob = [
        [str(tmp_path / word) if word.endswith(".log") else word for word in words] for words in commands
    ]
    at = serve.index("--ports")
    documented = serve[at + 1].split(",")
    dealer = start(*serve[:at], *serve[at + 2 :])
    ports = dict(zip(documented, dealer.stdout.readline().split(), strict=True))
    ann = start(*(ports.get(word, word) for word in ann), "--json")
    bob = start(*(ports.get(word, word) for word in bob), "--no-record")
    score, dealer_errors = dealer.communicate()
    answer, said = json.loads(ann.communicate()[0]), bob.communicate()[0]
    assert (dealer.returncode, ann.returncode, bob.returncode, dealer_errors) == (0, 0, 0, "")
    text = (tmp_path / "match.log").read_text()
    log = parse_log(text)
    assert log.problems == ()
    assert score == text.splitlines()[-1] + "\n"
    assert (answer["game"], answer["agent"], answer["hands"]) == ("limit2p", "random", 100)
    assert answer["chips"] == log.totals[0]
    with SessionStore.reading(sessions) as store:
        ((session,), _) = list_sessions(store)
        decks = [deck for (deck,) in store.ask("SELECT deck FROM hands").rows]
    assert (session.name, session.hands, session.result) == ("random", 100, log.totals[0])
    assert any("?" in deck for deck in decks)  # what was not shown is not recorded
    assert said == f"caller: {log.totals[1]} chips in 100 hands of limit2p\n"
    assert text.startswith(
        "# name/game/hands/seed limit2p.h100.r7 holdem.limit.2p.reverse_blinds.game 100 7\n#--t_response 600000\n"
    )


def test_a_program_that_leaves_ends_the_match_with_status_1(start, tmp_path):
    dealer = start("serve", "acpc", "--agents", "acpc,random:smallest", "--log", str(tmp_path / "match.log"))
    (port,) = dealer.stdout.readline().split()
    with socket.create_connection(("127.0.0.1", int(port)), timeout=20) as program:
        program.sendall(b"VERSION:2.0.0\r\n")
        assert program.recv(1000).startswith(b"MATCHSTATE:0:0::")
    _, errors = dealer.communicate()
    assert dealer.returncode == 1
    assert re.fullmatch(r"pokerlab: match 0 was interrupted: seat 0 \(player1\) disconnected in hand \d+\n", errors)


MORTAL = """
import os
from pathlib import Path
from pokerlab.games.actions import CALL


class Mortal:
    def act(self, view, rng):
        print("hello")
        if view.hand == 2 and not Path("died").exists():
            Path("died").touch()
            os._exit(7)
        return CALL
"""


def test_an_agent_that_ends_its_process_costs_its_match_and_the_next_is_dealt(start, tmp_path, monkeypatch):
    (tmp_path / "mortal.py").write_text(MORTAL)
    monkeypatch.chdir(tmp_path)
    players = ["--game", "leduc", "--agents", "py:mortal:Mortal,caller"]
    dealer = start("serve", "acpc", *players, "--hands", "5", "--seed", "7", "--matches", "2")
    scores, errors = dealer.communicate()
    said = [line for line in errors.splitlines() if line != "hello"]
    assert said == ["pokerlab: match 0 was interrupted: hand 2: py-mortal-Mortal: its process ended (exit status 7)"]
    ports, score = scores.splitlines()
    assert ports == ""
    assert score.startswith("SCORE:")
    assert dealer.returncode == 1


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["serve", "acpc", "--names", "a,b,c"], "limit2p seats 2 players; 3 were named"),
        (["serve", "acpc", "--names", "a|x,b"], "'a|x' cannot be a name in a log"),
        (["serve", "acpc", "--match-name", "a b"], "'a b' cannot be a name in a log: no spaces, colons or bars"),
        (["serve", "acpc", "--agents", "acpc,acpc,caller"], "limit2p seats 2 players; 3 agents were named"),
        (["serve", "acpc", "--ports", "1,x"], "'x' is not a port"),
        (["serve", "acpc", "--ports", "18790"], "1 ports for 2 programs"),
        (["serve", "acpc", "--ports", "70000,0"], "ports are numbers from 0 to 65535, not (70000, 0)"),
        (["serve", "acpc", "--hands", "0"], "a match needs at least one hand, not 0"),
        (["serve", "acpc", "--seed", "-1"], "the reference deal takes a seed from 0 to 4294967295, not -1"),
        (["serve", "acpc", "--matches", "-1"], "cannot serve -1 matches"),
        (["serve", "acpc", "--game", "stud2p"], "ACPC messages cannot describe cards dealt to players after"),
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
