"""E[HS] and PPot of every seat on every street, for many hold'em deals at once; `strength_of` gives them for one board.

>>> from pokerlab.cards.card import cards
>>> strengths = dealt_strengths([[cards("AdQc"), cards("KsKh")]], [cards("3h4cJhQs2d")])
>>> strengths.mean_hs[0, 0].round(4).tolist(), bool(strengths.rank[0, 1] > strengths.rank[0, 0])
([0.6443, 0.5114, 0.8627, 0.8677], True)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import Floats, Int32s
from pokerlab.cards.combos import CLASS_OF_COMBO, combo_index
from pokerlab.cards.evaluate import tables
from pokerlab.cards.isomorphism import indexer
from pokerlab.cards.strength_tables import SCALE, preflop_strength, strength_of, table_values

N_STREETS = 4


class DealtStrengths(NamedTuple):
    """`mean_hs[deal, seat, street]`, `ppot[deal, seat, street]` (0 before the flop), `rank[deal, seat]` at showdown."""

    mean_hs: Floats
    ppot: Floats
    rank: Int32s


_COMBO = np.array([[combo_index(a, b) if a != b else -1 for b in range(52)] for a in range(52)])


def dealt_strengths(holes: ArrayLike, boards: ArrayLike, *, flop_and_turn: bool = True) -> DealtStrengths:
    """The strengths of `holes[deal, seat, 2]` on `boards[deal, 5]`; zeros on flop and turn without `flop_and_turn`.

    The flop is looked up, and so is the turn if its table was built (`pokerlab tables build`), in a few microseconds
    per deal; without that table a turn takes a fraction of a millisecond.
    """
    from pokerlab.cards import _dealt_strengths_numba as kernels

    hole, board = np.asarray(holes, np.uint8), np.asarray(boards, np.uint8)
    n_deals, n_seats = hole.shape[:2]
    combos = _COMBO[hole[..., 0], hole[..., 1]]
    mean_hs, ppot = np.zeros((2, n_deals, n_seats, N_STREETS))
    mean_hs[:, :, 0] = preflop_strength()[0][CLASS_OF_COMBO[combos]]
    for street, n_board in ((1, 3), (2, 4)) if flop_and_turn else ():
        table = table_values(n_board)
        if table is not None:
            hands = np.empty((n_deals, n_seats, 2 + n_board), np.int64)
            hands[..., :2], hands[..., 2:] = hole, board[:, None, :n_board]
            rows = table[indexer(2, n_board).index_many(hands.reshape(n_deals * n_seats, -1))] / SCALE
            mean_hs[:, :, street] = rows[:, 1].reshape(n_deals, n_seats)
            ppot[:, :, street] = rows[:, 3].reshape(n_deals, n_seats)
        else:
            for deal in range(n_deals):
                strength = strength_of(board[deal, :n_board].tolist())
                mean_hs[deal, :, street] = strength.mean_hs[combos[deal]]
                ppot[deal, :, street] = strength.ppot[combos[deal]]
    river, rank = np.empty((n_deals, n_seats)), np.empty((n_deals, n_seats), np.int32)
    kernels.river_strengths(hole, board, tables(), river, rank)
    mean_hs[:, :, 3] = river
    return DealtStrengths(mean_hs, ppot, rank)
