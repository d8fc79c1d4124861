"""`pokerlab equity`: shares of the pot when all cards are dealt."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Count, Flag, Json, Seed, print_answer, progress
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning


def equity(
    *players: str,
    board: Annotated[str, Parameter(help=meaning("board", "Up to five cards."))] = "",
    dead: Annotated[str, Parameter(help=TERMS["dead"])] = "",
    samples: Annotated[Count | None, Parameter(help=TERMS["samples"])] = None,
    half_width: float | None = None,
    seed: Seed = 7,
    exact: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> None:
    """Compute each player's share of the pot if all cards are dealt and no player folds.

    The result is exact if that is quick, otherwise sampled, with 95% intervals.

    For example:

        pokerlab equity AhKh QcQd
        pokerlab equity AhKh "99+, AKs" random --board 2h7h9c
        pokerlab equity AA random random --half-width 0.0005 --seed 7 --json
        pokerlab equity AsAhKsKh JcTc9d8d --board 2c7d9s

    Parameters
    ----------
    players
        Two or more: cards (AhKh), a range ("99+, AKs, KQo:0.5", 15%) or random. With four cards the game is Omaha.
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
    rows = result.rows(players)
    about = {"board": board, "dead": dead, "method": result.method, "n": result.n, "seed": result.seed}
    headings, last = ["", "equity", "wins", "ties"], f"{result.method}: {result.n:,} deals"
    cells = [[row["hand"], *(f"{row[name]:.3%}" for name in ("equity", "win", "tie"))] for row in rows]
    if result.method == "sampled":
        headings.insert(2, "95% interval")
        last += f", seed {result.seed}"
        for cell, (low, high) in zip(cells, result.interval, strict=True):
            cell.insert(2, f"{low:.3%} .. {high:.3%}")
    table = AnswerTable(tuple(headings), tuple(map(tuple, cells)))
    print_answer(Answer(tables=(table,), lines=(last,), data={**about, "players": rows}), as_json=as_json)
