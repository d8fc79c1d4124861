"""JSON data of solved games for study pages: a spot with its hands, and a practice hand."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import Any

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import CLASS_OF_COMBO, class_text, live_combos
from pokerlab.games.actions import Action, Kind
from pokerlab.games.narration import narrate
from pokerlab.policies.spots import Spot
from pokerlab.valuing.practice import PracticeHand
from pokerlab.valuing.spot_values import SpotValues

MOST_ROWS = 400
"""Maximum number of rows. There are 169 hand classes, but a strategy without a given board may have many more cells."""


def spot_data(spot: Spot, values: SpotValues | None) -> dict[str, Any]:
    """Data of a spot for a page: actions with their frequencies, and a row for every hand class or cell.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.policies.spots import spot_at
    >>> from pokerlab.policies.strategy import Strategy
    >>> from pokerlab.trees.betting_tree import build_tree
    >>> from pokerlab.abstraction.cells import Lossless
    >>> rules = game("kuhn")
    >>> data = spot_data(spot_at(Strategy.uniform(build_tree(rules), Lossless(rules)), "check"), None)
    >>> [(action["words"], action["next"]) for action in data["actions"]], [row["hand"] for row in data["hands"]]
    ([('checks', None), ('raises to 2', 'check, raise to 2')], ['Q', 'K', 'A'])
    """
    rules, tree = spot.strategy.tree.rules, spot.strategy.tree
    often = values.frequency.tolist() if values is not None else spot.frequencies() or [None] * len(spot.actions)
    named = zip(spot.actions, spot.words, spot.names(), often, strict=True)
    actions = [_action_data(spot, action, words, name, share) for action, words, name, share in named]
    headings, rows = spot.table(None if values is None else values.columns(spot), by_class=True)
    names, left = spot.names(), _left(spot, values)
    hands = []
    for row in rows[:MOST_ROWS]:
        of = dict(zip(headings, row, strict=True))
        hands.append(
            {
                "hand": of["hand"],
                "share": plain_number(of.get("chance", of["weight"])),
                "p": [plain_number(of[name]) for name in names],
                "ev": plain_number(of.get("ev")),
                "equity": plain_number(of.get("equity")),
                "left": plain_number(left.get(of["hand"])),
            }
        )
    return {
        "spot": spot.title,
        "path": [line.words for line in narrate(rules, [tree.action(edge) for edge in tree.path(spot.decision)])],
        "street": rules.street_name(spot.street),
        "board": [cards_text([card]) for card in spot.board or rules.board],
        "seat": spot.actor,
        "pot": spot.pot,
        "actions": actions,
        "hands": hands,
        "grid": spot.on_combos,
        "spent": tree.decision_spent[spot.decision].tolist(),
        "expected": None if values is None else [plain_number(chips) for chips in values.expected],
        "equity": None if values is None else [plain_number(share) for share in values.overall_equity],
        "deck": [cards_text([card]) for card in rules.deck],
    }


def _action_data(spot: Spot, action: Action, words: str, name: str, share: float | None) -> dict[str, Any]:
    """Data of an action: its words, its name (as used in locks), its frequency, the spot after it, and a raise's size
    in pots."""
    tree, after = spot.strategy.tree, spot.after(action)
    edge = tree.edges(spot.decision)[spot.actions.index(action)]
    return {
        "words": words,
        "name": name,
        "share": plain_number(share),
        "next": after and after.title,
        "deals": bool(after is not None and after.street > spot.street),
        "pots": plain_number(tree.raised_to(edge)[1]) if action.kind == Kind.RAISE else None,
    }


def practice_data(hand: PracticeHand) -> dict[str, Any]:
    """A practice hand for the page, with the cost of each decision."""
    costs = [decision.cost for decision in hand.decisions]
    data: dict[str, Any] = plain_numbers(asdict(hand))
    for decision, cost in zip(data["decisions"], costs, strict=True):
        decision["cost"] = plain_number(cost)
    return data


def _left(spot: Spot, values: SpotValues | None) -> dict[str, float]:
    """In subgames, {hand class: fraction of its initial weight that it still has}; otherwise {}."""
    cells = spot.strategy.cells
    if values is None or not isinstance(cells, SubgameCells):
        return {}
    alive = live_combos(sum(1 << card for card in spot.board))
    began, now = np.where(alive, cells.weight_of_combo[spot.actor], 0.0), np.nan_to_num(values.weight[spot.actor])
    first, then = (np.bincount(CLASS_OF_COMBO, weights=weights) for weights in (began, now))
    return {class_text(number): float(then[number] / first[number]) for number in np.flatnonzero(first).tolist()}


def plain_numbers(value: Any) -> Any:
    """Convert to JSON values, with numbers rounded to four places and None for NaN."""
    if isinstance(value, dict):
        return {key: plain_numbers(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain_numbers(each) for each in value]
    return plain_number(value) if isinstance(value, float) else value


def plain_number(number: float | None, digits: int = 4) -> float | None:
    """A number rounded to `digits` places; None for NaN."""
    return None if number is None or isnan(number) else round(float(number), digits) + 0.0
