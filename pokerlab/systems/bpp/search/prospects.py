"""Strength of a hand on later streets: states of its strength, and their transition probabilities.

Strength is the share of other hands that the hand beats on the current board, ties counting half. On the street being
played it is one number. On each later street it falls into cells, and the transitions of a cell are those of its
run-outs. All cards of the next street are dealt and a few of the one after it; before the flop `PREFLOP_BOARDS` sampled
boards represent all of them.

>>> from pokerlab.cards.card import cards
>>> there = prospects(cards("9h8h"), cards("7h6h2c Ad"))
>>> int(there.n_states[3]), round(there.mean_final(), 2)  # a draw to a straight flush, before the river
(6, 0.47)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, COMBOS_OF_CLASS, combo_index
from pokerlab.cards.evaluate import tables
from pokerlab.rng import stream

N_STREETS = 4
BOARD_CARDS = (0, 3, 4, 5)
CELLS = (1, 10, 10, 20)  #: maximum number of states of strength on each street
PREFLOP_BOARDS = 400
RIVERS = 4  #: rivers dealt after every turn, seen from the flop
STEP = 11  #: cards from one such river to the next, so that all ranks and suits occur in turn


@dataclass(frozen=True, eq=False)
class Prospects:
    """States of a hand's strength by street, from the current street, with a single state, to the last."""

    n_states: Int64s  # [street]; 1 on streets that are over
    passes: Floats  # [street, state, next state]: shares
    finals: Floats  # [state]: strength on the last street

    def mean_final(self) -> float:
        """The expected strength on the last street."""
        reached = np.ones(1)
        for street in range(N_STREETS - 1):
            n, after = self.n_states[street], self.n_states[street + 1]
            if self.passes[street].any():
                reached = reached @ self.passes[street, :n, :after]
        return float(reached @ self.finals[: len(reached)])


def prospects(hole: tuple[int, ...], board: tuple[int, ...]) -> Prospects:
    """The prospects of a hand; cached, since every decision of a street needs them."""
    if not board:
        return _before_flop(int(CLASS_OF_COMBO[combo_index(*hole)]))
    return _after_flop(tuple(sorted(hole)), board)


@lru_cache(maxsize=169)
def _before_flop(hand_class: int) -> Prospects:
    hole = CARDS_OF_COMBO[COMBOS_OF_CLASS[hand_class][0]]
    live = np.setdiff1d(np.arange(52), hole)
    rng = stream(hand_class, "boards for search")
    boards = np.array([rng.choice(live, 5, replace=False) for _ in range(PREFLOP_BOARDS)])
    return _from_boards(tuple(hole.tolist()), boards, street=0)


@lru_cache(maxsize=64)
def _after_flop(hole: tuple[int, ...], board: tuple[int, ...]) -> Prospects:
    live = np.setdiff1d(np.arange(52), [*hole, *board])
    street = BOARD_CARDS.index(len(board))
    if street == 1:
        places = (np.arange(len(live))[:, None] + 1 + STEP * np.arange(RIVERS)) % len(live)
        run_outs = np.stack([np.repeat(live, RIVERS), live[places.ravel()]], axis=1)
    else:
        run_outs = live[:, None] if street == 2 else np.empty((1, 0), live.dtype)
    return _from_boards(hole, np.hstack([np.tile(board, (len(run_outs), 1)), run_outs]), street=street)


def _from_boards(hole: tuple[int, ...], boards: Int64s, *, street: int) -> Prospects:
    """Cells of strength along every final board, and their transition probabilities."""
    n_states = np.ones(N_STREETS, np.int64)
    passes = np.zeros((N_STREETS - 1, max(CELLS), max(CELLS)))
    state = np.zeros(len(boards), np.int64)
    finals = np.zeros(max(CELLS))
    for later in range(max(street, 1), N_STREETS):
        strengths = _strengths(hole, boards[:, : BOARD_CARDS[later]])
        if later == street:
            finals[0] = strengths[0]
            continue
        cells = np.minimum(strengths * CELLS[later], CELLS[later] - 1).astype(np.int64)
        used, after = np.unique(cells, return_inverse=True)
        np.add.at(passes[later - 1], (state, after), 1.0)
        passes[later - 1] /= np.maximum(passes[later - 1].sum(axis=1, keepdims=True), 1.0)
        n_states[later], state = len(used), after
        finals[: len(used)] = np.bincount(after, strengths) / np.bincount(after)
    return Prospects(n_states, passes, finals)


def _strengths(hole: tuple[int, ...], boards: Int64s) -> Floats:
    """The strength of `hole` on every board; repeated boards are evaluated once."""
    from pokerlab.systems.bpp.search import _search_numba as kernels

    different, which = np.unique(boards, axis=0, return_inverse=True)
    strengths = np.empty(len(different))
    kernels.strengths_on(np.array(hole), different, tables(), strengths)
    return strengths[which.ravel()]
