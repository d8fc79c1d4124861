"""Pre-flop charts as a policy: which hands a player raises and which it calls with, by what happened before it.

After the flop charts say nothing: there every hand is taken to do everything alike. So a range that charts give is what
a player came to the flop with. `USUAL_CHARTS` are round numbers of ours, shares of the strongest hands, and cite
nobody; a file has charts of your own (`Charts.from_json`).

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.cards.combos import combo_index
>>> from pokerlab.cards.card import cards
>>> public = State.start(game("nolimit6p"), tuple(range(52))).public(0, tuple("abcdef"))
>>> actions, p = USUAL_CHARTS.by_combo(public, public.betting.actor)  # five players behind
>>> actions, p[combo_index(*cards("AsKd"))].tolist(), p[combo_index(*cards("9h4d"))].tolist()
((FOLD, CALL, RaiseTo(350)), [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
>>> Charts.from_json('{"open": ["50%"], "call": 3}')
Traceback (most recent call last):
pokerlab.errors.PokerlabError: charts have open, limp, reraise, call, reraise_again and call_again: ranges as text...
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from pokerlab.arrays import ByHandAction, Floats
from pokerlab.cards.combos import N_COMBOS
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import raise_size
from pokerlab.policies.policy import HoldemPolicy


@dataclass(frozen=True)
class Charts(HoldemPolicy):
    """Ranges as text. A hand that a chart would raise and call with is raised."""

    open: tuple[str, ...]  # raised before anybody else has; [i] with i + 1 players still to act, the last for more
    limp: str  # called with before anybody has raised; who may check does so with everything else
    reraise: str  # raised after one raise
    call: str  # .. called with
    reraise_again: str  # raised after two raises and more
    call_again: str  # .. called with

    def __post_init__(self) -> None:
        for each in (*self.open, self.limp, self.reraise, self.call, self.reraise_again, self.call_again):
            parse_range(each)

    @classmethod
    def from_json(cls, text: str) -> Charts:
        """Charts of a file: an object with these names, `open` a list."""
        names = [field.name for field in fields(cls)]
        try:
            said = json.loads(text)
        except ValueError:
            said = None
        if (
            not isinstance(said, dict)
            or set(said) != set(names)
            or not isinstance(opens := said["open"], list)
            or not opens
            or not all(isinstance(each, str) for each in (*opens, *(said[name] for name in names[1:])))
        ):
            raise PokerlabError(
                f"charts have {', '.join(names[:-1])} and {names[-1]}: ranges as text, `open` a list of them by "
                "players still to act, from 1"
            )
        return cls(tuple(opens), *(said[name] for name in names[1:]))

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """The actions considered and `p[combo, action]`: by the charts before the flop, all alike afterwards."""
        legal = public.legal()
        may = (legal.fold, True, legal.raise_min is not None)
        if public.street > 0:
            p = np.full((N_COMBOS, 3), 1 / sum(may))
        else:
            raised, called = (_weights(text) for text in self._charts(public, seat))
            called = (1 - raised) * (called if legal.fold else 1.0)
            raised, called = (raised, called) if may[2] else (0 * raised, raised + called)
            p = np.stack([1 - raised - called, called, raised], axis=1)
        actions = (FOLD, CALL, RaiseTo(raise_size(public)) if may[2] else CALL)
        kept = [number for number in range(3) if may[number]]
        return tuple(actions[number] for number in kept), p[:, kept]

    def _charts(self, public: PublicView, seat: int) -> tuple[str, str]:
        """(what is raised, what is called with)."""
        raises = sum(step.action.kind == Kind.RAISE for step in public.actions)
        if raises:
            return (self.reraise, self.call) if raises == 1 else (self.reraise_again, self.call_again)
        behind = sum(public.betting.waiting >> other & 1 for other in range(public.rules.n_seats) if other != seat)
        return self.open[min(max(behind, 1), len(self.open)) - 1], self.limp


@cache
def _weights(text: str) -> Floats:
    return parse_range(text)


USUAL_CHARTS = Charts(
    open=("60%", "45%", "28%", "22%", "18%", "15%", "13%", "11%", "10%"),
    limp="40%",
    reraise="5%",
    call="22%",
    reraise_again="2.5%",
    call_again="7%",
)
