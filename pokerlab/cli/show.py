"""`pokerlab show`: what a strategy does at a spot; and how every command that has solved something shows that."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.grid import Picture
from pokerlab.cli.looks import chips_text, number
from pokerlab.cli.output import Flag, Json, console, print_json, progress, say, table
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pokerlab.policies.spots import Spot
    from pokerlab.policies.strategy_files import SavedStrategy
    from pokerlab.valuing.spot_values import SpotValues

MOST_ROWS = 40
MOST_CLASSES = 20  # of hold'em hands that are printed one by one; more are grids

Csv = Annotated[Path | None, Parameter(name="--csv", help="Write the whole table here.")]


def show(
    strategy: Path,
    /,
    *,
    spot: str = "",
    csv_file: Csv = None,
    whole: Annotated[bool, Flag] = False,
    picture: Picture = None,
    as_json: Json = False,
) -> None:
    """What a strategy does at a spot, with each hand or cell of hands and altogether, and where it goes from there.

    In subgames, and where no card is forgotten, also what each hand can expect and how strong it is.

    For example:

        pokerlab show runs/leduc
        pokerlab show runs/leduc --spot "raise to 3, call / Ks / check" --csv spot.csv
        pokerlab show runs/holdem --spot "raise to 300, call / Ks7d2c" --picture spot.png
        pokerlab show runs/river --spot "check, bet 100"
        pokerlab show runs/leduc --whole --csv leduc.csv

    Parameters
    ----------
    strategy
        A strategy file, or the directory that `pokerlab solve` keeps.
    spot
        The actions and cards that lead there, with slashes where cards come in; nothing is the first decision.
    whole
        With --csv: write the whole strategy, a row for each decision, hand (or cell of hands) and action.
    """
    from pokerlab.policies.spots import spot_at
    from pokerlab.policies.strategy_files import load_strategy
    from pokerlab.valuing.spot_values import spot_values

    if whole and (csv_file is None or spot or picture is not None or as_json):
        raise PokerlabError("--whole writes a strategy to a file, and only that: use it with --csv FILE")
    saved = load_strategy(strategy)
    if whole and csv_file is not None:
        _write_whole(saved, csv_file)
        return
    here = spot_at(saved.strategy, spot)
    about = {"game": saved.strategy.tree.rules.name, "made": dict(saved.about)}
    values = spot_values(here)
    show_spot(here, values, heading=_heading(saved), about=about, csv_file=csv_file, picture=picture, as_json=as_json)


def show_spot(
    spot: Spot,
    values: SpotValues | None,
    *,
    heading: str,
    about: Mapping[str, Any],
    csv_file: Path | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Print a spot under a `heading`, or as JSON with what else is said `about` it; write its table and its picture."""
    from pokerlab.pictures.grid import grids_lines

    if csv_file is not None:
        headings, rows = _table(spot, values)
        csv_file.parent.mkdir(parents=True, exist_ok=True)
        with csv_file.open("w", newline="") as file:
            csv.writer(file).writerows([headings, *rows])
    if picture is not None:
        _draw(picture, spot)
    if as_json:
        print_json({**_answer(spot, values), **about})
        return
    out = console()
    out.print(heading, soft_wrap=True)
    where = spot.strategy.tree.rules.street_name(spot.street)
    out.print(f"{spot.title or 'first decision'}: seat {spot.actor} acts, {where}, {spot.pot:g} chips in the pot")
    grids = _grids(spot) if spot.on_combos else []
    if grids and (grids[0][1] == grids[0][1]).sum() > MOST_CLASSES:
        for line in grids_lines(grids, out.width):
            out.print(line, no_wrap=True, crop=False)
        out.print("tenths of the time: . never, # always, - a hand that does not come here")
    else:
        _print_hands(spot, values)
    if values is not None:
        _print_players(spot, values)
    _print_actions(spot, values)
    for path in filter(None, (csv_file, picture)):
        say(f"written to {path}")


def _write_whole(saved: SavedStrategy, csv_file: Path) -> None:
    from pokerlab.policies.spots import WHOLE_COLUMNS, whole_table

    csv_file.parent.mkdir(parents=True, exist_ok=True)
    with csv_file.open("w", newline="") as file, progress("writing") as told:
        rows = csv.writer(file)
        rows.writerow(WHOLE_COLUMNS)
        n, every = 0, sum(p.size for p in saved.strategy.p)
        for n, row in enumerate(whole_table(saved.strategy), 1):
            rows.writerow(row)
            if n % 100_000 == 0:
                told(n, every)
    say(f"{n:,} probabilities written to {csv_file}")


def _heading(saved: SavedStrategy) -> str:
    from pokerlab.cards.card import cards_text

    rules, made, how = saved.strategy.tree.rules, saved.about, ""
    if "iterations" in made:
        exploitability = number(made.get("exploitability"), ".3g")
        how = f", {made['algorithm']}, {made['iterations']:,} iterations, exploitability {exploitability} chips a hand"
    return f"[bold]{rules.name}[/]{f' on {cards_text(rules.board)}' if rules.board else ''}{how}"


def _answer(spot: Spot, values: SpotValues | None) -> dict[str, Any]:
    from pokerlab.cards.card import cards_text

    actions = []
    for action, name, frequency in zip(spot.actions, spot.names(), how_often(spot, values), strict=True):
        after = spot.after(action)
        then = None if after is None else {"spot": after.title, "seat": after.actor, "street": after.street}
        actions.append({"action": name, "frequency": frequency, "next": then})
    headings, rows = _table(spot, values)
    worth = {} if values is None else {"expected": values.expected, "equity": values.overall_equity}
    return {
        "spot": spot.title,
        "street": spot.street,
        "board": cards_text(spot.board),
        "seat": spot.actor,
        "pot": spot.pot,
        **worth,
        "actions": actions,
        "columns": headings,
        "hands": rows,
    }


def _table(spot: Spot, values: SpotValues | None, *, by_class: bool = False) -> tuple[list[str], list[list[Any]]]:
    return spot.table(None if values is None else values.columns(spot), by_class=by_class)


def how_often(spot: Spot, values: SpotValues | None) -> Sequence[float | None]:
    """How often each action is taken, as exactly as it can be told."""
    if values is not None:
        return list(map(float, values.frequency))
    return spot.frequencies() or [None] * len(spot.actions)


def _print_actions(spot: Spot, values: SpotValues | None) -> None:
    rules, rows = spot.strategy.tree.rules, []
    for action, name, frequency in zip(spot.actions, spot.names(chips_text), how_often(spot, values), strict=True):
        after = spot.after(action)
        then = "the hand is over" if after is None else f'seat {after.actor}: --spot "{after.title}"'
        if after is not None and after.street > spot.street:
            card = " / CARD" if rules.board else ""  # a subgame is shown on a board
            then = f'seat {after.actor}, {rules.street_name(after.street)}: --spot "{after.title}{card}"'
        rows.append((name, number(frequency, ".1%"), then))
    console().print(table(("action", "how often", "then"), rows, words=3))


def _print_players(spot: Spot, values: SpotValues) -> None:
    rows = []
    for seat, (chips, equity) in enumerate(zip(values.expected, values.overall_equity, strict=True)):
        chips = round(chips, 2) + 0.0  # no minus before a rounded zero
        rows.append((f"seat {seat}", f"{chips:.2f} chips", f"{chips / spot.pot:.1%}", f"{equity:.1%}"))
    console().print(table(("", "expects", "of the pot", "equity"), rows, words=4))


def _print_hands(spot: Spot, values: SpotValues | None) -> None:
    """A row for each cell, or for each class of hands on a board, that can be held here."""
    headings, rows = _table(spot, values, by_class=True)
    worth = ["weight"] if values is None else ["chance", "equity", "ev"]
    shown = []
    for row in rows[:MOST_ROWS]:
        numbers = dict(zip(headings, row, strict=True))
        shares = [_shown(numbers[name], ".2f" if name == "ev" else ".1%") for name in worth]
        shown.append([row[0], *shares, *(_shown(numbers[name], ".3f") for name in spot.names())])
    console().print(table(["hand", *worth, *spot.names(chips_text)], shown))
    if len(rows) > MOST_ROWS:
        console().print(f"and {len(rows) - MOST_ROWS:,} more: --csv FILE or --json has them all")


def _shown(value: float, form: str) -> str:
    digits = 2 if form == ".2f" else 4
    return "-" if value != value else format(round(value, digits) + 0.0, form)  # no minus before a rounded zero


def _grids(spot: Spot) -> list[tuple[str, NDArray[np.float64]]]:
    """The 13x13 grid of each action; a class counts the combos that come here."""
    import numpy as np

    from pokerlab.pictures.grid import grid_of

    weight, p = spot.by_hand()
    here = weight > 1e-9
    return [(name, grid_of(np.where(here, p[:, i], np.nan))) for i, name in enumerate(spot.names(chips_text))]


def _draw(path: Path, spot: Spot) -> None:
    from pokerlab.pictures.grid import save_grids

    if not spot.on_combos:
        raise PokerlabError("a picture shows the 169 hands of hold'em on a known board; --csv has the table")
    title = f"{spot.strategy.tree.rules.name}: {spot.title or 'first decision'}"
    save_grids(_grids(spot), path, title=title, note="how often each hand takes each action")
