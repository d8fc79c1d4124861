"""`pokerlab serve`: a dealer for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from pokerlab.cli.games import Game
from pokerlab.cli.output import Count, Flag
from pokerlab.runs.vocabulary import meaning

ABOUT = """Deal matches to programs that join over TCP.

For example:

    pokerlab serve acpc --game limit2p --hands 1000 --seed 7 --names ann,bob"""

serve = App(name="serve", help=ABOUT, help_format="plaintext")


@serve.command
def acpc(
    *,
    game: Game = "limit2p",
    hands: Annotated[Count, Parameter(help=meaning("hands", "In each match."))] = 1000,
    seed: Annotated[int, Parameter(help=meaning("seed", "It increases by one with each match."))] = 7,
    names: str = "",
    agents: Annotated[
        str, Parameter(help=meaning("agents", "acpc is a program that joins. Default: all seats are for programs."))
    ] = "",
    ports: str = "",
    host: Annotated[
        str, Parameter(help=meaning("host", "Other machines can join only at one of this machine's own addresses."))
    ] = "127.0.0.1",
    matches: Annotated[
        int, Parameter(help=meaning("matches", "0 deals until interrupted; later logs are numbered."))
    ] = 1,
    match_name: str = "",
    log: Path | None = None,
    traffic: Path | None = None,
    transactions: Path | None = None,
    append: Annotated[bool, Flag] = False,
    reference_deal: bool = True,
    fixed_seats: Annotated[bool, Flag] = False,
    t_response: int = 600_000,
    t_hand: int = 600_000,
    t_per_hand: int = 7_000,
    start_timeout: int | None = None,
) -> int:
    """Deal a match to ACPC programs (protocol 2.0.0), as the competition's dealer does.

    It prints the ports on one line, in seat order, waits until a program has joined on each, deals, and prints the
    SCORE line. The exit status is 1 if a program disconnected or ran out of time.

    For example:

        pokerlab serve acpc --game limit2p --hands 1000 --seed 7 --names ann,bob
        pokerlab serve acpc --game nolimit3p --agents acpc,caller,raiser --log match.log
        pokerlab serve acpc --game my.game --ports 18790,18791 --matches 0
        pokerlab serve acpc --game limit2p --seed 7 --log m.log --transactions m.tlog --append

    Parameters
    ----------
    names
        Names of the players in the log, in seat order.
    ports
        One port for each program, in seat order. Default: free ones.
    match_name
        Name of the match in the logs.
    log
        File for the match log.
    traffic
        File for every line sent and received, with its time.
    transactions
        File for every decision, in the format of the competition dealer's .tlog.
    append
        Resume the match in the --transactions file; the log is rewritten from it.
    reference_deal
        Deal the cards of the competition's dealer for this seed instead of pokerlab's own.
    fixed_seats
        Do not move the button.
    t_response
        Milliseconds for one response.
    t_hand
        Milliseconds for one player's responses in one hand.
    t_per_hand
        Milliseconds for one player's responses, on average over the hands of the match.
    start_timeout
        Milliseconds for all programs to join. Default: no limit.
    """
    import sys

    from pokerlab.net.players import TimeLimits
    from pokerlab.net.server import serve as serve_matches
    from pokerlab.net.server import service_of
    from pokerlab.notation.acpc.definition import game_called
    from pokerlab.players.registry import resolve_names
    from pokerlab.players.sources import live_agent

    service = service_of(
        game,
        make=live_agent,
        names=_list(names),
        agents=resolve_names(_list(agents), game_called(game)),
        ports=_list(ports),
        hands=hands,
        seed=seed,
        match=match_name,
        host=host,
        limits=TimeLimits(t_response, t_hand, t_per_hand),
        start_timeout=start_timeout,
        fixed_seats=fixed_seats,
        reference_deal=reference_deal,
        log=log,
        traffic=traffic,
        transactions=transactions,
        append=append,
    )
    n_broken_off = serve_matches(
        service,
        matches=matches,
        announce=lambda numbers: print(*numbers, flush=True),
        report=lambda score: print(score, flush=True),
        warn=lambda line: print("pokerlab:", line, file=sys.stderr, flush=True),
    )
    return 1 if n_broken_off else 0


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",")) if text else ()
