"""Interpret a client's reply, with the repairs that the protocol allows. Only this module repairs input.

A reply is the match state that it answers, a colon and an action. A reply to another state, or one that cannot be read,
is ignored. An action that is illegal or cannot be read becomes a call; a no-limit raise out of range becomes the
nearest legal total. `b`, `B`, `R` also mean raise, `k`, `K`, `C` call, and `F` fold. The size of a raise is read as by
C's `sscanf("%d")`: blanks and a sign may precede the digits, and anything after them is ignored.

>>> from pokerlab.games.betting import Betting
>>> from pokerlab.games.catalog import game
>>> betting = Betting.start(game("nolimit2p"))
>>> [repaired(betting, text)[0] for text in ("k", "r500", "R1", "b999999", "oops", "r 300.9")]
[CALL, RaiseTo(500), RaiseTo(200), RaiseTo(20000), CALL, RaiseTo(300)]

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
from pokerlab.games.state import State
from pokerlab.notation.acpc.match_state import PREFIX, earlier_streets, parse_match_state

_LETTERS = str.maketrans("bBRkKCF", "rrrcccf")
_ACTION = re.compile(r"[cf]\s*|r.*", re.ASCII | re.DOTALL)
_SIZE = re.compile(r"\s*([+-]?\d+)", re.ASCII)
MAX_DIGITS = 18  #: further digits make no difference: the size is out of range
MAX_ACTIONS = 64
"""Maximum number of actions in a round of the reference programs."""


class ReplyIgnoredError(ParseError):
    """Raised for a reply that cannot be read, or that answers another state."""


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


def round_is_full(state: State) -> bool:
    """Whether another raise could exceed the reference programs' maximum number of actions in this round."""
    if len(state.actions) + state.rules.n_seats <= MAX_ACTIONS:
        return False
    n_actions = sum(step.street == state.betting.street for step in state.actions)
    return n_actions + state.rules.n_seats > MAX_ACTIONS


def repaired(betting: Betting, text: str, *, full: bool = False) -> tuple[Action, str]:
    """Return the legal action that `text` stands for at `betting`, and a description of the repair ('' if none). In a
    `full` round no raise is legal."""
    if text == "c":
        return CALL, ""
    legal = betting.legal()
    word = text.translate(_LETTERS)
    limit = betting.rules.limits == "limit"
    size = _SIZE.match(word, 1)
    if not _ACTION.fullmatch(word) or (word[0] == "r" and size is None and not limit):
        return CALL, f'cannot read the action "{text[:40]}"; it calls'
    if word[0] == "c":
        return CALL, ""
    if word[0] == "f":
        return (FOLD, "") if legal.fold else (CALL, "cannot fold with nothing to call; it calls")
    if legal.raise_min is None or legal.raise_max is None or full:
        return CALL, f"cannot raise {f'past {MAX_ACTIONS} actions in a round' if full else 'here'}; it calls"
    if limit or size is None:
        return RaiseTo(legal.raise_min), ""
    requested = int(size[1][:MAX_DIGITS]) - earlier_streets(betting)
    to = min(max(requested, legal.raise_min), legal.raise_max)
    total = to + earlier_streets(betting)
    return RaiseTo(to), "" if to == requested else f'cannot raise by "{text[:40]}"; it raises to {total}'
