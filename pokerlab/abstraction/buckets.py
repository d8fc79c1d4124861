"""Card buckets: the cell of a hand on every street of hold'em.

Three kinds have names. `prN` are nested percentiles: the hands of each cell on the previous street are divided into N
parts of equal weight, by E[HS^2] before the river and by HS on it; a cell determines all earlier cells (perfect
recall). `irN` are the 169 classes before the flop and N clusters of similar hands on each later street; earlier cells
are forgotten (imperfect recall). `txF-T-R` are the 169 classes before the flop. On later streets their cells are the
texture of the board (suits, pairs, straights, high cards) and within it F, T or R parts by strength; on flop and turn
each part is divided further by how much a hand's strength may still change. Earlier cells are forgotten. `pr5`, `ir100`
and `ir570` ship with pokerlab; others are built into the cache directory.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.abstraction.bucket_files import buckets
>>> pr5 = buckets("pr5")
>>> pr5.n_cells, pr5.perfect_recall
((5, 25, 125, 625), True)
>>> [pr5.of_hand(cards("AdQc"), cards("3h4cJhQs2d")[:n]) for n in (0, 3, 4, 5)]
[4, 21, 109, 548]

References
----------
Hawkin (2014), sections 5.1 and 7.2 (5 buckets a street with perfect recall; IR-N). Johanson, Burch, Valenzano and
Bowling (2013), "Evaluating state-space abstractions in extensive-form games", AAMAS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.abstraction._buckets_numba import MOST_SCORE, N_TEXTURES, Lookup, texture
from pokerlab.abstraction.board_rows import RELABELLED, board_rows
from pokerlab.abstraction.cells import CellPairs, earlier_streets
from pokerlab.arrays import AnyFloats, Int32s, Int64s, Uint16s
from pokerlab.cards.card import check_distinct
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, class_text, combo_index, live_combos
from pokerlab.cards.evaluate import tables
from pokerlab.cards.isomorphism import indexer
from pokerlab.cards.strength import strength_of_board, strength_of_hand
from pokerlab.cards.strength_tables import SCALE, flop_strength, strength_of
from pokerlab.errors import CardError
from pokerlab.runs.cost import usable_cores

INDEX_BITS = 27  # a hand's key is value << 27 | index: no index of up to 7 cards reaches 2^27
INDEX_MASK = (1 << INDEX_BITS) - 1
_MOST_REMEMBERED = 10_000  # maximum number of keys of single hands in the cache
_STREET_OF_SIZE = {0: 0, 3: 1, 4: 2, 5: 3}

Keys = Int64s
Segments = Uint16s
# grid[part by E[HS], 0]: its minimum E[HS], in 65535ths; [.., 1:]: variances of HS that divide it, in squares of these
Grid = Int64s
Report = Callable[[str, int, int], None]  #: function called with (description, done, total)


@dataclass(frozen=True, eq=False)
class Buckets:
    """Cells of all two-card hands on boards of 3, 4 and 5 cards, up to suits.

    A *key* orders the hands of a street by (value, canonical index), so that there are no ties. The *parent* of a hand
    is its cell on the previous street with perfect recall, otherwise the board's texture or 0. The hand's place within
    its parent is the number of `keys[street][parent]` that are not above its own key. A *segment* is the interval
    between neighbouring keys of all parents together, so that one table serves every parent. With imperfect recall,
    segments are the cells of one parent.
    """

    name: str
    recipe: Mapping[str, Any]  #: the settings from which the buckets can be rebuilt
    n_cells: tuple[int, ...]  #: the number of cells by street, pre-flop first
    perfect_recall: bool
    preflop: Int32s  #: `preflop[combo]`: the cell before the flop
    keys: tuple[Keys, Keys, Keys]
    """`keys[street - 1][parent, n - 1]`: the keys that divide each parent, ascending. Values are E[HS^2] in 65535ths;
    on the river, scores."""
    segments: tuple[Segments | None, Segments | None] = (None, None)
    """`segments[street - 1][row of board_rows, combo]` of flop and turn; None if they are computed as needed."""
    joint: AnyFloats | None = None
    """`joint[cell, other's cell]`: probability that two players hold these cells on the river; None with imperfect
    recall."""
    showdown: AnyFloats | None = None
    """`showdown[cell, other's cell]`: `joint` times (probability of winning minus that of losing)."""
    grids: tuple[Grid, Grid] | None = None
    """`grids[street - 1]` divides the hands on flop and turn of `tx` buckets, whose parents are textures."""

    def of_board(self, board: Sequence[int]) -> list[Int32s]:
        """`cell[combo]` for each street up to the board's; -1 for combos that conflict with the cards dealt by then.

        The board is in dealing order: three flop cards, the turn, the river.
        """
        last = _checked_street(board)
        cells = [self.preflop.copy()]
        for street in range(1, last + 1):
            dealt = board[: street + 2]
            parent = np.maximum(cells[-1], 0) if self.perfect_recall else np.full(N_COMBOS, self._texture(dealt))
            if street < 3:
                row, relabelling = board_rows(len(dealt)).find(dealt)
                cell = self.cell_of_segment(street)[parent, self._segments_of_row(street, row)[RELABELLED[relabelling]]]
            else:
                places = (self.keys[2][parent] <= keys_of_board(dealt)[:, None]).sum(axis=1)
                cell = (parent * (self.keys[2].shape[1] + 1) + places).astype(np.int32)
            cells.append(np.where(live_combos(sum(1 << int(card) for card in dealt)), cell, np.int32(-1)))
        return cells

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Cell of one hand on the street of the board, as from `of_board` but without computing the other combos."""
        if len(hole) != 2:
            raise CardError(f"a hand has 2 hole cards, not {len(hole)}")
        check_distinct(hole=hole, board=board)
        last, combo = _checked_street(board), combo_index(int(hole[0]), int(hole[1]))
        if last == 0:
            return int(self.preflop[combo])
        own = (int(hole[0]), int(hole[1]))
        if last < 3 and self.grids is not None:
            place = int(_parts(self.grids[last - 1], *mean_and_square_of_hand(own, tuple(map(int, board)))))
            return self._texture(board) * (self.n_cells[last] // self._n_textures(last)) + place
        if last < 3 and not self.perfect_recall:
            row, relabelling = board_rows(len(board)).find(board)
            return int(self._segments_of_row(last, row)[RELABELLED[relabelling, combo]])
        cell = int(self.preflop[combo]) if self.perfect_recall else self._texture(board)
        for street in range(1, last + 1) if self.perfect_recall else (last,):
            keys = self.keys[street - 1]
            key = key_of_hand(own, tuple(int(card) for card in board[: street + 2]))
            cell = cell * (keys.shape[1] + 1) + int(keys[cell].searchsorted(key, side="right"))
        return cell

    def label(self, street: int, cell: int) -> str:
        """Readable name of a cell: the class before the flop; later its number or, with perfect recall, its place on
        each street (0 is the weakest).

        >>> from pokerlab.abstraction.bucket_files import buckets
        >>> buckets("pr5").label(3, 516)
        '4.0.3.1'
        """
        if not self.perfect_recall:
            return class_text(cell) if street == 0 else str(cell)
        places = []
        for s in range(street, 0, -1):
            cell, place = divmod(cell, self.n_cells[s] // self.n_cells[s - 1])
            places.append(place)
        return ".".join(str(place) for place in (cell, *reversed(places)))

    @cached_property
    def pairs(self) -> CellPairs | None:
        """Pairs of two players' cells; None with imperfect recall. Those of earlier streets are sums over those of the
        river."""
        if self.joint is None or self.showdown is None:
            return None
        joint, showdown = (np.asarray(matrix, np.float64)[None] for matrix in (self.joint, self.showdown))
        total = joint.sum()  # 1, except for rounding to 32 bits
        per_parent = [self.n_cells[0], *(n // before for before, n in pairwise(self.n_cells))]
        parent = tuple(
            (np.arange(n) // more).astype(np.int32) for n, more in zip(self.n_cells, per_parent, strict=True)
        )
        one_board = [1] * len(parent)
        return CellPairs(
            parent,
            earlier_streets(parent, joint / total, one_board),
            earlier_streets(parent, showdown / total, one_board),
        )

    def _n_textures(self, street: int) -> int:
        return 1 if self.grids is None else N_TEXTURES[street + 2]

    def _texture(self, board: Sequence[int]) -> int:
        """The parent of a board's cells with imperfect recall."""
        return 0 if self.grids is None else int(texture.py_func(np.array(board, np.uint8), len(board)))

    def cell_of_segment(self, street: int) -> Int32s:
        """`cell[parent, segment]` on the flop (1) or the turn (2)."""
        if not self.perfect_recall:
            return np.arange(self.n_cells[street], dtype=np.int32).reshape(self._n_textures(street), -1)
        keys = self.keys[street - 1]
        places = np.array([np.searchsorted(of_parent, self._edges[street - 1], side="right") for of_parent in keys])
        first = np.arange(len(keys))[:, None] * (keys.shape[1] + 1)
        return np.concatenate([first, first + places], axis=1).astype(np.int32)

    def segments_of_keys(self, street: int, keys: Keys) -> Segments:
        """Return the number of the segment that contains each key; `keys` may have any shape.

        The segments of a street are the intervals between all edges of its buckets.
        """
        return np.searchsorted(self._edges[street - 1], keys, side="right").astype(np.uint16)

    @cached_property
    def _edges(self) -> tuple[Keys, Keys]:
        return np.unique(self.keys[0]), np.unique(self.keys[1])

    def _segments_of_row(self, street: int, row: int) -> Segments:
        """`segment[combo]`, from the table if there is one, otherwise computed (a millisecond on the turn)."""
        table = self.segments[street - 1]
        if table is not None:
            return np.asarray(table[row])
        return self.segments_of_board(street, board_rows(street + 2).boards[row].tolist())

    def segments_of_board(self, street: int, board: Sequence[int]) -> Segments:
        """Compute `segment[combo]` on a flop (1) or a turn (2)."""
        if self.grids is None:
            return self.segments_of_keys(street, keys_of_board(board))
        return _parts(self.grids[street - 1], *means_and_squares_of_board(board)).astype(np.uint16)

    def lookup(self, turn_row: Int32s | None = None) -> Lookup:
        """Arrays that the kernels read; requires both tables of segments.

        `turn_row[board index]` gives the rows of the turn if its table does not hold all of them.
        """
        flops, turns = board_rows(3), board_rows(4)
        keys, scores = self.keys[2], np.arange(MOST_SCORE + 1, dtype=np.int64) << INDEX_BITS
        low = np.array([np.searchsorted(of_parent, scores, side="right") for of_parent in keys])
        high = np.array([np.searchsorted(of_parent, scores | INDEX_MASK, side="right") for of_parent in keys])
        first = np.arange(len(keys))[:, None] * (keys.shape[1] + 1)
        index = np.concatenate([np.zeros((len(keys), 1), np.int64), keys & INDEX_MASK], axis=1)
        return Lookup(
            preflop=self.preflop,
            flop_row=flops.row_of_place, flop_relabelling=flops.relabelling_of_place,
            turn_row=turns.row_of_place if turn_row is None else turn_row, turn_relabelling=turns.relabelling_of_place,
            relabelled=RELABELLED,
            flop=np.asarray(self.segments[0]), flop_cell=self.cell_of_segment(1),
            turn=np.asarray(self.segments[1]), turn_cell=self.cell_of_segment(2),
            river_low=(first + low).astype(np.int32), river_high=(first + high).astype(np.int32),
            river_index=index.reshape(-1), recall=np.int64(self.perfect_recall),
            textured=np.int64(self.grids is not None),
            river_hands=indexer(2, 5).kernel_arrays, evaluator=tables(),
        )  # fmt: skip


def _parts(grid: Grid, mean: Int64s, squared: Int64s) -> Int64s:
    """The part of each hand, given its E[HS] and E[HS^2] in 65535ths: first by strength, then by how much it may still
    change."""
    row = np.maximum(np.searchsorted(grid[:, 0], mean, side="right") - 1, 0)
    varies = squared * SCALE - mean * mean
    return np.asarray(row * grid.shape[1] + (grid[row, 1:] <= varies[..., None]).sum(axis=-1))


def means_and_squares_of_board(board: Sequence[int]) -> tuple[Int64s, Int64s]:
    """Return (E[HS], E[HS^2]) of every combo on a flop or turn, in 65535ths; 0 for blocked combos. Hands that are equal
    up to suits have equal numbers."""
    live = np.flatnonzero(live_combos(sum(1 << int(card) for card in board)))
    hands = np.empty((len(live), 2 + len(board)), dtype=np.int64)
    hands[:, :2], hands[:, 2:] = CARDS_OF_COMBO[live], board
    _, first, inverse = np.unique(indexer(2, len(board)).index_many(hands), return_index=True, return_inverse=True)
    strength = strength_of(board)
    values = np.zeros((2, N_COMBOS), np.int64)
    for value, column in zip(values, (strength.mean_hs, strength.mean_hs_squared), strict=True):
        value[live] = np.rint(column[live] * SCALE).astype(np.int64)[first][inverse]
    return values[0], values[1]


@lru_cache(maxsize=_MOST_REMEMBERED)
def mean_and_square_of_hand(hole: tuple[int, int], board: tuple[int, ...]) -> tuple[Int64s, Int64s]:
    """The result of `means_and_squares_of_board` for one hand."""
    strength: Any = flop_strength(hole, board) if len(board) == 3 else strength_of_hand(hole, board)
    return np.array(round(float(strength.mean_hs) * SCALE)), np.array(round(float(strength.mean_hs_squared) * SCALE))


def keys_of_board(board: Sequence[int]) -> Keys:
    """`key[combo]` = value << 27 | canonical index, -1 if blocked.

    The value is E[HS^2] in 65535ths on the flop and the turn, the score (HS in 1980ths) on the river; the index ignores
    the order of the board.
    """
    live = np.flatnonzero(live_combos(sum(1 << int(card) for card in board)))
    hands = np.empty((len(live), 2 + len(board)), dtype=np.int64)
    hands[:, :2], hands[:, 2:] = CARDS_OF_COMBO[live], board
    index = indexer(2, len(board)).index_many(hands)
    if len(board) == 5:
        value = np.rint(strength_of_board(board).hs[live] * MOST_SCORE).astype(np.int64)
    else:
        value = np.rint(strength_of(board).mean_hs_squared[live] * SCALE).astype(np.int64)
        _, first, inverse = np.unique(index, return_index=True, return_inverse=True)
        # equal hands need equal values, but sums in another order may be rounded differently
        value = value[first][inverse]
    keys = np.full(N_COMBOS, -1, dtype=np.int64)
    keys[live] = value << INDEX_BITS | index
    return keys


@lru_cache(maxsize=_MOST_REMEMBERED)
def key_of_hand(hole: tuple[int, int], board: tuple[int, ...]) -> int:
    """Key of one hand, as from `keys_of_board`, in a fraction of a millisecond. It is cached, because a hand on the
    river also needs its key on the turn.

    >>> from pokerlab.cards.card import cards
    >>> key_of_hand(cards("AdQc"), cards("3h4cJhQs2d")) >> INDEX_BITS  # beaten twice, tied once, of 2 x 990
    1718
    """
    index = int(indexer(2, len(board)).index_many([[*hole, *board]])[0])
    if len(board) == 5:
        value = round(float(strength_of_hand(hole, board).hs) * MOST_SCORE)
    else:
        squared = flop_strength(hole, board) if len(board) == 3 else strength_of_hand(hole, board)
        value = round(float(squared.mean_hs_squared) * SCALE)
    return value << INDEX_BITS | index


def segments_of_rows(made: Buckets, street: int, workers: int | None = None, report: Report | None = None) -> Segments:
    """`segment[row, combo]` of every flop (1) or turn (2), computed from keys."""
    boards = board_rows(street + 2).boards.tolist()
    segments = np.empty((len(boards), N_COMBOS), dtype=np.uint16)

    def fill(row: int) -> None:
        segments[row] = made.segments_of_board(street, boards[row])

    with ThreadPoolExecutor(workers or usable_cores()) as pool:
        for done, _ in enumerate(pool.map(fill, range(len(boards)))):
            if report:
                report(f"strength on the {'flop' if street == 1 else 'turn'}", done + 1, len(boards))
    return segments


def _checked_street(board: Sequence[int]) -> int:
    if len(board) not in _STREET_OF_SIZE:
        raise CardError(f"buckets are for boards of 0, 3, 4 or 5 cards, not {len(board)}")
    check_distinct(board=board)
    return _STREET_OF_SIZE[len(board)]
