"""Benchmarks of `net/`: matches over loopback."""

from __future__ import annotations

from functools import partial
from multiprocessing import get_context

from pokerlab.bench.benchmark import Benchmark, Work

HANDS = 500


def _matches(agent: str) -> Work:
    """Our dealer here and two of our clients in processes of their own, which join match after match."""
    from pokerlab.games.catalog import game
    from pokerlab.net.server import Server, Service

    service = Service(game("limit2p"), ("one", "two"), HANDS, seed=0, start_timeout=60_000)
    server = Server(service, warn=print)
    spawn = get_context("spawn")
    for port in server.ports:
        spawn.Process(target=_join_again_and_again, args=(port, agent), daemon=True).start()

    def work() -> int:
        server.play()
        return HANDS

    return work


def _join_again_and_again(port: int, agent: str) -> None:
    """Play matches until the dealer is gone."""
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


BENCHMARKS = (
    Benchmark(
        name="acpc",
        about="heads-up limit over loopback: our ACPC dealer and two of our clients, call-only",
        unit="hands",
        ours=partial(_matches, "caller"),
        note="three processes on the one core",
    ),
    Benchmark(
        name="acpc-random",
        about="the same with random players",
        unit="hands",
        ours=partial(_matches, "random"),
        note="three processes on the one core",
    ),
)
