"""`pokerlab show`: what a strategy does."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.grid import Picture
from pokerlab.cli.looks import number
from pokerlab.cli.output import Json, console, print_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pokerlab.policies.spots import Spot
    from pokerlab.policies.strategy_files import SavedStrategy

MOST_ROWS = 40


def show(
    strategy: Path,
    /,
    *,
    spot: str = "",
    csv_file: Annotated[Path | None, Parameter(name="--csv", help="Write the whole table here.")] = None,
    picture: Picture = None,
    as_json: Json = False,
) -> None:
    """What a strategy does at a spot, with each hand or cell of hands and altogether, and where it goes from there.

    For example:

        pokerlab show runs/leduc
        pokerlab show runs/leduc --spot "raise to 3, call / Ks / check" --csv spot.csv
        pokerlab show runs/holdem --spot "raise to 300, call / Ks7d2c" --picture spot.png

    Parameters
    ----------
    strategy
        A strategy file, or the directory that `pokerlab solve` keeps.
    spot
        The actions and cards that lead there, with slashes where cards come in; nothing is the first decision.
    """
    from pokerlab.policies.spots import spot_at
    from pokerlab.policies.strategy_files import load_strategy
    from pokerlab.solvers.runs import STRATEGY

    saved = load_strategy(strategy / STRATEGY if strategy.is_dir() else strategy)
    here = spot_at(saved.strategy, spot)
    if csv_file is not None:
        _write_csv(csv_file, here)
    if picture is not None:
        _draw(picture, here)
    if as_json:
        print_json(_answer(saved, here))
    else:
        _print(saved, here)
        for path in filter(None, (csv_file, picture)):
            console().print(f"written to {path}", markup=False, soft_wrap=True)


def _table(spot: Spot) -> tuple[list[str], list[list[Any]]]:
    """Headings, and a row for every combo where hands can be looked up, else for every cell."""
    actions = [str(action) for action in spot.actions]
    if not spot.on_combos:
        return ["hand", "weight", *actions], [[row.label, row.weight, *row.p] for row in spot.rows()]
    from pokerlab.cards.combos import combo_text

    weight, p = spot.by_combo()
    found = [[combo_text(c), float(weight[c] / weight.sum()), *p[c].tolist()] for c in range(len(p)) if weight[c] > 0]
    return ["hand", "weight", *actions], found


def _write_csv(path: Path, spot: Spot) -> None:
    headings, rows = _table(spot)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(headings)
        writer.writerows(rows)


def _answer(saved: SavedStrategy, spot: Spot) -> dict[str, Any]:
    from pokerlab.cards.card import cards_text

    frequencies = spot.frequencies()
    actions = []
    for place, action in enumerate(spot.actions):
        after = spot.after(action)
        actions.append(
            {
                "action": str(action),
                "frequency": None if frequencies is None else frequencies[place],
                "next": None if after is None else {"spot": after.title, "seat": after.actor, "street": after.street},
            }
        )
    headings, rows = _table(spot)
    return {
        "game": saved.strategy.tree.rules.name,
        "made": dict(saved.about),
        "spot": spot.title,
        "street": spot.street,
        "board": cards_text(spot.board),
        "seat": spot.actor,
        "pot": spot.pot,
        "actions": actions,
        "columns": headings,
        "hands": rows,
    }


def _print(saved: SavedStrategy, spot: Spot) -> None:
    out, rules, made = console(), saved.strategy.tree.rules, saved.about
    how = ""
    if "iterations" in made:
        exploitability = number(made.get("exploitability"), ".3g")
        how = f", {made['algorithm']}, {made['iterations']:,} iterations, exploitability {exploitability} chips a hand"
    out.print(f"[bold]{rules.name}[/]{how}", soft_wrap=True)
    where = rules.street_name(spot.street)
    out.print(f"{spot.title or 'first decision'}: seat {spot.actor} acts, {where}, {spot.pot:g} chips in the pot")
    if spot.on_combos:
        print_grids(_grids(spot))
    else:
        _print_rows(spot)
    _print_actions(spot)


def _print_actions(spot: Spot) -> None:
    from rich.table import Table

    frequencies = spot.frequencies()
    table = Table("action", "how often", "then")
    for place, action in enumerate(spot.actions):
        after = spot.after(action)
        then = "the hand is over" if after is None else f"seat {after.actor}"
        if after is not None and after.street > spot.street:
            then += f", {spot.strategy.tree.rules.street_name(after.street)}"
        share = "-" if frequencies is None else f"{frequencies[place]:.1%}"
        table.add_row(str(action), share, then if after is None else f'{then}: --spot "{after.title}"')
    console().print(table)


def _print_rows(spot: Spot) -> None:
    from rich.table import Table

    rows = spot.rows()
    table = Table("hand")
    for heading in ("weight", *map(str, spot.actions)):
        table.add_column(heading, justify="right")
    for row in rows[:MOST_ROWS]:
        weight = "-" if row.weight != row.weight else f"{row.weight:.1%}"
        table.add_row(row.label, weight, *(f"{p:.3f}" for p in row.p))
    console().print(table)
    if len(rows) > MOST_ROWS:
        console().print(f"and {len(rows) - MOST_ROWS:,} more: --csv FILE or --json has them all")


def _grids(spot: Spot) -> list[tuple[str, NDArray[np.float64]]]:
    """The 13x13 grid of each action; a class counts the combos that come here."""
    from pokerlab.pictures.grid import grid_of

    weight, p = spot.by_combo()
    here = weight > 1e-9
    return [(str(action), grid_of(_where(here, p[:, i]))) for i, action in enumerate(spot.actions)]


def _where(here: NDArray[np.bool_], p: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    return np.where(here, p, np.nan)


def print_grids(grids: Sequence[tuple[str, NDArray[np.float64]]]) -> None:
    """(title, grid) pairs in tenths, as many beside each other as the terminal is wide."""
    from pokerlab.pictures.grid import grids_lines

    out = console()
    for line in grids_lines(grids, out.width):
        out.print(line, no_wrap=True, crop=False)
    out.print("tenths of the time: . never, # always, - a hand that does not come here")


def _draw(path: Path, spot: Spot) -> None:
    from pokerlab.errors import PokerlabError
    from pokerlab.pictures.grid import save_grids

    if not spot.on_combos:
        raise PokerlabError("a picture shows the 169 hands of hold'em on a known board; --csv has the table")
    title = f"{spot.strategy.tree.rules.name}: {spot.title or 'first decision'}"
    save_grids(_grids(spot), path, title=title, note="how often each hand takes each action")
