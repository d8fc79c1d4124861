"""What players, observers and policies are, as protocols: anything with these methods will do.

>>> from pokerlab.games.actions import CALL
>>> class Caller:
...     def act(self, view, rng):
...         return CALL
>>> isinstance(Caller(), Agent)
True
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView, View


@runtime_checkable
class Agent(Protocol):
    """A player. It may also have `observe`, `save(path)`, `load(path)`, `explain(view)` and `supports(rules)`."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Choose a legal action. All randomness must come from `rng`, so that a match can be played again."""
        ...


@runtime_checkable
class Observer(Protocol):
    """Someone who learns between hands."""

    def observe(self, hand: HandHistory) -> None:
        """See a finished hand, censored to what the observer's seat saw."""
        ...


@runtime_checkable
class Policy(Protocol):
    """Something that can be asked what it does with every hand it might hold."""

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """The actions considered and `p[combo, action]`, the probability of each with each of the 1326 combos."""
        ...
