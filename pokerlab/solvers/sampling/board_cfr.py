"""CFR on sampled boards in JAX: games with card buckets, with or without perfect recall, on a CPU or a GPU.

Each iteration draws a few boards and takes all hands of both players through the whole betting tree on them
(public-chance sampling), as dense array passes. Strategies are stored by cell, so games with buckets of imperfect
recall (`irN`) can be solved on a GPU. Best responses to such strategies cannot be computed; `value` estimates the
average strategy's value against itself on fresh boards, with a confidence interval.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.solve import solve
>>> from pokerlab.solvers.core.variants import variant
>>> engine = BoardCfr(make_problem(game("leduc")), variant("lcfr"), boards_per_iteration=6, seed=7)
>>> leduc = solve(engine, iterations=600)
>>> round(leduc.value, 2), leduc.exploitability < 0.06
(-0.09, True)

References
----------
Johanson, Bard, Lanctot, Gibson and Bowling (2012), "Efficient Nash equilibrium approximation through Monte Carlo
counterfactual regret minimization" (public-chance sampling). Hawkin (2014), section 7.1 (values with confidence
intervals where cells forget).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import jax
import numpy as np

from pokerlab.abstraction.deals import Boards, boards_for
from pokerlab.arrays import Indices
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.estimates import Estimate, estimate
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.sampling import _board_jax as kernels
from pokerlab.solvers.sampling.mccfr import evaluate_if_possible
from pokerlab.solvers.vector import _dense_jax as dense_kernels
from pokerlab.solvers.vector.dense import DenseCfr, Precision, on_device

AT_ONCE = 32  # number of iterations whose boards are sent to the device together
GROUPS = 128  # the number of groups is rounded up to a multiple of this, so that boards share compiled code
FRESH = "fresh"  # name of the random stream of boards for measuring values; no iteration uses it


class BoardCfr(DenseCfr):
    """CFR over all hands on sampled boards; its arrays are those of `DenseCfr`, with tables by cell."""

    def __init__(
        self,
        problem: Problem,
        variant: Variant,
        *,
        boards_per_iteration: int = 8,
        boards: Boards | None = None,
        seed: int = 0,
        dtype: Precision = "float32",
    ) -> None:
        rules = problem.tree.rules
        if rules.n_seats != 2 or rules.streets[0].n_hole > 2:
            raise RulesError(f"{rules.name}: sampled boards are for two players with one or two cards each")
        if boards_per_iteration < 1:
            raise PokerlabError(f"an iteration takes at least one board, not {boards_per_iteration}")
        super().__init__(problem, variant, dtype)
        self.boards_per_iteration = boards_per_iteration
        self.boards = boards if boards is not None else boards_for(problem.cells, seed)
        self.fresh_boards = boards if boards is not None else boards_for(problem.cells, seed, FRESH)
        self._last_block: tuple[int, kernels.BoardHands] | None = None

    @property
    def about(self) -> Mapping[str, Any]:
        boards = {"boards_per_iteration": self.boards_per_iteration, **self.boards.about}
        return {**super().about, "engine": "boards", "boards": boards}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        done, tables = int(arrays["iteration"]), self.tables(arrays)
        with self.precision():
            stake = jax.numpy.asarray(arrays["stake"], self.dtype)
            for first, some, boards in self.portions(done, n):
                tables = kernels.iterate(
                    self.game, tables, boards, stake, self.settings, np.int32(first), np.int32(some),
                    alternating=self.variant.alternating, n_cards=self.n_cards,
                )  # fmt: skip
        return self.arrays(dense_kernels.finished(tables), stake=arrays["stake"], iteration=done + n)

    def evaluate(self, arrays: Arrays) -> Evaluation:
        """Value of the average strategy and best responses to it. NaN with imperfect recall (see `value`)."""
        return evaluate_if_possible(self.problem, self.strategy(arrays))

    def value(self, arrays: Arrays, n_boards: int) -> Estimate:
        """Estimate the average strategy's value to player 0 against itself, on boards that no iteration has used."""
        at_once = self.boards_per_iteration
        values = []
        with self.precision():
            sums, stake = self.tables(arrays).sums, jax.numpy.asarray(arrays["stake"], self.dtype)
            for first in range(0, n_boards, at_once):
                boards = on_device(grouped_boards(self.fresh_boards, first, at_once))
                values.append(kernels.values_of_boards(self.game, sums, boards, stake, n_cards=self.n_cards))
        return estimate(np.concatenate(values)[:n_boards].astype(np.float64), units="chips_per_hand", method="boards")

    # --- for algorithms that call `_board_jax.iteration` in a loop of their own ---

    @cached_property
    def game(self) -> tuple[dense_kernels.DenseStreet, ...]:
        """Arrays of the betting, on the device."""
        with self.precision():
            game: tuple[dense_kernels.DenseStreet, ...] = on_device(self.layout.betting())
        return game

    @property
    def n_cards(self) -> int:
        return len(self.problem.tree.rules.deck)

    def portions(self, done: int, n: int) -> Iterator[tuple[int, int, kernels.BoardHands]]:
        """Divide the `n` iterations after the first `done` at the ends of blocks of boards. Yield (iterations done
        before, number of iterations, block). Blocks always begin at multiples of `AT_ONCE`, wherever a step begins: the
        number of groups in a block is that of its largest board, and sums over a different number of groups could be
        rounded differently."""
        upto = done + n
        while done < upto:
            some = min(AT_ONCE - done % AT_ONCE, upto - done)
            yield done, some, self._block(done // AT_ONCE)
            done += some

    def _block(self, number: int) -> kernels.BoardHands:
        """Return boards[iteration, ...] for block `number` of `AT_ONCE` iterations. The last block is cached, because
        steps may be shorter than a block."""
        if self._last_block is None or self._last_block[0] != number:
            each = self.boards_per_iteration
            boards = grouped_boards(self.boards, number * AT_ONCE * each, AT_ONCE * each)
            shaped = kernels.BoardHands(*(x.reshape(AT_ONCE, each, *x.shape[1:]) for x in boards))
            self._last_block = number, on_device(shaped)
        return self._last_block[1]


def grouped_boards(source: Boards, first: int, n: int) -> kernels.BoardHands:
    """Boards number `first` .. `first + n - 1`, without impossible hands and with equivalent hands grouped."""
    cells, rank = source.boards(first, n)
    hand: Indices = np.nonzero(rank >= 0)[1].reshape(n, -1)  # every board blocks the same number of hands
    cells = np.take_along_axis(cells, hand[:, None, :], axis=2)
    rank = np.take_along_axis(rank, hand, axis=1)
    key = rank.astype(np.int64)
    for street in range(cells.shape[1]):
        key = key * (int(cells[:, street].max()) + 1) + cells[:, street]
    order = np.argsort(key, axis=1, kind="stable")
    ordered = np.take_along_axis(key, order, axis=1)
    number = np.zeros(key.shape, np.int32)
    np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1, out=number[:, 1:])
    group = np.empty_like(number)
    np.put_along_axis(group, order, number, axis=1)
    most = int(number.max()) + 1
    n_groups = most if most <= GROUPS else -(-most // GROUPS) * GROUPS
    board = np.arange(n)[:, None]
    weight = np.bincount((board * n_groups + group).ravel(), minlength=n * n_groups).reshape(n, n_groups)
    of_group = np.zeros((n, cells.shape[1], n_groups), np.int16)
    np.put_along_axis(of_group, group[:, None, :], cells.astype(np.int16), axis=2)
    group_rank = np.zeros((n, n_groups), np.int32)
    group_rank[board, group] = rank
    cards = source.hand_cards[hand].astype(np.int8)
    return kernels.BoardHands(cards, group.astype(np.int16), of_group, group_rank, weight.astype(np.float32))


def value_on_boards(strategy: Strategy, n_boards: int, *, boards_at_once: int = 8, seed: int = 7) -> Estimate:
    """Estimate a strategy's value to player 0 against itself, on sampled boards."""
    engine = BoardCfr(
        Problem(strategy.tree, strategy.cells), VARIANTS["cfr"], boards_per_iteration=boards_at_once, seed=seed
    )
    arrays = engine.init()
    for player, street in engine.layout.places:  # the strategy in place of sums, since only their proportions matter
        arrays[f"sums/{player}/{street}"] = strategy.p[street][engine.layout.rows[player][street]].astype(engine.dtype)
    return engine.value(arrays, n_boards)
