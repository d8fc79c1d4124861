"""Preflop charts of a few ranges as a policy: the hands with which a player raises and calls, by earlier raises.

These are for the user's own charts: `Charts.from_json` reads them from a file. The charts that ship with pokerlab were
solved, and depend on position and stack (`solved_charts`). Charts do not cover play after the flop: there every hand
takes every action with equal probability, so a player's range stays the one with which it reached the flop.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.cards.combos import combo_index
>>> from pokerlab.cards.card import cards
>>> mine = Charts(("60%", "40%"), limp="70%", reraise="5%", call="22%", reraise_again="2.5%", call_again="7%")
>>> public = State.start(game("nolimit6p"), tuple(range(52))).public(0, tuple("abcdef"))
>>> actions, p = mine.by_combo(public, public.betting.actor)  # five players behind
>>> actions, p[combo_index(*cards("AsKd"))].tolist(), p[combo_index(*cards("9h4d"))].tolist()
((FOLD, CALL, RaiseTo(350)), [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
>>> Charts.from_json('{"open": ["50%"], "call": 3}')
Traceback (most recent call last):
pokerlab.errors.PokerlabError: charts have open, limp, reraise, call, reraise_again and call_again: ranges as text...
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from pokerlab.arrays import ByHandAction, Floats
from pokerlab.cards.combos import N_COMBOS
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.files import json_of
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import raise_size
from pokerlab.policies.policy import HoldemPolicy


@dataclass(frozen=True)
class Charts(HoldemPolicy):
    """Ranges as text. A hand in both the raising and the calling range is raised."""

    # hands raised before any other raise: open[i] with i + 1 players still to act, and the last also with more
    open: tuple[str, ...]
    limp: str  # hands that call before any raise; a player who may check does so with all other hands
    reraise: str  # hands raised after one raise
    call: str  # hands that call one raise
    reraise_again: str  # hands raised after two or more raises
    call_again: str  # hands that call two or more raises

    def __post_init__(self) -> None:
        for text in (*self.open, self.limp, self.reraise, self.call, self.reraise_again, self.call_again):
            parse_range(text)

    @classmethod
    def from_json(cls, text: str) -> Charts:
        """Read charts from the JSON text of an object with these fields; `open` is a list."""
        names = [field.name for field in fields(cls)]
        try:
            content = json_of(text)
        except ValueError:
            content = None
        if (
            not isinstance(content, dict)
            or set(content) != set(names)
            or not isinstance(opens := content["open"], list)
            or not opens
            or not all(isinstance(chart, str) for chart in (*opens, *(content[name] for name in names[1:])))
        ):
            raise PokerlabError(
                f"charts have {', '.join(names[:-1])} and {names[-1]}: ranges as text, `open` a list of them by "
                "players still to act, from 1"
            )
        return cls(tuple(opens), *(content[name] for name in names[1:]))

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Actions considered, and `p[combo, action]`: by the charts before the flop, uniform afterwards."""
        raised, called = (_weights(text) for text in self._charts(public, seat))
        return by_charts(public, raised, (1 - raised) * called)

    def _charts(self, public: PublicView, seat: int) -> tuple[str, str]:
        """Return (range to raise, range to call with)."""
        raises = sum(step.action.kind == Kind.RAISE for step in public.actions)
        if raises:
            return (self.reraise, self.call) if raises == 1 else (self.reraise_again, self.call_again)
        behind = sum(public.betting.waiting >> other & 1 for other in range(public.rules.n_seats) if other != seat)
        return self.open[min(max(behind, 1), len(self.open)) - 1], self.limp


def by_charts(public: PublicView, raised: Floats, called: Floats) -> tuple[tuple[Action, ...], ByHandAction]:
    """Actions considered, and `p[combo, action]`, given the weights of raising and calling before the flop."""
    legal = public.legal()
    may = (legal.fold, True, legal.raise_min is not None)
    if public.street > 0:
        p = np.full((N_COMBOS, 3), 1 / sum(may))
    else:
        called = called if legal.fold else 1 - raised
        raised, called = (raised, called) if may[2] else (0 * raised, raised + called)
        p = np.stack([1 - raised - called, called, raised], axis=1)
    actions = (FOLD, CALL, RaiseTo(raise_size(public)) if may[2] else CALL)
    legal_numbers = [number for number in range(3) if may[number]]
    return tuple(actions[number] for number in legal_numbers), p[:, legal_numbers]


@cache
def _weights(text: str) -> Floats:
    return parse_range(text)
