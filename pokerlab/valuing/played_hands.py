"""What strategies win from each other, by playing: hand after hand in compiled code, for any number of players.

It works for every card side, those that forget included, where no exact value can be had; `board_values` does the same
for two players with less luck in it, at a higher price for each sample. Everything is played on one betting tree.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> uniform = make_problem(game("kuhn")).uniform()
>>> print(played_values([uniform], hands=20_000, seed=1)[0])
+145.8 ± 20.1 mbb/hand (n = 20,000 hands)

References
----------
Hawkin (2014), section 7.1: strategies with imperfect recall valued by 1.2 billion hands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import RulesError
from pokerlab.estimates import Estimate, estimate
from pokerlab.games.units import units_per_chip
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import IndexedStream, stream_key
from pokerlab.solvers.core.pair_tables import PairTables
from pokerlab.solvers.core.problem import Problem
from pokerlab.trees.deals import Deals, deals_for

Floats: TypeAlias = NDArray[np.float64]
LABEL = "played actions"
HANDS_AT_ONCE = 50_000


def played_values(
    strategies: Sequence[Strategy],
    *,
    hands: int,
    seed: int,
    units: str = "mbb_per_hand",
    report: Callable[[int, int], None] | None = None,
) -> tuple[Estimate, ...]:
    """What each seat wins when seat s plays `strategies[s]` (or all the only one), with intervals over hands."""
    play = Player(strategies, seed)
    chips = []
    for first in range(0, hands, HANDS_AT_ONCE):
        chips.append(play.hands(first, min(HANDS_AT_ONCE, hands - first)))
        if report is not None:
            report(min(first + HANDS_AT_ONCE, hands), hands)
    won = np.concatenate(chips) * units_per_chip(play.tree.rules, units)
    return tuple(estimate(column, units=units, method="hands") for column in won.T)


class Player:
    """Plays hands by number: the same seed and number always give the same hand."""

    def __init__(self, strategies: Sequence[Strategy], seed: int) -> None:
        tree, cells = strategies[0].tree, strategies[0].cells
        for other in strategies[1:]:
            if len(tree.child) != len(other.tree.child) or np.any(tree.to != other.tree.to):
                raise RulesError("strategies are played against each other on one betting tree")
            if cells.name != other.cells.name:
                raise RulesError(
                    f"strategies are played with one kind of cards, not {cells.name} and {other.cells.name}"
                )
        self.tree, self.cells, self.seed = tree, cells, seed
        self._each = tuple(strategies) * (tree.rules.n_seats if len(strategies) == 1 else 1)
        self.deals: Deals = deals_for(cells, tree.rules.n_seats, seed)
        self.tables = PairTables(Problem(tree, cells))
        sizes = [len(edges) * n for edges, n in zip(tree.edges_on, cells.n_cells, strict=True)]
        distinct = list({id(strategy): strategy for strategy in self._each}.values())
        flat = [np.concatenate([np.asarray(p, np.float32).ravel() for p in strategy.p]) for strategy in distinct]
        which = [next(i for i, strategy in enumerate(distinct) if strategy is mine) for mine in self._each]
        self._arrays: tuple[Any, ...] = (
            self.tables.kernel,
            tree.row,
            np.cumsum([0, *sizes[:-1]]),
            np.array(cells.n_cells, np.int64),
            np.stack(flat),
            np.array(which, np.int64),
        )

    def hands(self, first: int, n: int) -> Floats:
        """`chips[hand, player]` of hands number `first` ..."""
        from pokerlab.valuing._played_hands_numba import play

        found: Floats = play(stream_key(self.seed, LABEL), first, *self.deals.deal(first, n), *self._arrays)
        return found

    def hand(self, number: int) -> Floats:
        """`chips[player]` of one hand, step by step: what the kernel does."""
        cells, rank = self.deals.deal(number, 1)
        rng, tree, place = IndexedStream(self.seed, LABEL).at(number), self.tree, 0
        while place >= 0:
            seat, street = int(tree.actor[place]), int(tree.street[place])
            p = self._each[seat].at(place)[:, cells[0, seat, street]]
            passed = np.flatnonzero(np.cumsum(p[:-1]) > rng.random())
            action = int(passed[0]) if len(passed) else len(p) - 1
            place = int(tree.child[tree.edges(place)[action]])
        return np.array([self.tables.pots.payoffs(~place, player, rank)[0] for player in range(len(rank[0]))])
