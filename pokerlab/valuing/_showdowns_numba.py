"""Compiled hold'em showdowns of one hand against all others, over the boards to come.

Shapes: `run_outs[n, cards to come]` and `board[cards dealt]` are card numbers (uint8); `total[1326]` is by combo.
"""
# mypy: ignore-errors

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab.arrays import Int32s, Uint8s
from pokerlab.cards._evaluate_numba import rank_combos

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables


@njit(cache=True, nogil=True)
def wins_less_losses(board: Uint8s, run_outs: Uint8s, combo: int, tables: Tables, total: Int32s) -> None:
    """Add to `total[other]` the number of run-outs in which `combo` loses to `other` minus those in which it wins.

    Run-outs that contain a card of `other` do not count for it; `run_outs` must contain no card of `combo`.
    """
    ranks = np.empty(1326, np.int32)
    full = np.empty(len(board) + run_outs.shape[1], np.uint8)
    full[: len(board)] = board
    for i in range(len(run_outs)):
        full[len(board) :] = run_outs[i]
        rank_combos(full, tables, ranks)
        mine = ranks[combo]
        for other in range(1326):
            rank = ranks[other]
            if rank >= 0:
                total[other] += np.int32(rank > mine) - np.int32(rank < mine)
