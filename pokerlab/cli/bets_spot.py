"""`pokerlab bets spot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pokerlab.cli.output import Json, console, print_json, progress

if TYPE_CHECKING:
    from pokerlab.policies.strategy import Strategy
    from pokerlab.solvers.bet_sizing.spot_sizes import BestSize, EverySize, Spot, Worth
    from pokerlab.solvers.core.best_response import Evaluation

_NAMES = ("out of position", "in position")


def spot(
    *,
    board: str,
    ranges: str,
    pot: float,
    stack: float,
    player: Literal["0", "1"] = "0",
    opponent: str = "fcpa",
    target: float = 0.05,
    size_ranges: str | None = None,
    extra: int | None = None,
    runs: int = 5,
    max_raises: int | None = None,
    threads: int | None = None,
    as_json: Json = False,
) -> None:
    """Find the best size of one bet on a real board, every hand of both ranges apart.

    Says what the size found is worth, beside usual sizes and beside no size but all-in; values are what the player can
    expect of the pot, with bounds from best responses. A river takes seconds, a turn minutes.

    For example:

        pokerlab bets spot --board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 100 --stack 300 --player 1
        pokerlab bets spot --board KsQh7d2c --ranges "TT+, AK, JTs | 22-99, KQ" --pot 60 --stack 200
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 50 --stack 500 --size-ranges 2 --extra 0

    Parameters
    ----------
    board
        Four or five cards (three take hours).
    ranges
        Two ranges (`pokerlab grid`) with | between; the player who acts first, out of position, comes first.
    pot
        Chips in the middle.
    stack
        Chips that each player has behind it.
    player
        Whose bet is sized: 0, the opening bet out of position, or 1, the bet in position after a check.
    opponent
        The sizes of the other player, and of both on later streets.
    target
        Solve values to this exploitability, in percent of the pot.
    size_ranges
        Size every bet and raise of the player, not only this one: 1, 2 or 3 for the default ranges of `pokerlab bets`,
        or ranges such as 0.3-0.6,1-1.5, in fractions of the pot.
    extra
        With two or more --size-ranges: keep the most important bet of every decision, and this many more.
    runs
        With --size-ranges: how often BETS is run; between runs the ranges move.
    max_raises
        Bets and raises that a street has at most.
    threads
        Of the solver, by default one a core.
    """
    from pokerlab.errors import PokerlabError
    from pokerlab.solvers.bet_sizing.spot_sizes import best_size, make_spot

    sides = [side.strip() for side in ranges.split("|")]
    if len(sides) != 2:
        raise PokerlabError(f'{ranges!r} is not two ranges with | between; for example "QQ+, AKs | 22+, KQ"')
    if not target > 0:
        raise PokerlabError(f"target must be above 0% of the pot, not {target:g}")
    if threads is not None and threads < 1:
        raise PokerlabError(f"threads must be at least 1, not {threads}")
    if extra is not None and size_ranges is None:
        raise PokerlabError("--extra is about the bets of several --size-ranges; name those too")
    whole = [int(chips) if chips.is_integer() else chips for chips in (pot, stack)]
    asked = make_spot(
        board,
        (sides[0], sides[1]),
        pot=whole[0],
        stack=whole[1],
        player=int(player),
        opponent=opponent,
        max_raises=max_raises,
    )
    with progress("bet sizes") as report:
        if size_ranges is None:
            one = best_size(asked, target=target, threads=threads, report=report)
        else:
            every = _every(asked, size_ranges, extra, runs, target=target, threads=threads, report=report)
    if size_ranges is None:
        answer = _one_answer(asked, one)
    else:
        answer = _every_answer(asked, every)
    if as_json:
        print_json({**answer, "opponent": opponent, "target_percent": target})
    else:
        _show(asked, answer)


def _every(
    asked: Spot, size_ranges: str, extra: int | None, runs: int, *, target: float, threads: int | None, report: Any
) -> EverySize:
    from pokerlab.errors import PokerlabError
    from pokerlab.solvers.bet_sizing.ranges import parse_range, ranges_called
    from pokerlab.solvers.bet_sizing.search import Search
    from pokerlab.solvers.bet_sizing.spot_sizes import every_size

    if runs < 1:
        raise PokerlabError(f"runs must be at least 1, not {runs}")
    if extra is not None and extra < 0:
        raise PokerlabError(f"extra must be at least 0, not {extra}")
    found = [parse_range(text) for text in ranges_called(size_ranges)]
    return every_size(asked, found, Search(runs=runs, extra=extra), target=target, threads=threads, report=report)


def _one_answer(asked: Spot, found: BestSize) -> dict[str, Any]:
    return {
        **_about(asked),
        "size": found.size,
        "chips": found.size * asked.pot,
        "found": _worth(asked, found.evaluation),
        "all_in_only": _worth(asked, found.without),
        "usual": _usual(asked, found.usual),
        "how_often": _how_often(asked, found.solution.strategy),
        "seconds": sum(run.seconds for run in (*found.runs, *found.again)),
    }


def _every_answer(asked: Spot, found: EverySize) -> dict[str, Any]:
    from pokerlab.solvers.bet_sizing.table import bet_rows

    bets = [
        {name: value for name, value in row._asdict().items() if name not in ("number", "player")}
        for row in bet_rows(found.run)
    ]
    return {
        **_about(asked),
        "bets": bets,
        "found": _worth(asked, found.solution.evaluation),
        "all_in_only": _worth(asked, found.without),
        "usual": _usual(asked, found.usual),
        "how_often": _how_often(asked, found.solution.strategy),
    }


def _about(asked: Spot) -> dict[str, Any]:
    from pokerlab.cards.card import cards_text
    from pokerlab.cards.ranges import range_text

    return {
        "board": cards_text(asked.cells.board),
        "ranges": [range_text(weights) for weights in asked.cells.weight_of_combo],
        "pot": asked.pot,
        "stack": asked.all_in * asked.pot,
        "player": asked.player,
        "units": "chips",
    }


def _worth(asked: Spot, evaluation: Evaluation) -> dict[str, float]:
    """What the player can expect of the pot, with bounds."""
    found, half = evaluation.bounds.scaled(1 - 2 * asked.player, "chips"), asked.pot / 2
    return {"expects": asked.to_player(evaluation) + half, "low": found.low + half, "high": found.high + half}


def _usual(asked: Spot, usual: tuple[Worth, ...]) -> list[dict[str, float | None]]:
    return [{"size": each.size, **_worth(asked, each.evaluation)} for each in usual]


def _how_often(asked: Spot, strategy: Strategy) -> dict[str, float]:
    """How often the player takes each action at the first decision that is its own, after a check if it is second."""
    from pokerlab.games.actions import CALL
    from pokerlab.solvers.bet_sizing.subgame_bets import subgame_of
    from pokerlab.solvers.subgames.spot import spot as spot_of

    game = subgame_of(strategy.tree, asked.cells)
    here = spot_of(game, strategy, (CALL,) * asked.player)
    names = ["check" if action == CALL else f"bet {float(action.to):.4g}" for action in here.actions]
    return dict(zip(names, here.frequency.tolist(), strict=True))


def _show(asked: Spot, answer: dict[str, Any]) -> None:
    from rich.table import Table

    out = console()
    out.print(
        f"[bold]{asked.rules.name}[/] on {answer['board']}: pot {asked.pot:g}, {answer['stack']:g} behind, "
        f"player {asked.player} ({_NAMES[asked.player]}) bets",
        soft_wrap=True,
    )
    found = f"{answer['size']:.3f}" if "size" in answer else "those found"
    rows = [("all-in only", answer["all_in_only"], "")]
    rows += [(f"{each['size']:g}", each, "") for each in answer["usual"]]
    rows.append((found, answer["found"], "bold"))
    table = Table("size, pots", "expects, chips", "of the pot", "bounds", "over all-in only")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, worth, style in rows:
        gain = worth["expects"] - answer["all_in_only"]["expects"]
        bounds = f"{worth['low']:.2f} to {worth['high']:.2f}"
        share = f"{worth['expects'] / asked.pot:.2%}"
        table.add_row(name, f"{worth['expects']:.2f}", share, bounds, f"{gain / asked.pot:+.2%}", style=style)
    out.print(table)
    if "bets" in answer:
        sizes = Table("bet (the sized one comes last)", "of the pot", "importance")
        for row in answer["bets"]:
            sizes.add_row(row["actions"], f"{row['size']:.3f}", f"{row['importance']:.4g}")
        out.print(sizes)
    shares = ", ".join(f"{name} {share:.1%}" for name, share in answer["how_often"].items())
    out.print(f"with {'the size' if 'size' in answer else 'the sizes'} found: {shares}", markup=False, soft_wrap=True)
