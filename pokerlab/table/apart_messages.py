"""Messages between a dealer and an agent in a separate process.

The agent receives views and finished hands as plain tuples, and the rules only when they change. It rebuilds the
betting from the actions, so that its views share states as they do in the dealer's process. Its answers are JSON, so
reading them executes no code, whatever the agent sends.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), tuple(range(9))).after(RaiseTo(20)).view(0, 3, ("ann", "bob"))
>>> pack_public(view)
(3, ('ann', 'bob'), (), ((), ()), ((0, 1, 2, 20),), 0)
>>> view_of(game("limit2p"), (pack_public(view), view.seat, view.hole)) == view
True
>>> action_of(action_text(RaiseTo(20)))
RaiseTo(20)
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo, Step
from pokerlab.games.betting import OPENER_DUE, Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import chips_of, chips_text
from pokerlab.games.views import PublicView, View

Packed = tuple[Any, ...]


def pack_public(public: PublicView) -> Packed:
    """Encode a public view without its rules."""
    steps = tuple([(street, seat, int(action.kind), action.to) for street, seat, action in public.actions])
    return public.hand, public.names, public.board, public.up, steps, public.betting.actor


def public_of(rules: Rules, packed: Packed) -> PublicView:
    """Decode a public view; the inverse of `pack_public`."""
    hand, names, board, up, steps, actor = packed
    betting, taken = Betting.start(rules), []
    for street, seat, kind, to in steps:
        action = _action(kind, to)
        if betting.actor == OPENER_DUE:
            betting = betting.opened_by(seat)
        betting = betting.after(action)
        taken.append(Step(street, seat, action))
    if betting.actor == OPENER_DUE != actor:
        betting = betting.opened_by(actor)
    return PublicView(rules, hand, names, board, up, tuple(taken), betting)


def view_of(rules: Rules, packed: Packed) -> View:
    """Decode a view from (public view, seat, hole cards)."""
    public, seat, hole = packed
    return public_of(rules, public).seen_by(seat, hole)


def pack_hand(hand: HandHistory) -> Packed:
    """Encode a finished hand without its rules."""
    actions = tuple([(int(action.kind), action.to) for action in hand.actions])
    return hand.deck, actions, hand.names, hand.number, hand.recorded, dict(hand.tags)


def hand_of(rules: Rules, packed: Packed) -> HandHistory:
    """Decode a hand; the inverse of `pack_hand`."""
    deck, actions, *rest = packed
    return HandHistory(rules, deck, tuple([_action(kind, to) for kind, to in actions]), *rest)


def _action(kind: int, to: Any) -> Action:
    return RaiseTo(to) if kind == Kind.RAISE else CALL if kind == Kind.CALL else FOLD


def action_text(action: Action) -> str:
    """Encode an action as one word: f, c, or r followed by the street total."""
    return "fc"[action.kind] if action.kind != Kind.RAISE else f"r{chips_text(action.to)}"


def action_of(text: Any) -> Action:
    """Decode an action; the inverse of `action_text`. Raises `PokerlabError` for anything else."""
    if text in ("f", "c"):
        return FOLD if text == "f" else CALL
    if not isinstance(text, str) or text[:1] != "r":
        raise PokerlabError(f"{text!r:.60} is not an action")
    return RaiseTo(chips_of(text[1:]))


def state_text(rng: np.random.Generator) -> str:
    """Encode the state of a random generator as JSON."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(part) for key, part in value.items()}
        return value.tolist() if isinstance(value, np.ndarray) else value

    return json.dumps(plain(rng.bit_generator.state))


def generator(name: str) -> np.random.Generator:
    """Make a random generator with NumPy's bit generator `name`, such as Philox; the caller sets its state."""
    return np.random.Generator(getattr(np.random, name)(0))
