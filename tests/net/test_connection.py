"""Lines over a socket: their ends, their length, and the clock."""

import socket
from time import monotonic

import pytest

from pokerlab.net.connection import Connection, ConnectionLostError, LineTooLongError


@pytest.fixture
def pair():
    """(a connection, the raw socket at its other end)."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        other = socket.create_connection(listener.getsockname())
        with Connection(listener.accept()[0]) as connection, other:
            yield connection, other


def soon():
    return monotonic() + 300


def test_lines_end_in_either_way_and_comments_are_skipped(pair):
    connection, other = pair
    other.sendall(b"one\r\ntwo\n# three\n;four\r\n\r\nfi")
    assert [connection.line(soon()) for _ in range(3)] == ["one", "two", ""]
    other.sendall(b"ve\n")
    assert connection.line(soon()) == "five"


def test_a_line_has_at_most_4096_bytes_with_its_end(pair):
    connection, other = pair
    other.sendall(b"a" * 4095 + b"\n" + b"b" * 4096 + b"\n" + b"c" * 200_000 + b"\nafter\n")
    assert connection.line(soon()) == "a" * 4095
    for _ in range(2):
        with pytest.raises(LineTooLongError, match="sent a line of more than 4096 bytes"):
            connection.line(soon())
    assert connection.line(soon()) == "after"


def test_the_other_side_sees_the_line_and_its_end(pair):
    connection, other = pair
    connection.send("MATCHSTATE:0:0::5d5c|")
    assert other.recv(100) == b"MATCHSTATE:0:0::5d5c|\r\n"


def test_lines_that_are_not_urgent_are_sent_with_the_next_one_or_when_flushed(pair):
    connection, other = pair
    other.settimeout(0.05)
    connection.send("one", urgent=False)
    with pytest.raises(TimeoutError):
        other.recv(100)
    connection.send("two")
    assert other.recv(100) == b"one\r\ntwo\r\n"
    connection.send("three", urgent=False)
    connection.flush()
    assert other.recv(100) == b"three\r\n"
    connection.send("four", urgent=False)
    connection.close()
    assert other.recv(100) == b"four\r\n"


def test_a_long_wait_is_announced_once(pair):
    connection, other = pair
    calls = []
    connection.idle = lambda: (calls.append(1), other.sendall(b"late\n"))
    other.sendall(b"at once\n")
    assert connection.line(soon()) == "at once"
    assert not calls
    assert connection.line(soon()) == "late"
    assert calls == [1]


def test_silence_times_out_and_closing_disconnects(pair):
    connection, other = pair
    with pytest.raises(ConnectionLostError, match=r"^timed out$"):
        connection.line(monotonic() + 0.05)
    with pytest.raises(ConnectionLostError, match=r"^timed out$"):
        connection.line(monotonic() - 1)
    other.close()
    with pytest.raises(ConnectionLostError, match=r"^disconnected$"):
        connection.line()
    with pytest.raises(ConnectionLostError, match=r"^disconnected$"):
        for _ in range(100):
            connection.send("anyone?")


def test_comments_without_end_do_not_stop_the_clock(pair):
    connection, other = pair
    other.sendall(b"#\n" * 20_000)
    with pytest.raises(ConnectionLostError, match=r"^timed out$"):
        connection.line(monotonic() + 0.05)


def test_who_stops_reading_is_given_up(pair):
    connection, _ = pair
    with pytest.raises(ConnectionLostError, match=r"^stopped reading$"):
        for _ in range(100_000):
            connection.send("x" * 4000, seconds=0.1)
