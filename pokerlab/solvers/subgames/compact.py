"""Solve a subgame in little memory: CFR over all hands and all boards, with tables of 16 bits.

This is the algorithm of `cfr` for games as large as a flop with several sizes. Tables have only the possible hands of
the acting player, in 16 bits with a scale for each decision and board (or in 32 bits), and boards are divided among
threads. The result does not depend on the number of threads.

>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> turn = make_subgame("Ks7h2d5c", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> solution = solve(CompactCfr(turn), iterations=1000, target=0.5)
>>> round(solution.value), solution.exploitability <= 0.5
(30, True)

References
----------
Brown and Sandholm (2019), "Solving imperfect-information games via discounted regret minimization". Tables of 16 bits
with a scale for each decision come from the program postflop-solver (Inoue 2022).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Floats32, Int64s
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.subgames import _compact_numba as kernels
from pokerlab.solvers.subgames._subgame_numba import (
    BEST,
    DOWN,
    FIXED,
    LEARN,
    UNLOCKED,
    UP,
    Entries,
    Update,
)
from pokerlab.solvers.subgames._sweeps_numba import LANES
from pokerlab.solvers.subgames.cfr import NO_UPDATE, update_at
from pokerlab.solvers.subgames.groups import make_streets
from pokerlab.solvers.subgames.subgame import check_fits, refuse_river_locks

Note: TypeAlias = Callable[[int, int, Floats32], None]  #: function called with (street, board, value[place, i])

NOWHERE = kernels.Above(np.zeros((1, 1), np.float32), np.zeros(0, np.int32), np.float32(0))

MOST_KEPT = 100_000_000
"""Strategies with more probabilities than this on the last street are stored without that street."""


def compact_memory(subgame: Problem, bits: int = 16) -> int:
    """Memory of the engine's tables in bytes, computed before they are made; includes hands that the board blocks."""
    assert isinstance(subgame.cells, SubgameCells)
    return int((subgame.tree.edge_counts * compact_edge_bytes(subgame.cells, bits)).sum())


def compact_edge_bytes(cells: SubgameCells, bits: int = 16) -> Int64s:
    """`bytes[street, player]`: memory of one edge in both tables."""
    n_hands = [last - first for first, last in cells.hands_of]
    return 2 * bits // 8 * np.outer(np.array(cells.n_boards, np.int64), n_hands)


class _Visit(NamedTuple):
    """One pass: its hero, its mode (FIXED, BEST, LEARN or UNLOCKED), and the arrays it reads and modifies."""

    hero: int
    mode: int
    tables: Sequence[kernels.PackedTables]
    update: Update


class CompactCfr:
    """The compact engine; see `core.solve`. Numbers have 16 or 32 `bits`; `memory` is the maximum in bytes (default:
    free memory). A strategy with more than `most_kept` probabilities on the last street is stored without that street.
    """

    def __init__(
        self,
        subgame: Problem,
        variant: Variant | None = None,
        *,
        bits: int = 16,
        threads: int | None = None,
        memory: int | None = None,
        most_kept: int = MOST_KEPT,
    ) -> None:
        if not isinstance(subgame.cells, SubgameCells):
            raise RulesError(f"{subgame.tree.rules.name} is not a subgame: it has no board and no ranges")
        self.subgame, self.variant, self.bits = subgame, variant or VARIANTS["dcfr"], bits
        if not self.variant.alternating or self.variant.predictive:
            raise PokerlabError(
                f"{self.variant.name}: large subgames are solved by cfr, cfr+, lcfr, dcfr, dcfr+ or hs-dcfr+"
            )
        self.threads, self.cells, self.most_kept = threads or usable_cores(), subgame.cells, most_kept
        self.streets = make_streets(subgame)
        check_fits(subgame, compact_memory(subgame, bits), memory)
        self.last = len(self.streets) - 1
        if not self._whole:
            refuse_river_locks(subgame)
        self._works = [[self._work(street, hero) for street in range(len(self.streets))] for hero in (0, 1)]
        self._pool_works = [
            [[self._work(street, hero) for street in range(1, len(self.streets))] for _ in range(self.threads)]
            for hero in (0, 1)
        ]

    first_look = 16
    few_looks = True

    @property
    def about(self) -> Mapping[str, Any]:
        return {**self.subgame.about, "solver": "subgame", "variant": self.variant.name, "bits": self.bits}

    @property
    def _whole(self) -> bool:
        """Whether strategies are stored with their last street."""
        return self.last == 0 or len(self.subgame.tree.edges_on[-1]) * self.cells.n_cells[-1] <= self.most_kept

    @property
    def n_numbers(self) -> list[int]:
        """Length of a table on each street: it has a number for every action, board and possible hand of the
        acting player."""
        return [int(both[0].hands.base[-1]) for both in self.streets]

    def init(self) -> Arrays:
        """The tables before the first iteration: `regret0[number]` and `sums0[number]`, and the same for later streets,
        all zero."""
        kind = np.int16 if self.bits == 16 else np.float32
        arrays: Arrays = {"iteration": np.array(0)}
        for street, (of_hero, _) in enumerate(self.streets):
            n, scales = self.n_numbers[street], (len(of_hero.hands.n), len(of_hero.walk.actor))
            arrays |= {
                f"regret{street}": np.zeros(n, kind),
                f"sums{street}": np.zeros(n, kind),
                f"regret_scale{street}": np.ones(scales, np.float32),
                f"sums_scale{street}": np.ones(scales, np.float32),
            }
        return arrays

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Run `n` iterations: player 0 learns against player 1, then player 1 against the new player 0."""
        tables = self._tables(arrays, "regret")
        for t in range(int(arrays["iteration"]) + 1, int(arrays["iteration"]) + n + 1):
            for hero in (0, 1):
                self._pass(hero, LEARN, tables, update_at(self.variant, t))
            arrays["iteration"] = np.array(t)
        return arrays

    def evaluate(self, arrays: Arrays) -> Evaluation:
        tables = self._tables(arrays, "sums")
        value = self._pass(0, FIXED, tables, NO_UPDATE)
        other = self._pass(1, FIXED, tables, NO_UPDATE) if self.subgame.tree.rules.rake else -value
        best = [self._pass(hero, BEST, tables, NO_UPDATE) for hero in (0, 1)]
        unlocked = () if self.subgame.locks is None else (UNLOCKED,) * 2
        free = tuple(self._pass(hero, mode, tables, NO_UPDATE) for hero, mode in enumerate(unlocked))
        return Evaluation(value, (best[0], best[1]), -value - other, free)

    def _tables(self, arrays: Arrays, weights: str) -> list[kernels.PackedTables]:
        names = (weights, "regret", "regret_scale", "sums", "sums_scale")
        return [kernels.PackedTables(*(arrays[f"{name}{s}"] for name in names)) for s in range(len(self.streets))]

    def _work(self, street: int, hero: int) -> kernels.PassArrays:
        part = self.streets[street][hero]
        n = int(part.hands.n.max())
        most_actions = int(np.diff(part.walk.first_row).max()) if len(part.walk.actor) else 1
        shapes = (part.n_slots, n), (part.n_places, n), (most_actions + 1, n), (int(part.walk.entry[-1]), n)
        lanes = (n, LANES), (n, LANES), (n, LANES), (53, LANES)
        return kernels.PassArrays(*(np.zeros(shape, np.float32) for shape in (*shapes, *lanes)))

    def _pass(
        self, hero: int, mode: int, tables: Sequence[kernels.PackedTables], update: Update, note: Note | None = None
    ) -> float:
        """Make one pass and return the hero's chips per hand; `note` receives the values of every board that is not
        final."""
        first, last = self.cells.hands_of[1 - hero]
        range_ = self.cells.weights[1 - hero]
        start = (range_ / range_.sum())[first:last].astype(np.float32)[None, :]
        work, before = self._works[hero][0], Entries(start, np.zeros(1, np.int32))
        visit = _Visit(hero, mode, tables, update)
        if self.last == 0:
            self._visit(visit, 0, (0, 1), DOWN | UP, before, work)
        else:
            self._visit(visit, 0, (0, 1), DOWN, before, work)
            self._children(visit, work, note)
            self._visit(visit, 0, (0, 1), UP, before, work)
            if note is not None:
                note(0, 0, work.value)
        order = self.cells.orders[0][hero].order[0]
        share = self.cells.weights[hero][order] * range_.sum() / self.cells.pair_weight
        return float(work.out[0, : len(order)].astype(np.float64) @ share)

    def _visit(
        self,
        visit: _Visit,
        street: int,
        boards: tuple[int, int],
        steps: int,
        before: Entries,
        work: kernels.PassArrays,
        above: kernels.Above = NOWHERE,
    ) -> None:
        side, tables = self.streets[street][visit.hero], visit.tables[street]
        kernels.visit(
            side.walk, side.hands, boards, steps, before, visit.mode, tables, visit.update, work, above
        )  # fmt: skip

    def _children(self, visit: _Visit, work: kernels.PassArrays, note: Note | None) -> None:
        """Evaluate the boards of the second street with several threads, and add them to the exits of the first in
        order."""
        first, second = self.streets[0][visit.hero], self.streets[1][visit.hero]
        n_boards, n_deals = int(first.hands.child[1]), self.cells.n_deals(0)
        out = np.empty((n_boards, *self._works[visit.hero][1].out.shape), np.float32)
        before = Entries(work.reach, first.walk.exit_slot)

        def one(board: int, works: Sequence[kernels.PassArrays]) -> None:
            own = works[0]
            if self.last == 1:
                self._visit(visit, 1, (board, board + 1), DOWN | UP, before, own)
            else:
                exits, children = second.walk.exit_place, (second.hands.child[board], second.hands.child[board + 1])
                above = kernels.Above(own.value, exits, np.float32(1 / self.cells.n_deals(1)))
                self._visit(visit, 1, (board, board + 1), DOWN, before, own)
                own.value[exits] = 0
                self._visit(
                    visit, 2, children, DOWN | UP, Entries(own.reach, second.walk.exit_slot), works[1], above
                )  # fmt: skip
                self._visit(visit, 1, (board, board + 1), UP, before, own)
                if note is not None:
                    note(1, board, own.value)
            out[board] = own.out

        def some(boards: range, works: Sequence[kernels.PassArrays]) -> None:
            for board in boards:
                one(board, works)

        parts = [range(k, n_boards, self.threads) for k in range(self.threads)]
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(some, parts, self._pool_works[visit.hero]))
        exits = first.walk.exit_place
        work.value[exits] = 0
        for board in range(n_boards):
            kernels.add_board(
                second.hands, board, visit.hero, np.float32(1 / n_deals), out[board], exits, work.value
            )  # fmt: skip

    def strategy(self, arrays: Arrays) -> Strategy:
        """The average strategy in float32; without its last street if that is large."""
        cells, n_hands, p = self.cells, self.cells.n_hands, []
        whole = self._whole
        for street, ((part, _), orders) in enumerate(zip(self.streets, cells.orders, strict=True)):
            if street == self.last and not whole:
                break
            out = np.empty((int(part.walk.first_row[-1]), cells.n_cells[street]), np.float32)
            for board in range(cells.n_boards[street]):
                for player, order in enumerate(orders):
                    weights = arrays[f"sums{street}"]
                    kernels.unpack(part.walk, part.hands, order.order[board], board, player, weights, n_hands, out)
            p.append(out)
        return Strategy(self.subgame.tree, cells, tuple(p), () if whole else self._values(arrays))

    def _values(self, arrays: Arrays) -> tuple[tuple[Floats32, Floats32], ...]:
        """`[street][player][place, cell]` values on all streets except the last, if both play the average strategy."""
        tables, cells, n_hands = self._tables(arrays, "sums"), self.cells, self.cells.n_hands
        of_hero = []
        for hero in (0, 1):
            values: list[Floats32] = []
            for street in range(self.last):
                values.append(np.zeros((self.streets[street][hero].n_places, cells.n_cells[street]), np.float32))

            def note(street: int, board: int, value: Floats32, hero: int = hero, values: Any = values) -> None:
                order = cells.orders[street][hero]
                # int64, since these indices do not fit in int16
                hands = board * n_hands + order.order[board, : order.n[board]].astype(np.int64)
                values[street][:, hands] = value[:, : order.n[board]]

            self._pass(hero, FIXED, tables, NO_UPDATE, note)
            of_hero.append(values)
        return tuple((one, other) for one, other in zip(*of_hero, strict=True))
