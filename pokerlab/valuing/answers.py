"""Asks a policy for its action probabilities with each hand of a game, once per situation.

>>> from pokerlab.agents.scripted import Scripted, uniform
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> leduc = game("leduc")
>>> answers = Answers(Scripted(uniform), leduc)
>>> actions, p = answers.at(State.start(leduc, tuple(leduc.deck[:3])).public(0, ("a", "b")), 0)
>>> actions, p.shape, p[0].tolist()
((CALL, RaiseTo(3)), (6, 2), [0.5, 0.5])
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from pokerlab.arrays import ByHand, Floats
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.hands import hands_of
from pokerlab.games.protocols import Policy, plays
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView

Answer: TypeAlias = tuple[tuple[Action, ...], Floats]  #: (actions, p[hand, action])

MOST_NUMBERS = 2_000_000  # maximum count of numbers in cached answers


class Answers:
    """Cache of one policy's action probabilities, valid until `forget`."""

    def __init__(self, policy: Policy, rules: Rules) -> None:
        self.policy, self.rules = policy_of(policy, rules), rules
        self._known: dict[tuple[object, ...], Answer] = {}

    def forget(self) -> None:
        """Clear the cache, as needed after the policy has learned."""
        self._known.clear()

    def at(self, public: PublicView, seat: int) -> Answer:
        """Return (actions, `p[hand, action]`) of `seat`; 0 for hands that conflict with the board."""
        key = (public.rules.stacks, public.names, public.actions, public.board, seat)
        answer = self._known.get(key)
        if answer is None:
            actions, p = self.policy.by_combo(public, seat)
            answer = actions, np.where(hands_of(self.rules).live(public.board)[:, None], p, 0.0)
            if len(self._known) * len(p) > MOST_NUMBERS:
                self._known.clear()
            self._known[key] = answer
        return answer

    def chance_of(self, public: PublicView, seat: int, action: Action) -> Floats:
        """Probability `p[hand]` that `seat` takes `action`; 0 if the policy does not consider this action."""
        actions, p = self.at(public, seat)
        return p[:, actions.index(action)] if action in actions else np.zeros(len(p))

    def likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        """Return `p[hand]`: the probability that `seat` takes `action` with each hand.

        If the policy does not consider this action, the policy's own method `likelihood` gives the answer, which is not
        stored.
        """
        chance = self.chance_of(public, seat, action)
        return chance if chance.any() else self.policy.likelihood(public, seat, action)


def policy_of(agent: object, rules: Rules) -> Policy:
    """Return the agent as a policy. Raise an error if it cannot be asked about every hand of the game."""
    if not (isinstance(agent, Policy) and plays(agent, rules)):
        raise PokerlabError(f"{type(agent).__name__} has no policy that can be queried for other hands in {rules.name}")
    return agent
