"""Views, actions and finished hands as lines of JSON, for programs in any language (`cmd:PROGRAM`).

A program reads one JSON object per line. It answers `hello` and every `view` with one line; a `hand` needs no answer.
The objects are described by JSON Schemas (`schema`), which have a version: fields may be added within a version, any
other change increases it. Cards are text such as `As`. Chips are numbers, integers where possible; an unlimited stack
is null. Seats are counted from the left of the button, as in `games.rules`.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("nolimit2p"), tuple(range(52))).view(1, 3, ("ann", "bob"))
>>> data = view_data(view)
>>> data["hand"], data["seat"], data["hole"], data["pot"], data["legal"]
(3, 1, ['2h', '2s'], 150, {'fold': True, 'call': 50, 'raise': {'min': 200, 'max': 20000}})
>>> [parse_action(text, view) for text in ("fold", "raise 300", '{"action": "raise", "to": 300}')]
[FOLD, RaiseTo(300), RaiseTo(300)]
>>> parse_action("shove!", view)
Traceback (most recent call last):
pokerlab.errors.IllegalAction: 'shove!' is not an action; it is written fold, check, call, raise 300 or as JSON
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any

from pokerlab.cards.card import card_text
from pokerlab.errors import IllegalAction, PokerlabError, name_hint
from pokerlab.games.actions import CALL, FOLD, Action, Chips, Kind, Legal, RaiseTo, Step
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card
from pokerlab.games.views import View

VERSION = 1
SCHEMA = Path(__file__).with_suffix(".json")
KINDS = ("hello", "reply", "view", "action", "hand")
"""Kinds of lines with a schema: the two lines of the greeting, a view, the answer to it, and a finished hand."""

_RAISE = re.compile(r"(?:raise|bet)(?: to)? ([0-9]{1,15}(?:\.[0-9]{1,15})?)")
_MOST = 1e15  # largest number of chips in an answer; up to it, every whole number is exact as a float


def schema(kind: str = "") -> dict[str, Any]:
    """The JSON Schema of a kind of line, or of any line.

    >>> schema("view")["$ref"], schema("veiw")
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: no line is a 'veiw'; did you mean view?
    """
    whole: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    if not kind:
        return whole
    if kind not in KINDS:
        raise PokerlabError(f"no line is a {kind!r}; {name_hint(kind, KINDS)}")
    return {**{key: value for key, value in whole.items() if key != "oneOf"}, "$ref": f"#/$defs/{kind}"}


def hello_data() -> dict[str, Any]:
    """The first line that a program reads, as JSON values."""
    return {"type": "hello", "version": VERSION}


def view_data(view: View) -> dict[str, Any]:
    """Encode a view as JSON values. It contains exactly what the seat to act may know."""
    betting, legal = view.betting, view.legal()
    return {
        "type": "view",
        "version": VERSION,
        "game": _game_data(view.rules),
        "hand": view.hand,
        "names": list(view.names),
        "seat": view.seat,
        "hole": _cards(view.hole),
        "board": _cards(view.board),
        "up": [_cards(up) for up in view.up],
        "street": view.street,
        "pot": _number(view.pot),
        "to_call": _number(view.to_call),
        "stacks": [_number(stack) for stack in view.stacks],
        "bets": [_number(bet) for bet in betting.bets],
        "folded": [not betting.in_hand(seat) for seat in range(view.rules.n_seats)],
        "actions": [_step(step) for step in view.actions],
        "legal": _legal(legal),
    }


def hand_data(hand: HandHistory, seat: int | None) -> dict[str, Any]:
    """Encode a finished hand, which must already be censored to what `seat` saw; unknown cards are null."""
    final, seats = hand.final, range(hand.rules.n_seats)
    return {
        "type": "hand",
        "version": VERSION,
        "game": _game_data(hand.rules),
        "hand": hand.number,
        "names": list(hand.names),
        "seat": seat,
        "hole": [_cards(final.hole(each)) for each in seats],
        "board": _cards(card for card in final.board if card is not None),
        "up": [_cards(final.up(each)) for each in seats],
        "actions": [_step(step) for step in hand.steps],
        "shown": list(hand.shown),
        "won": [_number(chips) for chips in hand.payoffs],
    }


def parse_action(text: str, view: View) -> Action:
    """Parse an answer and check that the action is legal: one word, `raise 300`, or a JSON object as in the schema."""
    text = text.strip()
    if not text.startswith("{"):
        return checked(_words(text), view)
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise IllegalAction(f"{text[:80]!r} is not JSON") from None
    return checked(action_of_data(given), view)


def action_of_data(given: Any) -> str | Action:
    """The action that a JSON object names, which may be illegal. An object with the field `error` raises that error."""
    if isinstance(given, dict) and isinstance(given.get("error"), str):
        raise PokerlabError(f"it says: {given['error'][:200]}")
    word = given.get("action") if isinstance(given, dict) else None
    if word in ("fold", "check", "call"):
        return str(word)
    to = given.get("to") if isinstance(given, dict) else None
    if word in ("raise", "bet") and isinstance(to, int | float) and not isinstance(to, bool) and 0 < to < _MOST:
        return RaiseTo(to)
    shown = json.dumps(given)[:80]
    raise IllegalAction(f'{shown} is not an action; one is {{"action": "raise", "to": 300}}, or fold, check or call')


def _words(text: str) -> str | Action:
    if text in ("fold", "check", "call"):
        return text
    if (raised := _RAISE.fullmatch(text)) is None:
        raise IllegalAction(
            f"{text[:80]!r} is not an action; it is written fold, check, call, raise 300 or as JSON"
        ) from None
    return RaiseTo(float(raised[1]) if "." in raised[1] else int(raised[1]))


def checked(named: str | Action, view: View) -> Action:
    """Return the named action if it is legal; otherwise raise an error. A check becomes a call of 0; a total that JSON
    rounded becomes the exact one."""
    legal = view.legal()
    if named == "check" and legal.call:
        raise IllegalAction(f"cannot check with {_number(legal.call)} to call; legal: {legal}")
    action = {"fold": FOLD, "check": CALL, "call": CALL}[named] if isinstance(named, str) else named
    if action.kind is Kind.RAISE:
        ends = [end for end in (legal.raise_min, legal.raise_max) if end is not None and float(end) == float(action.to)]
        action = RaiseTo(ends[0]) if ends else action
    if action not in legal:
        raise IllegalAction(f"cannot {action}; legal: {legal}")
    return action


def _cards(cards: Iterable[Card]) -> list[str | None]:
    return [None if card is None else card_text(card) for card in cards]


def _number(chips: Chips) -> int | float | None:
    if chips == inf:
        return None
    return int(chips) if chips % 1 == 0 else float(chips)


def _step(step: Step) -> dict[str, Any]:
    kind = step.action.kind
    taken = {"street": step.street, "seat": step.seat, "action": kind.name.lower()}
    return {**taken, "to": _number(step.action.to)} if kind is Kind.RAISE else taken


def _legal(legal: Legal) -> dict[str, Any]:
    allowed: dict[str, Any] = {"fold": legal.fold, "call": _number(legal.call)}
    if legal.raise_min is not None and legal.raise_max is not None:
        allowed["raise"] = {"min": _number(legal.raise_min), "max": _number(legal.raise_max)}
    return allowed


@lru_cache(maxsize=64)
def _game_data(rules: Rules) -> dict[str, Any]:
    return {
        "name": rules.name,
        "limits": rules.limits,
        "seats": rules.n_seats,
        "button": rules.n_seats - 1,
        "blinds": [_number(blind) for blind in rules.blinds],
        "antes": [_number(ante) for ante in rules.antes],
        "stacks": [_number(stack) for stack in rules.stacks],
        "ranking": rules.ranking,
        "deck": _cards(rules.deck),
        "streets": [
            {
                "name": rules.street_name(place),
                "hole": street.n_hole,
                "up": street.n_up,
                "board": street.n_board,
                "raise_size": _number(street.raise_size),
                "max_raises": street.max_raises,
            }
            for place, street in enumerate(rules.streets)
        ],
    }
