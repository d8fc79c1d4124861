"""`pokerlab serve`: deal matches to other programs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from pokerlab.cli.games import Game
from pokerlab.cli.output import Count, Flag
from pokerlab.runs.vocabulary import meaning

if TYPE_CHECKING:
    from pokerlab.net.server import Service

ABOUT = """Deal matches to programs that join over TCP.

For example:

    pokerlab serve acpc --game limit2p --hands 1000 --seed 7 --names ann,bob"""

HELP = {
    "hands": meaning("hands", "In each match."),
    "seed": meaning("seed", "It increases by one with each match."),
    "agents": meaning("agents", "acpc is a program that joins. Default: all seats are for programs."),
    "host": meaning("host", "Other machines can join only at one of this machine's own addresses."),
    "matches": meaning("matches", "0 deals matches until interrupted; logs after the first are numbered."),
}

serve = App(name="serve", help=ABOUT, help_format="plaintext")


@Parameter(name="*", help="Files that a match writes.")
@dataclass(frozen=True)
class Logs:
    """Options for the files that a match writes."""

    log: Path | None = None
    """File for the match log."""
    traffic: Path | None = None
    """File for every line sent and received, with its time."""
    transactions: Path | None = None
    """File for every decision, in the format of the competition dealer's .tlog."""
    append: Annotated[bool, Flag] = False
    """Resume the match in the --transactions file; the log is rewritten from it."""
    match_name: str = ""
    """Name of the match in the logs."""


@Parameter(name="*", help="Time limits in milliseconds.")
@dataclass(frozen=True)
class Clocks:
    """Options for time limits, in milliseconds."""

    t_response: int = 600_000
    """Milliseconds for one response."""
    t_hand: int = 600_000
    """Milliseconds for one player's responses in one hand."""
    t_per_hand: int = 7_000
    """Milliseconds for one player's responses, on average over the hands of the match."""
    start_timeout: int | None = None
    """Milliseconds for all programs to join. Default: no limit."""


@serve.command
def acpc(
    *,
    game: Game = "limit2p",
    hands: Annotated[Count, Parameter(help=HELP["hands"])] = 1000,
    seed: Annotated[int, Parameter(help=HELP["seed"])] = 7,
    names: str = "",
    agents: Annotated[str, Parameter(help=HELP["agents"])] = "",
    ports: str = "",
    host: Annotated[str, Parameter(help=HELP["host"])] = "127.0.0.1",
    matches: Annotated[int, Parameter(help=HELP["matches"])] = 1,
    reference_deal: bool = True,
    fixed_seats: Annotated[bool, Flag] = False,
    logs: Logs = Logs(),
    clocks: Clocks = Clocks(),
) -> int:
    """Deal a match to ACPC programs (protocol 2.0.0), like the competition's dealer.

    It prints the ports on one line in seat order, waits until a program has joined on each, deals, and prints the SCORE
    line. The exit status is 1 if a program disconnected or ran out of time.

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
    reference_deal
        Deal the cards of the competition's dealer for this seed instead of pokerlab's own.
    fixed_seats
        Do not move the button.
    """
    from pokerlab.net.players import TimeLimits
    from pokerlab.net.server import service_of
    from pokerlab.notation.acpc.definition import find_game
    from pokerlab.players.registry import resolve_names
    from pokerlab.players.sources import live_agent

    service = service_of(
        game,
        make=live_agent,
        names=_list(names),
        agents=resolve_names(_list(agents), find_game(game)),
        ports=_list(ports),
        hands=hands,
        seed=seed,
        match=logs.match_name,
        host=host,
        limits=TimeLimits(clocks.t_response, clocks.t_hand, clocks.t_per_hand),
        start_timeout=clocks.start_timeout,
        fixed_seats=fixed_seats,
        reference_deal=reference_deal,
        log=logs.log,
        traffic=logs.traffic,
        transactions=logs.transactions,
        append=logs.append,
    )
    return 1 if _deal(service, matches) else 0


def _deal(service: Service, matches: int) -> int:
    """Deal the matches, and print their ports and scores. Return the number of matches that were aborted."""
    from pokerlab.net.server import serve as serve_matches

    return serve_matches(
        service,
        matches=matches,
        announce=lambda numbers: print(*numbers, flush=True),
        report=lambda score: print(score, flush=True),
        warn=lambda line: print("pokerlab:", line, file=sys.stderr, flush=True),
    )


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",")) if text else ()
