"""Walks through hands in files (`walk.py`): find the hand, choose the seat, and choose the agent that explains it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from pokerlab.agents.explanation import Explainer
from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.formats import read_hands as read_text_hands
from pokerlab.players.registry import agent as make_agent
from pokerlab.players.registry import resolve
from pokerlab.players.sources import foreign
from pokerlab.table.records import hand_files, holds_records, provenance, read_hands
from pokerlab.web.walk import Walk, seat_of, walk, watch


def walk_hand(
    played: HandHistory,
    earlier: Sequence[HandHistory],
    *,
    seat: int | None = None,
    player: str | None = None,
    agent: str | None = None,
    number: int = 1,
    report: Callable[[int, int], None] | None = None,
) -> Walk:
    """Walk through a hand with `agent`; the default is the player's own agent if it can explain, otherwise poki.

    The agent first observes the `earlier` hands; `report(done, total)` counts these.
    """
    chosen = seat_of(played, seat=seat, player=player)
    called = resolve(agent, played.rules) if agent else _own_agent(played.names[chosen])
    explainer = make_agent(called)
    watched = watch(explainer, earlier, played.names[chosen], report)
    return walk(played, chosen, explainer, called=called, watched=watched, number=number)


def hand_at(place: Path, number: int, rules: Rules | None) -> tuple[HandHistory, list[HandHistory]]:
    """Find one hand in a file or a match, by its number counted from 1.

    Return this hand, and a list of all hands before it.
    """
    if number < 1:
        raise PokerlabError(f"hands are counted from 1; there is no hand {number}")
    if not holds_records(place):
        return _text_hand_at(place, number, rules)
    left = number
    for path in hand_files(place):
        n_hands = provenance(path).hands
        if left <= n_hands:
            hands = list(islice(read_hands(path), left))
            return hands[-1], hands[:-1]
        left -= n_hands
    raise FileError(f"{place}: there is no hand {number}; it holds {number - left:,}")


def _text_hand_at(place: Path, number: int, rules: Rules | None) -> tuple[HandHistory, list[HandHistory]]:
    history = read_text_hands(place, rules)
    if not history.hands and history.problems:
        raise FileError(f"{place}: no hand could be read ({history.problems[0]})")
    if history.problems:
        unread = f"{len(history.problems):,} lines could not be read"
        print(f"{place}: {unread} (`pokerlab convert` lists them)", file=sys.stderr)
    if number > len(history.hands):
        raise FileError(f"{place}: there is no hand {number}; it holds {len(history.hands):,}")
    return history.hands[number - 1], list(history.hands[: number - 1])


def _own_agent(name: str) -> str:
    """The name of the agent to use for a player called `name`: that of pokerlab's own agent if it can explain its
    decisions, otherwise poki. So a name in a file never starts a program or imports a module."""
    called = name.partition("#")[0]
    if "://" in called or foreign([called]):
        return "poki"
    try:
        return called if isinstance(make_agent(called), Explainer) else "poki"
    except PokerlabError:
        return "poki"
