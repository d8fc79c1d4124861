"""The search player of heads-up limit hold'em: the rest of the hand as a tree, evaluated from its leaves up.

The value of a chance node is the average over the possible cards; that of an opponent's decision is the average over
its observed actions after the same bets (`sequence_memory`). The value of a showdown is the probability of winning
times the pot, minus the cost; this probability is how often the opponent showed a weaker hand after the same bets. At
its own decisions the player takes the best action (`search:max`, miximax) or mixes, with better actions more often
(`search:mix`, miximix).

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d"))
>>> result = SearchPlayer().search(state.view(1, 0, ("a", "b")))
>>> result.actions, bool(result.value[1:].min() > 20)  # chips: strangers are expected to pay aces well
((FOLD, CALL, RaiseTo(20)), True)

Strength is the share of other hands that the hand beats on the current board, ties counting half. On the street being
played it is one number. On each later street it falls into cells, and the transitions of a cell are those of its
run-outs. All cards of the next street are dealt and a few of the one after it; before the flop `PREFLOP_BOARDS` sampled
boards represent all of them.

>>> there = prospects(cards("9h8h"), cards("7h6h2c Ad"))
>>> int(there.n_states[3]), round(there.mean_final(), 2)  # a draw to a straight flush, before the river
(6, 0.47)

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
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, COMBOS_OF_CLASS, combo_index
from pokerlab.cards.evaluate import tables
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.narration import name_in
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.policies.policy import choose
from pokerlab.rng import stream
from pokerlab.systems.bpp.search.sequence_memory import FADES, Contexts, SequenceMemories, SequenceMemory, contexts_of

N_STREETS = 4
BOARD_CARDS = (0, 3, 4, 5)
CELLS = (1, 10, 10, 20)  #: by street, the maximum number of states (classes of strength)
PREFLOP_BOARDS = 400
RIVERS = 4  #: on the flop, number of river cards dealt after every turn card
STEP = 11  #: distance in the deck between two such river cards, so that ranks and suits vary


@dataclass(frozen=True, eq=False)
class Prospects:
    """Possible strengths of a hand by street: a single state on the current street, several on the later ones."""

    n_states: Int64s  # n_states[street]; 1 for streets that are over
    passes: Floats  # passes[street, state, next state]: transition probabilities
    finals: Floats  # finals[state]: strength on the last street

    def mean_final(self) -> float:
        """The expected strength on the last street."""
        reached = np.ones(1)
        for street in range(N_STREETS - 1):
            n, after = self.n_states[street], self.n_states[street + 1]
            if self.passes[street].any():
                reached = reached @ self.passes[street, :n, :after]
        return float(reached @ self.finals[: len(reached)])


def prospects(hole: tuple[int, ...], board: tuple[int, ...]) -> Prospects:
    """The prospects of a hand; cached, since every decision of a street needs them."""
    if not board:
        return _before_flop(int(CLASS_OF_COMBO[combo_index(*hole)]))
    return _after_flop(tuple(sorted(hole)), board)


@lru_cache(maxsize=169)
def _before_flop(hand_class: int) -> Prospects:
    hole = CARDS_OF_COMBO[COMBOS_OF_CLASS[hand_class][0]]
    live = np.setdiff1d(np.arange(52), hole)
    rng = stream(hand_class, "boards for search")
    boards = np.array([rng.choice(live, 5, replace=False) for _ in range(PREFLOP_BOARDS)])
    return _from_boards(tuple(hole.tolist()), boards, street=0)


@lru_cache(maxsize=64)
def _after_flop(hole: tuple[int, ...], board: tuple[int, ...]) -> Prospects:
    live = np.setdiff1d(np.arange(52), [*hole, *board])
    street = BOARD_CARDS.index(len(board))
    if street == 1:
        places = (np.arange(len(live))[:, None] + 1 + STEP * np.arange(RIVERS)) % len(live)
        run_outs = np.stack([np.repeat(live, RIVERS), live[places.ravel()]], axis=1)
    else:
        run_outs = live[:, None] if street == 2 else np.empty((1, 0), live.dtype)
    return _from_boards(hole, np.hstack([np.tile(board, (len(run_outs), 1)), run_outs]), street=street)


def _from_boards(hole: tuple[int, ...], boards: Int64s, *, street: int) -> Prospects:
    """Divide strength into cells along every final board, and estimate the transition probabilities between cells."""
    n_states = np.ones(N_STREETS, np.int64)
    passes = np.zeros((N_STREETS - 1, max(CELLS), max(CELLS)))
    state = np.zeros(len(boards), np.int64)
    finals = np.zeros(max(CELLS))
    for later in range(max(street, 1), N_STREETS):
        strengths = _strengths(hole, boards[:, : BOARD_CARDS[later]])
        if later == street:
            finals[0] = strengths[0]
            continue
        cells = np.minimum(strengths * CELLS[later], CELLS[later] - 1).astype(np.int64)
        used, after = np.unique(cells, return_inverse=True)
        np.add.at(passes[later - 1], (state, after), 1.0)
        passes[later - 1] /= np.maximum(passes[later - 1].sum(axis=1, keepdims=True), 1.0)
        n_states[later], state = len(used), after
        finals[: len(used)] = np.bincount(after, strengths) / np.bincount(after)
    return Prospects(n_states, passes, finals)


def _strengths(hole: tuple[int, ...], boards: Int64s) -> Floats:
    """The strength of `hole` on every board; repeated boards are evaluated once."""
    from pokerlab.systems.bpp.search import _search_numba as kernels

    different, which = np.unique(boards, axis=0, return_inverse=True)
    strengths = np.empty(len(different))
    kernels.strengths_on(np.array(hole), different, tables(), strengths)
    return strengths[which.ravel()]


TEMPERATURE = 0.3  #: big blinds; an action better by this much is taken e times as often by the mixing player


@dataclass(frozen=True)
class SearchValues:
    """Result of a search: for each action, the expected chips won or lost over the whole hand."""

    actions: tuple[Action, ...]
    value: Floats
    temperature: float  # in chips; 0 always takes the best action

    @property
    def best(self) -> Action:
        return self.actions[int(self.value.argmax())]

    def preferences(self) -> Floats:
        """`p[action]`: 1 for the best action, or a softmax of the values."""
        if self.temperature == 0:
            return np.asarray(np.eye(len(self.actions))[int(self.value.argmax())])
        weights = np.exp((self.value - self.value.max()) / self.temperature)
        return np.asarray(weights / weights.sum())


class SearchPlayer:
    """The search player; it remembers every opponent by name."""

    def __init__(self, *, mix: bool = False, fades: float = FADES) -> None:
        self.mix = mix
        self.memories = SequenceMemories(fades=fades)

    def supports(self, rules: Rules) -> bool:
        """Whether this is limit hold'em for two, with stacks deep enough for every bet."""
        if not (rules.is_holdem and rules.n_seats == 2 and rules.limits == "limit" and rules.bounded):
            return False
        tree = contexts_of(rules).tree
        return bool((tree.ending_street[tree.showdown] == len(rules.streets) - 1).all())

    def act(self, view: View, rng: np.random.Generator) -> Action:
        result = self.search(view)
        return choose(result.actions, result.preferences(), rng)

    def observe(self, hand: HandHistory) -> None:
        self.memories.observe(hand)

    def save(self, path: Path) -> None:
        self.memories.save(path)

    def load(self, path: Path) -> None:
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
        """Explain an action by the value of each alternative and the opponent's expected responses."""
        result = self.search(view)
        fold = -float(view.betting.spent[view.seat])
        names = [name_in(view.betting, action) for action in result.actions]
        numbers = {f"value of {name}": float(value) for name, value in zip(names, result.value, strict=True)}
        numbers["strength expected at the end"] = float(prospects(view.hole, view.board).mean_final())
        parts = ", ".join(f"{name} {v - fold:+.1f}" for name, v in zip(names, result.value, strict=True))
        words = [f"Chips won from here on, compared with folding: {parts}.", *self._expectations(view)]
        return Explanation(result.actions, result.preferences(), numbers, {}, tuple(words))

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """No beliefs: the player has histograms of strength, not probabilities of cards."""
        return {}

    def _memory(self, view: View) -> SequenceMemory:
        return self.memories.of(view.names[1 - view.seat], view.rules)

    def _expectations(self, view: View) -> list[str]:
        """The opponent's expected next actions: a sentence for each action after which it is the opponent's turn."""
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
    """Return (arrays that the kernel reads, `end[decision]`). The decisions below one have the indices up to its
    `end`."""
    tree = contexts.tree
    ends = np.arange(1, tree.n_decisions + 1)
    for decision in range(tree.n_decisions - 1, 0, -1):
        parent = tree.edge_decision[tree.parent_edge[decision]]
        ends[parent] = max(ends[parent], ends[decision])
    arrays = (tree.actor, tree.street, tree.first_edge, tree.child, tree.kind, tree.spent, tree.showdown)
    return arrays, ends


def make_search(variant: str) -> SearchPlayer:
    return SearchPlayer(mix=variant == "mix")
