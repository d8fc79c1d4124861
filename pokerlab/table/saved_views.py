"""A view in a file, with the random numbers that came with it, so that an agent can be asked about it again.

The file is one line of JSON as programs read it (`notation.view_lines`), with one more field, `exact`: the rules, the
actions with exact chips, and the state of the random generator. It has cards, so only its owner may read it.

>>> from tempfile import TemporaryDirectory
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("nolimit2p"), tuple(range(9))).view(1, 3, ("ann", "bob"))
>>> with TemporaryDirectory() as folder:
...     path = Path(folder) / "a.view.json"
...     save_view(path, view, np.random.default_rng(7))
...     again, rng = saved_view(path)
>>> again == view, int(rng.integers(100)) == int(np.random.default_rng(7).integers(100))
(True, True)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.cards.card import card
from pokerlab.errors import FileError
from pokerlab.files import write_whole
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.games.views import View
from pokerlab.notation.view_lines import view_data
from pokerlab.table.apart_messages import action_of, action_text, generator, state_text, view_of

EXACT = "exact"


def save_view(path: Path, view: View, rng: np.random.Generator) -> None:
    """Write a view, and the generator that its agent would be given."""
    exact = {
        "rules": json.loads(rules_to_json(view.rules)),
        "actions": [action_text(step.action) for step in view.actions],
        "random": json.loads(state_text(rng)),
    }
    write_whole(path, f"{json.dumps({**view_data(view), EXACT: exact})}\n".encode(), private=True)


def saved_view(path: Path) -> tuple[View, np.random.Generator]:
    """(view, generator) of a file that `save_view` wrote."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        exact = data.pop(EXACT)
        view = _view(data, exact)
        rng = generator(exact["random"]["bit_generator"])
        rng.bit_generator.state = exact["random"]
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise FileError(f"{path} is not a view that `pokerlab web` saved") from error
    if not _is_whole(view) or json.loads(json.dumps(view_data(view))) != data:
        raise FileError(f"{path} is damaged: its actions do not lead to its view")
    return view, rng


def _view(data: dict[str, Any], exact: dict[str, Any]) -> View:
    rules = rules_from_json(json.dumps(exact["rules"]))
    actions = [action_of(text) for text in exact["actions"]]
    steps = [
        (step["street"], step["seat"], action.kind, action.to)
        for step, action in zip(data["actions"], actions, strict=True)
    ]
    board, hole, *up = (tuple(map(card, cards)) for cards in (data["board"], data["hole"], *data["up"]))
    public = data["hand"], tuple(data["names"]), board, tuple(up), tuple(steps), data["seat"]
    return view_of(rules, (public, data["seat"], hole))


def _is_whole(view: View) -> bool:
    """Whether the seat is to act, and its cards and the board are as many as were dealt, all different."""
    if view.betting.over or view.betting.actor != view.seat:
        return False
    holes, ups, board = view.rules.dealt_by[view.street]
    known = [*view.hole, *view.board, *(card for up in view.up for card in up)]
    dealt = [len(holes[view.seat]), len(board), *map(len, ups)]
    return len(set(known)) == len(known) and dealt == [len(view.hole), len(view.board), *map(len, view.up)]
