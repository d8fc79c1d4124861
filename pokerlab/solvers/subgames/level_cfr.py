"""Solve a subgame in JAX: CFR level by level over all boards of a street, on a CPU or a GPU.

The algorithm is that of `cfr`, in float32; values and best responses are measured in float64. Tables have the hands of
the acting player on every board. The engine is meant for a GPU: on a CPU `compact` and `cfr` are faster, because they
sweep over sorted hands where this engine multiplies by matrices of all pairs of hands.

>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> river = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> solution = solve(LevelCfr(river), iterations=1000, target=0.1)
>>> round(solution.value), solution.exploitability <= 0.1
(40, True)

References
----------
Johanson et al. (2011), "Accelerating best response calculation in large extensive games" (all hands at once). Brown and
Sandholm (2019), "Solving imperfect-information games via discounted regret minimization".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import AnyArray, Floats32, Int32s
from pokerlab.errors import RulesError
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.locks import Locks
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.subgames.compact import MOST_KEPT
from pokerlab.solvers.subgames.level_passes import LevelPasses, kernels, ways_of
from pokerlab.solvers.subgames.levels import StreetLevels, level_locks, street_levels
from pokerlab.solvers.subgames.subgame import refuse_river_locks

TABLES = ("regret", "sums")


class LevelCfr:
    """The engine; see `core.solve`.

    For each level of each street it has the arrays "regret/STREET/LEVEL" and "sums/STREET/LEVEL". Their axes are row,
    board and hand; on the last street, the previous board comes first.
    """

    def __init__(self, subgame: Problem, variant: Variant | None = None) -> None:
        rules = subgame.tree.rules
        if not isinstance(subgame.cells, SubgameCells) or not rules.board:
            raise RulesError(f"{rules.name} is not a subgame: it has no board and no ranges")
        self.subgame, self.variant = subgame, variant or VARIANTS["dcfr"]
        self.cells: SubgameCells = subgame.cells
        self.streets: tuple[StreetLevels, ...] = street_levels(subgame.tree)
        self.passes = LevelPasses(self.streets, self.variant)
        cards = level_cards(self.cells)
        if subgame.locks is not None:
            if not self._whole:
                refuse_river_locks(subgame)
            cards = cards._replace(locks=self._locks(subgame.locks))
        self.cards = self.passes.on_device(cards)
        self.ways = ways_of(raked=bool(rules.rake), unlocked=subgame.locks is not None)

    first_look = 16
    few_looks = True

    @property
    def about(self) -> Mapping[str, Any]:
        return {**self.subgame.about, "solver": "subgame", "engine": "jax", "variant": self.variant.name}

    def init(self) -> Arrays:
        """Tables of zeros."""
        return self._arrays(0, self.passes.zeros(self.cards))

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Run `n` iterations: player 0 learns against player 1, then player 1 against the new player 0."""
        done = int(arrays["iteration"])
        tables = kernels.LevelTables(*(self._tables(arrays, name) for name in TABLES))
        return self._arrays(done + n, self.passes.step(self.cards, tables, done, n))

    def evaluate(self, arrays: Arrays) -> Evaluation:
        values = self.passes.look(self.cards, self._tables(arrays, "sums"), self.ways)
        shares = [self.cells.per_hand(hero)[slice(*self.cells.hands_of[hero])] for hero in (0, 1)]
        chips = {(hero, mode): float(value[0] @ shares[hero]) for (hero, mode), value in values.items()}
        value = chips[0, kernels.FIXED]
        rake = -value - chips.get((1, kernels.FIXED), -value)
        unlocked = tuple(chips[way] for way in chips if way[1] == kernels.UNLOCKED)
        return Evaluation(value, (chips[0, kernels.BEST], chips[1, kernels.BEST]), rake, unlocked)

    def strategy(self, arrays: Arrays) -> Strategy:
        """The average strategy in float32; without its last street if that is large."""
        cells, tree, p = self.cells, self.subgame.tree, []
        whole = self._whole
        for number, street in enumerate(self.streets[: None if whole else -1]):
            out = np.empty((street.n_rows, cells.n_boards[number], cells.n_hands), np.float32)
            for k, level in enumerate(street.levels):
                table = self._by_board(number, np.asarray(arrays[f"sums/{number}/{k}"]))
                first, last = cells.hands_of[level.actor]
                for rows, part in zip(_cut(level.rows, level.groups), _cut(table, level.groups), strict=True):
                    total = part.sum(axis=1, keepdims=True)
                    even = np.float32(1 / part.shape[1])
                    out[rows] = even  # for hands that the player cannot hold
                    out[rows, :, first:last] = np.where(total > 0, part / np.where(total > 0, total, 1), even)
            p.append(out.reshape(len(out), -1))
        if self.subgame.locks is not None:
            self.subgame.locks.impose(tree, p)
        return Strategy(tree, cells, tuple(p), () if whole else self._values(arrays))

    # --- the parts ---

    @property
    def _whole(self) -> bool:
        """Whether strategies are kept with their last street."""
        last = self.subgame.tree.edges_on[-1]
        return len(self.streets) == 1 or len(last) * self.cells.n_cells[-1] <= MOST_KEPT

    def _locks(self, locks: Locks) -> tuple[tuple[Floats32 | None, ...], ...]:
        """`[street][level]`: locks in the layout of tables; None for levels without locks."""
        cells, out = self.cells, []
        for number, street in enumerate(self.streets):
            shape = (cells.n_boards[number], cells.n_hands)
            of_street: list[Floats32 | None] = []
            for level in street.levels:
                own = slice(*cells.hands_of[level.actor])
                table = level_locks(self.subgame.tree, number, level.rows, locks, shape)
                table = None if table is None else table[:, :, own]
                if table is not None and number == len(self.streets) - 1:
                    first = _first_children(cells, number) if number else np.array([0, shape[0]])
                    table = _filled(table.swapaxes(0, 1), first).swapaxes(1, 2)
                of_street.append(table)
            out.append(tuple(of_street))
        return tuple(out)

    def _values(self, arrays: Arrays) -> tuple[tuple[Floats32, Floats32], ...]:
        """`[street][player][place, cell]` values on all streets except the last, if both play the average strategy."""
        of_hero, cells = [], self.cells
        for hero in (0, 1):
            by_street = self.passes.rows(self.cards, self._tables(arrays, "sums"), hero)
            first, last = cells.hands_of[hero]
            values = []
            for number, (street, (rows, entries)) in enumerate(zip(self.streets, by_street, strict=False)):
                n_places = street.n_rows + street.n_entries
                out = np.zeros((n_places, cells.n_boards[number], cells.n_hands), np.float32)
                for level, table in zip(street.levels, rows, strict=True):
                    out[level.rows, :, first:last] = np.asarray(table)
                out[street.n_rows :, :, first:last] = np.asarray(entries)
                values.append(out.reshape(n_places, -1))
            of_hero.append(values)
        return tuple((one, other) for one, other in zip(*of_hero, strict=True))

    def _tables(self, arrays: Arrays, name: str) -> tuple[tuple[Any, ...], ...]:
        return tuple(
            tuple(arrays[f"{name}/{s}/{k}"] for k in range(len(street.levels))) for s, street in enumerate(self.streets)
        )

    def _arrays(self, iteration: int, tables: kernels.LevelTables) -> Arrays:
        arrays: Arrays = {"iteration": np.array(iteration)}
        for name, of in zip(TABLES, tables, strict=True):
            arrays |= {f"{name}/{s}/{k}": table for s, levels in enumerate(of) for k, table in enumerate(levels)}
        return arrays

    def _by_board(self, street: int, table: AnyArray) -> AnyArray:
        """Convert a table grouped by previous board to [row, board, hand], without padding."""
        if street < len(self.streets) - 1:
            return table
        if street == 0:
            return np.asarray(table[0])
        first = _first_children(self.cells, street)
        n = np.diff(first)
        return np.concatenate([table[b][:, : n[b]] for b in range(len(table))], axis=1)


def _cut(array: AnyArray, groups: Sequence[tuple[int, int]]) -> list[AnyArray]:
    return list(kernels.split(array, groups))


def _first_children(cells: SubgameCells, street: int) -> Int32s:
    """For each board of the previous street, where the boards that follow it begin: `first[board]` .. `first[board +
    1]`."""
    comes = cells.next_cards[street - 1]
    n = [len(np.unique(comes.board[a:b])) for a, b in pairwise(comes.first)]
    return np.concatenate([[0], np.cumsum(n)]).astype(np.int32)


def level_cards(cells: SubgameCells) -> kernels.LevelCards:
    """The cards of a subgame, as an argument of the kernels. The boards after each previous board are padded to the
    same number."""
    slices = [slice(*of) for of in cells.hands_of]
    held = np.zeros((cells.n_hands, 52), np.float32)
    held[np.arange(cells.n_hands), cells.high] = 1
    held[np.arange(cells.n_hands), cells.low] = 1
    players = []
    for own, other in (slices, slices[::-1]):
        hands = np.arange(own.start, own.stop)
        double = np.where((hands >= other.start) & (hands < other.stop), hands - other.start, -1)
        same = cells.relabelled[:, own] - own.start
        both = np.stack([cells.high[own], cells.low[own]])
        players.append(kernels.PlayerCards(held[own], both, double.astype(np.int32), same.astype(np.int32)))
    streets = [_street_cards(cells, street, slices) for street in range(1, len(cells.boards))]
    final = _ranks(cells)
    if len(cells.boards) == 1:
        rank = tuple(final[None, :, own] for own in slices)
    else:
        rank = tuple(_filled(final[:, own], _first_children(cells, len(cells.boards) - 1)) for own in slices)
    ranges = tuple((w / w.sum())[None, own] for w, own in zip(cells.weights, slices, strict=True))
    live = tuple(cells.live[0][:, own] for own in slices)
    return kernels.LevelCards((players[0], players[1]), ranges, live, tuple(streets), rank)


def _street_cards(cells: SubgameCells, street: int, slices: Sequence[slice]) -> kernels.StreetCards:
    first, comes = _first_children(cells, street), cells.next_cards[street - 1]
    live = tuple(_filled(cells.live[street][:, own], first) for own in slices)
    deals = np.zeros((len(first) - 1, len(cells.relabelled), int(np.diff(first).max())), np.float32)
    before = np.repeat(np.arange(len(first) - 1), np.diff(comes.first))
    np.add.at(deals, (before, comes.trade, comes.board - first[before]), np.float32(1 / cells.n_deals(street - 1)))
    return kernels.StreetCards(live, deals)


def _ranks(cells: SubgameCells) -> Int32s:
    """`rank[board, hand]` on final boards; 0 for impossible hands."""
    rank = np.zeros((cells.n_boards[-1], cells.n_hands), np.int32)
    for player in cells.orders[-1]:
        for board in range(len(rank)):
            n = player.n[board]
            rank[board, player.order[board, :n]] = player.rank[board, :n]
    return rank


def _filled(by_board: AnyArray, first: Int32s) -> AnyArray:
    """Convert arrays [board, ...] to [previous board, board, ...], padded with zeros."""
    out = np.zeros((len(first) - 1, int(np.diff(first).max()), *by_board.shape[1:]), by_board.dtype)
    for b, (a, z) in enumerate(pairwise(first)):
        out[b, : z - a] = by_board[a:z]
    return out
