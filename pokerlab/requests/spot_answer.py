"""Answer for one decision of a strategy: its hands or grids, both players' expected values, and its actions."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.answers import Answer, AnswerTable, FixedLines
from pokerlab.arrays import Floats
from pokerlab.cards.card import cards_text
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Chips, chips_words
from pokerlab.pictures.grid import grid_of, grids_lines, plain_grids, save_grids
from pokerlab.policies.spots import Spot
from pokerlab.policies.strategy_files import SavedStrategy
from pokerlab.valuing.spot_values import SpotValues

MOST_ROWS = 40
MOST_CLASSES = 20  # most classes of hold'em hands that are listed one by one; more are shown as grids
WIDTH = 90  # width of grids in plain text


def spot_answer(
    spot: Spot,
    values: SpotValues | None,
    *,
    title: str = "",
    about: Mapping[str, Any] | None = None,
    csv_file: Path | None = None,
    picture: Path | None = None,
) -> Answer:
    """Answer on a strategy's actions at a spot; also writes the CSV table and the picture. `about` is added to the
    data."""
    if csv_file is not None:
        write_csv(csv_file, *_table(spot, values))
    if picture is not None:
        _draw(picture, spot)
    tables = [_hands_or_grids(spot, values), *([] if values is None else [_players_table(spot, values)])]
    return Answer(
        title,
        (*tables, _actions_table(spot, values)),
        data={**spot_data(spot, values), **(about or {})},
        result=spot,
        files=tuple(path for path in (csv_file, picture) if path is not None),
    )


def strategy_title(saved: SavedStrategy) -> str:
    """Title of a saved strategy: its game, and how it was solved."""
    rules, made, how = saved.strategy.tree.rules, saved.about, ""
    if "iterations" in made:
        exploitability = number_text(made.get("exploitability"), ".3g")
        how = f", {made['algorithm']}, {made['iterations']:,} iterations, exploitability {exploitability} chips a hand"
        how += f", locked at {made['lock']!r}" if made.get("lock") else ""
    return f"{rules.name}{f' on {cards_text(rules.board)}' if rules.board else ''}{how}"


def spot_data(spot: Spot, values: SpotValues | None) -> dict[str, Any]:
    """A spot as JSON values: its actions, and a row for each hand."""
    actions = []
    for action, name, frequency in zip(spot.actions, spot.names(), action_shares(spot, values), strict=True):
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


def action_shares(spot: Spot, values: SpotValues | None) -> Sequence[float | None]:
    """Action frequencies: from `values` if given, otherwise weighted by the hands that reach the spot; None if
    unknown."""
    if values is not None:
        return list(map(float, values.frequency))
    return spot.frequencies() or [None] * len(spot.actions)


def number_text(value: float | None, form: str) -> str:
    """Format a number as text; '-' if it is unknown."""
    return "-" if value is None else format(value, form)


def chips_text(chips: Chips) -> str:
    """Format chips as rounded text, since bet sizes from a search have many digits.

    >>> chips_text(109.188629046), chips_text(20_000.0), chips_text(0.41421356)
    ('109.19', '20000', '0.4142')
    """
    return f"{float(chips):.2f}".rstrip("0").rstrip(".") if chips >= 10 else f"{float(chips):.4g}"


def write_csv(path: Path, headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write a table to a CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([headings, *rows])


def _table(spot: Spot, values: SpotValues | None, *, by_class: bool = False) -> tuple[list[str], list[list[Any]]]:
    return spot.table(None if values is None else values.columns(spot), by_class=by_class)


def _hands_or_grids(spot: Spot, values: SpotValues | None) -> AnswerTable:
    street = spot.strategy.tree.rules.street_name(spot.street)
    pot = f"{chips_words(spot.pot)} chips in the pot"
    title = f"{spot.title or 'first decision'}: seat {spot.actor} acts, {street}, {pot}"
    grids = _grids(spot) if spot.on_combos else []
    if not grids or (grids[0][1] == grids[0][1]).sum() <= MOST_CLASSES:
        return _hands_table(spot, values, title)
    return FixedLines(
        lines=tuple(plain_grids(grids, WIDTH)),
        title=title,
        note="tenths of the time: . never, # always, - a hand that does not come here",
        coloured=lambda width: grids_lines(grids, width),
    )


def _hands_table(spot: Spot, values: SpotValues | None, title: str) -> AnswerTable:
    """Table with a row for each possible card bucket, or for each possible hand class on a board."""
    headings, rows = _table(spot, values, by_class=True)
    worth = ["weight"] if values is None else ["chance", "equity", "ev"]
    shown = []
    for row in rows[:MOST_ROWS]:
        numbers = dict(zip(headings, row, strict=True))
        shares = [_rounded(numbers[name], ".2f" if name == "ev" else ".1%") for name in worth]
        shown.append((str(row[0]), *shares, *(_rounded(numbers[name], ".3f") for name in spot.names())))
    more = len(rows) - MOST_ROWS
    note = f"and {more:,} more: --csv FILE or --json has them all" if more > 0 else ""
    return AnswerTable(("hand", *worth, *spot.names(chips_text)), tuple(shown), title, note)


def _players_table(spot: Spot, values: SpotValues) -> AnswerTable:
    rows = []
    for seat, (chips, equity) in enumerate(zip(values.expected, values.overall_equity, strict=True)):
        chips = round(chips, 2) + 0.0  # no minus before a rounded zero
        rows.append((f"seat {seat}", f"{chips:.2f} chips", f"{chips / spot.pot:.1%}", f"{equity:.1%}"))
    return AnswerTable(("", "expects", "of the pot", "equity"), tuple(rows))


def _actions_table(spot: Spot, values: SpotValues | None) -> AnswerTable:
    rules, rows = spot.strategy.tree.rules, []
    for action, name, share in zip(spot.actions, spot.names(chips_text), action_shares(spot, values), strict=True):
        after = spot.after(action)
        then = "the hand is over" if after is None else f'seat {after.actor}: --spot "{after.title}"'
        if after is not None and after.street > spot.street:
            card = " / CARD" if rules.board else ""  # a subgame is shown on a board
            then = f'seat {after.actor}, {rules.street_name(after.street)}: --spot "{after.title}{card}"'
        rows.append((name, number_text(share, ".1%"), then))
    return AnswerTable(("action", "how often", "then"), tuple(rows), words=3)


def _rounded(value: float, form: str) -> str:
    digits = 2 if form == ".2f" else 4
    return "-" if value != value else format(round(value, digits) + 0.0, form)  # no minus before a rounded zero


def _grids(spot: Spot) -> list[tuple[str, Floats]]:
    """A named 13x13 grid for each action; each cell averages the combos that reach the spot."""
    weight, p = spot.by_hand()
    here = weight > 1e-9
    return [(name, grid_of(np.where(here, p[:, i], np.nan))) for i, name in enumerate(spot.names(chips_text))]


def _draw(path: Path, spot: Spot) -> None:
    if not spot.on_combos:
        raise PokerlabError("a picture shows the 169 hands of hold'em on a known board; --csv has the table")
    title = f"{spot.strategy.tree.rules.name}: {spot.title or 'first decision'}"
    save_grids(_grids(spot), path, title=title, note="how often each hand takes each action")
