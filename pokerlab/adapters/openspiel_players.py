"""OpenSpiel's bots, policies and learners at our tables, each with only its seat's information.

OpenSpiel gives a bot the whole state, including other players' cards. Here it gets a state of the same game in which
every card that its seat has not seen is redrawn at random before each decision, so it learns nothing about these cards.
Policies and learners get only the information state.

>>> from open_spiel.python.policy import UniformRandomPolicy
>>> from pokerlab.adapters.openspiel import SpielGame
>>> from pokerlab.players.registry import agent
>>> from pokerlab.table.match import MatchPlan, play_match
>>> uniform = UniformRandomPolicy(SpielGame({"game": "leduc"}))
>>> players = {"uniform": lambda: policy_player(uniform), "caller": lambda: agent("caller")}
>>> plan = MatchPlan("leduc", ("uniform", "caller"), hands=200, seed=3)
>>> play_match(plan, lambda name: players[name]()).chips.shape
(200, 2)

A player trained in another game of OpenSpiel may sit down too, if that game deals one card at a time from the same deck
in the same order and has the same menu of actions: `leduc_poker`, and `universal_poker` for limit hold'em.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pokerlab.adapters import needed
from pokerlab.adapters.openspiel import SpielGame, SpielNode
from pokerlab.errors import RulesError
from pokerlab.games.actions import Action
from pokerlab.games.rules import Rules
from pokerlab.games.views import View

Choose = Callable[[Any, int, np.random.Generator], int]
"""The decision function: (OpenSpiel state, seat, random stream) -> OpenSpiel action."""


@dataclass(frozen=True)
class OpenSpielPlayer:
    """An agent that plays like an OpenSpiel player. `sizes` is its menu; `other` is its game, if it is not ours."""

    choose: Choose
    sizes: str | None = None
    other: Any = None

    def act(self, view: View, rng: np.random.Generator) -> Action:
        state = self.state(view, rng)
        return spiel_game(view.rules, self.sizes).menu.action(view, int(self.choose(state, view.seat, rng)))

    def state(self, view: View, rng: np.random.Generator) -> Any:
        """An OpenSpiel state consistent with `view`; hidden cards are drawn from `rng`."""
        game = spiel_game(view.rules, self.sizes)
        dealt = redrawn(view, rng)
        if self.other is None:
            state = game.new_initial_state()
            state.node = SpielNode(game, dealt, view.betting, view.actions)
            return state
        state, cards = self.other.new_initial_state(), iter(dealt)
        for before, step in view.decisions():
            _deal(state, cards, view.rules)
            entry = next((i for i, action in game.menu.offered(before).items() if action == step.action), None)
            if entry is None or entry not in state.legal_actions():
                raise RulesError(f"{step.action} is no action of OpenSpiel's {self.other.get_type().short_name} here")
            state.apply_action(entry)
        _deal(state, cards, view.rules)
        return state


def _deal(state: Any, cards: Any, rules: Rules) -> None:
    while state.is_chance_node():
        state.apply_action(rules.deck.index(next(cards)))


@lru_cache(maxsize=16)
def spiel_game(rules: Rules, sizes: str | None) -> SpielGame:
    """Our game as OpenSpiel's, made once."""
    return SpielGame({"game": rules.name, "sizes": (sizes or "").replace(",", "&")}, rules)


def redrawn(view: View, rng: np.random.Generator) -> tuple[int, ...]:
    """All cards dealt so far, in dealing order: those that the seat has seen, and random ones for the rest."""
    holes, ups, board = view.rules.dealt_by[view.street]
    known = dict(zip(holes[view.seat], view.hole, strict=True)) | dict(zip(board, view.board, strict=True))
    for places, cards in zip(ups, view.up, strict=True):
        known |= dict(zip(places, cards, strict=True))
    seen = set(known.values())
    unseen = iter(rng.permutation([card for card in view.rules.deck if card not in seen]).tolist())
    n_dealt = sum(map(len, holes)) + sum(map(len, ups)) + len(board)
    return tuple(known[place] if place in known else next(unseen) for place in range(n_dealt))


def bot_player(make: Callable[[int], Any], *, sizes: str | None = None, other: Any = None) -> OpenSpielPlayer:
    """A `pyspiel.Bot`, made once for each seat. It uses its own random numbers, so a match with it may not be
    reproducible."""
    made = lru_cache(make)

    def choose(state: Any, seat: int, rng: np.random.Generator) -> int:
        made(seat).restart()  # the state is new each time, so nothing of the last one may be remembered
        return int(made(seat).step(state))

    return OpenSpielPlayer(choose, sizes, other)


def policy_player(policy: Any, *, sizes: str | None = None, other: Any = None) -> OpenSpielPlayer:
    """Wrap a Python or C++ policy; actions are drawn from our random stream, so that matches are reproducible."""

    def choose(state: Any, seat: int, rng: np.random.Generator) -> int:
        actions, p = zip(*sorted(dict(policy.action_probabilities(state)).items()), strict=True)
        ends = np.cumsum(p)
        return int(actions[np.searchsorted(ends[:-1], rng.random() * ends[-1], side="right")])

    return OpenSpielPlayer(choose, sizes, other)


def learner_player(make: Callable[[int], Any], *, sizes: str | None = None, other: Any = None) -> OpenSpielPlayer:
    """Make an agent of an OpenSpiel learning agent, `make(seat)` (an `rl_agent.AbstractAgent`). It is given the
    information state tensor, and its step is called with `is_evaluation=True`."""
    rl, made = needed("open_spiel.python.rl_environment", "peers"), lru_cache(make)

    def choose(state: Any, seat: int, rng: np.random.Generator) -> int:
        n = state.num_players()
        seen = {
            "info_state": [state.information_state_tensor(seat) if i == seat else [] for i in range(n)],
            "legal_actions": [state.legal_actions() if i == seat else [] for i in range(n)],
            "current_player": seat,
            "serialized_state": [],
        }
        time_step = rl.TimeStep(seen, [0.0] * n, [1.0] * n, rl.StepType.MID)
        return int(made(seat).step(time_step, is_evaluation=True).action)

    return OpenSpielPlayer(choose, sizes, other)
