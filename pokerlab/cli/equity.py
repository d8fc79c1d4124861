"""`pokerlab equity`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from pokerlab.cli.output import Count, Flag, Json, Seed, console, print_json, progress, table
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.cards.equity import EquityResult


def equity(
    *players: str,
    board: Annotated[str, Parameter(help=meaning("board", "Up to five cards."))] = "",
    dead: Annotated[str, Parameter(help=TERMS["dead"])] = "",
    samples: Count | None = None,
    half_width: float | None = None,
    seed: Seed = 7,
    exact: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> None:
    """Each player's share of the pot when all cards are dealt and no player folds.

    Exact if that is quick, otherwise sampled, with 95% intervals.

    For example:

        pokerlab equity AhKh QcQd
        pokerlab equity AhKh "99+, AKs" random --board 2h7h9c
        pokerlab equity AA random random --half-width 0.0005 --seed 7 --json

    Parameters
    ----------
    players
        Two or more: cards (AhKh), a range ("99+, AKs, KQo:0.5", 15%) or random.
    samples
        Number of deals to sample instead of counting all.
    half_width
        Sample until half of the widest 95% interval is at most this share of the pot.
    exact
        Count every deal, even if that takes long.
    """
    from pokerlab.cards.card import cards
    from pokerlab.cards.equity import equity as find_equity
    from pokerlab.cards.ranges import parse_player

    sampled = samples is not None or half_width is not None
    if exact and sampled:
        raise PokerlabError("--exact counts every deal: leave out --samples and --half-width")
    method: Literal["auto", "exact", "sampled"] = "exact" if exact else "sampled" if sampled else "auto"
    hands, shared, gone = [parse_player(text) for text in players], cards(board), cards(dead)
    with progress("dealing") as report:
        result = find_equity(
            hands, shared, gone, method=method, samples=samples, half_width=half_width, seed=seed, progress=report
        )
    if as_json:
        print_json(_answer(players, board, dead, result))
    else:
        _show(players, result)


def _answer(players: tuple[str, ...], board: str, dead: str, result: EquityResult) -> dict[str, Any]:
    columns = zip(players, result.equity, result.interval, result.win, result.tie, strict=True)
    rows = [
        {"hand": text, "equity": share, "low": low, "high": high, "win": win, "tie": tie}
        for text, share, (low, high), win, tie in columns
    ]
    return {"board": board, "dead": dead, "method": result.method, "n": result.n, "seed": result.seed, "players": rows}


def _show(players: tuple[str, ...], result: EquityResult) -> None:
    sampled = result.method == "sampled"
    rows = []
    for text, share, (low, high), win, tie in zip(
        players, result.equity, result.interval, result.win, result.tie, strict=True
    ):
        interval = [f"{low:.3%} .. {high:.3%}"] if sampled else []
        rows.append([text, f"{share:.3%}", *interval, f"{win:.3%}", f"{tie:.3%}"])
    headings = ["", "equity", *(["95% interval"] if sampled else []), "wins", "ties"]
    console().print(table(headings, rows, plain=True))
    console().print(f"{result.method}: {result.n:,} deals" + (f", seed {result.seed}" if sampled else ""))
