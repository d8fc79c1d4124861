"""The value of a strategy, measured by every method that applies: exact bounds, played hands, sampled boards.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> values = worths(make_problem(game("leduc")).uniform(), hands=20_000, boards=10, seed=1)
>>> [(worth.way, worth.value.kind, worth.value.n) for worth in values]
[('exact', 'exact', None), ('played hands', 'interval', 20000)]
>>> round(values[0].value.mean, 1), round(values[0].best_response[1], 1)
(-78.1, 2659.7)
"""

from __future__ import annotations

import time
from typing import NamedTuple

from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.estimates import Estimate, exact
from pokerlab.games.units import units_per_chip
from pokerlab.policies.strategy import Strategy, by_seat
from pokerlab.solvers.core.best_response import Evaluation, evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.valuing.played_hands import played_values
from pokerlab.valuing.sampled_boards import sampled_boards_value

UNITS = "mbb_per_hand"
EXACT, PLAYED, BOARDS = "exact", "played hands", "sampled boards"


class Worth(NamedTuple):
    """Each seat's winnings in mbb per hand, by one method. `best_response[seat]` is what a best response in that seat
    wins."""

    way: str
    seats: tuple[Estimate, ...]
    seconds: float
    best_response: tuple[float, ...] | None = None

    @property
    def value(self) -> Estimate:
        """Winnings of seat 0, in thousandths of a big blind per hand."""
        return self.seats[0]

    def seconds_for(self, half_width: float) -> float:
        """Seconds that this method needs for an interval of ± `half_width`."""
        return self.seconds * (self.value.half_width / half_width) ** 2 if self.value.n else self.seconds


def worths(first: Strategy, second: Strategy | None = None, *, hands: int, boards: int, seed: int) -> list[Worth]:
    """Value of `first` in seat 0 against `second` (or itself) in the other seats, by every applicable method."""
    other = first if second is None else second
    n_seats, values = first.tree.rules.n_seats, []
    alike, every_hand = first.cells.name == other.cells.name, isinstance(first.cells, SubgameCells)
    if n_seats == 2 and alike and (every_hand or first.cells.pairs):
        values.append(_exact(first, other))
    if alike and not every_hand:
        seats = [first, *[other] * (n_seats - 1)]
        played_values(seats, hands=1, seed=seed)  # compile and load before time is measured
        began = time.perf_counter()
        each = played_values(seats, hands=hands, seed=seed, units=UNITS)
        values.append(Worth(PLAYED, each, time.perf_counter() - began))
    if n_seats == 2 and all(isinstance(strategy.cells, Buckets) for strategy in (first, other)):
        sampled_boards_value(first, other, n_boards=1, seed=seed)
        began = time.perf_counter()
        one = sampled_boards_value(first, other, n_boards=boards, seed=seed, units=UNITS)
        values.append(Worth(BOARDS, (one, one.scaled(-1, UNITS)), time.perf_counter() - began))
    return values


def evaluated(strategy: Strategy, *, threads: int | None = None) -> Evaluation:
    """Exact value of a two-player strategy and of the best responses to it, in chips per hand."""
    problem = Problem(strategy.tree, strategy.cells)
    if isinstance(strategy.cells, SubgameCells):
        return SubgameCfr(problem, threads=threads).evaluate_strategy(strategy)
    return evaluate(problem, strategy)


def _exact(first: Strategy, second: Strategy) -> Worth:
    began = time.perf_counter()
    both, scale = by_seat(first, second), units_per_chip(first.tree.rules, UNITS)
    evaluation = evaluated(both)
    seats = tuple(exact(value * scale, units=UNITS) for value in evaluation.values)
    best = tuple(won * scale for won in evaluation.best_response)
    return Worth(EXACT, seats, time.perf_counter() - began, best)
