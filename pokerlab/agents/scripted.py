"""Players that follow a fixed script and never look at their cards: caller, raiser, folder, random.

Each chooses from at most four legal actions: fold, call, the smallest raise, the largest raise. With every hand it does
the same.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), tuple(range(52))).view(1, 0, ("a", "b"))
>>> [Scripted(script).act(view, None) for script in (caller, raiser, folder)]
[CALL, RaiseTo(20), FOLD]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from pokerlab.arrays import ByHandAction
from pokerlab.games.actions import CALL, FOLD, Action, Kind, Legal, RaiseTo
from pokerlab.games.hands import hands_of
from pokerlab.games.views import PublicView, View
from pokerlab.policies.compiled_players import CompiledPlayer
from pokerlab.policies.policy import ComboPolicy

#: function: legal actions -> the actions of the script, all equally likely
Script = Callable[[Legal], tuple[Action, ...]]


def caller(legal: Legal) -> tuple[Action, ...]:
    """Always check or call."""
    return (CALL,)


def raiser(legal: Legal) -> tuple[Action, ...]:
    """Make the smallest raise as long as one is allowed, then call."""
    return (RaiseTo(legal.raise_min),) if legal.raise_min is not None else (CALL,)


def shover(legal: Legal) -> tuple[Action, ...]:
    """Make the largest raise (all-in at no-limit) as long as one is allowed, then call."""
    return (RaiseTo(legal.raise_max),) if legal.raise_max is not None else (CALL,)


def folder(legal: Legal) -> tuple[Action, ...]:
    """Fold to any bet, check otherwise."""
    return (FOLD,) if legal.fold else (CALL,)


def uniform(legal: Legal) -> tuple[Action, ...]:
    """Take any of the legal actions (with the smallest and the largest raise), equally likely."""
    return legal.menu()


def uniform_kind(legal: Legal) -> tuple[Action, ...]:
    """Fold, call or the smallest raise, equally likely."""
    return tuple(action for action in legal.menu() if action.kind is not Kind.RAISE or action.to == legal.raise_min)


_EQUAL_PARTS = [list(accumulate([1 / max(n, 1)] * (n - 1))) for n in range(9)]
"""`[n]`: the thresholds that divide a uniform random number into n equally likely choices."""


@dataclass(frozen=True)
class Scripted(ComboPolicy):
    """A player that follows a script."""

    script: Script

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Take one of the script's actions; this uses one random number if there is a choice."""
        choices = self.script(view.legal())
        n = len(choices)
        return choices[0] if n == 1 else choices[bisect_right(_EQUAL_PARTS[n], rng.random())]

    def compiled(self) -> CompiledPlayer | None:
        """The same player in the form that compiled code plays; None if the script is random."""
        return CompiledPlayer.script(self.script.__name__)

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """The script's actions, with the same probabilities for every hand."""
        choices = self.script(public.legal())
        return choices, np.full((len(hands_of(public.rules, public.street)), len(choices)), 1 / len(choices))


SCRIPTS: dict[str, Script] = {
    "caller": caller,
    "raiser": raiser,
    "shover": shover,
    "folder": folder,
    "random": uniform,
    "random:smallest": uniform_kind,
}


def _maker(name: str) -> Callable[[str], Scripted]:
    """Return the function that makes the scripted agent `name[:variant]` from its variant."""
    return lambda variant: Scripted(SCRIPTS[f"{name}:{variant}".removesuffix(":")])


make_caller, make_raiser, make_shover = _maker("caller"), _maker("raiser"), _maker("shover")
make_folder, make_random = _maker("folder"), _maker("random")
