"""`pokerlab bets spot`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from cyclopts import Parameter

from pokerlab.cli.bets_answer import END, about, kept
from pokerlab.cli.bets_both import both, show_both
from pokerlab.cli.grid import Picture
from pokerlab.cli.looks import check_picture
from pokerlab.cli.output import DryRun, Json, console, progress, say, say_cost, table
from pokerlab.cli.show import Csv, how_often, show_spot
from pokerlab.cli.solve_subgame import MaxRaises, Pot, Ranges, Stack, two_ranges
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame
    from pokerlab.solvers.bet_sizing.subgame_sizes import BestSize, EverySize
    from pokerlab.solvers.core.solve import Solution

    Found: TypeAlias = BestSize | EverySize

_NAMES = ("out of position", "in position")


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
        Path | None, Parameter(help="Keep what was found here, for `pokerlab show` and for the same command.")
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
    the bet. A river takes seconds, a turn about a minute, a flop from minutes to hours (--dry-run says).

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
    from pokerlab.games.actions import CALL, FOLD
    from pokerlab.policies.spots import spot_at
    from pokerlab.solvers.bet_sizing.ranges import parse_range, ranges_called
    from pokerlab.solvers.bet_sizing.search import Search
    from pokerlab.solvers.bet_sizing.several_sizes import spot_cost
    from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
    from pokerlab.solvers.bet_sizing.subgame_sizes import best_size, every_size
    from pokerlab.valuing.spot_values import spot_values

    check_picture(picture, curve)
    if curve is not None and size_ranges is not None:
        raise PokerlabError("--curve is about the sizes of one bet; --size-ranges sizes every bet")
    if not target > 0:
        raise PokerlabError(f"target must be above 0% of the pot, not {target:g}")
    if threads is not None and threads < 1:
        raise PokerlabError(f"threads must be at least 1, not {threads}")
    if extra is not None and size_ranges is None:
        raise PokerlabError("--extra is about the bets of several --size-ranges; name those too")
    if runs < 1:
        raise PokerlabError(f"runs must be at least 1, not {runs}")
    if extra is not None and extra < 0:
        raise PokerlabError(f"extra must be at least 0, not {extra}")
    if sizes not in (1, 2, 3):
        raise PokerlabError(f"one bet has 1, 2 or 3 sizes, not {sizes}")
    if size_ranges is not None and (sizes > 1 or round_to is not None):
        raise PokerlabError("--size-ranges sizes every bet; --sizes and --round-to are about one")
    if player == "both" and (sizes > 1 or curve or any(each is not None for each in (size_ranges, round_to, facing))):
        raise PokerlabError(
            "--player both finds one size for each; leave out --sizes, --size-ranges, --round-to, --facing and --curve"
        )
    if size_ranges is not None and facing is not None:
        raise PokerlabError("--size-ranges sizes every bet; --facing is about one raise")
    if round_to is not None and not round_to > 0:
        raise PokerlabError(f"sizes are rounded to a number of chips above 0, not {round_to:g}")
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
        say_cost("bets spot", spot_cost(asked, threads=threads), as_json=as_json)
        return
    settings = {"opponent": opponent, "target_percent": target}
    if player == "both":
        config = {**about(asked), **settings, "player": player, "max_raises": max_raises}
        answer, here = both(asked, settings, config, target=target, threads=threads, out=out)
        if not as_json:
            show_both(asked, answer)
        values = spot_values(here, threads=threads)
        show_spot(here, values, heading="", about=answer, csv_file=csv_file, picture=picture, as_json=as_json)
        return

    def find() -> tuple[dict[str, Any], Solution]:
        with progress("bet sizes") as report:
            if size_ranges is None:
                one = best_size(asked, target=target, threads=threads, report=report)
                more = sizes > 1 or round_to is not None
                found: Found = _more(asked, one, sizes, round_to, target=target, threads=threads) if more else one
            else:
                ranged = [parse_range(text) for text in ranges_called(size_ranges)]
                search = Search(runs=runs, extra=extra)
                found = every_size(asked, ranged, search, target=target, threads=threads, report=report)
        answer = {**_answer(asked, found), **settings}
        width = 100 * (answer["found"]["high"] - answer["found"]["low"]) / asked.pot
        if width > 2 * target * 1.001:  # bounds are twice the exploitability apart
            answer["marks"].append(WIDE.format(width, 2 * target))
        return answer, found.solution

    config = {**about(asked), **settings, "size_ranges": size_ranges, "extra": extra, "runs": runs}
    config |= {"sizes": sizes, "round_to": round_to}
    answer, strategy = kept(find, out, {**config, "max_raises": max_raises})
    here = spot_at(strategy, _before(asked))
    values = spot_values(here, threads=threads)
    words = {CALL: "call", FOLD: "fold"} if facing else {CALL: "check"}
    raised = "raise to" if facing else "bet"
    names = [words.get(action) or f"{raised} {float(action.to):.4g}" for action in here.actions]
    answer["how_often"] = dict(zip(names, how_often(here, values), strict=True))
    if not as_json:
        _show(asked, answer)
    if curve is not None:
        _draw(asked, answer, curve)
    show_spot(here, values, heading="", about=answer, csv_file=csv_file, picture=picture, as_json=as_json)


def _before(asked: SizedSubgame) -> str:
    """What led to the sized bet, as a spot is written."""
    bet = [f"bet {asked.faced * asked.pot:.9g}"] if asked.facing else []
    checked = ["check"] if asked.player != (asked.facing is not None) else []
    return ", ".join([*checked, *bet])


def _more(
    asked: SizedSubgame,
    first: BestSize,
    n: int,
    round_to: float | None,
    *,
    target: float,
    threads: int | None,
) -> BestSize:
    """The size found with more beside it, and all of them in whole chips where that is asked."""
    from dataclasses import replace

    from pokerlab.solvers.bet_sizing.several_sizes import rounded, several_sizes

    some = several_sizes(asked, first, n)[-1]
    if round_to is not None:
        some = rounded(asked, some, round_to, target=target, threads=threads)
    return replace(first, size=some.sizes[0], more=some.sizes[1:], solution=some.solution)


def _answer(asked: SizedSubgame, found: Found) -> dict[str, Any]:
    from pokerlab.solvers.bet_sizing.several_sizes import at_an_end
    from pokerlab.solvers.bet_sizing.subgame_sizes import BestSize
    from pokerlab.solvers.bet_sizing.table import bet_rows

    marks = []
    if isinstance(found, BestSize):
        seconds = sum(run.seconds for run in (*found.runs, *found.again))
        sizes: dict[str, Any] = {
            "size": found.size,
            "chips": asked.chips(found.size),
            "sizes": [found.size, *found.more],
            "seconds": seconds,
        }
        marks += [END.format(size) for size in sizes["sizes"] if at_an_end(asked, size)]
    elif found.run is None:
        sizes = {"bets": [], "fixed": found.size}
        marks.append(f"no sizes were found that are better than {found.size:g} of the pot everywhere")
    else:
        rows = (row._asdict() for row in bet_rows(found.run))
        sizes = {"bets": [{name: row[name] for name in row if name not in ("number", "player")} for row in rows]}
    answer = {
        **about(asked),
        **sizes,
        "found": asked.worth(found.solution.evaluation, asked.player),
        "all_in_only": asked.worth(found.without, asked.player),
        "usual": [{"size": each.size, **asked.worth(each.evaluation, asked.player)} for each in found.usual],
    }
    return {**answer, "marks": marks}


WIDE = "bounds are {:.2g}% of the pot apart, wider than the {:g}% asked for: the solves ended before"


def _draw(asked: SizedSubgame, answer: dict[str, Any], path: Path) -> None:
    from pokerlab.pictures.size_values import save_size_values

    save_size_values(
        [(each["size"], each["expects"]) for each in answer["usual"]],
        answer["sizes"],
        path,
        worth=answer["found"]["expects"],
        without=answer["all_in_only"]["expects"],
        title=f"{answer['board']}, pot {asked.pot:g}, {answer['stack']:g} behind: {_who(asked)}",
    )


def _who(asked: SizedSubgame) -> str:
    does = f"raises a bet of {asked.faced * asked.pot:g}" if asked.facing else "bets"
    return f"player {asked.player} ({_NAMES[asked.player]}) {does}"


def _show(asked: SizedSubgame, answer: dict[str, Any]) -> None:
    out = console()
    out.print(
        f"[bold]{asked.rules.name}[/] on {answer['board']}: pot {asked.pot:g}, {answer['stack']:g} behind, "
        f"{_who(asked)}",
        soft_wrap=True,
    )
    found = ", ".join(f"{size:.3f}" for size in answer["sizes"]) if "size" in answer else "those found"
    worths = [("all-in only", answer["all_in_only"], "")]
    worths += [(f"{each['size']:g}", each, "") for each in answer["usual"]]
    worths.append((found, answer["found"], "bold"))
    first = "size, of the pot after a call" if asked.facing else "size, pots"
    shown = table((first, "expects, chips", "of the pot", "bounds", "over all-in only"), ())
    for name, value, style in worths:
        gain = value["expects"] - answer["all_in_only"]["expects"]
        bounds = f"{value['low']:.2f} to {value['high']:.2f}"
        share = f"{value['expects'] / asked.pot:.2%}"
        shown.add_row(name, f"{value['expects']:.2f}", share, bounds, f"{gain / asked.pot:+.2%}", style=style)
    out.print(shown)
    if "bets" in answer:
        rows = [(row["actions"], f"{row['size']:.3f}", f"{row['importance']:.4g}") for row in answer["bets"]]
        out.print(table(("bet (the sized one comes last)", "of the pot", "importance"), rows, words=3))
    shares = ", ".join(f"{name} {share:.1%}" for name, share in answer["how_often"].items())
    say(f"with {'the size' if len(answer.get('sizes', ())) == 1 else 'the sizes'} found: {shares}")
    for mark in answer["marks"]:
        say(f"note: {mark}")
