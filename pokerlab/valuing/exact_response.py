"""The exact best response to a strategy of two-player limit hold'em, on a GPU or, slower, on a CPU.

How much can an opponent that knows a strategy win from it with the real cards, however the strategy groups its own?
`full_best_response` answers by walking all boards on a CPU core, in 165 core-hours. Here the same answer is computed
in arrays, for both seats at once, flop by flop:

1. The boards are those that differ by more than the names of suits: 1,755 flops, 2,554,656 rivers.
2. On a river, the opponent's hands that have the same cells on all streets form one column. A product of two matrices
   gives every sum that the betting needs for each of our hands (`_exact_response_jax`); our hands then take the best
   action at each decision.
3. Rivers are averaged to turns and turns to a flop, where folds are added and the best actions taken again. A flop
   leaves one value for each class of hands and each way of reaching the flop.
4. The mean over flops and the betting before the flop give chips a hand.

The shipped `equilibrium:limit2p` took 230 s on one H200, 45 microseconds a board and seat
(docs/notebook/2026-11-16-exact-response.md).

A measurement is saved flop by flop and resumed from its file. Flops come in random order, so that a part of them gives
an estimate with an interval; all of them give the exact number.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> from pokerlab.trees.cells import Lossless
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
from numpy.typing import NDArray

from pokerlab.abstraction._buckets_numba import Lookup
from pokerlab.abstraction.bucket_files import with_tables
from pokerlab.abstraction.buckets import Buckets
from pokerlab.cards.combos import N_CLASSES, N_COMBOS
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.errors import FileError, PokerlabError, RulesError
from pokerlab.estimates import Estimate
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.units import units_per_chip
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream
from pokerlab.runs.cost import usable_cores
from pokerlab.valuing import _exact_response_jax as kernels
from pokerlab.valuing.exact_response_boards import MOST_TURNS, FlopBoards, boards_of_flop
from pokerlab.valuing.exact_response_estimate import N_FLOPS, Preflop, by_class, estimates, fold_values
from pokerlab.valuing.exact_response_tables import reach_tables

KIND = "exact response"
BATCH = 12  #: boards a call; turns have 48, 36 or 24 rivers up to suits, or a few less
SAVE_SECONDS = 60.0
REPORT_EVERY = 25  #: flops

Floats = NDArray[np.float64]
Report = Callable[["Measurement"], None]


@dataclass(frozen=True, eq=False)
class Measurement:
    """Values on the flops measured so far, in chips times the hands of the opponent that a hand can meet."""

    strategy: Strategy
    preflop: tuple[Preflop, Preflop]
    flops: NDArray[np.int64]  #: [flop]: rows of `canonical_boards(3)`
    values: Floats  #: [hero, flop, leaf, class]: the hero's value by class of hand and way of reaching the flop

    @cached_property
    def _chips(self) -> list[Estimate]:
        weights = canonical_boards(3)[1][self.flops].astype(np.float64)
        return estimates(self.preflop, self.values, weights)

    def response(self, seat: int, units: str = "mbb_per_hand") -> Estimate:
        """What the best response in `seat` wins from the strategy in the other seat."""
        return self._chips[seat].scaled(units_per_chip(self.strategy.tree.rules, units), units)

    def exploitability(self, units: str = "mbb_per_hand") -> Estimate:
        """Half of what the best responses in both seats win together."""
        return self._chips[2].scaled(units_per_chip(self.strategy.tree.rules, units), units)


class ExactResponse:
    """Best responses in both seats against one strategy.

    Parameters
    ----------
    strategy
        A strategy of two-player limit hold'em over card buckets.
    halves
        Whether reach is held as two 16-bit numbers, for the matrix units of a GPU; by default on GPUs only.
    batch
        Boards a call of the device; with 12 a measurement took 1.5 GB of its memory.
    workers
        Threads that prepare boards; all cores by default.
    """

    def __init__(
        self, strategy: Strategy, *, halves: bool | None = None, batch: int = BATCH, workers: int | None = None
    ) -> None:
        rules, cells = strategy.tree.rules, strategy.cells
        if not rules.is_holdem or rules.n_seats != 2 or not isinstance(cells, Buckets):
            raise RulesError(f"{rules.name}: the exact response is for two-player limit hold'em with card buckets")
        self.strategy, self.cells, self.batch = strategy, cells, batch
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
        """The tables that give the cells of boards; strength on the turn is computed on first use."""
        return with_tables(self.cells).lookup()

    @property
    def identity(self) -> dict[str, Any]:
        """What saved values depend on."""
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
        seconds: float = float("inf"),
    ) -> Measurement:
        """Measure `flops` flops drawn by `seed`, all if None; values in the file `path` are not computed again.

        `report` is called after every `REPORT_EVERY` flops. After `seconds` no further flop is begun.
        """
        if flops is not None and not 1 <= flops <= N_FLOPS:
            raise PokerlabError(f"a measurement takes 1 to {N_FLOPS:,} flops, not {flops:,}")
        rows = stream(seed, "flops").permutation(N_FLOPS)[:flops]
        values = self._saved(path)
        ends, saved_at = monotonic() + seconds, monotonic()
        for row, value in self._compute([int(row) for row in rows if int(row) not in values], ends):
            values[row] = value
            if path and monotonic() - saved_at > SAVE_SECONDS:
                self._save(path, values)
                saved_at = monotonic()
            if report and len(values) % REPORT_EVERY == 0:
                report(self._measurement(rows, values))
        if path:
            self._save(path, values)
        return self._measurement(rows, values)

    def flop(self, row: int) -> Floats:
        """`value[hero, leaf, combo]` on one flop, a row of `canonical_boards(3)`, given how the flop was reached."""
        with jax.enable_x64(True):
            return np.asarray(self._dispatch(self._boards(row)))

    def _measurement(self, rows: NDArray[np.int64], values: dict[int, Floats]) -> Measurement:
        known = np.array([row for row in rows if int(row) in values], np.int64)
        return Measurement(
            self.strategy, (self.preflop[0], self.preflop[1]), known, np.stack([values[int(r)] for r in known], axis=1)
        )

    def _compute(self, rows: Sequence[int], ends: float) -> Iterator[tuple[int, Floats]]:
        """(row, value[hero, leaf, class]) one by one; boards are prepared, and the device kept busy, ahead of them."""
        ahead: deque[tuple[int, Future[FlopBoards]]] = deque()
        running: deque[tuple[int, jax.Array]] = deque()
        left = deque(rows)
        with ThreadPoolExecutor(self.workers) as pool:
            while ahead or running or left:
                while left and len(ahead) < self.workers + 1 and monotonic() < ends:
                    ahead.append((left[0], pool.submit(self._boards, left.popleft())))
                if monotonic() >= ends:
                    left.clear()
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
        """`value[hero, leaf, combo]` of a flop, which the device may still be computing."""
        totals = jax.numpy.zeros((2, MOST_TURNS, self._n_exits, N_COMBOS), np.float64)
        for batch in boards.batches:
            totals = kernels.add_rivers(
                self.forms, self._rivers, batch.packed, totals, np.int32(batch.turn), n_columns=batch.n_columns
            )
        value: jax.Array = kernels.flop_values(self.forms, self._streets, boards.cards, totals)
        return value

    def _saved(self, path: Path | None) -> dict[int, Floats]:
        """Values by row, from a file of the same strategy."""
        if path is None or not path.exists():
            return {}
        about, arrays = read_arrays(path, KIND)
        if about != self.identity:
            raise FileError(f"{path} holds a measurement of another strategy; name another file")
        return dict(zip(arrays["flops"].tolist(), np.moveaxis(arrays["values"], 1, 0), strict=True))

    def _save(self, path: Path, values: dict[int, Floats]) -> None:
        flops = np.array(sorted(values), np.int64)
        stacked = [values[int(row)] for row in flops]
        n_leaves = len(self.preflop[0].folds)
        whole = np.stack(stacked, axis=1) if stacked else np.zeros((2, 0, n_leaves, N_CLASSES))
        write_arrays(path, KIND, self.identity, {"flops": flops, "values": whole})
