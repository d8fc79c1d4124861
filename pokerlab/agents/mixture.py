"""A player that plays each hand as a randomly chosen agent, for example the mixture that solves an empirical game.

>>> from pokerlab.agents.scripted import Scripted, caller, folder
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> player = Mixture([Scripted(caller), Scripted(folder)], [1.0, 0.0])
>>> player.act(State.start(game("limit3p"), tuple(range(52))).view(2, 0, ("a", "b", "c")), np.random.default_rng(1))
CALL
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.games.actions import Action
from pokerlab.games.protocols import Agent, plays
from pokerlab.games.rules import Rules
from pokerlab.games.views import View


class Mixture:
    """Plays each hand as one of `agents`, drawn with probabilities `chances` when it first acts in the hand."""

    def __init__(self, agents: Sequence[Agent], chances: Sequence[float]) -> None:
        self.agents, self._upto = tuple(agents), np.cumsum(chances) / np.sum(chances)
        self._hand, self._who = -1, self.agents[0]

    def act(self, view: View, rng: np.random.Generator) -> Action:
        if view.hand != self._hand or not any(step.seat == view.seat for step in view.actions):
            self._hand, self._who = view.hand, self.agents[int(np.searchsorted(self._upto, rng.random(), "right"))]
        return self._who.act(view, rng)

    def supports(self, rules: Rules) -> bool:
        return all(plays(agent, rules) for agent in self.agents)
