"""A strategy as a player: action probabilities of one hand or of every hand, even after bets outside its tree.

Translation (`trees.translation`) maps the actual betting to several places of the tree, and the player mixes their
strategies. Each place is weighted by its translation weight times the probability that this player, there and with this
hand, would have taken its actions so far. A player who drew a place at each unknown bet and remembered it would behave
the same way. Since nothing is remembered here, the same view gives the same distribution, for one hand as for all 1326.
An action is drawn from it with one random number.

If the hand (or this round of betting) is over in the tree but not in reality, the player checks and calls, since it is
all-in in the tree.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.cards.card import cards
>>> from pokerlab.trees.betting_tree import build_tree
>>> from pokerlab.abstraction.cells import Lossless
>>> uniform = Strategy.uniform(build_tree(game("leduc")), Lossless(game("leduc")))
>>> view = State.start(game("leduc"), cards("KhQsKs")).view(0, 0, ("a", "b"))
>>> StrategyPolicy(uniform).probabilities(view)
((CALL, RaiseTo(3)), array([0.5, 0.5]))

References
----------
Ganzfried, Sandholm and Waugh (2012), "Strategy purification and thresholding: effective non-equilibrium approaches for
playing large games" (`threshold`); Hawkin (2014), section 5.9.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.cells import Cells
from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import ByAction, ByHand, ByHandAction, Floats, Int32s
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, Action
from pokerlab.games.hands import hands_of
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.policy import ComboPolicy, choose, unless_never
from pokerlab.policies.strategy import Strategy, thresholded
from pokerlab.trees.translation import DEFAULT_TRANSLATION, Translator

CellsOn: TypeAlias = Callable[[int], Int32s]  #: street -> cell[hand] of the requested hands

_MOST_REMEMBERED = 20_000


class StrategyPolicy(ComboPolicy):
    """Plays `strategies`, as an agent and as a policy: one strategy for all seats, or one for each, on any trees of one
    game.

    `translation` is one of `trees.translation.TRANSLATIONS`. Actions with a probability below `threshold` are never
    taken, unless every action's probability is below it; 1 leaves only the most likely action (purification).
    """

    def __init__(self, *strategies: Strategy, translation: str = DEFAULT_TRANSLATION, threshold: float = 0.0) -> None:
        self.rules = strategies[0].tree.rules
        if len(strategies) not in (1, self.rules.n_seats):
            raise PokerlabError(f"{len(strategies)} strategies for the {self.rules.n_seats} seats of {self.rules.name}")
        if not all(same_game(strategy.tree.rules, self.rules) for strategy in strategies):
            raise PokerlabError("strategies of different games cannot play together")
        for strategy in strategies:
            strategy.refuse_unless_whole()
        if not 0 <= threshold <= 1:
            raise PokerlabError(f"a threshold is a probability from 0 to 1, not {threshold}")
        if threshold:
            strategies = tuple(thresholded(strategy, threshold) for strategy in strategies)
        sides = {id(strategy): (strategy, Translator(strategy.tree, translation)) for strategy in strategies}
        by_seat = strategies * self.rules.n_seats if len(strategies) == 1 else strategies
        self._sides = tuple(sides[id(strategy)] for strategy in by_seat)
        self._cells: dict[tuple[object, ...], Int32s] = {}
        self._steps: dict[tuple[int, int], list[tuple[int, int, int]]] = {}

    def strategy(self, seat: int) -> Strategy:
        """The strategy played in a seat."""
        return self._sides[seat][0]

    def supports(self, rules: Rules) -> bool:
        """Whether `rules` are the game of the strategies, allowing any stacks and any number of raises."""
        return same_game(rules, self.rules)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Draw an action, over the actions in canonical order."""
        return choose(*self.probabilities(view), rng)

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        """Legal actions and `p[action]` with the hand in the view."""
        cells = self.strategy(view.seat).cells
        actions, p = self._mixture(view, view.seat, lambda street: self._cell(cells, view, street))
        return actions, p[0]

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Legal actions and `p[hand, action]`; rows of hands that conflict with the board are meaningless."""
        return self._mixture(public, seat, self._cells_of_hands(public, seat))

    def by_cell(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """Legal actions and `p[cell, action]` for every cell of the street, on any board; requires perfect recall."""
        cells = self.strategy(seat).cells
        pairs = cells.pairs
        if pairs is None:
            raise PokerlabError(f"{cells.name} has imperfect recall: a cell does not determine those before it")

        def on(street: int) -> Int32s:
            cell = np.arange(cells.n_cells[public.street], dtype=np.int32)
            for s in range(public.street, street, -1):
                cell = pairs.parent[s][cell]
            return cell

        return self._mixture(public, seat, on)

    def likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        """`p[hand]` that `seat` takes an actual `action`; an action outside the tree is translated.

        The result is 1 for every hand if the situation is not in the tree, or no hand would take the action.
        """
        strategy, translator = self._sides[seat]
        cells_on = self._cells_of_hands(public, seat)
        actions, p = self._mixture(public, seat, cells_on)
        if action in actions:
            return unless_never(public, p[:, actions.index(action)])
        total = np.zeros(len(p))
        for place, weight in self._weighted(public, seat, cells_on):
            if not translator.answers(place, public.betting):
                total += weight
                continue
            taken = self._at(strategy, place, cells_on(public.street))
            first = strategy.tree.edges(place).start
            for edge, share in translator.edges_for(place, public.betting, action):
                total += weight * share * taken[edge - first]
        return unless_never(public, total)

    def _mixture(self, public: PublicView, seat: int, cells_on: CellsOn) -> tuple[tuple[Action, ...], Floats]:
        strategy, translator = self._sides[seat]
        betting = public.betting
        p_of_action: dict[Action, Floats] = {}
        for place, weight in self._weighted(public, seat, cells_on):
            if not translator.answers(place, betting):
                p_of_action[CALL] = p_of_action.get(CALL, 0.0) + weight
                continue
            p = self._at(strategy, place, cells_on(betting.street))
            for edge, row in zip(strategy.tree.edges(place), p, strict=True):
                action = translator.real_action(edge, betting)
                p_of_action[action] = p_of_action.get(action, 0.0) + weight * row
        actions = tuple(sorted(p_of_action))
        return actions, np.stack([p_of_action[action] for action in actions], axis=1)

    def _weighted(self, public: PublicView, seat: int, cells_on: CellsOn) -> list[tuple[int, Floats]]:
        """Places in the tree to which the actual betting is translated, each with `weight[hand]`."""
        strategy, translator = self._sides[seat]
        places = translator.places(public.rules, public.actions)
        n_hands = len(cells_on(public.street))
        if len(places) == 1:
            return [(next(iter(places)), np.ones(n_hands))]
        prior = np.repeat(np.array(list(places.values()))[:, None], n_hands, axis=1)
        own = np.ones_like(prior)
        for place, row in zip(places, own, strict=True):
            for street, decision, action in self._own_steps(strategy, place, seat):
                row *= self._at(strategy, decision, cells_on(street))[action]
        weight = prior * own
        total = weight.sum(axis=0)
        weight = np.where(total > 0, weight / np.where(total > 0, total, 1.0), prior)
        return list(zip(places, weight, strict=True))

    def _own_steps(self, strategy: Strategy, place: int, seat: int) -> list[tuple[int, int, int]]:
        """Return the street, the decision and the index of each action of `seat` before a place in the tree."""
        known = self._steps.get((seat, place))
        if known is not None:
            return known
        tree = strategy.tree
        steps = [(int(tree.edge_decision[edge]), edge) for edge in tree.path(place)]
        own = [(int(tree.street[d]), d, edge - int(tree.first_edge[d])) for d, edge in steps if tree.actor[d] == seat]
        self._steps[seat, place] = own
        return own

    def _at(self, strategy: Strategy, decision: int, cells: Int32s) -> Floats:
        """Return `p[action, hand]`: the strategy's probabilities at a decision, given the card cell of each hand."""
        return strategy.at(decision)[:, cells].astype(np.float64)

    def _cell(self, cells: Cells, view: View, street: int) -> Int32s:
        board = view.rules.board_on(view.board, street)
        key = (id(cells), view.hole, board)
        cell = self._cells.get(key)
        if cell is None:
            cell = np.array([cells.of_hand(view.hole, board)], np.int32)
            self._remember(key, cell)
        return cell

    def _cells_of_hands(self, public: PublicView, seat: int) -> CellsOn:
        cells = self.strategy(seat).cells

        def on(street: int) -> Int32s:
            board = public.rules.board_on(public.board, street)
            key = (id(cells), "hands", board)
            cell_of_hand = self._cells.get(key)
            if cell_of_hand is None:
                cell_of_hand = np.maximum(cells_of_hands(cells, self.rules, board), 0)
                self._remember(key, cell_of_hand)
            return cell_of_hand

        return on

    def _remember(self, key: tuple[object, ...], cells: Int32s) -> None:
        if len(self._cells) >= _MOST_REMEMBERED:
            self._cells.clear()
        self._cells[key] = cells


def same_game(rules: Rules, other: Rules) -> bool:
    """Whether two games differ only in name, stacks, odd chips and the number of raises on a street.

    Translation handles raises outside a tree, so a tree with fewer raises can still be played.
    """
    return rules == other or _in_common(rules, other) == other


def _in_common(rules: Rules, other: Rules) -> Rules:
    """`rules` with the name, stacks, odd chips and raise caps of `other`, if the numbers of seats and streets agree."""
    if rules.n_seats != other.n_seats or len(rules.streets) != len(other.streets):
        return rules
    caps = (street.max_raises for street in other.streets)
    streets = tuple(replace(street, max_raises=cap) for street, cap in zip(rules.streets, caps, strict=True))
    return replace(rules, name=other.name, stacks=other.stacks, odd_chips=other.odd_chips, streets=streets)


def cells_of_hands(cells: Cells, rules: Rules, board: Sequence[int]) -> Int32s:
    """`cell[hand]` on the street of a board; -1 for hands that hold a board card or are outside the ranges."""
    if isinstance(cells, Buckets | SubgameCells):
        return cells.of_board(board)[-1]
    hands = hands_of(rules)
    cell_of_hand = np.full(len(hands), -1, np.int32)
    for number in np.flatnonzero(hands.live(board)):
        cell_of_hand[number] = cells.of_hand(tuple(hands.holes[number].tolist()), board)
    return cell_of_hand
