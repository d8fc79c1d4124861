"""The combos of both players at a spot, for study pages: columns of weights, values, made hands and draws.

A page can group them by hand class, made hand or draw, and filter them, without another request. A combo is listed if
it was in the player's initial range and is possible on the board, even if its weight is 0 by now.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import nan
from typing import Any

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Floats
from pokerlab.cards.card import card_text, cards
from pokerlab.cards.combos import COMBOS_OF_CLASS, N_COMBOS, combo_text, live_combos
from pokerlab.cards.made_hands import DRAWS, MADE, draws, made_hands
from pokerlab.cards.ranges import Range, gto_plus_text, range_text
from pokerlab.errors import PokerlabError
from pokerlab.games.dealing import start_ranges
from pokerlab.policies.spots import Spot
from pokerlab.policies.strategy import Strategy
from pokerlab.valuing.river_again import spot_in
from pokerlab.valuing.spot_values import SpotValues, spot_values
from pokerlab.web.spot_data import plain_number, plain_numbers

KINDS = {"made": MADE, "draws": DRAWS}
"""Names of the kinds of made hands and of draws; a player's columns `made` and `draw` have indices of these."""


RANGE_FORMS: dict[str, Callable[[Range], str]] = {"weights": range_text, "gto+": gto_plus_text}
"""Ways to write a range: as this lab and PioSOLVER (AA, KK:0.5), and as GTO+ (AA, [50]KK[/50])."""
_BOARD = re.compile(r"([2-9TJQKA][cdhs])+")


def combo_data(spot: Spot, values: SpotValues | None) -> list[dict[str, Any]]:
    """For each player, columns with an entry for each combo. The player to act also has the columns `p[action]` and
    `evs[action]`."""
    began = _first_weights(spot)
    made, draw = made_hands(spot.board), draws(spot.board)
    return [_columns(spot, values, seat, began[seat], made, draw) for seat in (0, 1)]


def runouts(strategy: Strategy, text: str, *, threads: int | None = None) -> list[dict[str, Any]]:
    """Data for every possible next card after the actions `text`, which end a street: expected values, equities and
    frequencies."""
    rules, rows = strategy.tree.rules, []
    written = [card for part in text.split(" / ") if _BOARD.fullmatch(part) for card in cards(part)]
    for card in rules.deck:
        if card in (*rules.board, *written):
            continue
        spot = spot_in(strategy, f"{text} / {card_text(card)}", threads=threads)
        values = spot_values(spot, threads=threads)
        if values is not None:
            of = {"expected": values.expected, "equity": values.overall_equity, "often": values.frequency.tolist()}
            rows.append({"card": card_text(card), "seat": spot.actor, "words": spot.words, **plain_numbers(of)})
    return rows


def range_now(spot: Spot, values: SpotValues | None, seat: int) -> Range:
    """The range of a player at a spot, with weights to three places; raises an error if its hands are unknown.

    Combos that the board blocks get the weight of the other combos in their class, if these are equal. This keeps the
    text short.
    """
    if values is None or not spot.on_combos:
        raise PokerlabError("ranges are known at spots of a solved flop, turn or river that the solution reaches")
    weight = np.nan_to_num(values.weight[seat])
    weight = np.round(weight / max(1.0, weight.max()), 3)
    live = live_combos(sum(1 << card for card in spot.board))
    for combos in COMBOS_OF_CLASS:
        left = combos[live[combos]]
        if len(left) and np.ptp(weight[left]) == 0:
            weight[combos] = weight[left[0]]
    return np.asarray(weight)


def _columns(
    spot: Spot, values: SpotValues | None, seat: int, began: Floats, made: Any, draw: Any
) -> dict[str, list[Any]]:
    listed = np.flatnonzero(began > 0)
    nothing = np.full(N_COMBOS, nan)
    if values is None:
        weight = spot.by_hand()[0] if seat == spot.actor else began
        share, ev, equity = weight / (weight.sum() or 1.0), nothing, nothing
    else:
        weight, share = np.nan_to_num(values.weight[seat]), values.chance[seat]
        ev, equity = values.value[seat], values.equity[seat]
    columns: dict[str, list[Any]] = {
        "hand": [combo_text(combo) for combo in listed.tolist()],
        "made": made[listed].tolist(),
        "draw": draw[listed].tolist(),
        "began": _plain(began[listed]),
        "weight": _plain(weight[listed]),
        "share": _plain(share[listed], 7),
        "ev": _plain(ev[listed]),
        "equity": _plain(equity[listed]),
    }
    if seat == spot.actor:
        columns["p"] = [_plain(of[listed]) for of in spot.by_hand()[1].T]
        columns["evs"] = [] if values is None else [_plain(of[listed]) for of in values.ev.T]
    return columns


def _first_weights(spot: Spot) -> tuple[Floats, Floats]:
    """Both players' ranges at the first decision, without the hands that the board blocks."""
    cells, live = spot.strategy.cells, live_combos(sum(1 << card for card in spot.board)).astype(np.float64)
    if isinstance(cells, SubgameCells):
        return cells.weight_of_combo[0] * live, cells.weight_of_combo[1] * live
    ranges = start_ranges(spot.strategy.tree.rules)
    return (ranges[0] * live, ranges[1] * live) if ranges else (live, live)


def _plain(column: Floats, digits: int = 4) -> list[float | None]:
    return [plain_number(number, digits) for number in column.tolist()]
