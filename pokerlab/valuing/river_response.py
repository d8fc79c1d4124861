"""Best responses to a policy on one river of a limit game, hand by hand with the real cards.

A `River` begins at a public view, with a range for each player. It asks a policy for its action probabilities at all of
a player's decisions on this street, and values the other player's hands against them.

>>> from pokerlab.agents.scripted import Scripted, folder
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("limit2p"), cards("AsAh 7c2d 9h8s4c 5s Kd"))
>>> for _ in range(6):
...     state = state.after(CALL)
>>> river = River(state.public(0, ("a", "b")), (np.ones(1326), np.ones(1326)))
>>> values = river.best_values(0, river.played_by(Scripted(folder), 1))
>>> round(values.min() / values.max(), 3)  # any bet wins the pot of 20; shared cards leave a hand as many opponents
1.0

References
----------
Johanson et al. (2011), "Accelerating best response calculation in large extensive games".
"""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Floats, Floats32
from pokerlab.games.actions import Action
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames import _subgame_numba as kernels
from pokerlab.solvers.subgames.cfr import Passes, PassTask
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.valuing.resolved import acting_order, can_resolve, street_rules

RIVER = 5  #: cards on the board


def is_limit_river(public: PublicView) -> bool:
    """Whether a hand is on the river of a limit game for two, with chips behind and a limit to the number of raises."""
    rules = public.rules
    capped = rules.limits == "limit" and rules.streets[-1].max_raises is not None and not rules.rake
    return capped and rules.n_seats == 2 and len(public.board) == RIVER and can_resolve(public)


class River:
    """The betting on the river from its beginning, `start`, as a subgame whose first player acts first.

    `weights` are by combo, for both players in acting order. Numbers by hand are in the order of `cells`.
    """

    def __init__(self, start: PublicView, weights: tuple[Floats, Floats]) -> None:
        self.start, self.seats = start, acting_order(start)
        raises = start.rules.streets[-1].max_raises
        assert raises is not None, "is_limit_river"
        # The tree depends on pot and stacks alone. Ranges written as text would lose digits and take longer than it.
        rules = street_rules(start, ("random", "random"), raises=raises)
        self.cells = SubgameCells(start.board, weights)
        self.problem = Problem(tree_for(rules, "min"), self.cells)
        self.passes = Passes(self.problem, threads=1)

    def played_by(self, policy: Policy, player: int) -> Floats32:
        """`p[row, 0, hand]` of a player who plays `policy`; 0 at the other's decisions."""
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
        """`value[hand]` of the hero's best response to the other's `weights[row, 0, hand]`: chips times the probability
        that the other's hand, drawn from its range, shares no card with this one."""
        return self.passes.of_hands(PassTask.reading(hero, kernels.BEST, [weights]))

    def rows_after(self, actions: list[Action]) -> range:
        """The rows of the decision that actions on the river lead to."""
        return self.problem.tree.edges(self.problem.tree.decision_after(actions))
