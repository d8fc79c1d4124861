"""What a strategy is worth, by every way there is for it: exact bounds, hands that are played, boards that are sampled.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> found = valuations(make_problem(game("leduc")).uniform(), hands=20_000, boards=10, seed=1)
>>> [(one.way, one.n) for one in found]
[('exact', None), ('played hands', 20000)]
>>> round(found[0].value, 1), round(found[0].best_response[1], 1)
(-78.1, 2659.7)
"""

from __future__ import annotations

import time
from typing import NamedTuple

from pokerlab.estimates import Estimate
from pokerlab.games.units import units_per_chip
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.trees.buckets import Buckets
from pokerlab.valuing.played_hands import played_values
from pokerlab.valuing.sampled_boards import sampled_boards_value

UNITS = "mbb_per_hand"
EXACT, PLAYED, BOARDS = "exact", "played hands", "sampled boards"


class Valuation(NamedTuple):
    """The value to seat 0 in mbb a hand, found one way; `best_response[seat]` is what a best response would win."""

    way: str
    value: float
    low: float | None
    high: float | None
    n: int | None
    seconds: float
    seats: tuple[float, ...]  # what each seat wins
    best_response: tuple[float, ...] | None = None

    def seconds_for(self, half_width: float) -> float:
        """How long this way takes for an interval of so much to each side."""
        if self.low is None or self.high is None:
            return self.seconds
        return self.seconds * ((self.high - self.low) / 2 / half_width) ** 2


def valuations(
    first: Strategy, second: Strategy | None = None, *, hands: int, boards: int, seed: int
) -> list[Valuation]:
    """`first` in seat 0 against `second` (or itself) in the other seats, by every way that works for them."""
    other = first if second is None else second
    n_seats, found = first.tree.rules.n_seats, []
    if n_seats == 2 and first.cells.name == other.cells.name and first.cells.pairs is not None:
        found.append(_exact(first, other))
    if first.cells.name == other.cells.name:
        seats = [first, *[other] * (n_seats - 1)]
        played_values(seats, hands=1, seed=seed)  # compiles and loads what the clock should not see
        began = time.perf_counter()
        each = played_values(seats, hands=hands, seed=seed, units=UNITS)
        found.append(_estimated(PLAYED, each[0], began, tuple(one.mean for one in each)))
    if n_seats == 2 and all(isinstance(strategy.cells, Buckets) for strategy in (first, other)):
        sampled_boards_value(first, other, n_boards=1, seed=seed)
        began = time.perf_counter()
        one = sampled_boards_value(first, other, n_boards=boards, seed=seed, units=UNITS)
        found.append(_estimated(BOARDS, one, began, (one.mean, -one.mean)))
    return found


def _estimated(way: str, found: Estimate, began: float, seats: tuple[float, ...]) -> Valuation:
    return Valuation(way, found.mean, found.low, found.high, found.n, time.perf_counter() - began, seats)


def _exact(first: Strategy, second: Strategy) -> Valuation:
    began = time.perf_counter()
    both, scale = seated(first, second), units_per_chip(first.tree.rules, UNITS)
    found = evaluate(Problem(first.tree, first.cells), both)
    value = found.value * scale
    best = tuple(won * scale for won in found.best_response)
    return Valuation(EXACT, value, None, None, None, time.perf_counter() - began, (value, -value), best)


def seated(first: Strategy, second: Strategy) -> Strategy:
    """One strategy that plays `first` in seat 0 and `second` in seat 1."""
    if first is second:
        return first
    parts = []
    for edges, mine, theirs in zip(first.tree.edges_on, first.p, second.p, strict=True):
        p = mine.copy()
        rows = first.tree.actor[first.tree.edge_decision[edges]] == 1
        p[rows] = theirs[rows]
        parts.append(p)
    return Strategy(first.tree, first.cells, tuple(parts))
