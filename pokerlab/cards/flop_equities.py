"""Equities of all pairs of hand classes on every flop: 1,755 flops up to suits, 14,365 pairs of the 169 classes.

Every board of five cards (134,459 up to suits) is processed once and counted for each of the ten flops that it
contains. This takes half a minute on one core, and 100 MB.

The equity of a pair on a flop is the mean over all deals of both hands and of two more cards. Means over flops weight
each flop by its number of possible pairs of hands, as random deals do, so that over all flops they are the preflop
equities.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Floats32, Int8s, Int32s, Int64s
from pokerlab.caches import compiled
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, live_combos
from pokerlab.cards.evaluate import tables
from pokerlab.cards.isomorphism import canonical_boards, indexer

kernels = compiled("pokerlab.cards._flop_equities_numba")
FIRST, SECOND = np.triu_indices(N_CLASSES)
"""The two classes of each pair."""
RUN_OUTS = comb(45, 2)
_PARTS = 40


class FlopEquities(NamedTuple):
    """Results of every pair of hand classes on every flop. Flops are numbered as by `indexer(3)`."""

    flops: Int8s  #: `flops[flop, 3]`: the cards
    counts: Int64s  #: `counts[flop]`: number of flops that are the same up to suits
    pairs: Floats32  #: `pairs[flop, pair]`: number of pairs of hands that can be held on the flop
    #: `won[flop, pair]`: number of these pairs that the first class wins (ties count half), a mean over run-outs
    won: Floats32

    @property
    def equity(self) -> Floats:
        """Return, for each pair of classes, the equity of the first class over all flops."""
        weights = self.counts.astype(np.float64)
        return np.asarray((weights @ self.won) / (weights @ self.pairs))


def flop_equities(progress: Callable[[int, int], None] | None = None) -> FlopEquities:
    """Compute the equities of all flops."""
    flops, counts = canonical_boards(3)
    boards, n_same = canonical_boards(5)
    of_board = np.stack([indexer(3).index_many(boards[:, list(three)]) for three in combinations(range(5), 3)], axis=1)
    total: Int32s = np.zeros((len(flops), len(FIRST)), np.int32)
    combos, classes = CARDS_OF_COMBO.astype(np.uint8), CLASS_OF_COMBO.astype(np.uint8)
    for number, part in enumerate(np.array_split(np.arange(len(boards)), _PARTS), 1):
        kernels.add_boards(
            boards[part].astype(np.uint8), n_same[part], of_board[part], combos, classes, tables(), total
        )  # fmt: skip
        if progress is not None:
            progress(number, _PARTS)
    won = np.empty(total.shape, np.float32)
    for flop, n in enumerate(counts):
        won[flop] = total[flop] / (2 * RUN_OUTS * n)
    return FlopEquities(flops, counts, np.stack([live_pairs(flop) for flop in flops]), won)


def live_pairs(board: Int8s) -> Floats32:
    """`[pair]`: number of pairs of hands of two classes that can both be held on a board; within a class both orders
    count."""
    live = live_combos(sum(1 << int(card) for card in board))
    by_card = np.zeros((52, N_CLASSES), np.float32)
    for column in CARDS_OF_COMBO[live].T:
        np.add.at(by_card, (column, CLASS_OF_COMBO[live]), 1)
    of_class = by_card.sum(axis=0) / 2
    pairs = np.outer(of_class, of_class) - by_card.T @ by_card  # different hands share one card at most
    pairs += np.diag(of_class)  # a hand beside itself was subtracted once for each of its cards
    return np.asarray(pairs[FIRST, SECOND], np.float32)
