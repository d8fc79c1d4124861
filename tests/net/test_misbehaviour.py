"""Programs that send rubbish, answer late, answer something else, send without end, or go away."""

import threading
import tracemalloc
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

from pokerlab.games.actions import CALL
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.net.connection import ConnectionLostError
from pokerlab.net.players import MAX_WARNINGS, RemotePlayer, TimeLimits
from pokerlab.net.server import Service, serve
from pokerlab.notation.acpc.log import parse_log

SERVICE = Service(game("limit2p"), ("good", "bad"), 3, seed=0, definition="limit2p")
"""The bad player is seat 1, the first to act in hand 0, and answers `MATCHSTATE:1:0::|9hQd`."""


def play_badly(serving, program, together, misbehave, service=SERVICE):
    """(what the match came to, the warnings, the bad program): it `misbehave`s when first asked, then plays on."""
    with serving(service) as (server, warnings):
        good, bad = [program(port) for port in server.ports]

        def bad_plays():
            asked = bad.line()
            misbehave(bad, asked)
            return bad.call()

        totals, good_end, bad_end = together(server.play, good.call, bad_plays)
        assert good_end.split(":")[2] == bad_end.split(":")[2] == "2", "all three hands were played"
    return totals, warnings, bad


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b"rubbish\r\n", 'ignored in hand 0: expected MATCHSTATE:position:hand:betting:cards:action: "rubbish"'),
        (b"\r\n\r\n", "ignored in hand 0: expected MATCHSTATE"),
        (b"\xff\xfe\x00\x1b[2J\n", 'cards:action: "??\\x00\\x1b[2J"'),
        (b"MATCHSTATE:1:0:c:|9hQd:c\r\n", "ignored in hand 0: expected a reply to MATCHSTATE:1:0::|9hQd"),
        (b"MATCHSTATE:1:1::|9hQd:c\r\n", "ignored in hand 0: expected a reply to MATCHSTATE:1:0::|9hQd"),
        (b"MATCHSTATE:1:0::|9hQc:r\r\n", "ignored in hand 0: expected a reply to MATCHSTATE:1:0::|9hQd"),
        (b"VERSION:2.0.0\r\n", "ignored in hand 0"),
        (b"x" * 4096 + b"\n", "sent a line of more than 4096 bytes"),
        (b"MATCHSTATE:1:0::|9hQd:" + b"c" * 5000 + b"\n", "sent a line of more than 4096 bytes"),
    ],
)
def test_what_does_not_answer_the_state_is_ignored_with_a_warning(sent, says, serving, program, together):
    def misbehave(bad, asked):
        bad.send(sent)
        bad.send(f"{asked}:c\r\n".encode())

    _, warnings, bad = play_badly(serving, program, together, misbehave)
    assert all(warning.startswith("seat 1 (bad): ") and warning.isprintable() for warning in warnings)
    assert says in warnings[0]
    assert bad.received[1].startswith("MATCHSTATE:1:0:c:")


def test_comments_are_ignored_without_a_word(serving, program, together):
    def misbehave(bad, asked):
        bad.send(b"# thinking\r\n; still thinking\n" + f"{asked}:c\n".encode())

    _, warnings, bad = play_badly(serving, program, together, misbehave)
    assert warnings == []
    assert bad.received[1].startswith("MATCHSTATE:1:0:c:")


@pytest.mark.parametrize(
    ("action", "becomes", "says"),
    [
        ("r", "r", None),
        ("k", "c", None),
        ("xyzzy", "c", "cannot read the action"),
        ("", "c", "cannot read the action"),
        ("r\x1b[2J", "r", None),
        ("\x1b[2J", "c", 'cannot read the action "?[2J"'),
    ],
)
def test_an_action_that_cannot_be_read_is_a_call(action, becomes, says, serving, program, together):
    with serving(replace(SERVICE, hands=1)) as (server, warnings):
        good, bad = [program(port) for port in server.ports]

        def bad_plays():
            bad.send(f"{bad.line()}:{action}\r\n".encode())
            bad.line()
            bad.close()

        def deal():
            with pytest.raises(ConnectionLostError, match=r"^seat . \(.*\) disconnected"):
                server.play()

        def good_plays():
            good.line(), good.line()
            good.close()

        together(deal, good_plays, bad_plays)
    assert bad.received[1].startswith(f"MATCHSTATE:1:0:{becomes}:")
    assert len(warnings) == (says is not None)
    assert says is None or says in warnings[0]


@pytest.mark.parametrize(("chunk", "n"), [(b"x" * 65536, 160), ((b"x" * 63 + b"\n") * 1024, 16)], ids=["line", "lines"])
def test_megabytes_of_rubbish_are_skipped_in_little_memory(chunk, n, serving, program, together):
    """A line of 10 MB, or 16,384 lines: 100 warnings are shown."""

    def misbehave(bad, asked):
        for _ in range(n):
            bad.send(chunk)
        bad.send(b"\r\n" + f"{asked}:c\r\n".encode())

    tracemalloc.start()
    try:
        _, warnings, bad = play_badly(serving, program, together, misbehave)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000
    assert bad.received[1].startswith("MATCHSTATE:1:0:c:")
    one_line = b"\n" not in chunk
    assert len(warnings) == (1 if one_line else MAX_WARNINGS + 1)
    assert warnings[-1].endswith("more than 4096 bytes" if one_line else "further warnings are not shown")


LIMITS = {
    "response": TimeLimits(t_response=150),
    "hand": TimeLimits(t_hand=150),
    "match": TimeLimits(t_per_hand=50),
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("chatter", [b"", b"rubbish\r\n", b"# comment\r\n"], ids=["silent", "rubbish", "comments"])
def test_a_late_answer_ends_the_match(limit, chatter, serving, program, together):
    with serving(replace(SERVICE, limits=LIMITS[limit])) as (server, _):
        good, bad = [program(port) for port in server.ports]

        def wait_for_the_end():
            bad.socket.settimeout(0.02)
            for _ in range(500):
                try:
                    bad.send(chatter)
                    if not bad.socket.recv(4096):
                        return "hung up"
                except TimeoutError:
                    continue
                except ConnectionError:
                    return "hung up"
            return "still there"

        def deal():
            with pytest.raises(ConnectionLostError, match=r"^seat 1 \(bad\) timed out in hand 0$"):
                server.play()

        _, bad_end, _ = together(deal, wait_for_the_end, lambda: [good.line(), good.line()])
    assert bad_end == "hung up"
    assert good.received == ["MATCHSTATE:0:0::5d5c|", ""], "and the other player reads the end of the match"


def test_what_time_is_left_for_an_answer(monkeypatch):
    """Three seconds a response, five a hand, eight for two hands; each answer here takes 2 s by a clock of our own."""
    state, now, allowed = State.start(game("limit2p"), tuple(range(9))), [0.0], []

    class Slow:
        def line(self, deadline):
            allowed.append(deadline - now[0])
            now[0] += 2
            return "MATCHSTATE:1:0::|9hQd:c"

    monkeypatch.setattr("pokerlab.net.players.monotonic", lambda: now[0])
    limits = TimeLimits(t_response=3000, t_hand=5000, t_per_hand=4000)
    player = RemotePlayer("slow", 1, Slow(), hands=2, limits=limits, warn=pytest.fail)
    for hand in range(2):
        for _ in range(2):
            assert player.act("MATCHSTATE:1:0::|9hQd", state, hand=hand, names=("a", "b")) == CALL
        player.hand_over(None, 1)
    assert allowed == [3, 3, 3, 2], "the last answer has what the match leaves"
    player = RemotePlayer("slow", 1, Slow(), hands=100, limits=limits, warn=pytest.fail)
    for _ in range(3):
        player.act("MATCHSTATE:1:0::|9hQd", state, hand=0, names=("a", "b"))
    assert allowed[4:] == [3, 3, 1], "and here what the hand leaves"


def test_half_a_line_and_then_the_end_is_a_disconnection(serving, program, together):
    with serving(SERVICE) as (server, _):
        good, bad = [program(port) for port in server.ports]

        def leave():
            bad.send(f"{bad.line()}:c".encode())
            bad.close()

        def deal():
            with pytest.raises(ConnectionLostError, match=r"^seat 1 \(bad\) disconnected in hand 0$"):
                server.play()

        together(deal, leave, lambda: [good.line(), good.line()])
        assert good.received == ["MATCHSTATE:0:0::5d5c|", ""]


@pytest.mark.parametrize(
    "greeting", [b"VERSION:1.0.0\r\n", b"HELLO\r\n", b"GET / HTTP/1.1\r\n\r\n", b"y" * 100_000 + b"\n"]
)
def test_who_does_not_greet_as_the_protocol_says_is_turned_away(greeting, serving, program, together):
    with serving(SERVICE) as (server, warnings):
        stranger = program(server.ports[1], greeting=greeting)
        good, late = [program(port, greeting=b"VERSION:2.0.0\n") for port in server.ports]
        totals, *_ = together(server.play, good.call, late.call)
    assert sum(totals) == 0
    # Who is still in the middle of its greeting when another has greeted is left without a word.
    assert len(warnings) == 1 or len(greeting) > 4096
    assert all(warning.startswith("seat 1 (bad): turned a connection away: ") for warning in warnings)
    with suppress(ConnectionError):
        assert stranger.socket.recv(4096) == b"", "it was told nothing"


def test_500_silent_connections_do_not_hold_up_a_match(serving, program, together, monkeypatch):
    monkeypatch.setattr("pokerlab.net.server.GREETING_SECONDS", 1e6)  # waiting for one of them would never end
    with serving(replace(SERVICE, hands=1)) as (server, warnings):
        silent = [program(server.ports[1], greeting=b"") for _ in range(500)]
        good, late = [program(port) for port in server.ports]
        totals, *_ = together(server.play, good.call, late.call)
    assert sum(totals) == 0
    assert warnings == []
    with suppress(ConnectionError):
        assert silent[0].socket.recv(4096) == b""


def test_who_greets_too_late_is_turned_away_and_the_next_is_heard(serving, program, together, monkeypatch):
    monkeypatch.setattr("pokerlab.net.server.GREETING_SECONDS", 0.05)
    with serving(replace(SERVICE, hands=1)) as (server, warnings):
        program(server.ports[0], greeting=b"VERSION:2.0")

        def join(port):
            sleep(0.3)
            return program(port).call()

        together(server.play, *(lambda port=port: join(port) for port in server.ports))
    assert warnings == ["seat 0 (good): turned a connection away: timed out"]


def test_nobody_joins(serving):
    with (
        serving(replace(SERVICE, start_timeout=50)) as (server, _),
        pytest.raises(ConnectionLostError, match=r"^seat 0 \(good\) did not join in time$"),
    ):
        server.play()


def test_the_dealer_stays_up_and_leaks_nothing(program, together, tmp_path):
    """Match after match is broken off in every way; the last one is played, and nothing is left open."""
    warnings, scores, opened, before = [], [], [], _descriptors()

    def misbehave(ports):
        for number in range(6):
            good, bad = [program(port) for port in ports]
            opened.extend([good, bad])
            asked = bad.line()
            if number == 5:
                bad.send(f"{asked}:c\r\n".encode())
                together(good.call, bad.call)
            elif number % 3 == 0:
                bad.close()
            elif number % 3 == 1:
                bad.send(b"z" * 1_000_000)
                bad.close()
            else:
                while bad.line():  # late: it never answers
                    pass
            while number < 5 and good.line():
                pass

    def start(ports):
        threads.append(threading.Thread(target=misbehave, args=(ports,), daemon=True))
        threads[0].start()

    threads = []
    service = replace(SERVICE, limits=TimeLimits(t_response=1500), log=tmp_path / "match.log")
    broken_off = serve(service, matches=6, announce=start, report=scores.append, warn=warnings.append)
    threads[0].join(10)
    for each in opened:
        each.close()
    assert broken_off == 5
    assert [warning.partition(":")[0] for warning in warnings] == [f"match {n} was interrupted" for n in range(5)]
    assert len(scores) == 1
    assert scores[0].startswith("SCORE:")
    assert _descriptors() == before
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == ["match.1.log", "match.2.log", "match.3.log", "match.4.log", "match.5.log", "match.log"]
    last = parse_log((tmp_path / "match.5.log").read_text())
    assert last.finished
    assert last.header.seed == 5
    assert not parse_log((tmp_path / "match.log").read_text()).finished


def _descriptors():
    """How many files and sockets this process has open, where the system tells."""
    directory = Path("/proc/self/fd")
    return len(list(directory.iterdir())) if directory.is_dir() else 0
