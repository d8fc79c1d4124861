"""Prepare the cards for an exact best response: the boards of a flop, packed for the device. Of boards that are equal
up to suits only one is used.

>>> flop_group((51, 47, 43))  # A K Q of spades: the other three suits may trade names
[0, 2, 6, 8, 12, 14]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import comb

import numpy as np

from pokerlab.abstraction._bucket_deals_numba import cells_of_boards
from pokerlab.abstraction._buckets_numba import Lookup
from pokerlab.arrays import AnyInts, Int32s, Int64s
from pokerlab.cards.combos import N_COMBOS, live_combos
from pokerlab.valuing import _exact_response_jax as jax_kernels
from pokerlab.valuing import _exact_response_numba as kernels

SUITS = np.array(list(permutations(range(4))), np.int64)  #: [relabelling, suit], numbered as in `board_rows.RELABELLED`
MOST_TURNS, MOST_RIVERS = 49, 48
MOST_SYMMETRIES = 6  #: maximum number of suit relabellings that leave a flop, or a flop with a turn, unchanged
COLUMN_STEP = 32  #: the number of columns is rounded up to a multiple of this, so that boards share compiled code


@dataclass(frozen=True, eq=False)
class BoardBatch:
    """Some of the boards with the same flop and turn, which are sent to the GPU together."""

    turn: int
    packed: AnyInts  #: packed[board, field]; rows after the last board are zero
    n_columns: int


@dataclass(frozen=True, eq=False)
class FlopBoards:
    """A flop with all its boards; of boards that are equal up to suits only one is present."""

    batches: list[BoardBatch]
    cards: jax_kernels.Cards
    n_boards: int


def flop_group(flop: Sequence[int]) -> list[int]:
    """Relabellings of suits that leave a flop unchanged."""
    moved = [{card & ~3 | int(suits[card & 3]) for card in flop} for suits in SUITS]
    return [g for g, cards in enumerate(moved) if cards == set(flop)]


def boards_of_flop(
    flop: Sequence[int],
    lookup: Lookup,
    n_cells: Sequence[int],
    batch: int,
    *,
    order: Int64s | None = None,
    most_turns: int = MOST_TURNS,
) -> FlopBoards:
    """Prepare the boards of one flop, in batches of `batch` for the device.

    If `order` is given (a random order of `MOST_TURNS` numbers), only the first `most_turns` turns in that order are
    used. Their weights are increased so that they represent all turns.
    """
    group, most = np.array(flop_group(flop), np.int64), MOST_TURNS * MOST_RIVERS
    board, turn_of_board = np.empty((most, 5), np.uint8), np.empty(most, np.int64)
    symmetries, turns = np.empty(most, np.int64), np.empty(MOST_TURNS, np.int64)
    turn_group, n_group = np.zeros((MOST_TURNS, 24), np.int64), np.zeros(MOST_TURNS, np.int64)
    n_turns, n_boards = kernels.boards_of_flop(
        np.array(flop, np.int64), group, SUITS, board, turn_of_board, symmetries, turns, turn_group, n_group
    )
    chosen = np.arange(n_turns) if order is None else np.sort(order[order < n_turns][:most_turns])
    taken = np.flatnonzero(np.isin(turn_of_board[:n_boards], chosen))
    board, symmetries, n_boards = board[taken], symmetries[taken], len(taken)
    turn_of_board = np.searchsorted(chosen, turn_of_board[taken])
    share = 1 / n_group[:n_turns]
    part = share[chosen].sum() / share.sum()
    turns, turn_group, n_group, n_turns = turns[chosen], turn_group[chosen], n_group[chosen], len(chosen)
    cells, ranks = np.empty((n_boards, 4, N_COMBOS), np.int32), np.empty((n_boards, N_COMBOS), np.int32)
    cells_of_boards(board, lookup, cells, ranks)
    packed, n_columns = pack(cells, ranks, symmetries, n_cells)
    batches, turn_cells = [], np.zeros((most_turns, N_COMBOS, 3), np.int32)
    flop_cells = np.zeros((N_COMBOS, 2), np.int32)
    for turn in range(n_turns):
        on_turn = np.flatnonzero(turn_of_board == turn)
        turn_cells[turn] = cells[on_turn, :3].max(axis=0).T  # -1 only for combos that contain the river card
        flop_cells = np.maximum(flop_cells, turn_cells[turn, :, :2])
        for first in range(0, len(on_turn), batch):
            some = on_turn[first : first + batch]
            batches.append(_batch(turn, packed[some], int(n_columns[some].max()), batch))
    cards = _cards(flop, turns, group, turn_group, n_group, most_turns)
    cards = cards._replace(
        flop_cells=flop_cells, turn_cells=np.maximum(turn_cells, 0), turn_share=cards.turn_share / part
    )
    return FlopBoards(batches, cards, n_boards)


def pack(cells: Int32s, ranks: Int32s, symmetries: Int64s, n_cells: Sequence[int]) -> tuple[AnyInts, Int64s]:
    """Return (`packed[board, field]`, `n_columns[board]`) for final boards with cells[board, street, combo]."""
    dtype = np.int16 if max(n_cells) < 2**15 else np.int32
    packed = np.zeros((len(cells), kernels.COLUMNS + 4 * kernels.WIDTH), dtype)
    n_columns = np.zeros(len(cells), np.int64)
    kernels.pack_boards(cells, ranks, symmetries, n_cells[3], packed, n_columns)
    return packed, n_columns


def _batch(turn: int, packed: AnyInts, n_columns: int, batch: int) -> BoardBatch:
    n_columns = -(-n_columns // COLUMN_STEP) * COLUMN_STEP
    filled = np.zeros((batch, kernels.COLUMNS + 4 * n_columns), packed.dtype)
    filled[: len(packed)] = packed[:, : filled.shape[1]]
    return BoardBatch(turn, filled, n_columns)


def _cards(
    flop: Sequence[int],
    turns: Int64s,
    group: Int64s,
    turn_group: Int64s,
    n_group: Int64s,
    most_turns: int,
) -> jax_kernels.Cards:
    """Make a `Cards` record, padded to `most_turns` turns. The buckets are left out; they are filled in later."""
    n_filled = most_turns - len(turns)
    turn_group, n_group = np.pad(turn_group, ((0, n_filled), (0, 0))), np.pad(n_group, (0, n_filled))
    mask, used = sum(1 << int(card) for card in flop), np.arange(MOST_SYMMETRIES)
    flop_group = np.zeros(MOST_SYMMETRIES, np.int32)
    flop_group[: len(group)] = group
    turn_live = np.zeros((most_turns, N_COMBOS), bool)
    for t, turn in enumerate(turns):
        turn_live[t] = live_combos(mask | 1 << int(turn))
    return jax_kernels.Cards(
        flop_cells=None,
        flop_live=live_combos(mask),
        flop_group=flop_group,
        flop_weight=(used < len(group)) / comb(45, 1),
        turn_cells=None,
        turn_live=turn_live,
        turn_group=turn_group[:, :MOST_SYMMETRIES].astype(np.int32),
        turn_weight=(used < n_group[:, None]) / comb(44, 1),
        turn_share=np.divide(1.0, n_group, out=np.zeros(most_turns), where=n_group > 0),
    )
