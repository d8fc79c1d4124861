"""Benchmarks of `net/`: matches over loopback, and our dealer compared with the reference dealer in C.

The sources of the reference dealer are not part of the project: `POKERLAB_ACPC_SERVER` names their folder. They are
compiled into a separate folder, with gcc.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

from pokerlab.bench.benchmark import AFTERWARDS, Work, counted

HANDS = 500
MATCH = 2000
"""Hands of a match between simple clients, long enough that starting a dealer takes little of it."""
SOURCES = "POKERLAB_ACPC_SERVER"


def matches(agent: str) -> Work:
    """Our dealer in this process, with two of our clients in separate processes that join match after match."""
    from pokerlab.games.catalog import game
    from pokerlab.net.server import Server, Service

    service = Service(game("limit2p"), ("one", "two"), HANDS, seed=0, start_timeout=60_000)
    server = Server(service, warn=print)
    spawn = get_context("spawn")
    for port in server.ports:
        spawn.Process(target=_join_again_and_again, args=(port, agent), daemon=True).start()

    return counted(server.play, HANDS)


def _join_again_and_again(port: int, agent: str) -> None:
    """Play matches until the dealer closes."""
    from pokerlab.errors import PokerlabError
    from pokerlab.games.catalog import game
    from pokerlab.net.client import Client, join
    from pokerlab.players.registry import agent as make_agent

    rules = game("limit2p")
    while True:
        try:
            join("127.0.0.1", port, Client(rules, make_agent(agent)))
        except PokerlabError:
            return


def our_dealer() -> Work:
    """Benchmark our dealer with two simple clients."""
    from pokerlab.games.catalog import game
    from pokerlab.net.server import Server, Service

    ports = _with_callers()
    server = Server(Service(game("limit2p"), ("one", "two"), MATCH, seed=0, ports=ports), warn=print)
    AFTERWARDS.callback(server.close)
    return counted(server.play, MATCH)


def reference_dealer() -> Work:
    """Benchmark the reference dealer with the same two clients."""
    sources, gcc = os.environ.get(SOURCES), shutil.which("gcc")
    if not sources or not gcc:
        raise ImportError(f"the reference dealer needs gcc, and its sources in the folder {SOURCES}")
    folder = AFTERWARDS.enter_context(TemporaryDirectory())
    parts = [str(Path(sources) / name) for name in ("dealer.c", "game.c", "rng.c", "net.c")]
    subprocess.run([gcc, "-O3", "-w", "-o", "dealer", *parts], cwd=folder, check=True)
    game = str(Path(sources) / "holdem.limit.2p.reverse_blinds.game")
    ports = _with_callers()
    command = ["./dealer", "match", game, str(MATCH), "0", "one", "two", "-p", ",".join(map(str, ports)), "-q", "-l"]
    run = {"cwd": folder, "check": True, "capture_output": True}
    return counted(lambda: subprocess.run(command, **run), MATCH)  # type: ignore[call-overload]


def _with_callers() -> tuple[int, int]:
    """Return two free ports; at each, a client in a separate process calls in every match dealt there."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ports = one.getsockname()[1], other.getsockname()[1]
    for port in ports:
        process = get_context("spawn").Process(target=_call_again_and_again, args=(port,), daemon=True)
        process.start()
        AFTERWARDS.callback(process.kill)
    return ports


def _call_again_and_again(port: int) -> None:
    """Call in every hand of heads-up limit hold'em, with as little code as the protocol allows."""
    while True:
        try:
            dealer = socket.create_connection(("127.0.0.1", port))
        except OSError:
            sleep(0.001)
            continue
        dealer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        dealer.sendall(b"VERSION:2.0.0\r\n")
        with dealer, dealer.makefile("rb") as lines:
            for line in lines:
                state = line.rstrip()
                _, position, _, betting, _ = state.split(b":")
                streets = betting.split(b"/")  # every street has two calls; the second position opens the first street
                turn = len(streets[-1]) + (len(streets) == 1)
                if len(streets[-1]) < 2 and turn % 2 == int(position):
                    dealer.sendall(state + b":c\r\n")
