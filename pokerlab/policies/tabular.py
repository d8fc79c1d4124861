"""A policy as a table over (decision, cell, menu item), where a cell is what the player looks at in its cards.

With two hole cards the cell is their class (169), whatever the board; with one hole card it is the pair (rank of the
hole card, rank of the board card or none), which loses nothing in Kuhn and Leduc.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.menu_tree import build_menu_tree
>>> tree = build_menu_tree(game("leduc"))
>>> TabularPolicy.uniform(tree).p.shape
(36, 182, 4)
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES, combo_index
from pokerlab.errors import RulesError
from pokerlab.games.actions import Action
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.trees.menu_tree import N_ITEMS, NOT_LEGAL, MenuTree, menu_by_item


def n_cells(rules: Rules) -> int:
    """How many cells the cards of a seat can fall into."""
    hole = rules.streets[0].n_hole
    if hole not in (1, 2) or rules.has_up_cards or (hole == 1 and sum(s.n_board for s in rules.streets) > 1):
        raise RulesError(f"no table of cells for the cards of {rules.name}")
    return N_CLASSES if hole == 2 else 13 * 14


def cell_of(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """The cell of a seat's cards."""
    if len(hole) == 2:
        return int(CLASS_OF_COMBO[combo_index(*hole)])
    return (hole[0] >> 2) * 14 + (1 + (board[0] >> 2) if board else 0)


@dataclass(frozen=True)
class TabularPolicy:
    """`p[node, cell, item]`: probabilities, zero where an item is not legal."""

    tree: MenuTree
    p: NDArray[np.float64]

    @classmethod
    def uniform(cls, tree: MenuTree) -> TabularPolicy:
        """Every legal item with the same probability."""
        legal = (tree.child != NOT_LEGAL).astype(float)
        p = legal / legal.sum(axis=1, keepdims=True)
        return cls(tree, np.repeat(p[:, None, :], n_cells(tree.rules), axis=1))

    @cached_property
    def cumulative(self) -> NDArray[np.float64]:
        """Sums of `p` over items; the last legal item and what follows it are 1, so that every draw falls on one."""
        total = np.cumsum(self.p, axis=2)
        last = N_ITEMS - 1 - np.argmax(self.p[:, :, ::-1] > 0, axis=2)
        total[np.arange(N_ITEMS) >= last[:, :, None]] = 1.0
        return total

    def supports(self, rules: Rules) -> bool:
        """Only the game the tree was built for."""
        return rules == self.tree.rules

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One draw over the items in canonical order; none when the action is certain."""
        node = self.tree.node_after(tuple(step.action for step in view.actions))
        cell = cell_of(view.hole, view.board)
        certain = np.flatnonzero(self.p[node, cell] == 1.0)
        item = int(certain[0]) if len(certain) else bisect_right(self.cumulative[node, cell].tolist(), rng.random())
        action = menu_by_item(view.legal())[item]
        assert action is not None, "a policy gives weight to illegal items"
        return action

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """The legal items and `p[combo, action]` (two hole cards only)."""
        if len(self.p[0]) != N_CLASSES:
            raise RulesError(f"hands of {self.tree.rules.name} are not combos of two cards")
        node = self.tree.node_after(tuple(step.action for step in public.actions))
        items = [(i, action) for i, action in enumerate(menu_by_item(public.legal())) if action is not None]
        return tuple(a for _, a in items), self.p[node][CLASS_OF_COMBO][:, [i for i, _ in items]]
