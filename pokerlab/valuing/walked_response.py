"""The exact best response of `exact_response` for CPUs: it walks the boards of each flop like `full_best_response`.

On a CPU the walk takes about a tenth of the time of the array form, and its values agree to 1e-5 of a bet. Several
flops are walked at once, each seat of a flop in its own thread.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from typing import Any

import jax
import numpy as np

from pokerlab.abstraction.bucket_files import with_tables
from pokerlab.arrays import Floats, Floats32, Int64s
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.cost import usable_cores
from pokerlab.valuing.exact_response import N_BOARDS, ExactResponse, expected_seconds
from pokerlab.valuing.exact_response_estimate import N_FLOPS, by_class
from pokerlab.valuing.full_best_response import Board, FullBestResponse, StrategyRows

BOARD_CORE_SECONDS = 0.22
"""Core-seconds for both seats of a board, with any cells; all boards take 158 core-hours (docs/exploiting.md)."""


def quickest_response(strategy: Strategy) -> ExactResponse:
    """The faster of the two forms on this machine: arrays on a GPU, the walk on a CPU."""
    return ExactResponse(strategy) if jax.default_backend() == "gpu" else WalkedResponse(strategy)


def quickest_seconds(cards: str, flops: int) -> float:
    """Expected seconds of `quickest_response` for this many flops."""
    if jax.default_backend() == "gpu":
        return expected_seconds(cards, flops)
    return N_BOARDS * flops / N_FLOPS * BOARD_CORE_SECONDS / usable_cores()


class WalkedResponse(ExactResponse):
    """Best responses in both seats against one strategy, measured as by `ExactResponse`."""

    def __init__(self, strategy: Strategy, *, workers: int | None = None) -> None:
        super().__init__(strategy, halves=False, workers=workers)
        self._walks = threading.local()  # each thread needs its own walks, since these hold the arrays of a board

    @property
    def identity(self) -> dict[str, Any]:
        """Identity of saved values; it differs from that of `ExactResponse`, since values differ in their last bits."""
        return {**super().identity, "walked": True}

    def flop(self, row: int) -> Floats:
        """`value[hero, leaf, combo]` on one flop, a row of `canonical_boards(3)`; `leaf` is a way to reach it."""
        return np.stack([self._walk(row, hero, threading.Event()) for hero in (0, 1)])

    @cached_property
    def _rows(self) -> StrategyRows:
        return StrategyRows(replace(self.strategy, cells=with_tables(self.cells)))

    def _walk(self, row: int, hero: int, ended: threading.Event) -> Floats:
        if not hasattr(self._walks, "of_hero"):
            self._walks.of_hero = {}
        if hero not in self._walks.of_hero:
            rows = _Until(self._rows, ended)
            self._walks.of_hero[hero] = FullBestResponse(self.strategy.tree, rows, hero=hero)
        walk: FullBestResponse = self._walks.of_hero[hero]
        return walk.flop_values(tuple(int(card) for card in canonical_boards(3)[0][row]))

    def _compute(self, rows: Sequence[int]) -> Iterator[tuple[int, Floats]]:
        """Compute the flops with the numbers `rows`. Yield each number with the flop's `value[hero, leaf, class]`.

        A leaf is a sequence of preflop actions that leads to the flop. While the caller uses one flop, the threads
        compute the next ones.
        """
        ahead: deque[tuple[int, list[Future[Floats]]]] = deque()
        left, ended = deque(rows), threading.Event()
        _ = self._rows  # make the tables before threads need them
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                while ahead or left:
                    while left and len(ahead) <= (self.workers + 1) // 2:
                        row = left.popleft()
                        ahead.append((row, [pool.submit(self._walk, row, hero, ended) for hero in (0, 1)]))
                    row, both = ahead.popleft()
                    yield row, by_class(np.stack([one.result() for one in both]))
            finally:  # running walks end at their next board
                ended.set()


class _Until:
    """Wraps `Rows` so that a walk is interrupted at its next board once `ended` is set."""

    def __init__(self, rows: StrategyRows, ended: threading.Event) -> None:
        self.rows, self.ended = rows, ended

    def fill(self, edges: Int64s, street: int, board: Board, out: Floats32) -> None:
        """Fill in the rows of a board; raises KeyboardInterrupt once `ended` is set."""
        if self.ended.is_set():
            raise KeyboardInterrupt
        self.rows.fill(edges, street, board, out)
