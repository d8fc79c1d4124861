"""`pokerlab solve subgame`."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.grid import Picture
from pokerlab.cli.looks import Plot, check_picture, draw_looks, looks_shown
from pokerlab.cli.output import Flag, Json, console, print_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pokerlab.solvers.core.solve import Solution
    from pokerlab.solvers.subgames.spot import SubgameSpot
    from pokerlab.solvers.subgames.subgame import Subgame

MOST_CLASSES = 20  # that are printed one by one
_NAMES = ("out of position", "in position")


def subgame(
    *,
    board: str,
    ranges: str,
    pot: float,
    stack: float,
    sizes: str = "0.5p, 1p, all-in",
    algorithm: str = "dcfr",
    iterations: int = 1000,
    target: float = 0.5,
    max_raises: int | None = None,
    spot: str = "",
    threads: int | None = None,
    out: Annotated[
        Path | None, Parameter(help="Keep the run here; the same command goes on from it, or shows another spot of it.")
    ] = None,
    plot: Plot = None,
    csv_file: Annotated[Path | None, Parameter(name="--csv", help="Write every hand of the spot here.")] = None,
    picture: Picture = None,
    dry_run: Annotated[bool, Flag] = False,
    as_json: Json = False,
) -> None:
    """Solve the rest of a hold'em hand, every hand apart: what each player does at a spot, and what it is worth.

    For example:

        pokerlab solve subgame --board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300
        pokerlab solve subgame --board KsQh7d2c --ranges "random | random" --pot 100 --stack 300 --dry-run
        pokerlab solve subgame --board Ks7h2d5c8s --ranges "AA, QJs | KQ" --pot 100 --stack 100 --spot "bet 100"
        pokerlab solve subgame --board KsQh7d2c --ranges "30% | 30%" --pot 60 --stack 200 --out runs/turn

    Parameters
    ----------
    board
        Three, four or five cards.
    ranges
        Two ranges (`pokerlab grid`) with | between; the player who acts first, out of position, comes first.
    pot
        Chips in the middle.
    stack
        Chips that each player has behind it.
    sizes
        The bets, as for `pokerlab solve`; `flop`, `turn` and `river` name streets, "A | B" is for each player.
    algorithm
        cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+ or pdcfr+.
    iterations
        At most this many.
    target
        Stop at this exploitability, in percent of the pot.
    max_raises
        Bets and raises that a street has at most.
    spot
        The actions, and cards after a slash, that lead to the decision to be shown: "check, bet 50 / 2c". Default: the
        first one.
    threads
        Of the solver, by default one a core; any number gives the same bits.
    dry_run
        Only say how much memory and about how long an iteration takes.
    """
    from pokerlab.errors import PokerlabError
    from pokerlab.solvers.core.variants import variant
    from pokerlab.solvers.subgames.runs import run_subgame
    from pokerlab.solvers.subgames.subgame import make_subgame

    for path in filter(None, (picture, plot)):
        check_picture(path)

    sides = [side.strip() for side in ranges.split("|")]
    if len(sides) != 2:
        raise PokerlabError(f'{ranges!r} is not two ranges with | between; for example "QQ+, AKs | 22+, KQ"')
    if not target > 0:
        raise PokerlabError(f"target must be above 0% of the pot, not {target:g}")
    whole = [int(chips) if chips.is_integer() else chips for chips in (pot, stack)]
    game = make_subgame(board, (sides[0], sides[1]), pot=whole[0], stack=whole[1], sizes=sizes, max_raises=max_raises)
    chosen = variant(algorithm)
    if dry_run:
        _say_cost(game, iterations, predictive=chosen.predictive, as_json=as_json)
        return
    actions, dealt = _place(game, spot)  # what is wrong with it is said before the work
    goal = target / 100 * pot
    with looks_shown(iterations, goal) as report:
        solution = run_subgame(game, chosen, out, iterations=iterations, target=goal, threads=threads, report=report)
    from pokerlab.solvers.subgames.spot import spot as spot_of

    found = spot_of(game, solution.strategy, actions, dealt, threads=threads)
    if csv_file is not None:
        _write_csv(csv_file, found)
    if picture is not None:
        _draw(picture, found, spot)
    if as_json:
        print_json(_answer(game, algorithm, solution, found, spot))
    else:
        _print(game, algorithm, solution, found, spot)
        for path in filter(None, (csv_file, picture)):
            console().print(f"written to {path}", markup=False, soft_wrap=True)
    if plot is not None:
        title = f"{game.rules.name} on {game.about['board']}, {algorithm}"
        draw_looks(algorithm, solution.looks, plot, title=title, as_json=as_json)


def _place(game: Subgame, text: str) -> tuple[list[Any], tuple[int, ...]]:
    """The actions and the cards dealt since that lead to a spot."""
    from pokerlab.cards.card import cards_text
    from pokerlab.policies.spots import spot_at
    from pokerlab.policies.strategy import Strategy

    found = spot_at(Strategy(game.tree, game.cells, ()), f"{cards_text(game.board)} / {text}")
    return [game.tree.action(edge) for edge in game.tree.path(found.decision)], found.board[len(game.board) :]


def _say_cost(game: Subgame, iterations: int, *, predictive: bool, as_json: bool) -> None:
    cost = game.estimate(predictive=predictive)
    if as_json:
        print_json({"memory_bytes": cost.bytes, "seconds_each": cost.seconds, "iterations": iterations})
        return
    console().print(
        f"{game.tree.n_decisions:,} decisions, {game.cells.n_hands:,} hands: {cost.bytes / 1e6:,.0f} MB of memory, "
        f"about {cost.seconds:.2g} s an iteration on one core"
    )


def _table(found: SubgameSpot) -> tuple[list[str], list[list[Any]]]:
    """Headings, and a row for every hand that the actor can hold."""
    from pokerlab.cards.combos import combo_text

    actor = found.actor
    headings = ["hand", "chance", "equity", "ev", *map(str, found.actions), *(f"ev of {a}" for a in found.actions)]
    rows = [
        [
            combo_text(combo),
            *(float(column[actor][combo]) for column in (found.chance, found.equity, found.value)),
            *found.p[combo].tolist(),
            *found.ev[combo].tolist(),
        ]
        for combo in range(len(found.p))
        if found.chance[actor][combo] > 0
    ]
    return headings, rows


def _write_csv(path: Path, found: SubgameSpot) -> None:
    headings, rows = _table(found)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([headings, *rows])


def _answer(game: Subgame, algorithm: str, solution: Solution, found: SubgameSpot, spot: str) -> dict[str, Any]:
    from pokerlab.cards.card import cards_text

    headings, rows = _table(found)
    return {
        **game.about,
        "algorithm": algorithm,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "exploitability": solution.exploitability,
        "exploitability_percent": 100 * solution.exploitability / float(game.pot),
        "value": solution.value,
        "units": "chips",
        "spot": spot,
        "spot_board": cards_text(found.board),
        "player": found.actor,
        "spot_pot": found.pot,
        "expected": list(found.expected),
        "equity": list(found.overall_equity),
        "actions": [
            {"action": str(action), "frequency": float(share)}
            for action, share in zip(found.actions, found.frequency, strict=True)
        ],
        "columns": headings,
        "hands": rows,
    }


def _print(game: Subgame, algorithm: str, solution: Solution, found: SubgameSpot, spot: str) -> None:
    from rich.table import Table

    from pokerlab.cards.card import cards_text
    from pokerlab.cli.show import print_grids

    out = console()
    share = max(0.0, 100 * solution.exploitability / float(game.pot))  # float32 may round to less than nothing
    out.print(
        f"[bold]{game.rules.name}[/] on {cards_text(game.board)}: {algorithm}, {solution.iterations:,} iterations, "
        f"{solution.seconds:.2f} s, exploitability {share:.2f}% of the pot",
        soft_wrap=True,
    )
    out.print(f"{spot or 'first decision'}: {_NAMES[found.actor]} acts on {cards_text(found.board)}", markup=False)
    grids = _grids(found)
    if sum(1 for value in grids[0][1].flat if value == value) > MOST_CLASSES:
        print_grids(grids)
    else:
        _print_classes(found)
    each = Table("player", "expects", "of the pot", "equity")
    for player, name in enumerate(_NAMES):
        expected, equity = found.expected[player], found.overall_equity[player]
        expected = round(expected, 2) + 0.0  # no minus before a rounded zero
        each.add_row(name, f"{expected:.2f} chips", f"{expected / found.pot:.1%}", f"{equity:.1%}")
    out.print(each)
    table = Table("action", "how often")
    for action, frequency in zip(found.actions, found.frequency, strict=True):
        table.add_row(str(action), f"{frequency:.1%}")
    out.print(table)


def _print_classes(found: SubgameSpot) -> None:
    """A row for each class of hands, those that can be held here."""
    import numpy as np
    from rich.table import Table

    from pokerlab.cards.combos import COMBOS_OF_CLASS, class_text

    table = Table("hand")
    for heading in ("chance", "equity", "expects", *map(str, found.actions)):
        table.add_column(heading, justify="right")
    chance = found.chance[found.actor]
    for number, combos in enumerate(COMBOS_OF_CLASS):
        here = combos[chance[combos] > 1e-9]
        if not len(here):
            continue
        mean = [np.average(v[found.actor][here], weights=chance[here]) for v in (found.equity, found.value)]
        mean = [value.round(3) + 0.0 for value in mean]  # no minus before a rounded zero
        p = np.average(found.p[here], weights=chance[here], axis=0)
        numbers = (f"{chance[here].sum():.1%}", f"{mean[0]:.1%}", f"{mean[1]:.2f}", *(f"{share:.3f}" for share in p))
        table.add_row(class_text(number), *numbers)
    console().print(table)


def _grids(found: SubgameSpot) -> list[tuple[str, NDArray[np.float64]]]:
    """A 13x13 grid for each action; hands that cannot be there count for nothing."""
    import numpy as np

    from pokerlab.pictures.grid import grid_of

    here = found.chance[found.actor] > 1e-9
    return [(str(action), grid_of(np.where(here, found.p[:, i], np.nan))) for i, action in enumerate(found.actions)]


def _draw(path: Path, found: SubgameSpot, spot: str) -> None:
    from pokerlab.cards.card import cards_text
    from pokerlab.pictures.grid import save_grids

    title = f"{_NAMES[found.actor]} on {cards_text(found.board)}: {spot or 'first decision'}"
    save_grids(_grids(found), path, title=title, note="how often each hand takes each action")
