"""The value of two hold'em strategies against each other, estimated on random boards with all private hands at once.

This works for every card abstraction, including those of imperfect recall, for which no exact value is available. Five
board cards are dealt at random. On this board the value over all pairs of hands is exact, so that only the board is a
matter of luck. The seats may use different card abstractions on the same betting tree.

References
----------
Hawkin (2014), section 7.1, estimated such values by playing 1.2 billion hands. Evaluating every hand on a sampled board
belongs to public chance sampling: Johanson et al. (2012), section 3.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pokerlab.abstraction.buckets import Buckets
from pokerlab.arrays import AnyInts
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.cards.evaluate import tables
from pokerlab.errors import RulesError
from pokerlab.estimates import Estimate, estimate
from pokerlab.games.units import units_per_chip
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import Shuffler
from pokerlab.runs.cost import usable_cores
from pokerlab.solvers.core.best_response import stakes
from pokerlab.valuing import _sampled_boards_numba as kernels


class BoardValues:
    """Computes values on boards: player 0's chips per hand if seat 0 plays `first` and seat 1 `second`."""

    def __init__(self, first: Strategy, second: Strategy) -> None:
        tree = first.tree
        if len(tree.child) != len(second.tree.child) or np.any(tree.to != second.tree.to):
            raise RulesError("board values need both strategies on one betting tree")
        if not (isinstance(first.cells, Buckets) and isinstance(second.cells, Buckets)):
            raise RulesError(f"board values are for hold'em with buckets, not for {first.cells.name} cards")
        both, self._buckets = (first, second), (first.cells, second.cells)
        depth = np.zeros(tree.n_decisions, np.int64)
        for decision in range(1, tree.n_decisions):
            depth[decision] = depth[tree.edge_decision[tree.parent_edge[decision]]] + 1
        n_slots = int(np.diff(tree.first_edge).max())
        self._tree = kernels.ValuedTree(
            tree.actor, tree.street, tree.first_edge, tree.parent_edge, depth,
            tree.edge_decision, tree.child, tree.row, tree.showdown, stakes(tree, 0), n_slots,
        )  # fmt: skip
        n_cells = np.array([s.cells.n_cells for s in both], np.int64)
        n_rows = np.array([len(edges) for edges in tree.edges_on])
        start = np.concatenate([[[0], [0]], np.cumsum(n_rows * n_cells, axis=1)[:, :-1]], axis=1)
        flat = [np.concatenate([np.asarray(p, np.float64).ravel() for p in s.p]) for s in both]
        self._strategies = kernels.BothStrategies((flat[0], flat[1]), start, n_cells)

    def value(self, board: AnyInts) -> float:
        """Player 0's chips per hand on a final board, given in dealing order."""
        cards = [int(card) for card in board]
        cells = np.array([buckets.of_board(cards) for buckets in self._buckets], np.int64)
        board_cards = np.array(cards)
        return float(kernels.value_on_board(board_cards, CARDS_OF_COMBO, tables(), cells, self._tree, self._strategies))


def sampled_boards_value(
    first: Strategy,
    second: Strategy,
    *,
    n_boards: int,
    seed: int,
    units: str = "mbb_per_hand",
    workers: int | None = None,
) -> Estimate:
    """Estimate the value to player 0, with a 95% interval, from `n_boards` random boards."""
    values, shuffler, deck = BoardValues(first, second), Shuffler(seed, "board values"), tuple(range(52))
    boards = np.array([shuffler.deal(i, deck, 5) for i in range(n_boards)], np.int64)
    with ThreadPoolExecutor(workers or usable_cores()) as pool:
        by_board = np.array(list(pool.map(values.value, boards)))
    return estimate(by_board * units_per_chip(first.tree.rules, units), units=units, method="boards")
