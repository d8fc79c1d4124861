"""`pokerlab bets spot` for the bet, or for every bet, of one player."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pokerlab.cli.bets_answer import (
    Answer,
    SpotOptions,
    about,
    end_marks,
    kept,
    rows_of,
    say_marks,
    say_shares,
    shares_of,
    show_heading,
    show_worths,
    worth,
)
from pokerlab.cli.output import console, progress, say, table

if TYPE_CHECKING:
    from pokerlab.policies.spots import Spot
    from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame
    from pokerlab.solvers.core.solve import Solution
    from pokerlab.systems.bets.kept_steps import Unkept
    from pokerlab.systems.bets.subgame_sizes import BestSize, EverySize
    from pokerlab.valuing.spot_values import SpotValues

    Found: TypeAlias = BestSize | EverySize

NOTHING = "no size adds more than {:g}% of the pot to check and all-in, and values are solved no closer than that"
FEWER = "{} of {} sizes: one more adds nothing, or comes to the same chips"
WIDE = "bounds are {:.2g}% of the pot apart, wider than the {:g}% asked for: the solves ended before"
_SEATS = ("out of position", "in position")


def one(
    asked: SizedSubgame, options: SpotOptions, out: Path | None, *, quiet: bool
) -> tuple[Answer, Spot, SpotValues | None]:
    """What was found for one player, or read from `out`, shown and drawn; the spot of the bet, and its values."""
    from pokerlab.policies.spots import spot_at
    from pokerlab.valuing.spot_values import spot_values

    def find(keeping: Unkept) -> tuple[Answer, Solution]:
        found = _found(asked, options, keeping)
        return {**_answer(asked, found, options), **options.said}, found.solution

    answer, strategy = kept(find, out, asked, options)
    here = spot_at(strategy, _before(asked))
    values = spot_values(here, threads=options.threads)
    answer["how_often"] = shares_of(here, values)
    if not quiet:
        _show(asked, answer)
    if options.curve is not None:
        _draw(asked, answer, options.curve)
        if not quiet:
            say(f"written to {options.curve}")
    return answer, here, values


def _found(asked: SizedSubgame, options: SpotOptions, keeping: Unkept) -> Found:
    """The search that the options ask for."""
    from pokerlab.systems.bets.subgame_sizes import best_size, every_size

    target, threads = options.target, options.threads
    with progress("bet sizes") as report:
        if options.size_ranges is not None:
            ranges, search = options.ranges, options.search
            return every_size(asked, ranges, search, target=target, threads=threads, report=report, keeping=keeping)
        first = best_size(asked, target=target, threads=threads, report=report, keeping=keeping)
    return _more(first, options.sizes, options.round_to)


def _more(first: BestSize, n: int, round_to: float | None) -> BestSize:
    """The size found with more beside it, and all of them in whole chips, where that is asked."""
    from pokerlab.systems.bets.several_sizes import SeveralSizes, rounded, several_sizes

    some = SeveralSizes((first.size,), first.solution)
    if n > 1:
        with progress("more sizes") as report:
            some = several_sizes(first.solver.subgame, first, n, report=report)[-1]
    if round_to is not None:
        some = rounded(first.solver, some, round_to)
    return replace(first, size=some.sizes[0], more=some.sizes[1:], solution=some.solution)


def _before(asked: SizedSubgame) -> str:
    """What led to the sized bet, as a spot is written."""
    bet = [f"bet {asked.faced * asked.pot:.9g}"] if asked.facing else []
    checked = ["check"] if asked.player != (asked.facing is not None) else []
    return ", ".join([*checked, *bet])


def _answer(asked: SizedSubgame, found: Found, options: SpotOptions) -> Answer:
    value = worth(asked, found.solution.evaluation, asked.player, None)
    without = worth(asked, found.without, asked.player, None)
    sizes, marks = _sizes(asked, found, options)
    if value["expects"] - without["expects"] <= options.target / 100 * asked.pot:
        marks.append(NOTHING.format(options.target))
    width = 100 * (value["high"] - value["low"]) / asked.pot
    if width > 2 * options.target * 1.001:  # bounds are twice the exploitability apart
        marks.append(WIDE.format(width, 2 * options.target))
    usual = [worth(asked, each.evaluation, asked.player, each.size) for each in found.usual]
    return {**about(asked), **sizes, "found": value, "all_in_only": without, "usual": usual, "marks": marks}


def _sizes(asked: SizedSubgame, found: Found, options: SpotOptions) -> tuple[Answer, list[str]]:
    """The sizes, and what is to be said about them."""
    from pokerlab.systems.bets.subgame_sizes import BestSize
    from pokerlab.systems.bets.table import bet_rows

    if isinstance(found, BestSize):
        sizes, marks = [found.size, *found.more], []
        seconds = sum(run.seconds for run in (*found.runs, *found.again))
        if len(sizes) < options.sizes:
            marks.append(FEWER.format(len(sizes), options.sizes))
        answer = {"size": found.size, "chips": asked.chips(found.size), "sizes": sizes, "seconds": seconds}
        return answer, marks + end_marks(asked, sizes)
    if found.run is None:
        mark = f"no sizes were found that are better than {found.size:g} of the pot everywhere"
        return {"bets": [], "fixed": found.size}, [mark]
    rows = (row._asdict() for row in bet_rows(found.run))
    return {"bets": [{name: row[name] for name in row if name not in ("number", "player")} for row in rows]}, []


def _draw(asked: SizedSubgame, answer: Answer, path: Path) -> None:
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
    return f"player {asked.player} ({_SEATS[asked.player]}) {does}"


def _show(asked: SizedSubgame, answer: Answer) -> None:
    show_heading(asked, answer, _who(asked))
    sizes = answer.get("sizes", [])
    show_worths(asked, rows_of(asked, answer["all_in_only"], answer["usual"], answer["found"], sizes))
    if "bets" in answer:
        rows = [(row["actions"], f"{row['size']:.3f}", f"{row['importance']:.4g}") for row in answer["bets"]]
        console().print(table(("bet (the sized one comes last)", "of the pot", "importance"), rows, words=3))
    say_shares(f"with the size{'s' * (len(sizes) != 1)} found", answer["how_often"])
    say_marks(answer)
