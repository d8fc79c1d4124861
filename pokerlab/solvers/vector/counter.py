"""Counter-strategies: exploit a model of an opponent without becoming easy to exploit.

A best response to a model wins the most from it, but may lose heavily to other players. Two methods give a compromise
between a best response and an equilibrium. In both, the game is solved against an opponent that is partly *bound* to
the model, which means that it must play like the model:

- **restricted Nash response**: with probability `p` the opponent plays the model for a whole hand; otherwise it plays
  freely. p = 0 gives an equilibrium, p = 1 a best response;
- **data-biased response**: at each decision and for each cell of cards, the opponent is bound to the model with a
  separate probability (`confidence`), which grows with the number of observations there.

Both seats get a counter-strategy, each solved against a bound opponent in the other seat.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.solve import solve
>>> kuhn = make_problem(game("kuhn"))
>>> solution = solve(CounterCfr(kuhn, kuhn.uniform(), p=1.0), iterations=1000)
>>> round(winnings(kuhn, solution.strategy, kuhn.uniform()), 3)  # a best response's winnings, over both seats
0.458

References
----------
Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies", NIPS 20, section 3. Johanson and Bowling
(2009), "Data biased robust counter strategies", AISTATS, sections 4 and 5.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import ByStreetCell, Floats
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy, by_seat
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation, Values, evaluate, reaches, values, values_by
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look, solve
from pokerlab.solvers.core.variants import VARIANTS, Variant
from pokerlab.solvers.vector import _counter_numba as kernels
from pokerlab.solvers.vector._cfr_numba import CfrTables
from pokerlab.solvers.vector.cfr import VectorCfr

ENOUGH = 10


class CounterCfr(VectorCfr):
    """CFR against an opponent bound to `model`: for a whole hand with probability `p`, or at each decision with
    `confidence`.

    The first index of arrays is the hero's seat: `regret[hero, (edge, cell)]`. The evaluation is that of the solved
    game over both seats, with the hero as player 0 and the bound opponent as player 1. So `exploitability` approaches
    0, whatever the counter-strategy loses to other players.
    """

    def __init__(
        self,
        problem: Problem,
        model: Strategy,
        *,
        p: float = 0.0,
        confidence: ByStreetCell | None = None,
        variant: Variant | None = None,
    ) -> None:
        super().__init__(problem, variant or VARIANTS["cfr+"])
        if not 0 <= p <= 1:
            raise PokerlabError(f"p must be a probability, not {p}")
        if not self.variant.alternating:
            raise PokerlabError(f"{self.variant.name}: counter-strategies are solved with players that update in turn")
        self.model, self.p = model, p
        given = [np.zeros(part.shape) for part in model.p] if confidence is None else confidence
        self.sure = tuple(np.asarray(part, np.float64) for part in given)
        for part, own in zip(self.sure, model.p, strict=True):
            if part.shape != own.shape or (part.size and not 0 <= part.min() <= part.max() <= 1):
                raise PokerlabError("confidence is a probability for each (edge, cell) of the model")
        tree = problem.tree
        self._model = np.concatenate([np.asarray(part, np.float64).ravel() for part in model.p])
        everywhere = np.concatenate([part.ravel() for part in self.sure])
        by_edge = [
            np.broadcast_to(tree.actor[tree.edge_decision[e]][:, None], q.shape)
            for e, q in zip(tree.edges_on, model.p, strict=True)
        ]
        actor = np.concatenate([part.ravel() for part in by_edge])
        self._sure = [np.where(actor == hero, 0.0, everywhere) for hero in (0, 1)]
        self._fixed = [self._flat(reaches(problem, model, 1 - hero)) for hero in (0, 1)]

    def _flat(self, by_edge: Sequence[Floats]) -> Floats:
        edges_on = self.problem.tree.edges_on
        return np.concatenate([by_edge[edge] for edges in edges_on for edge in edges])

    @property
    def about(self) -> Mapping[str, Any]:
        """The problem, the variant, and a digest of the model and its confidence."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (self._model, *self._sure):
            digest.update(np.ascontiguousarray(part, "<f8").tobytes())
        return {**super().about, "engine": "counter", "p": self.p, "model": digest.hexdigest()}

    def init(self) -> Arrays:
        arrays = super().init()
        return {name: array if array.ndim == 0 else np.stack([array, array]) for name, array in arrays.items()}

    def step(self, arrays: Arrays, n: int) -> Arrays:
        done, scratch = int(arrays["iteration"]), self.scratch()
        for hero in (0, 1):
            bound = kernels.Bound(self._model, self._sure[hero], self._fixed[hero])
            tables = CfrTables(*(arrays[name][hero] for name in CfrTables._fields))
            kernels.iterate(n, done, hero, self.p, self.settings, self.game, bound, tables, scratch)
        return {**arrays, "iteration": np.array(done + n)}

    def average(self, arrays: Arrays, hero: int) -> Strategy:
        """The hero's average strategy in its seat and the opponent's in the other. The opponent's includes decisions
        bound by `confidence`, but not the hands bound by `p`."""
        return Strategy.from_sums(self.problem.tree, self.problem.cells, self.by_street(arrays["sums"][hero]))

    def strategy(self, arrays: Arrays) -> Strategy:
        """Return one strategy that consists of the counter-strategies for both seats."""
        return by_seat(self.average(arrays, 0), self.average(arrays, 1))

    def evaluate(self, arrays: Arrays) -> Evaluation:
        """The hero's winnings from the bound opponent, and each player's winnings if it plays a best response, as means
        of both seats."""
        seats = [self._against_bound(self.average(arrays, hero), hero) for hero in (0, 1)]
        value, best, other_best = (sum(numbers) / 2 for numbers in zip(*seats, strict=True))
        return Evaluation(value, (best, other_best))

    def _against_bound(self, average: Strategy, hero: int) -> tuple[float, float, float]:
        """Return, for one seat, the winnings of the hero, of the hero playing a best response, and of the bound
        opponent playing one."""
        problem, other, p = self.problem, 1 - hero, self.p
        free = reaches(problem, average, other)
        met = [p * bound + (1 - p) * own for bound, own in zip(reaches(problem, self.model, other), free, strict=True)]
        value, best = (values(problem, average, hero, met, best=respond).total for respond in (False, True))
        reach = reaches(problem, average, hero)
        as_model = values(problem, self.model, other, reach, best=False).total
        at_best = self._bound_values(reach, other).total
        return value, best, p * as_model + (1 - p) * at_best

    def _bound_values(self, reach: list[Floats], player: int) -> Values:
        """Values of `player`, which plays a best response wherever `confidence` does not bind it to the model."""
        problem, model = self.problem, self.model
        trusted = Strategy(problem.tree, problem.cells, self.sure)

        def choose(decision: int, at: Floats) -> Floats:
            sure = np.asarray(trusted.at(decision)[0])
            return np.asarray(sure * (model.at(decision) * at).sum(axis=0) + (1 - sure) * at.max(axis=0))

        return values_by(problem, player, reach, choose)


def winnings(problem: Problem, counter: Strategy, model: Strategy) -> float:
    """Chips per hand that `counter` wins from `model`, as the mean of both seats."""
    first = values(problem, counter, 0, reaches(problem, model, 1), best=False).total
    second = values(problem, counter, 1, reaches(problem, model, 0), best=False).total
    return (first + second) / 2


def confidence(
    counts: ByStreetCell, problem: Problem, *, most: float = 1.0, enough: float = ENOUGH
) -> tuple[Floats, ...]:
    """Confidence in the counts at each (edge, cell): `most` if there are at least `enough` observations, otherwise in
    proportion. `counts[street][row, cell]` are observed actions; all edges of a decision get the same confidence. (With
    the default this is Johanson and Bowling's "0-10 linear".)"""
    trust = []
    for street, part in enumerate(counts):
        total = np.array(part, np.float64)
        for decision in np.flatnonzero(problem.tree.street == street):
            edges = problem.tree.edges(int(decision))
            rows = slice(int(problem.tree.row[edges.start]), int(problem.tree.row[edges.start]) + len(edges))
            total[rows] = total[rows].sum(axis=0)
        trust.append(most * np.minimum(total / enough, 1.0))
    return tuple(trust)


class Trade(NamedTuple):
    """A counter-strategy, its winnings from the model, and its exploitability, in chips per hand."""

    p: float
    wins: float
    exploitability: float
    strategy: Strategy


def trade_off(
    problem: Problem,
    model: Strategy,
    shares: Sequence[float],
    *,
    counts: ByStreetCell | None = None,
    iterations: int = 1000,
    target: float | None = None,
    variant: Variant | None = None,
    report: Callable[[Look], None] | None = None,
) -> list[Trade]:
    """Compute restricted Nash responses to `model` for every p in `shares`. With `counts` of the model's observed
    actions, as in `confidence`, they are data-biased responses to the observed frequencies, and p is the maximum
    confidence."""
    seen = model if counts is None else Strategy.from_sums(problem.tree, problem.cells, counts)
    trades = []
    for p in shares:
        sure = None if counts is None else confidence(counts, problem, most=p)
        engine = CounterCfr(problem, seen, p=p if sure is None else 0.0, confidence=sure, variant=variant)
        counter = solve(engine, iterations=iterations, target=target, report=report).strategy
        exploitability = evaluate(problem, counter).exploitability
        trades.append(Trade(p, winnings(problem, counter, model), exploitability, counter))
    return trades
