"""What players, observers, learners and policies are, as protocols: anything with these methods will do.

`Agent` is all that a seat needs. What an agent can do besides is a protocol of its own, asked for with `isinstance`
when the agent is made or seated, not hand by hand: an `Observer` is shown finished hands, a `Learner` keeps what it
learned in a file, which a `Loadable` agent can start from, a `Selective` agent says which games it plays, a `Prepared`
one gets ready before its first hand, an `Untimed` one is not on the clock, and a `Policy` says what it does with every
hand.

>>> from pokerlab.games.actions import CALL
>>> class Caller:
...     def act(self, view, rng):
...         return CALL
>>> isinstance(Caller(), Agent), isinstance(Caller(), Observer)
(True, False)
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from pokerlab.arrays import ByAction, ByHand, ByHandAction
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View


@runtime_checkable
class Agent(Protocol):
    """A player."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Choose a legal action. All randomness must come from `rng`, so that a match can be played again."""
        ...


@runtime_checkable
class Selective(Protocol):
    """An agent that does not play every game."""

    def supports(self, rules: Rules) -> bool:
        """Whether it plays this game."""
        ...


def plays(agent: object, rules: Rules) -> bool:
    """Whether an agent plays a game: all do that do not say otherwise."""
    return not isinstance(agent, Selective) or agent.supports(rules)


@runtime_checkable
class Observer(Protocol):
    """Someone who learns between hands."""

    def observe(self, hand: HandHistory) -> None:
        """See a finished hand, censored to what the observer's seat saw."""
        ...


@runtime_checkable
class Prepared(Protocol):
    """An agent that has something to wait for before its first hand, which is not on the clock."""

    def prepare(self) -> None:
        """Get ready to play."""
        ...


@runtime_checkable
class Untimed(Protocol):
    """An agent that is not on the clock, as a person is not who plays against programs."""

    untimed: bool


@runtime_checkable
class Loadable(Protocol):
    """Someone who can start from a file."""

    def load(self, path: Path) -> None:
        """Know what was saved in a file, and nothing else."""
        ...


@runtime_checkable
class Learner(Observer, Loadable, Protocol):
    """An observer whose memory can be kept: one that loads what another saved behaves as the other does."""

    def save(self, path: Path) -> None:
        """Write everything learned into the file `path`, and no other."""
        ...


@runtime_checkable
class Policy(Protocol):
    """Something that can be asked what it does with every hand it might hold.

    Hands are numbered as in `games.hands`: in hold'em they are the 1326 combos. Rows of hands that hold a board card
    mean nothing. `policies.policy` has what follows from one of the first two answers.
    """

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """The actions considered, in canonical order, and `p[hand, action]` for every hand that `seat` may hold."""
        ...

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        """The actions considered with the hand in the view, and `p[action]`."""
        ...

    def likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        """`p[hand]` that `seat` takes an action, which need not be one that is considered; for updates of beliefs.

        A raise that is not considered counts as those that it stands for by its size. Where no hand would act so, the
        action says nothing, and the answer is one for every hand: it is never zero everywhere.
        """
        ...
