"""Best responses to a policy on one river of a limit game, with real cards, for every hand.

A `River` begins at a public view, with a range for each player. It asks a policy for one player's action probabilities
at all decisions on the street, and computes the other player's best response to them.

>>> from pokerlab.agents.scripted import Scripted, folder
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("limit2p"), cards("AsAh 7c2d 9h8s4c 5s Kd"))
>>> for _ in range(6):
...     state = state.after(CALL)
>>> river = River(state.public(0, ("a", "b")), (np.ones(1326), np.ones(1326)))
>>> round(river.best_value(0, river.played_by(Scripted(folder), 1)), 3)  # any bet wins the pot of 20
10.0

References
----------
Johanson et al. (2011), "Accelerating best response calculation in large extensive games".
"""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Floats, Floats32
from pokerlab.games.hands import hands_of
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames import _subgame_numba as kernels
from pokerlab.solvers.subgames.cfr import Passes, PassTask
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.valuing.resolved import acting_order, can_resolve, street_beginning, street_rules

RIVER = 5  #: number of cards on the board
LEAST = 1e-6
"""Hands less likely than this, relative to the likeliest, are left out of a range."""


def is_limit_river(public: PublicView) -> bool:
    """Whether a hand is on the river of a limit game for two, without rake, and no player can become all-in.

    With shorter stacks, raises are capped by stacks; such rivers are not handled here.
    """
    rules, street = public.rules, public.rules.streets[-1]
    if rules.limits != "limit" or rules.n_seats != 2 or rules.rake or len(public.board) != RIVER:
        return False
    if street.max_raises is None or not can_resolve(public):
        return False
    most = street.max_raises * street.raise_size
    spent = street_beginning(public).betting.spent
    return all(stack - chips > most for stack, chips in zip(rules.stacks, spent, strict=True))


def range_before(policy: Policy, start: PublicView, seat: int) -> Floats | None:
    """`weight[hand]` of a seat that plays `policy`: the probability of its actions before `start`, scaled so that the
    likeliest hand has 1. None if no hand takes these actions."""
    weights = hands_of(start.rules).live(start.board).astype(np.float64)
    for before, step in start.decisions():
        if step.seat == seat:
            actions, p = policy.by_combo(before, seat)
            weights *= p[:, actions.index(step.action)] if step.action in actions else 0.0
    most = float(weights.max())
    return None if most <= 0 else np.where(weights < LEAST * most, 0.0, weights / most)


class River:
    """The betting on the river from the public view `start`, as a subgame in which player 0 acts first.

    `weights` are by combo, for both players in acting order. Numbers by hand are in the order of `cells`.
    """

    def __init__(self, start: PublicView, weights: tuple[Floats, Floats]) -> None:
        self.start, self.seats = start, acting_order(start)
        raises = start.rules.streets[-1].max_raises
        assert raises is not None, "is_limit_river"
        # Only pot and stacks matter for the tree. Ranges as text would lose digits, and take longer than the tree.
        rules = street_rules(start, ("random", "random"), raises=raises)
        self.cells = SubgameCells(start.board, weights)
        self.problem = Problem(tree_for(rules, "min"), self.cells)
        self.passes = Passes(self.problem, threads=1)

    def played_by(self, policy: Policy, player: int) -> Floats32:
        """Return `p[row, 0, hand]` of a player who plays `policy`; 0 at the other player's decisions."""
        tree, cells = self.problem.tree, self.cells
        p = np.zeros((tree.n_edges, 1, cells.n_hands), np.float32)
        for decision in np.flatnonzero(tree.actor == player).tolist():
            public = self.start
            for edge in tree.path(decision):
                public = public.after(tree.action(edge))
            actions, chances = policy.by_combo(public, self.seats[player])
            for edge in tree.edges(decision):
                if (action := tree.action(edge)) in actions:
                    p[tree.row[edge], 0] = chances[cells.combos, actions.index(action)]
        return p

    def best_values(self, hero: int, weights: Floats32) -> Floats:
        """`value[hand]` of the hero's best response to the other player's `weights[row, 0, hand]`: chips, times the
        probability that the other player's hand, drawn from its range, shares no card with this one."""
        return self.passes.of_hands(PassTask.reading(hero, kernels.BEST, [weights]))

    def best_value(self, hero: int, weights: Floats32) -> float:
        """Winnings of the hero's best response, in chips per hand, over both ranges. Each player counts as owner of
        half of the pot."""
        return float(self.best_values(hero, weights) @ self.passes.cells.per_hand(hero))
