"""Strength, potential and equity against a weight table of an opponent: for one hand, or for all 1326 at once.

`OneHand` is for the hand that a player holds, `EveryHand` for each hand that it might hold. Both give the same numbers
for the same hand. So a player that acts decides exactly as it says it would when asked about every hand.

>>> from pokerlab.cards.card import cards
>>> alike = np.ones(N_COMBOS)
>>> one, every = OneHand(cards("AdQc"), cards("3h4cJh")), EveryHand(cards("3h4cJh"))
>>> one.hs(alike).round(3).tolist(), every.hs(alike)[one.numbers].round(3).tolist()
([0.585], [0.585])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np

from pokerlab.arrays import Bools, Floats, Indices, Int32s
from pokerlab.cards.combos import (
    CARDS_OF_COMBO,
    CLASS_OF_COMBO,
    COMBOS_OF_CLASS,
    N_CLASSES,
    N_COMBOS,
    combo_index,
    live_combos,
)
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.matchups import edge_against
from pokerlab.cards.strength import hs_of_board, potentials_of_board, strength_of_board, strength_of_hand

FIRST_OF_CLASS = np.array([combos[0] for combos in COMBOS_OF_CLASS])
"""`combo[class]`: one combo of each class of starting hands."""


class PokiHands(Protocol):
    """One or more hands on a board; the methods `weight`, `hs`, `ahead` and `equity` return one number for each."""

    @property
    def numbers(self) -> Indices:
        """Combos of the hands."""

    def left(self, weights: Floats) -> Floats:
        """Copy of `weights` in which opponent hands that share a card with every one of these hands have weight 0."""

    def weight(self, weights: Floats) -> Floats:
        """Total weight of the opponent hands that share no card with a hand."""

    def hs(self, weights: Floats) -> Floats:
        """Hand strength against `weights`; 0.5 if they are all zero."""

    def ahead(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return (PPot, NPot) for the next card against `weights`; zeros if they are all zero."""

    def equity(self, weights: Floats) -> Floats:
        """Share of the pot won by going all-in before the flop; 0.5 if `weights` are all zero."""


class _CachedPotential:
    """Cache of the last potential, since a decision needs it twice and it takes most of the time."""

    _last: tuple[Floats, tuple[Floats, Floats]] | None = None

    def ahead(self, weights: Floats) -> tuple[Floats, Floats]:
        if self._last is None or not np.array_equal(self._last[0], weights):
            self._last = weights, self._potential(weights)
        return self._last[1]

    def _potential(self, weights: Floats) -> tuple[Floats, Floats]:
        raise NotImplementedError


class OneHand(_CachedPotential):
    """A player's actual hand."""

    def __init__(self, hole: tuple[int, ...], board: tuple[int, ...]) -> None:
        self.hole, self.board = hole, board
        self.numbers = np.array([combo_index(*hole)], np.intp)
        self._live = live_combos(sum(1 << card for card in (*hole, *board)))

    def left(self, weights: Floats) -> Floats:
        return weights * self._live

    def weight(self, weights: Floats) -> Floats:
        return np.array([self.left(weights).sum()])

    def hs(self, weights: Floats) -> Floats:
        return np.array([hs_of(board_ranks(self.board), int(self.numbers[0]), self.left(weights))])

    def _potential(self, weights: Floats) -> tuple[Floats, Floats]:
        left = self.left(weights)
        if not left.any():
            return np.zeros(1), np.zeros(1)
        strength = strength_of_hand(self.hole, self.board, weights=left, n_to_come=min(1, 5 - len(self.board)))
        return np.nan_to_num(np.array([strength.ppot])), np.nan_to_num(np.array([strength.npot]))

    def equity(self, weights: Floats) -> Floats:
        left = self.left(weights)
        total = left.sum()
        edge = -float(edge_against(int(self.numbers[0])) @ left) / total if total > 0 else 0.0
        return np.array([(1 + edge) / 2])


class EveryHand(_CachedPotential):
    """Every hand that a player might hold; the numbers of hands that conflict with the board are meaningless."""

    def __init__(self, board: tuple[int, ...]) -> None:
        self.board = board
        self.numbers = np.arange(N_COMBOS)

    def left(self, weights: Floats) -> Floats:
        """`weights` unchanged: no hand conflicts with all others."""
        return weights

    def weight(self, weights: Floats) -> Floats:
        of_card = np.bincount(CARDS_OF_COMBO.ravel(), np.repeat(weights, 2), minlength=52)
        left = weights.sum() - of_card[CARDS_OF_COMBO].sum(axis=1) + weights
        return np.asarray(np.where(left > 1e-12 * weights.sum(), left, 0.0))

    def hs(self, weights: Floats) -> Floats:
        if not weights.any():
            return np.full(N_COMBOS, 0.5)
        return np.nan_to_num(hs_of_board(self.board, weights), nan=0.5)

    def _potential(self, weights: Floats) -> tuple[Floats, Floats]:
        if len(self.board) == 5 or not weights.any():
            return np.zeros(N_COMBOS), np.zeros(N_COMBOS)
        _, ppot, npot = potentials_of_board(self.board, weights=weights, n_to_come=1)
        return ppot, npot

    def equity(self, weights: Floats) -> Floats:
        total, of_class = self.weight(weights), weights[FIRST_OF_CLASS]
        if np.array_equal(
            of_class[CLASS_OF_COMBO], weights
        ):  # suits do not matter before the flop: 28,561 products instead of 1.8 million
            lost = np.einsum("ij,j->i", _class_edges(), of_class)[CLASS_OF_COMBO]
        else:
            lost = _edges() @ weights
        edge = np.divide(-lost, total, out=np.zeros(N_COMBOS), where=total > 0)
        return np.asarray((1 + edge) / 2)


def hs_of(ranks: Int32s, mine: int, weights: Floats) -> float:
    """Hand strength of combo `mine` against `weights` (zero for hands with its cards); 0.5 if they are all zero."""
    total = weights.sum()
    if total <= 0:
        return 0.5
    return float((weights[ranks < ranks[mine]].sum() + weights[ranks == ranks[mine]].sum() / 2) / total)


@lru_cache(maxsize=256)
def board_ranks(board: tuple[int, ...]) -> Int32s:
    """`rank[combo]` on a board; -1 for blocked combos."""
    return rank_combos(board)


@lru_cache(maxsize=256)
def sure(board: tuple[int, ...]) -> tuple[Bools, Bools]:
    """Return (`unbeaten[combo]`: whether no possible hand beats it on this board; `hopeless[combo]`: whether it beats
    none and is beaten by some)."""
    strength = strength_of_board(board, n_to_come=0)
    return strength.behind == 0, (strength.ahead == 0) & (strength.behind > 0)


@lru_cache(maxsize=1)
def _edges() -> Floats:
    """`edge[mine, combo]`: the values of `edge_against(mine)` for every combo `mine`."""
    return np.stack([edge_against(mine) for mine in range(N_COMBOS)])


@lru_cache(maxsize=1)
def _class_edges() -> Floats:
    """`edge[mine, class]`: the edges of all combos of a class over the combo `mine`, added up."""
    return np.stack([np.bincount(CLASS_OF_COMBO, edge_against(int(mine)), N_CLASSES) for mine in FIRST_OF_CLASS])


def share_of_pot(hands: PokiHands, rivals: Sequence[tuple[Floats, float]]) -> tuple[Floats, float]:
    """Return (share of the pot won by going all-in before the flop, expected number of rivals). Each rival is (weights,
    probability of staying in).

    Against several rivals the share is an approximation: the odds against each rival are added up. Aces against nine
    random hands get 0.39 (the true share is 0.31), and 7-2 gets 0.06.
    """
    against = [(coming, np.clip(hands.equity(weights), 0.02, 0.98)) for weights, coming in rivals]
    odds = sum((coming * (1 - equity) / equity for coming, equity in against), np.zeros(len(hands.numbers)))
    return 1 / (1 + odds), sum(coming for coming, _ in against)


def sensible(p: Floats, board: tuple[int, ...], numbers: Indices, *, river: bool) -> Floats:
    """Correct `p[hand, (fold, call, ..)]`: unbeatable hands never fold, and hands that beat nothing never call on the
    river.

    >>> from pokerlab.cards.card import cards
    >>> from pokerlab.cards.combos import combo_index
    >>> aces = np.array([combo_index(*cards("AsAh"))])
    >>> sensible(np.array([[0.5, 0.25, 0.25]]), cards("AcAd9h"), aces, river=False).tolist()
    [[0.0, 0.75, 0.25]]
    """
    unbeaten, hopeless = (table[numbers] for table in sure(board))
    fold, call = p[:, 0], p[:, 1]
    folds = np.where(unbeaten, 0.0, np.where(hopeless & river, fold + call, fold))
    return np.asarray(np.concatenate([np.stack([folds, fold + call - folds], axis=1), p[:, 2:]], axis=1))
