"""What a client's reply means, and the repairs the protocol allows. Nothing else in pokerlab repairs what it is sent.

A reply is the match state it answers, a colon and an action. A reply to another state, or one that cannot be read, is
ignored. An action that is illegal or cannot be read becomes a call; a no-limit raise out of range goes to the nearest
legal total. `b`, `B`, `R` also mean raise, `k`, `K`, `C` call, and `F` fold.

>>> from pokerlab.games.betting import Betting
>>> from pokerlab.games.catalog import game
>>> betting = Betting.start(game("nolimit2p"))
>>> [repaired(betting, text)[0] for text in ("k", "r500", "R1", "b999999", "oops")]
[CALL, RaiseTo(500), RaiseTo(200), RaiseTo(20000), CALL]

References
----------
The Annual Computer Poker Competition's protocol, version 2.0.0.
"""

from __future__ import annotations

import re

from pokerlab.errors import ParseError
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.notation.acpc.match_state import PREFIX, earlier_streets, parse_match_state

_LETTERS = str.maketrans("bBRkKCF", "rrrcccf")
_ACTION = re.compile(r"([rcf])(\d*)\s*", re.ASCII)


class ReplyIgnoredError(ParseError):
    """A reply that cannot be read, or that answers another state."""


def action_of(reply: str, *, to: str, rules: Rules) -> str:
    """The action part of `reply` if it answers the match state `to`; otherwise raises `ReplyIgnoredError`."""
    if reply.startswith(to) and reply[len(to) : len(to) + 1] == ":":
        return reply[len(to) + 1 :]
    parts = reply.split(":", 5)
    if parts[0] != PREFIX or len(parts) < 5:
        raise ReplyIgnoredError(f"expected {PREFIX}:position:hand:betting:cards:action", text=reply)
    parts[3] = parts[3].translate(_LETTERS)
    try:
        answered = parse_match_state(rules, ":".join(parts[:5]))
    except ParseError as error:
        raise ReplyIgnoredError(error.problem, text=reply) from error
    if answered != parse_match_state(rules, to):
        raise ReplyIgnoredError(f"expected a reply to {to}", text=reply)
    return parts[5] if len(parts) == 6 else ""


def repaired(betting: Betting, text: str) -> tuple[Action, str]:
    """The legal action that `text` amounts to for the actor of `betting`, and what was repaired (empty: nothing)."""
    if text == "c":
        return CALL, ""
    legal = betting.legal()
    match = _ACTION.fullmatch(text.translate(_LETTERS))
    limit = betting.rules.limits == "limit"
    if match is None or (match[2] and match[1] != "r") or (match[1] == "r" and not match[2] and not limit):
        return CALL, f'cannot read the action "{text[:40]}"; it calls'
    if match[1] == "c":
        return CALL, ""
    if match[1] == "f":
        return (FOLD, "") if legal.fold else (CALL, "cannot fold with nothing to call; it calls")
    if legal.raise_min is None or legal.raise_max is None:
        return CALL, "cannot raise here; it calls"
    if limit:
        return RaiseTo(legal.raise_min), ""
    asked = int(match[2]) - earlier_streets(betting)
    to = min(max(asked, legal.raise_min), legal.raise_max)
    total = to + earlier_streets(betting)
    return RaiseTo(to), "" if to == asked else f'cannot raise by "{text[:40]}"; it raises to {total}'
