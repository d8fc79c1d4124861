"""Read the action in a model's answer: one JSON object or one line; near misses get named repairs.

An answer is only text to be read: no part of it is executed, opened or looked up, and fields other than `action`, `to`
(or `amount`) and `notes` have no effect.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("nolimit2p"), tuple(range(52))).view(1, 0, ("ann", "bob"))
>>> read_reply('{"action": "raise", "to": 300}', view)
Reply(action=RaiseTo(300), repairs=(), notes=None)
>>> read_reply('I raise. ```json\\n{"action": "raise", "to": "300"}\\n```', view).repairs
('text around JSON', 'number as text')
>>> read_reply("I like my hand", view)
Traceback (most recent call last):
pokerlab.net.chat.replies.UnusableReply: it is neither one JSON object nor one line with an action
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from pokerlab.errors import IllegalAction, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.history import FREE_FOLD
from pokerlab.games.views import View
from pokerlab.notation.view_lines import action_of_data, checked, parse_action

LONGEST = 4000
"""Most characters of an answer that are read; of a longer one only the end."""

_WORD = re.compile(r"(?:my |final )*(?:action|answer|move)(?: is)?\s*[:=]\s*")
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


class Reply(NamedTuple):
    """Content of an answer: a legal action, the repairs that were needed, and its notes, if any."""

    action: Action
    repairs: tuple[str, ...]
    notes: str | None


class UnusableReply(PokerlabError):  # noqa: N818 - it reads as what it is
    """Raised for an answer without a legal action; `kind` is empty, malformed or illegal."""

    def __init__(self, kind: str, problem: str) -> None:
        super().__init__(problem)
        self.kind = kind


def read_part(text: str) -> str:
    """Part of an answer that is read.

    >>> len(read_part("word " * 2000 + '{"action": "call"}')), read_part(" call ")
    (4000, 'call')
    """
    return text.strip()[-LONGEST:]


def read_reply(text: str, view: View) -> Reply:
    """Parse the action in an answer; raises `UnusableReply` if it names no legal action."""
    if not text.strip():
        raise UnusableReply("empty", "it is empty")
    repairs = ["long answer"] if len(text.strip()) > LONGEST else []
    text = read_part(text)
    if "\n" not in text and not text.startswith("{"):
        try:
            return Reply(parse_action(text, view), tuple(repairs), None)
        except PokerlabError:
            pass
    given = _object(text, repairs)
    if given is None:
        return Reply(_legal(_line(text, view, repairs), view, repairs), tuple(repairs), None)
    action = _legal(_of_object(given, view, repairs), view, repairs)
    notes = given.get("notes")
    return Reply(action, tuple(repairs), notes if isinstance(notes, str) else None)


def _object(text: str, repairs: list[str]) -> dict[str, Any] | None:
    """Return the answer as a JSON object or, if it is not one, the last JSON object with an action inside it; None if
    there is none. Objects with different actions raise `UnusableReply`."""
    try:
        given = json.loads(text)
        if isinstance(given, dict):
            return given
    except (ValueError, RecursionError):
        pass
    objects = _objects(text)
    if not objects and (thought := _THINKING.sub("", text)) != text:
        objects = _objects(thought)
    if not objects:
        return None
    if any(_said(each) != _said(objects[0]) for each in objects):
        raise UnusableReply("malformed", f"it has {len(objects)} JSON objects with different actions")
    repairs.append("text around JSON")
    return objects[-1]


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects in a text that have an action, in order."""
    decoder, objects, at = json.JSONDecoder(), [], text.find("{")
    while at >= 0:
        try:
            given, end = decoder.raw_decode(text, at)
            if isinstance(given, dict) and "action" in given:
                objects.append(given)
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)
    return objects


def _said(given: dict[str, Any]) -> tuple[str, str]:
    return str(given.get("action")), str(given.get("to"))


def _of_object(given: dict[str, Any], view: View, repairs: list[str]) -> str | Action:
    """Action of a JSON object, after repairing its word and its number."""
    word, to = given.get("action"), given.get("to", given.get("amount"))
    if isinstance(word, str):
        plain = word.strip().lower().replace("_", "-").rstrip(".!")
        if plain != word:
            repairs.append("case or punctuation")
        word = plain
    if word in ("all-in", "allin", "all in"):
        return _all_in(view, repairs)
    if isinstance(word, str) and word not in ("fold", "check", "call", "raise", "bet"):
        try:
            return _line(word, view, repairs)
        except UnusableReply:
            raise UnusableReply("malformed", f"{word[:60]!r} is not an action") from None
    if word in ("raise", "bet"):
        return _raise(to, view, repairs)
    try:
        return action_of_data({"action": word})
    except IllegalAction as error:
        raise UnusableReply("malformed", str(error)) from None


def _raise(to: Any, view: View, repairs: list[str]) -> Action:
    legal = view.legal()
    if isinstance(to, str) and (
        found := re.fullmatch(r"\$?\s*([0-9][0-9,]{0,20}(?:\.[0-9]+)?)\s*(?:chips)?", to.strip())
    ):
        repairs.append("number as text")
        to = float(found[1].replace(",", ""))
    if to is None and legal.raise_min is not None and legal.raise_min == legal.raise_max:
        repairs.append("size left out")
        return RaiseTo(legal.raise_min)
    if isinstance(to, bool) or not isinstance(to, int | float) or not to > 0:
        raise UnusableReply("malformed", 'a raise names its total for the street, as {"action": "raise", "to": 300}')
    if legal.raise_max is not None and to > legal.raise_max:
        repairs.append("more than all its chips" if view.rules.limits == "no-limit" else "more than the limit")
        return RaiseTo(legal.raise_max)
    return RaiseTo(int(to) if to % 1 == 0 else to)


def _all_in(view: View, repairs: list[str]) -> Action:
    repairs.append("all-in in words")
    most = view.legal().raise_max
    return CALL if most is None else RaiseTo(most)


def _line(text: str, view: View, repairs: list[str]) -> str | Action:
    """Parse the action that the last line of a text describes in words."""
    lines = [line.strip(" \t*`\"'.!") for line in text.splitlines() if line.strip(" \t*`\"'.!")]
    if not lines:
        raise UnusableReply("malformed", "it has no word in it")
    words = _WORD.sub("", lines[-1].lower()).strip(" *`\"'")
    raised = re.fullmatch(r"(?:raise|bet)s?(?: to)?(?:\s+\$?([0-9][0-9,]{0,20}(?:\.[0-9]+)?)(?: chips)?)?", words)
    if words not in ("fold", "check", "call", "all-in", "all in") and raised is None:
        raise UnusableReply("malformed", "it is neither one JSON object nor one line with an action")
    if len(lines) > 1:
        repairs.append("text before the last line")
    elif "case or punctuation" not in repairs:
        repairs.append("case or punctuation")
    if words in ("all-in", "all in"):
        return _all_in(view, repairs)
    if raised is None:
        return words
    return _raise(None if raised[1] is None else float(raised[1].replace(",", "")), view, repairs)


def _legal(named: str | Action, view: View, repairs: list[str]) -> Action:
    """Return the named action if it is legal; a fold when there is nothing to call becomes a check."""
    if named == "fold" and not view.legal().fold:
        repairs.append(FREE_FOLD)
        return CALL
    try:
        return checked(named, view)
    except IllegalAction as error:
        raise UnusableReply("illegal", str(error)) from None


def passive(view: View) -> tuple[Action, str]:
    """Action of a player without a usable answer (a check, or a fold to a bet), and the verb for it."""
    return (FOLD, "folded") if view.to_call else (CALL, "checked")
