"""The river with every hand apart, as cells: bet sizes for one board and two real ranges.

>>> from pokerlab.cards.ranges import parse_range
>>> hands = RiverHands("Ks7h2d5c8s", (parse_range("AA, JTs"), parse_range("KQ")))
>>> hands.n_cells, round(float(hands.pairs.joint[0].sum()), 12), round(float(hands.pairs.showdown[0].sum()), 3)
((22,), 1.0, 0.2)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.card import cards, cards_text
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.cards.evaluate import evaluate
from pokerlab.cards.ranges import Range as HandRange
from pokerlab.errors import CardError
from pokerlab.trees.cells import CellPairs


class RiverHands:
    """`Cells` of one street: the hands that either range holds and the board does not block."""

    name = "river hands"

    def __init__(self, board: str | Sequence[int], ranges: tuple[HandRange, HandRange]) -> None:
        self.board = tuple(cards(board)) if isinstance(board, str) else tuple(int(card) for card in board)
        if len(self.board) != 5 or len(set(self.board)) != 5:
            raise CardError(f"a river has five different cards, not {len(set(self.board))}")
        free = ~np.isin(CARDS_OF_COMBO, self.board).any(axis=1)
        weight = np.stack([np.asarray(given, np.float64) * free for given in ranges])
        self.combos: NDArray[np.int64] = np.flatnonzero(weight.any(axis=0))
        self.weight = weight[:, self.combos]

    @property
    def n_cells(self) -> tuple[int, ...]:
        """The hands."""
        return (len(self.combos),)

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The cell of a hand on this board."""
        held = set(map(int, hole))
        for cell, combo in enumerate(self.combos):
            if held == set(CARDS_OF_COMBO[combo].tolist()):
                return cell
        raise CardError(f"{cards_text([int(card) for card in hole])} is in neither range")

    def label(self, street: int, cell: int) -> str:
        """The hand."""
        return cards_text([int(card) for card in CARDS_OF_COMBO[self.combos[cell]]])

    @cached_property
    def pairs(self) -> CellPairs:
        """How likely two hands meet, and who wins."""
        held = CARDS_OF_COMBO[self.combos]
        clash = (held[:, None, :, None] == held[None, :, None, :]).any(axis=(2, 3))
        joint = np.where(clash, 0.0, np.outer(self.weight[0], self.weight[1]))
        if not joint.sum() > 0:
            raise CardError("the two ranges have no two hands that can be dealt together")
        joint /= joint.sum()
        rank = np.array([evaluate((*map(int, hole), *self.board)) for hole in held])
        showdown = joint * np.sign(rank[:, None] - rank[None, :])
        return CellPairs((np.zeros(len(held), np.int32),), (joint[None],), (showdown[None],))
