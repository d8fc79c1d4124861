"""A problem to solve: a betting tree and the cells of its cards.

>>> from pokerlab.games.catalog import game
>>> leduc = make_problem(game("leduc"))
>>> leduc.counts
(288, 672)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import CellPairs, Cells, Lossless
from pokerlab.errors import RulesError
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_to_json
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import tree_digest
from pokerlab.solvers.core.locks import Locks
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.trees.betting_tree import MAX_DECISIONS, BettingTree


@dataclass(frozen=True, eq=False)
class Problem:
    """A betting tree and a card abstraction; `pairs` exists for two players with perfect recall.

    `locks` fix some action probabilities; solvers of subgames and the linear program support them.
    """

    tree: BettingTree
    cells: Cells
    locks: Locks | None = None

    @cached_property
    def pairs(self) -> CellPairs:
        """Probability and showdown value of every pair of cells."""
        if self.tree.rules.n_seats != 2:
            raise RulesError(f"{self.tree.rules.name} is for {self.tree.rules.n_seats} players; this solver is for two")
        if self.tree.rules.antes_are_dead:
            raise RulesError(f"{self.tree.rules.name}: solvers for two need equal antes")
        if self.cells.pairs is None:
            raise RulesError(f"{self.cells.name} forgets cards; only sampling solvers (--algorithm mccfr) work with it")
        return self.cells.pairs

    @property
    def counts(self) -> tuple[int, int]:
        """Return (number of information sets, number of their actions). Cells without hands do not count."""
        return self.tree.counts(self.cells.n_information if isinstance(self.cells, Lossless) else self.cells.n_cells)

    @property
    def about(self) -> dict[str, Any]:
        """Identity of the problem as JSON values. A checkpoint with a different identity cannot be resumed."""
        sizes = " | ".join(side.text for side in self.tree.sizes)
        about = {
            "rules": rules_to_json(self.tree.rules),
            "sizes": sizes,
            "cards": self.cells.name,
            "n_decisions": self.tree.n_decisions,
            "n_cells": list(self.cells.n_cells),
        }
        if "@" in sizes:  # sizes from a file, which may have changed
            about["tree"] = tree_digest(self.tree)
        if self.locks is not None:
            about["locks"] = self.locks.digest
        return about

    def uniform(self) -> Strategy:
        """The strategy that plays all actions with equal probability."""
        return Strategy.uniform(self.tree, self.cells)


def make_problem(
    rules: Rules, sizes: str | None = None, cards: str | None = None, *, max_decisions: int = MAX_DECISIONS
) -> Problem:
    """The problem of a game, given the text of its bet sizes and the name of its card abstraction."""
    cells = cells_for(rules, cards)  # first, since games without cells raise an error before their tree is built
    return Problem(tree_for(rules, sizes, max_decisions=max_decisions), cells)
