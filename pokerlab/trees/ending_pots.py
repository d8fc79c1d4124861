"""Payoffs at the terminal nodes of a betting tree, for any number of players: settled chips, and contested pots.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> pots = ending_pots(build_tree(game("leduc")))
>>> pots.payoffs(0, 0, np.array([[0, 1], [1, 1], [1, 0]])).tolist()
[-1.0, 0.0, 1.0]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Int32s, Int64s
from pokerlab.games.pots import pots_of
from pokerlab.trees.betting_tree import BettingTree


class EndingPots(NamedTuple):
    """Arrays for kernels; the contested pots of terminal node e are `first_pot[e] .. first_pot[e + 1] - 1`."""

    fixed: Floats  # fixed[ending, player]: chips won or lost apart from contested pots
    first_pot: Int32s  # first_pot[ending]: the terminal node's first contested pot; one more entry ends the last node
    pot: Floats  # pot[pot]: chips that several players contest
    pot_seats: Int64s  # pot_seats[pot]: bit mask of those players

    def payoffs(self, ending: int, player: int, rank: Int32s) -> Floats:
        """Chips of `player` at a terminal node for each row of `rank[deal, player]`; ties divide exactly."""
        won = np.full(len(rank), self.fixed[ending, player])
        for k in range(self.first_pot[ending], self.first_pot[ending + 1]):
            if self.pot_seats[k] >> player & 1:
                seats = [seat for seat in range(rank.shape[1]) if self.pot_seats[k] >> seat & 1]
                best = rank[:, seats].max(axis=1)
                n_best = (rank[:, seats] == best[:, None]).sum(axis=1)
                won += np.where(rank[:, player] == best, self.pot[k] / n_best, 0.0)
        return won


def ending_pots(tree: BettingTree) -> EndingPots:
    """Settled chips and contested pots of every terminal node of `tree`."""
    fixed, first_pot, contested = -tree.spent, [0], []
    for ending, (spent, folded) in enumerate(zip(tree.spent.tolist(), tree.folded, strict=True)):
        rake = tree.rake[ending]  # rake comes from the first pot; the last pot is an unmatched bet, if there is one
        for pot in pots_of(tree.rules, spent, int(folded)):
            if len(pot.seats) == 1:
                fixed[ending, pot.seats[0]] += float(pot.amount) - rake
            else:
                contested.append((float(pot.amount) - rake, sum(1 << seat for seat in pot.seats)))
            rake = 0.0
        first_pot.append(len(contested))
    return EndingPots(
        fixed,
        np.array(first_pot, np.int32),
        np.array([chips for chips, _ in contested], np.float64),
        np.array([seats for _, seats in contested], np.int64),
    )
