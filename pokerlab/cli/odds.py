"""`pokerlab odds`: strength, potential and equity of a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from pokerlab.cli.grid import Picture, draw
from pokerlab.cli.output import Board, Flag, Json, Seed, console, print_json, progress, table
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import meaning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.table import Table

    from pokerlab.cards.odds import Odds

# As in `pokerlab.cards.odds`, which is not imported here because a help page must not wait for Numba.
Value = Literal["hs", "ehs", "mean_hs", "mean_hs_squared", "ppot", "npot"]

NAMES: dict[str, str] = {
    "hs": "Hand strength (HS)",
    "ehs": "Effective hand strength (EHS)",
    "mean_hs": "E[HS]",
    "mean_hs_squared": "E[HS²]",
    "ppot": "Positive potential (PPot)",
    "npot": "Negative potential (NPot)",
}


def odds(
    hand: str | None = None,
    /,
    *,
    board: Board = "",
    opponents: int = 1,
    vs: str | None = None,
    grid: Annotated[bool, Flag, Parameter(help=meaning("grid", "--picture does so too."))] = False,
    value: Value = "hs",
    picture: Picture = None,
    seed: Seed = 7,
    as_json: Json = False,
) -> None:
    """Compute the strength, potential and equity of a hand, or with --grid draw all hands on a board.

    HS is the share of the opponent's hands that are beaten now, ties counting
    half. PPot is the probability that a hand that is behind gets ahead by the
    river, NPot that one that is ahead falls behind; EHS = HS^n + (1 - HS^n) PPot.
    The potential tables count pairs of opponent hand and cards to come: rows are
    the standing now, columns the standing later.

    For example:

        pokerlab odds AdQc --board 3h4cJh
        pokerlab odds AhKh --opponents 3 --json
        pokerlab odds AdQc --board 3h4cJh --vs "99+, AJ+, KQs"
        pokerlab odds --grid --board 3h4cJh --value ehs --picture ehs.png

    Parameters
    ----------
    hand
        Two cards, as in AdQc; with --grid it is marked in the picture.
    opponents
        Number of opponents for EHS and equity.
    vs
        Range of each opponent, such as "99+, AKs, KQo:0.5" or 15%. Default: a random hand.
    value
        The quantity to draw.
    """
    from pokerlab.cards.card import cards, pretty
    from pokerlab.cards.combos import class_of_cards
    from pokerlab.cards.odds import odds_of_board, odds_of_hand
    from pokerlab.cards.ranges import parse_range
    from pokerlab.pictures.grid import grid_of

    grid = grid or picture is not None
    if hand is None and not grid:
        raise PokerlabError("odds needs a hand, as in AdQc, or --grid for all of them")
    hole, shared, weights = cards(hand or ""), cards(board), None if vs is None else parse_range(vs)
    answer: dict[str, Any] = {"hand": hand, "board": board, "vs": vs}
    against = f"against {opponents} opponent{'s' if opponents > 1 else ''} with {vs or 'a random hand'}"
    where = f"on {pretty(shared)}" if shared else "before the flop"
    if hand is not None:
        with progress("dealing") as report:
            found = odds_of_hand(hole, shared, n_opponents=opponents, weights=weights, seed=seed, progress=report)
        answer |= found.data()
        if not as_json:
            console().print(f"[bold]{pretty(hole)}[/] {where}, {against}")
            _show(found)
    if grid:
        values = grid_of(odds_of_board(shared, value=value, n_opponents=opponents, weights=weights))
        answer |= {"value": value, "grid": values}
        mark = class_of_cards(hole[0], hole[1]) if hole else None
        draw(values, title=f"{NAMES[value]} {where}", note=against, mark=mark, picture=picture, silent=as_json)
    if as_json:
        print_json(answer)


def _show(found: Odds) -> None:
    from rich.table import Table

    out = console()
    now = ((found.ahead, "ahead"), (found.tied, "tied"), (found.behind, "behind"))
    counts = ", ".join(f"{count:,.6g} {word}" for count, word in now if count is not None)
    interval = ""
    if found.n is not None:
        low, high = found.interval
        interval = f"{low:.3%} .. {high:.3%} (95%, {found.n:,} deals, seed {found.seed})"
    for name, number, note in (
        ("HS", found.hs, counts),
        ("PPot", found.ppot, "" if found.ppot1 is None else f"{found.ppot1:.3%} with one card to come"),
        ("NPot", found.npot, "" if found.npot1 is None else f"{found.npot1:.3%}"),
        ("EHS", found.ehs, ""),
        ("EHS with NPot", found.ehs_with_npot, ""),
        ("E[HS]", found.mean_hs, ""),
        ("E[HS²]", found.mean_hs_squared, ""),
        ("equity", found.equity, interval),
    ):
        if number is not None:
            out.print(f"{name:<14}{number:8.3%}   {note}".rstrip(), markup=False)
    tables = (("one card", found.potential1), ("two cards", found.potential2))
    side_by_side = Table.grid(padding=(0, 4))
    side_by_side.add_row(*(_potential(f"{name} to come", counts) for name, counts in tables if counts is not None))
    out.print(side_by_side)


def _potential(title: str, counts: NDArray[np.float64]) -> Table:
    standings = ("ahead", "tied", "behind")
    rows = [(name, *(f"{count:,.7g}" for count in row)) for name, row in zip(standings, counts, strict=True)]
    return table(("now", *standings), rows, plain=True, title=title, title_justify="left")
