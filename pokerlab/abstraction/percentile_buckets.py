"""Card buckets `prN`, nested percentiles: on every street the hands of each cell are divided by strength into N parts
of equal weight.

Hands are ordered by E[HS^2], on the river by HS; ties are ordered by canonical index. The percentiles before the flop
and on the flop are exact. Those on the turn and the river are computed over all hands on every board, or on a random
sample of boards. Tied hands are divided at one of 4,096 steps of the index.

References
----------
Hawkin (2014), section 5.1, which uses five buckets a round by "the hand strength metric" and perfect recall; E[HS^2] in
equal parts is our interpretation. Zinkevich, Johanson, Bowling and Piccione (2007), "Regret minimization
in games with incomplete information", NIPS, for nested percentiles of squared hand strength.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from pokerlab.abstraction import _buckets_numba as kernels
from pokerlab.abstraction.board_rows import board_rows
from pokerlab.abstraction.buckets import INDEX_BITS, INDEX_MASK, Buckets, Keys, Report, keys_of_board
from pokerlab.arrays import AnyArray, Bools, Floats, Int32s, Int64s, Uint8s
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, N_COMBOS
from pokerlab.cards.isomorphism import indexer
from pokerlab.cards.strength_tables import SCALE, preflop_strength
from pokerlab.rng import Shuffler
from pokerlab.runs.cost import usable_cores

RECIPE_VERSION = 1
INDEX_STEPS = 4096
_BOARDS_PER_PART = 512
_N_VALUES = {kernels.TURN: SCALE + 1, kernels.RIVER: kernels.MOST_SCORE + 1}
_N_BOARD_CARDS = {kernels.TURN: 4, kernels.RIVER: 5}


class WeightedBoards(NamedTuple):
    """Final boards in dealing order, and their weights."""

    cards: Uint8s
    weights: Int64s


def sampled_boards(n_boards: int, seed: int) -> WeightedBoards:
    """Sample `n_boards` boards, each from a separate deck, from the stream (seed, "bucket boards")."""
    shuffler, deck = Shuffler(seed, "bucket boards"), tuple(range(52))
    cards = np.array([shuffler.deal(i, deck, 5) for i in range(n_boards)], dtype=np.uint8)
    return WeightedBoards(cards.reshape(n_boards, 5), np.ones(n_boards, dtype=np.int64))


def every_board() -> WeightedBoards:
    """The 2,554,656 boards (flop, turn, river) that differ up to suits, each weighted by how many boards it
    represents."""
    numbering = indexer(3, 1, 1)
    every = np.arange(numbering.size)
    return WeightedBoards(numbering.unindex_many(every).astype(np.uint8), numbering.multiplicities(every))


def build_percentiles(
    parts: tuple[int, int, int, int],
    *,
    n_boards: int | None,
    seed: int,
    workers: int | None = None,
    report: Report | None = None,
) -> Buckets:
    """Build `prN` or `prA-B-C-D` with this many parts by street; `n_boards` is the sample size, None for every board.

    Only `prN` has pair matrices. Since all counts are integers, the result is the same for any number of worker
    threads.
    """
    boards = every_board() if n_boards is None else sampled_boards(n_boards, seed)
    work = _Work(boards, workers or usable_cores(), report or (lambda what, done, total: None))
    uniform = len(set(parts)) == 1
    recipe = {
        "kind": "nested percentiles", "parts": parts[0] if uniform else list(parts),
        "boards": "all" if n_boards is None else n_boards, "seed": None if n_boards is None else seed,
        "index_steps": INDEX_STEPS, "version": RECIPE_VERSION,
    }  # fmt: skip
    name = f"pr{parts[0]}" if uniform else "pr" + "-".join(map(str, parts))
    n_cells, preflop, rows = tuple(accumulate(parts, mul)), preflop_cells(parts[0]), flop_keys_of_rows()
    flop_keys, uncut = _flop_keys(parts[1], preflop, rows), np.zeros((1, 0), dtype=np.int64)
    made = Buckets(name, recipe, n_cells, True, preflop, (flop_keys, np.zeros((n_cells[1], 0), np.int64), uncut))
    flop, turns = made.segments_of_keys(1, rows), _TurnRows.of(boards, work)
    made = replace(made, segments=(flop, (turns.keys >> INDEX_BITS).astype(np.uint16)))
    lookup = made.lookup(turns.row_of_place)._replace(
        turn_cell=np.zeros((n_cells[1], 1 << 16), np.int32)
    )  # not divided yet
    turn_keys = _keys(parts[2], n_cells[1], kernels.TURN, lookup, work)
    made = replace(made, keys=(flop_keys, turn_keys, uncut))
    made = replace(made, segments=(flop, made.segments_of_keys(2, turns.keys)))
    river_keys = _keys(parts[3], n_cells[2], kernels.RIVER, made.lookup(turns.row_of_place), work)
    made = replace(made, keys=(flop_keys, turn_keys, river_keys))
    if not uniform:
        return replace(made, segments=(None, None))
    n_pairs, won = _pairs(made.lookup(turns.row_of_place), n_cells[3], work)
    joint, showdown = (n_pairs + n_pairs.T) / (2 * n_pairs.sum()), (won - won.T) / n_pairs.sum()
    return replace(made, segments=(None, None), joint=joint.astype(np.float32), showdown=showdown.astype(np.float32))


def preflop_cells(n: int) -> Int32s:
    """`cell[combo]`: the n percentiles of E[HS^2] over the 1326 combos. All combos of a class are in the same cell.

    >>> [int((preflop_cells(5) == cell).sum()) for cell in range(5)]
    [264, 268, 264, 266, 264]
    """
    _, squared = preflop_strength()
    hands = np.array([[high, low] for high, low in CARDS_OF_COMBO], dtype=np.int64)
    index = indexer(2).index_many(hands)
    order = np.lexsort((index, squared[CLASS_OF_COMBO]))
    of_class = np.bincount(CLASS_OF_COMBO, minlength=N_CLASSES)
    classes = CLASS_OF_COMBO[order][np.sort(np.unique(CLASS_OF_COMBO[order], return_index=True)[1])]
    place_of_class = np.empty(N_CLASSES, dtype=np.int32)
    place_of_class[classes] = _places(of_class[classes], n)
    return place_of_class[CLASS_OF_COMBO]


@lru_cache(maxsize=1)
def flop_keys_of_rows() -> Keys:
    """`key[row of board_rows(3), combo]`, -1 if blocked."""
    return np.stack([keys_of_board(board) for board in board_rows(3).boards.tolist()])


def flop_index_of_rows() -> Int32s:
    """`canonical index[row of board_rows(3), combo]`, -1 if blocked."""
    keys = flop_keys_of_rows()
    return np.where(keys < 0, -1, keys & INDEX_MASK).astype(np.int32)


def _flop_keys(n: int, preflop: Int32s, rows: Keys) -> Keys:
    """`keys[cell before the flop, n - 1]`: the n percentiles of E[HS^2], with every flop weighted by how many it
    represents."""
    times = np.broadcast_to(indexer(3).multiplicities(np.arange(len(rows)))[:, None], rows.shape)
    keys = np.empty((preflop.max() + 1, n - 1), dtype=np.int64)
    for parent in range(len(keys)):
        at = (rows >= 0) & (preflop == parent)[None, :]
        distinct, hand = np.unique(rows[at], return_inverse=True)
        places = _places(np.bincount(hand, times[at]), n)
        keys[parent] = distinct[np.searchsorted(places, np.arange(1, n))]
    return keys


def _places(weights: AnyArray, n: int) -> Int64s:
    """`part[entry]`, 0 .. n - 1: divide the total weight into n equal parts; each entry belongs to the part that
    contains its middle."""
    middle = np.cumsum(weights) - weights / 2
    return np.asarray(np.minimum(middle * n // weights.sum(), n - 1).astype(np.int64))


# --- turn and river: percentiles over boards --------------------------------------------------------------------------


class _Work:
    """The work on boards, divided into parts for threads. Each thread adds to its own array."""

    def __init__(self, boards: WeightedBoards, workers: int, report: Report) -> None:
        self.boards, self.workers, self.report = boards, workers, report
        self._lock, self._done = threading.Lock(), 0

    def add_up(self, what: str, shape: tuple[int, ...], add: Callable[[WeightedBoards, Int64s], None]) -> Any:
        """Sum of the arrays that `add(boards, array)` fills; they are integers, so the order does not matter."""
        n_boards, self._done = len(self.boards.cards), 0

        def work(worker: int) -> Int64s:
            array = np.zeros(shape, dtype=np.int64)
            for start in range(worker * _BOARDS_PER_PART, n_boards, self.workers * _BOARDS_PER_PART):
                part = slice(start, start + _BOARDS_PER_PART)
                add(WeightedBoards(self.boards.cards[part], self.boards.weights[part]), array)
                with self._lock:
                    self._done += min(_BOARDS_PER_PART, n_boards - start)
                    self.report(what, self._done, n_boards)
            return array

        with ThreadPoolExecutor(self.workers) as pool:
            first, *others = pool.map(work, range(self.workers))
        for other in others:
            first += other
        return first


class _TurnRows(NamedTuple):
    """Keys of the hands on the sampled turn boards."""

    keys: Keys  # keys[row, combo]; 0 for blocked combos
    row_of_place: Int32s

    @classmethod
    def of(cls, boards: WeightedBoards, work: _Work) -> _TurnRows:
        turns = board_rows(4)
        sorted_cards = np.sort(boards.cards[:, :4].astype(np.int64), axis=1)
        places = kernels.CHOOSE[sorted_cards, np.arange(1, 5)].sum(axis=1)
        used = np.unique(turns.row_of_place[places])
        keys = np.zeros((len(used), N_COMBOS), dtype=np.int64)

        def fill(row: int) -> None:
            keys[row] = np.maximum(keys_of_board(turns.boards[used[row]].tolist()), 0)

        with ThreadPoolExecutor(work.workers) as pool:
            for done, _ in enumerate(pool.map(fill, range(len(used)))):
                work.report("strength on the turn", done + 1, len(used))
        row_of_canonical = np.zeros(len(turns.boards), dtype=np.int32)
        row_of_canonical[used] = np.arange(len(used))
        return cls(keys, row_of_canonical[turns.row_of_place])


def _keys(n: int, parents: int, street: int, lookup: kernels.Lookup, work: _Work) -> Keys:
    """Find `keys[parent, n - 1]` that divide each parent's hands into n parts of equal weight."""
    name = "turn" if street == kernels.TURN else "river"

    def count(boards: WeightedBoards, array: Int64s) -> None:
        kernels.count_values(boards.cards, boards.weights, street, lookup, array)

    weight = work.add_up(f"percentiles of the {name}", (parents, _N_VALUES[street]), count)
    below = np.cumsum(weight, axis=1)
    target = below[:, -1:] * np.arange(1, n) / n  # target[parent, cut]: weight that should lie below the cut
    value = np.array([np.searchsorted(below[p], target[p], side="right") for p in range(parents)])
    value = np.minimum(value, _N_VALUES[street] - 1)
    # group[parent, value]: number of the tied hands that a cut divides
    group = np.full((parents, _N_VALUES[street]), -1, dtype=np.int64)
    group[np.arange(parents)[:, None], value] = 0
    group[group == 0] = np.arange(int((group == 0).sum()))
    tied = work.add_up(
        f"ties of the {name}",
        (int(group.max()) + 1, INDEX_STEPS),
        lambda boards, array: _count_tied(boards, street, lookup, group, array),
    )
    at = np.arange(parents)[:, None]
    before = target - (below[at, value] - weight[at, value])  # weight of the tied hands that should lie below
    return _cut(value, tied[group[at, value]], before, _N_BOARD_CARDS[street])


def _cut(value: Int64s, tied: Int64s, before: Floats, n_board_cards: int) -> Keys:
    """Return `keys[parent, cut]`, the keys at which tied hands are divided.

    A cut is at the step of the canonical index at which the weight of the tied hands below it is nearest to
    `before[parent, cut]`. `tied[parent, cut, step]` is the weight of the tied hands in each step.
    """
    below = np.concatenate([np.zeros((*tied.shape[:2], 1), np.int64), np.cumsum(tied, axis=2)], axis=2)
    step = np.abs(below - before[..., None]).argmin(axis=2)
    starts = -(-np.arange(INDEX_STEPS) * indexer(2, n_board_cards).size // INDEX_STEPS)  # the first index of each step
    index = np.append(starts, (1 << INDEX_BITS) - 1)
    return np.asarray(value << INDEX_BITS | index[step])


def _count_tied(boards: WeightedBoards, street: int, lookup: kernels.Lookup, group: Int64s, count: Int64s) -> None:
    """Add the hands of each group to count[group, step of their index]."""
    size = indexer(2, _N_BOARD_CARDS[street]).size
    for board, combo, parent, value in _tied_hands(boards, street, lookup, group >= 0):
        hands = np.concatenate([CARDS_OF_COMBO[combo], boards.cards[board, : _N_BOARD_CARDS[street]]], axis=1)
        step = indexer(2, _N_BOARD_CARDS[street]).index_many(hands.astype(np.int64)) * INDEX_STEPS // size
        np.add.at(count, (group[parent, value], step), boards.weights[board])


def _tied_hands(boards: WeightedBoards, street: int, lookup: kernels.Lookup, wanted: Bools) -> Iterator[Int32s]:
    """Yield arrays of (board, combo, parent, value) for the hands with `wanted[parent, value]`, as many hands at a time
    as fit in the buffer."""
    buffer, start = np.empty((64 * N_COMBOS, 4), dtype=np.int32), 0
    while start < len(boards.cards):
        n_boards, n_hands = kernels.list_hands(boards.cards[start:], street, lookup, wanted, buffer)
        hands = buffer[:n_hands].T.copy()
        hands[0] += start
        yield hands
        start += n_boards


def _pairs(lookup: kernels.Lookup, n_cells: int, work: _Work) -> tuple[Any, Any]:
    """Return (`n_pairs[cell, cell]`: number of ordered pairs of hands without a common card; `won[cell, cell]`: of
    those that the first hand wins)."""

    def count(boards: WeightedBoards, array: Int64s) -> None:
        kernels.count_pairs(boards.cards, boards.weights, lookup, array[0], array[1])

    n_pairs, won = work.add_up("pairs of hands", (2, n_cells, n_cells), count)
    return n_pairs, won
