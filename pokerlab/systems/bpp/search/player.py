"""The search player of heads-up limit hold'em: the rest of the hand as a tree, valued from its leaves up.

The value of a chance node is the average over the possible cards, that of an opponent's decision the average over its
observed actions after these bets (`sequence_memory`), and that of a showdown the probability of winning times the pot
less the cost; this probability is how often the opponent showed less after these bets. At its own decisions the player
takes the best action (`search:max`, miximax) or mixes, with better actions more often (`search:mix`, miximix).

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d"))
>>> result = SearchPlayer().search(state.view(1, 0, ("a", "b")))
>>> result.actions, bool(result.value[1:].min() > 20)  # chips: strangers are expected to pay aces well
((FOLD, CALL, RaiseTo(20)), True)

References
----------
Taylor (2007), section 3.3.3, for the four kinds of nodes; Billings et al. (2004), "Game-tree search with adaptation in
stochastic imperfect-information games". Strength in cells (`prospects`) and the mixture are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.agents.explanation import Explanation
from pokerlab.arrays import Floats, Int64s
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.narration import name_in
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.policies.policy import choose
from pokerlab.systems.bpp.search.prospects import CELLS, prospects
from pokerlab.systems.bpp.search.sequence_memory import FADES, Contexts, SequenceMemories, SequenceMemory, contexts_of

TEMPERATURE = 0.3  #: big blinds: the mixing player takes an action better by this much e times as often


@dataclass(frozen=True)
class SearchValues:
    """Result of a search: chips that each action wins or loses over the whole hand."""

    actions: tuple[Action, ...]
    value: Floats
    temperature: float  # chips; 0 for the best action alone

    @property
    def best(self) -> Action:
        """The most valuable action."""
        return self.actions[int(self.value.argmax())]

    def preferences(self) -> Floats:
        """`p[action]`: the best one, or all of them by their values."""
        if self.temperature == 0:
            return np.asarray(np.eye(len(self.actions))[int(self.value.argmax())])
        weights = np.exp((self.value - self.value.max()) / self.temperature)
        return np.asarray(weights / weights.sum())


class SearchPlayer:
    """A player that searches; it remembers every opponent by name."""

    def __init__(self, *, mix: bool = False, fades: float = FADES) -> None:
        self.mix = mix
        self.memories = SequenceMemories(fades=fades)

    def supports(self, rules: Rules) -> bool:
        """Limit hold'em for two, with chips enough for every bet."""
        if not (rules.is_holdem and rules.n_seats == 2 and rules.limits == "limit" and rules.bounded):
            return False
        tree = contexts_of(rules).tree
        return bool((tree.ending_street[tree.showdown] == len(rules.streets) - 1).all())

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One action sampled from the preferences."""
        result = self.search(view)
        return choose(result.actions, result.preferences(), rng)

    def observe(self, hand: HandHistory) -> None:
        """Remember the actions and shown hands of all players."""
        self.memories.observe(hand)

    def save(self, path: Path) -> None:
        """Save all memories."""
        self.memories.save(path)

    def load(self, path: Path) -> None:
        """Load what `save` wrote."""
        self.memories.load(path)

    def search(self, view: View) -> SearchValues:
        """The value of every action at a decision."""
        from pokerlab.systems.bpp.search import _search_numba as kernels

        memory = self._memory(view)
        here = memory.contexts
        arrays, ends = _tree_arrays(here)
        root = here.tree.decision_after([step.action for step in view.actions])
        ahead = prospects(view.hole, view.board)
        temperature = TEMPERATURE * float(view.rules.big_blind) * self.mix
        values = np.empty((ends[root], max(CELLS)))
        edge_values = np.empty((3, max(CELLS)))
        known = (*memory.about_actions, *memory.about_hands)
        states = (ahead.n_states, ahead.passes, ahead.finals)
        kernels.values_below(root, ends[root], arrays, view.seat, known, states, temperature, values, edge_values)
        actions = here.tree.actions(root)
        return SearchValues(actions, edge_values[: len(actions), 0], temperature)

    def explain(self, view: View) -> Explanation:
        """The value of each action, and the opponent's expected responses."""
        result = self.search(view)
        fold = -float(view.betting.spent[view.seat])
        names = [name_in(view.betting, action) for action in result.actions]
        numbers = {f"value of {name}": float(value) for name, value in zip(names, result.value, strict=True)}
        numbers["strength expected at the end"] = float(prospects(view.hole, view.board).mean_final())
        parts = ", ".join(f"{name} {v - fold:+.1f}" for name, v in zip(names, result.value, strict=True))
        words = [f"Chips won from here on, compared with folding: {parts}.", *self._expectations(view)]
        return Explanation(result.actions, result.preferences(), numbers, {}, tuple(words))

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """None: it has histograms of strength, not beliefs about cards."""
        return {}

    def _memory(self, view: View) -> SequenceMemory:
        return self.memories.of(view.names[1 - view.seat], view.rules)

    def _expectations(self, view: View) -> list[str]:
        """The opponent's expected next actions, in a sentence for each action that passes the turn to it."""
        memory, name = self._memory(view), view.names[1 - view.seat]
        tree = memory.contexts.tree
        words = []
        for edge in tree.edges(tree.decision_after([step.action for step in view.actions])):
            after = int(tree.child[edge])
            if after < 0 or tree.actor[after] == view.seat:
                continue
            shares = [memory.action_share(after, int(tree.kind[e])) for e in tree.edges(after)]
            named = zip(map(tree.name, tree.edges(after)), shares, strict=True)
            expected = ", ".join(f"{action} {share / sum(shares):.0%}" for action, share in named)
            words.append(f"After {tree.name(edge)}, {name} would {expected} (seen there: {memory.seen(after):.0f}).")
        return words


@lru_cache(maxsize=4)
def _tree_arrays(contexts: Contexts) -> tuple[tuple[Any, ...], Int64s]:
    """The arrays that the kernel reads, and one past the last decision below each decision."""
    tree = contexts.tree
    ends = np.arange(1, tree.n_decisions + 1)
    for decision in range(tree.n_decisions - 1, 0, -1):
        parent = tree.edge_decision[tree.parent_edge[decision]]
        ends[parent] = max(ends[parent], ends[decision])
    arrays = (tree.actor, tree.street, tree.first_edge, tree.child, tree.kind, tree.spent, tree.showdown)
    return arrays, ends


def make_search(variant: str) -> SearchPlayer:
    """The search player of a registered variant."""
    return SearchPlayer(mix=variant == "mix")
