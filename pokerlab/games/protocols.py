"""Protocols of agents, observers, learners and policies; any object with the right methods conforms.

A seat needs only an `Agent`. Each further ability is a separate protocol, checked with `isinstance` when the agent is
created or seated, not in every hand: an `Observer` sees finished hands, a `Learner` saves its memory to a file, a
`Loadable` agent can start from such a file, a `Selective` agent declares which games it plays, a `Prepared` agent gets
ready before its first hand, an `Untimed` agent has no time limit, a `Talker` writes its output to files, and a `Policy`
gives the action probabilities of every hand.

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
        """Choose a legal action. All randomness must come from `rng`, so that matches are reproducible."""
        ...


@runtime_checkable
class Selective(Protocol):
    """An agent that does not play every game."""

    def supports(self, rules: Rules) -> bool:
        """Whether the agent plays this game."""
        ...


def plays(agent: object, rules: Rules) -> bool:
    """Whether an agent plays a game; agents that are not `Selective` play every game."""
    return not isinstance(agent, Selective) or agent.supports(rules)


@runtime_checkable
class Observer(Protocol):
    """An agent that learns between hands."""

    def observe(self, hand: HandHistory) -> None:
        """Learn from a finished hand, censored to the cards that the observer's seat saw."""
        ...


@runtime_checkable
class Prepared(Protocol):
    """An agent that needs time to get ready before its first hand; this time does not count towards the time limit."""

    def prepare(self) -> None:
        """Get ready to play."""
        ...


@runtime_checkable
class Untimed(Protocol):
    """An agent without a time limit, such as a person who plays against programs."""

    untimed: bool


@runtime_checkable
class Loadable(Protocol):
    """An agent that can start from a saved file."""

    def load(self, path: Path) -> None:
        """Replace everything learned by the contents of a saved file."""
        ...


@runtime_checkable
class Learner(Observer, Loadable, Protocol):
    """An observer whose memory can be saved; an agent that loads the file behaves like the one that saved it."""

    def save(self, path: Path) -> None:
        """Write everything learned to the single file `path`."""
        ...


@runtime_checkable
class Talker(Protocol):
    """An agent with output other than its actions, such as a program that writes to stderr; a run stores it. The agent
    may have `talk_counts`, a mapping from words to numbers that becomes part of a match's result, and `said`, its
    remarks on its actions in the last hand in which it acted, which are recorded with the hand (`games.history.SAID`).
    """

    def keep_talk(self, path: Path) -> None:
        """From now on, append all output to files whose names begin with `path`."""
        ...

    def end_talk(self) -> None:
        """Write the remaining output at the end of the match."""
        ...


@runtime_checkable
class Policy(Protocol):
    """A strategy that gives its action probabilities for every hand it might hold.

    Hands are numbered as in `games.hands`: in hold'em they are the 1326 combos. Rows of hands that conflict with the
    board are meaningless. `policies.policy` derives the other methods from one of the first two.
    """

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Return the actions that the policy considers, in canonical order, and `p[hand, action]` for every hand."""
        ...

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        """Return the actions that the policy considers with the hand in the view, and their probabilities."""
        ...

    def likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        """`p[hand]` that `seat` takes an action, even one that the policy does not consider; used to update beliefs.

        Such a raise is translated to the nearest sizes that the policy considers. If no hand would take the action, it
        carries no information, and the result is 1 for every hand; it is never zero everywhere.
        """
        ...
