"""The exact best response to a strategy of two-player limit hold'em, computed on a GPU or, more slowly, on a CPU.

How much can an opponent who knows a strategy win from it with real cards, however coarse the strategy's own card
buckets are? `full_best_response` answers this by walking all boards on a CPU core, in 158 core-hours. Here the same
answer is computed in arrays, for both seats at once, flop by flop:

1. The boards considered are those that differ by more than a renaming of suits: 1,755 flops, 2,554,656 rivers.
2. On a river, opponent hands with the same buckets on all streets form one column. A product of two matrices gives
   every sum that the betting needs for each of our hands (`_exact_response_jax`); our hands then take the best action
   at each decision.
3. Values of rivers are averaged to turns, and turns to a flop; there folds are added and the best actions taken again.
   The result for a flop is one value for each class of hands and each way of reaching the flop.
4. The mean over flops and the preflop betting give chips per hand.

The shipped `equilibrium:limit2p` took 230 s on one H200, or 45 microseconds per board and seat
(docs/notebook/2026-11-16-exact-response.md).

A measurement is saved flop by flop and resumed from its file. Flops come in random order, so that some of them give an
estimate with an interval; all of them give the exact number.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> from pokerlab.abstraction.cells import Lossless
>>> ExactResponse(Strategy.uniform(build_tree(game("leduc")), Lossless(game("leduc"))))
Traceback (most recent call last):
    ...
pokerlab.errors.RulesError: leduc: the exact response is for two-player limit hold'em with card buckets

References
----------
Johanson, Waugh, Bowling and Zinkevich (2011), "Accelerating best response calculation in large extensive games", IJCAI.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any

import jax
import numpy as np

from pokerlab.abstraction._buckets_numba import Lookup
from pokerlab.abstraction.bucket_files import with_tables
from pokerlab.abstraction.buckets import Buckets
from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.combos import N_COMBOS
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.estimates import Estimate
from pokerlab.games.units import units_per_chip
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.notes import note
from pokerlab.runs.steps import never
from pokerlab.valuing import _exact_response_jax as kernels
from pokerlab.valuing.exact_response_boards import FlopBoards, boards_of_flop
from pokerlab.valuing.exact_response_estimate import N_FLOPS, Preflop, by_class, estimates, fold_values
from pokerlab.valuing.exact_response_files import read_measurement, write_measurement
from pokerlab.valuing.exact_response_tables import reach_tables
from pokerlab.valuing.street_betting import street_betting

BATCH = 12  #: boards per call of the device; a turn has about 48, 36 or 24 rivers up to suits
SAVE_SECONDS, REPORT_SECONDS = 60.0, 5.0
N_BOARDS = 2_554_656  #: number of final boards that differ by more than the names of suits

BOARD_SECONDS = {"pr5": 90e-6, "pr10": 126e-6, "ir570": 140e-6}
"""Seconds for a board and both seats, measured on one H200, by the strategy's buckets. Others are assumed to take the
longest of these."""
BOARD_CORE_SECONDS = 2.4
"""Core-seconds for a board and both seats on a CPU, measured with `pr5`: two busy cores took 880 s for 744 boards."""

Report = Callable[["Measurement"], None]


def check_strategy(strategy: Strategy) -> None:
    """Raise an error unless the strategy is for two-player limit hold'em with card buckets."""
    rules = strategy.tree.rules
    holdem = rules.is_holdem and rules.n_seats == 2 and rules.limits == "limit"
    if not holdem or not isinstance(strategy.cells, Buckets):
        raise RulesError(f"{rules.name}: the exact response is for two-player limit hold'em with card buckets")
    street_betting(strategy.tree, hero=0)


def expected_seconds(cards: str, flops: int) -> float:
    """Expected seconds to measure `flops` flops with the buckets `cards`: on an H200 GPU, or on this machine's CPU
    cores."""
    boards = N_BOARDS * flops / N_FLOPS
    if jax.default_backend() == "gpu":
        return boards * BOARD_SECONDS.get(cards, max(BOARD_SECONDS.values()))
    return boards * BOARD_CORE_SECONDS / usable_cores()


@dataclass(frozen=True, eq=False)
class Measurement:
    """The values of the flops measured so far, in chips. Each is a sum over the opponent hands that a hand can meet."""

    strategy: Strategy
    preflop: tuple[Preflop, Preflop]
    flops: Int64s  #: flops[i]: index in `canonical_boards(3)`
    values: Floats  #: values[hero, i, leaf, class]: the hero's value by way of reaching the flop and class of hand
    seconds: float  #: time spent, including earlier runs that were resumed

    @cached_property
    def _chips(self) -> list[Estimate]:
        weights = canonical_boards(3)[1][self.flops].astype(np.float64)
        return estimates(self.preflop, self.values, weights)

    def response(self, seat: int, units: str = "mbb_per_hand") -> Estimate:
        """Winnings of the best response in `seat` against the strategy in the other seat."""
        return self._chips[seat].scaled(units_per_chip(self.strategy.tree.rules, units), units)

    def exploitability(self, units: str = "mbb_per_hand") -> Estimate:
        """Half of the sum of what the best responses win in the two seats."""
        return self._chips[2].scaled(units_per_chip(self.strategy.tree.rules, units), units)


class ExactResponse:
    """Computes the best responses in both seats to one strategy.

    Parameters
    ----------
    strategy
        A strategy of two-player limit hold'em over card buckets.
    halves
        Whether reach is held as two 16-bit numbers, for the matrix units of a GPU; by default on GPUs only.
    batch
        Boards per call of the device; with 12 a measurement took 1.5 GB of its memory.
    workers
        Threads that prepare boards; all cores by default.
    """

    def __init__(
        self, strategy: Strategy, *, halves: bool | None = None, batch: int = BATCH, workers: int | None = None
    ) -> None:
        check_strategy(strategy)
        cells: Any = strategy.cells
        self.strategy, self.batch = strategy, batch
        self.cells: Buckets = cells
        self.workers = usable_cores() if workers is None else workers
        self.halves = jax.default_backend() == "gpu" if halves is None else halves
        tables = [reach_tables(strategy, hero, halves=self.halves) for hero in (0, 1)]
        self.forms = tuple(table.form for table in tables)
        self.preflop = tuple(
            Preflop(table.preflop_shape, fold_values(table.preflop_folds.astype(np.float64)[:, cells.preflop]))
            for table in tables
        )
        with jax.enable_x64(True):
            self._rivers = tuple(jax.device_put(table.river) for table in tables)
            self._streets = tuple(jax.device_put(table.streets) for table in tables)
        self._n_exits = tables[0].river.shows.shape[2]

    @cached_property
    def lookup(self) -> Lookup:
        """The tables from which hands get their buckets on a board. On first use, hand strength on the turn is
        computed."""
        return with_tables(self.cells).lookup()

    @property
    def identity(self) -> dict[str, Any]:
        """Everything on which saved values depend."""
        digest = hashlib.sha256()
        for p in self.strategy.p:
            digest.update(np.ascontiguousarray(p, np.float32).tobytes())
        rules = self.strategy.tree.rules
        return {"game": rules.name, "cards": self.cells.name, "p": digest.hexdigest(), "halves": self.halves}

    def measure(
        self,
        flops: int | None = None,
        *,
        seed: int = 0,
        path: Path | None = None,
        report: Report | None = None,
        stopped: Callable[[], bool] = never,
    ) -> Measurement:
        """Measure `flops` flops drawn by `seed` (None: all flops); values in the file `path` are not computed again.

        `report` is called after the first flop and then every `REPORT_SECONDS`. Once `stopped()` is true, a
        KeyboardInterrupt is raised after the current flop. Finished flops are always saved.
        """
        if flops is not None and not 1 <= flops <= N_FLOPS:
            raise PokerlabError(f"a measurement takes 1 to {N_FLOPS:,} flops, not {flops:,}")
        rows = stream(seed, "flops").permutation(N_FLOPS)[:flops]
        values, seconds = self._saved(path)
        saved_at, reported_at = monotonic(), float("-inf")
        began = saved_at - seconds  # so that the seconds of resumed runs are included
        try:
            for row, value in self._compute([int(row) for row in rows if int(row) not in values]):
                values[row] = value
                if path and monotonic() - saved_at > SAVE_SECONDS:
                    self._save(path, values, monotonic() - began)
                    saved_at = monotonic()
                if report and monotonic() - reported_at > REPORT_SECONDS:
                    report(self._measurement(rows, values, monotonic() - began))
                    reported_at = monotonic()
                if stopped():
                    raise KeyboardInterrupt
        finally:
            if path:
                self._save(path, values, monotonic() - began)
        return self._measurement(rows, values, monotonic() - began)

    def flop(self, row: int) -> Floats:
        """Return `value[hero, leaf, combo]` on one flop, a row of `canonical_boards(3)`; `leaf` is a way to reach the
        flop."""
        return self.values(self._boards(row))

    def values(self, boards: FlopBoards) -> Floats:
        """Like `flop`, but for prepared boards."""
        with jax.enable_x64(True):
            return np.asarray(self._dispatch(boards))

    def _measurement(self, rows: Int64s, values: dict[int, Floats], seconds: float) -> Measurement:
        known = np.array([row for row in rows if int(row) in values], np.int64)
        stacked = np.stack([values[int(row)] for row in known], axis=1)
        return Measurement(self.strategy, (self.preflop[0], self.preflop[1]), known, stacked, seconds)

    def _compute(self, rows: Sequence[int]) -> Iterator[tuple[int, Floats]]:
        """Compute the flops with the numbers `rows`. Yield each number with the flop's `value[hero, leaf, class]`.

        A leaf is a sequence of preflop actions that leads to the flop. While the GPU computes one flop, the boards of
        the next ones are prepared.
        """
        ahead: deque[tuple[int, Future[FlopBoards]]] = deque()
        running: deque[tuple[int, jax.Array]] = deque()
        left = deque(rows)
        with ThreadPoolExecutor(self.workers) as pool:
            while ahead or running or left:
                while left and len(ahead) < self.workers + 1:
                    ahead.append((left[0], pool.submit(self._boards, left.popleft())))
                if ahead:
                    row, boards = ahead.popleft()
                    with jax.enable_x64(True):
                        running.append((row, self._dispatch(boards.result())))
                if running and (len(running) > 1 or not ahead):
                    row, value = running.popleft()
                    yield row, by_class(np.asarray(value))

    def _boards(self, row: int) -> FlopBoards:
        flop = [int(card) for card in canonical_boards(3)[0][row]]
        return boards_of_flop(flop, self.lookup, self.cells.n_cells, self.batch)

    def _dispatch(self, boards: FlopBoards) -> jax.Array:
        """Start computing `value[hero, leaf, combo]` of a flop; the device may still be working on the returned
        array."""
        n_turns = len(boards.cards.turn_share)
        totals = jax.numpy.zeros((2, n_turns, self._n_exits, N_COMBOS), np.float64)
        for batch in boards.batches:
            totals = kernels.add_rivers(
                self.forms, self._rivers, batch.packed, totals, np.int32(batch.turn), n_columns=batch.n_columns
            )
            if not self.halves:  # on a CPU: wait for each batch, so that a second Ctrl-C need not wait for a whole flop
                totals.block_until_ready()
        value: jax.Array = kernels.flop_values(self.forms, self._streets, boards.cards, totals)
        return value

    def _saved(self, path: Path | None) -> tuple[dict[int, Floats], float]:
        """Read (values by row, seconds they took) from a file. Raise an error for a file of another strategy or kind of
        device."""
        if path is None or not path.exists():
            return {}, 0.0
        values, seconds = read_measurement(path, self.identity, n_leaves=len(self.preflop[0].folds))
        note(f"{len(values):,} flops were read from {path}")
        return values, seconds

    def _save(self, path: Path, values: dict[int, Floats], seconds: float) -> None:
        write_measurement(path, self.identity, values, seconds, n_leaves=len(self.preflop[0].folds))
