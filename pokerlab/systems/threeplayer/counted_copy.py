"""Copies of any players as tables: how often each action was taken in each state.

Compiled code does not play agents such as `poki`, and at the ordinary table too few hands are played to learn a strong
response. A copy plays in proportion to the counted actions, in states of betting and strength; compiled code plays it,
so a response to it can be learned from millions of hands. What the response then wins from the original is a lower
bound on what can be won. In a state with few counts the frequencies of a coarser state, without the betting before,
have the weight of `PRIOR` actions.

>>> from pokerlab.players.registry import agent
>>> from pokerlab.table.match import MatchPlan, play_match
>>> counts = CountedActions(n_seats=3)
>>> chips = play_match(MatchPlan("limit3p", ("caller", "raiser", "raiser"), 5, seed=1), counts.watch(agent, "raiser"))
>>> counts.actions.sum(axis=0).astype(int).tolist()  # folds, calls (of the fourth bet), raises
[0, 20, 75]

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7 (copies of agents as a learner's opponents).
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import combo_index
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent
from pokerlab.games.views import View
from pokerlab.policies.compiled_players import SPENT_EARLIER, ValueFeatures
from pokerlab.systems.threeplayer.q_learning import board_strengths, states
from pokerlab.systems.threeplayer.regret_tables import RegretPlayer
from pokerlab.table.dealer import observer
from pokerlab.table.players import MakeAgent

FEATURES = ValueFeatures(10, 1, 3, street=True, expected=SPENT_EARLIER, history=True, squared=True)
COARSER = ValueFeatures(10, 1, 3, street=True, squared=True)  # a state's index begins with that of its coarser one
PRIOR = 3.0


class CountedActions:
    """The counted actions of one player: `actions[state, action]`, from fold to raise."""

    def __init__(self, n_seats: int) -> None:
        self.actions: Floats = np.zeros((FEATURES.n_states(n_seats), 3))
        self._n_coarser = COARSER.n_states(n_seats)

    def add(self, view: View, action: Action) -> None:
        """Count an action."""
        combo = combo_index(*view.hole)
        state = int(states(FEATURES, view, board_strengths(view.board)[:, combo : combo + 1])[0])
        self.actions[state, action.kind] += 1

    def watch(self, make: MakeAgent, name: str) -> MakeAgent:
        """A maker of agents that counts the actions of all agents called `name`."""

        def made(entrant: str) -> Agent:
            return _Watched(make(entrant), self) if entrant == name else make(entrant)

        return made

    def copy(self) -> RegretPlayer:
        """The player that acts in proportion to the counts; it calls where there are none."""
        coarser = self.actions.reshape(self._n_coarser, -1, 3).sum(axis=1)
        total = coarser.sum(axis=1, keepdims=True)
        shares = np.divide(coarser, total, out=np.zeros_like(coarser), where=total > 0)
        chances = self.actions + PRIOR * np.repeat(shares, len(self.actions) // self._n_coarser, axis=0)
        largest = chances.max(axis=1, keepdims=True)
        scaled = np.divide(255 * chances, largest, out=np.zeros_like(chances), where=largest > 0)
        return RegretPlayer(FEATURES, np.rint(scaled).astype(np.uint8), {"actions_counted": int(self.actions.sum())})


class _Watched:
    """An agent whose actions are counted."""

    def __init__(self, player: Agent, counts: CountedActions) -> None:
        self._player, self._counts, self._observer = player, counts, observer(player)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        action = self._player.act(view, rng)
        self._counts.add(view, action)
        return action

    def observe(self, hand: HandHistory) -> None:
        if self._observer is not None:
            self._observer.observe(hand)
