"""Programs at the other end of the wire: in threads, over loopback, on ports the system chooses."""

import socket
import threading
from contextlib import contextmanager
from time import monotonic

import pytest

from pokerlab.net.server import Server

PATIENCE = 20.0
"""Seconds after which anything that should have happened counts as never happening."""


class Program:
    """A client written out line by line, as no client of ours would be."""

    def __init__(self, port, greeting=b"VERSION:2.0.0\r\n"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.file = self.socket.makefile("rb")
        self.received = []
        if greeting:
            self.send(greeting)

    def send(self, data):
        self.socket.sendall(data)

    def line(self):
        """The next line, or "" when the dealer has hung up."""
        line = self.file.readline().decode()
        assert not line or line.endswith("\r\n")
        self.received.append(line[:-2])
        return line[:-2]

    def call(self):
        """Calls whenever it is to act heads-up at limit2p, to the end of the match; the last state it was sent."""
        while line := self.line():
            if acts(line):
                self.send(f"{line}:c\r\n".encode())
        return self.received[-2]

    def close(self):
        self.file.close()
        self.socket.close()


def acts(line):
    """Whether the receiver of a heads-up state in which nobody has raised or folded is to act."""
    _, position, _, bets, _ = line.split(":")
    streets = bets.split("/")
    if len(streets) == 4 and len(streets[-1]) == 2:
        return False
    first = 1 if len(streets) == 1 else 0
    return (first + len(streets[-1])) % 2 == int(position)


def together(*tasks):
    """Run the tasks at the same time, each in a thread; their results. An error in one of them is raised."""
    results, errors = [None] * len(tasks), []

    def run(i, task):
        try:
            results[i] = task()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i, task), daemon=True) for i, task in enumerate(tasks)]
    for thread in threads:
        thread.start()
    until = monotonic() + PATIENCE
    while any(thread.is_alive() for thread in threads) and monotonic() < until:
        if errors:  # the others may be waiting for the one that failed
            until = min(until, monotonic() + 1)
        threads[[thread.is_alive() for thread in threads].index(True)].join(0.05)
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads), "still waiting"
    return results


@pytest.fixture
def serving():
    """`with serving(service) as (server, warnings)`: a listening server and the warnings it gives."""

    @contextmanager
    def serve(service):
        warnings = []
        with Server(service, warn=warnings.append) as server:
            yield server, warnings

    return serve


@pytest.fixture
def program():
    """`program(port)` connects a `Program`; all of them are closed after the test."""
    opened = []

    def connect(*args, **kwargs):
        opened.append(Program(*args, **kwargs))
        return opened[-1]

    yield connect
    for each in opened:
        each.close()


@pytest.fixture(name="together")
def _together():
    return together
