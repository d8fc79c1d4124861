"""Play strategies against each other in compiled code, for any number of players.

This works for every card abstraction, including those of imperfect recall, for which no exact value is available. For
two players, `sampled_boards` estimates the same with less variance per sample, but a sample takes longer. All
strategies are on one betting tree.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> uniform = make_problem(game("kuhn")).uniform()
>>> print(played_values([uniform], hands=20_000, seed=1)[0])
+118.8 ± 20.1 mbb/hand (n = 20,000 hands)

References
----------
Hawkin (2014), section 7.1: strategies with imperfect recall valued by 1.2 billion hands.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.abstraction.deals import deals_for
from pokerlab.arrays import Floats
from pokerlab.errors import RulesError
from pokerlab.estimates import Estimate, estimate
from pokerlab.games.units import units_per_chip
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream_key
from pokerlab.table.batch import CompiledTable, Seated

#: names of random streams, different from those with which solvers train
ACTIONS, CARDS = "played actions", "played deals"
HANDS_AT_ONCE = 50_000


def played_values(
    strategies: Sequence[Strategy], *, hands: int, seed: int, units: str = "mbb_per_hand"
) -> tuple[Estimate, ...]:
    """Winnings of each seat, with intervals. Seat s plays `strategies[s]`; if only one is given, all seats play it."""
    play = HandPlayer(strategies, seed)
    chips = [play.hands(first, min(HANDS_AT_ONCE, hands - first)) for first in range(0, hands, HANDS_AT_ONCE)]
    won = np.concatenate(chips) * units_per_chip(play.tree.rules, units)
    return tuple(estimate(column, units=units, method="hands") for column in won.T)


class HandPlayer:
    """Plays hands by number: the same seed and number always give the same hand."""

    def __init__(self, strategies: Sequence[Strategy], seed: int) -> None:
        self.tree, cells = strategies[0].tree, strategies[0].cells
        for other in strategies[1:]:
            if cells.name != other.cells.name:
                raise RulesError(
                    f"all strategies must use the same card abstraction, not {cells.name} and {other.cells.name}"
                )
        n_seats = self.tree.rules.n_seats
        self._table = CompiledTable(list(dict.fromkeys(strategies)))
        self._deals = deals_for(cells, n_seats, seed, CARDS)
        each = list(strategies) * (n_seats if len(strategies) == 1 else 1)
        self._lineup = [Seated(strategy, 0) for strategy in each]
        self._draws = stream_key(seed, ACTIONS)[None]

    def hands(self, first: int, n: int) -> Floats:
        """Play `n` hands, beginning with hand number `first`. Return the winnings `chips[hand, player]`.

        Every hand has its own random stream, from which each action takes one number.
        """
        cells, rank = self._deals.deal(first, n)
        return self._table.play(first, [cells], rank, [self._lineup], self._draws)[1]
