"""`pokerlab bets spot`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from pokerlab.cli.bets_answer import SpotOptions, cost_of
from pokerlab.cli.bets_both import both
from pokerlab.cli.bets_one import one
from pokerlab.cli.grid import Picture
from pokerlab.cli.looks import check_picture
from pokerlab.cli.output import DryRun, Json, say_cost
from pokerlab.cli.show import Csv, show_spot
from pokerlab.cli.solve_subgame import MaxRaises, Pot, Ranges, Stack, two_ranges


def spot(
    *,
    board: str,
    ranges: Ranges,
    pot: Pot,
    stack: Stack,
    player: Literal["0", "1", "both"] = "0",
    facing: float | None = None,
    opponent: str = "fcpa",
    target: float = 0.05,
    sizes: int = 1,
    round_to: float | None = None,
    size_ranges: str | None = None,
    extra: int | None = None,
    runs: int = 5,
    max_raises: MaxRaises = None,
    threads: int | None = None,
    out: Annotated[
        Path | None, Parameter(help="Keep what is found here, for `pokerlab show` and for the same command.")
    ] = None,
    csv_file: Csv = None,
    picture: Picture = None,
    curve: Annotated[
        Path | None, Parameter(help="Draw what the bet is worth by its size here; .png, .svg or .pdf says how.")
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find the best size of one bet on a real board, every hand of both ranges apart.

    Says what the size found is worth, beside usual sizes and beside no size but all-in; values are what the player can
    expect of the pot, with bounds from best responses. Then it shows, as `pokerlab show` does, what the player does at
    the bet. A river takes seconds, a turn about a minute, a flop from minutes to hours (--dry-run says). With --out,
    and on a flop in any case, the same command goes on after it was stopped. The smallest bet is one chip.

    For example:

        pokerlab bets spot --board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 100 --stack 300 --player 1
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 100 --stack 500 --player 1 --facing 0.5
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 100 --stack 300 --player both
        pokerlab bets spot --board KsQh7d2c --ranges "TT+, AK, JTs | 22-99, KQ" --pot 60 --stack 200
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 50 --stack 500 --sizes 2 --round-to 5
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 50 --stack 500 --size-ranges 2 --extra 0

    Parameters
    ----------
    board
        Three, four or five cards. A flop with more hands than memory has room for is refused.
    player
        Whose bet is sized: 0, the opening bet out of position, or 1, the bet in position after a check; both at once
        with "both", where each player has its one size and all-in, and raises all-in.
    facing
        Size the player's raise of a bet instead: the bet is so many pots, and is one of those that the other player may
        make. Out of position the player checks first. Sizes of the raise are fractions of the pot after a call.
    opponent
        The sizes of the other player, and of both on later streets.
    target
        Solve values to this exploitability, in percent of the pot.
    sizes
        How many sizes this one bet has: 1, 2 or 3.
    round_to
        Round the sizes found to multiples of so many chips, and say what the rounded ones are worth.
    size_ranges
        Size every bet and raise of the player, not only this one: 1, 2 or 3 for the default ranges of `pokerlab bets`,
        or ranges such as 0.3-0.6,1-1.5, in fractions of the pot.
    extra
        With two or more --size-ranges: keep the most important bet of every decision, and this many more.
    runs
        With --size-ranges: how often BETS is run; between runs the ranges move.
    threads
        Of the solver, by default one a core.
    """
    from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame

    check_picture(picture, curve)
    options = SpotOptions(
        both=player == "both", facing=facing, opponent=opponent, target=target, sizes=sizes, round_to=round_to,
        size_ranges=size_ranges, extra=extra, runs=runs, max_raises=max_raises, threads=threads, curve=curve,
    )  # fmt: skip
    whole = [int(chips) if chips.is_integer() else chips for chips in (pot, stack)]
    asked = make_sized_subgame(
        board,
        two_ranges(ranges),
        pot=whole[0],
        stack=whole[1],
        player=1 if player == "1" else 0,
        opponent=opponent,
        facing=facing,
        max_raises=max_raises,
    )
    if dry_run:
        say_cost("bets spot", cost_of(asked, options, out), as_json=as_json)
        return
    answer, here, values = (both if options.both else one)(asked, options, out, quiet=as_json)
    show_spot(here, values, heading="", about=answer, csv_file=csv_file, picture=picture, as_json=as_json)
