"""`pokerlab join`: seat one of our agents at an ACPC dealer."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pokerlab.cli.games import Game
from pokerlab.cli.output import Json, Seed, print_json, tell
from pokerlab.cli.web import NoRecord
from pokerlab.runs.vocabulary import TERMS


def join(
    host: str,
    port: int | None = None,
    /,
    *,
    agent: Annotated[str, Parameter(help=TERMS["agent"])] = "rulebot",
    game: Game = "limit2p",
    seed: Seed = 7,
    connect_timeout: int = 30_000,
    no_record: NoRecord = False,
    as_json: Json = False,
) -> None:
    """Seat one of our agents at an ACPC dealer (protocol 2.0.0), ours or another, and play until the match ends.

    The hands are added to your sessions, as the agent saw them.

    For example:

        pokerlab join 127.0.0.1 18790 --agent rulebot --game limit2p
        pokerlab join dealer.example:9000 --agent py:my_bot:MyBot --game my.game --json

    Parameters
    ----------
    host
        Address of the dealer, HOST or HOST:PORT.
    port
        Port that the dealer printed for the seat.
    connect_timeout
        Milliseconds to wait for the dealer.
    """
    import secrets
    from functools import partial

    from pokerlab.net.client import Client
    from pokerlab.net.client import join as join_dealer
    from pokerlab.net.connection import address_of
    from pokerlab.notation.acpc.definition import find_game
    from pokerlab.notation.acpc.log import chips_text
    from pokerlab.players.registry import agent as make_agent
    from pokerlab.players.registry import resolve
    from pokerlab.table.session_recorder import SessionRecorder

    if port is None:
        host, port = address_of(host)
    rules = find_game(game)
    agent = resolve(agent, rules)
    client = Client(rules, make_agent(agent), name=agent, seed=seed)
    recorder = SessionRecorder()
    if not no_record:
        client.record = partial(recorder.add, table=f"acpc-{secrets.token_hex(6)}")
    try:
        played = join_dealer(host, port, client, connect_seconds=connect_timeout / 1000)
    finally:
        if line := recorder.close():
            tell(line)
    if as_json:
        print_json({"game": game, "agent": agent, "seed": seed, "hands": played.hands, "chips": float(played.chips)})
    else:
        print(f"{agent}: {chips_text(played.chips)} chips in {played.hands} hands of {rules.name}")
