"""The response loop with exact computations, for small games whose deals can all be listed.

Each round mixes the strategies so far (`meta_solvers`), computes the best response of every seat to the mixture, and
adds it. The mixture is a distribution over strategies, from which every player draws independently before each hand; it
is equivalent to one strategy (`solvers.vector.mixtures`), whose NashConv is exact. Positions rotate in an empirical
game, so a player that leaves the mixture gains the mean of the seats' gains, which is NashConv divided by the number of
players: its epsilon. Here it is not merely a lower bound, because the response is the best one.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> small = SmallGame(make_problem(game("kuhn3p")))
>>> loop = respond_exactly(small, {"uniform": small.problem.uniform()}, rounds=100, to="average")
>>> [round(each.nash_conv, 4) for each in (loop.rounds[0], loop.rounds[9], loop.rounds[99])]
[2.0625, 0.2837, 0.0779]
>>> loop = respond_exactly(small, {"uniform": small.problem.uniform()}, rounds=100, to="optimistic")
>>> round(loop.rounds[99].nash_conv, 4)
0.0392

References
----------
McMahan, Gordon and Blum (2003), "Planning in the presence of cost functions controlled by an adversary" (double
oracle). Lanctot et al. (2017), "A unified game-theoretic approach to multiagent reinforcement learning".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.empirical.meta_solvers import BY_ORDER, check_meta_solver, count_of, counts, meta_solution
from pokerlab.empirical.symmetric_games import Profile, SymmetricGame, game_of_profiles
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.vector.mixtures import ByEdgeCell, SmallGame

AT_REST = 1e-9  #: NashConv in chips at which a mixture counts as an equilibrium


@dataclass(frozen=True, eq=False)
class ExactRound:
    """One round: the mixture of the strategies so far, its NashConv in chips, and the value of each seat."""

    number: int
    mixture: Floats
    nash_conv: float
    values: Floats

    @property
    def epsilon(self) -> float:
        """Gain of one player from a best response, averaged over positions, in chips per hand."""
        return self.nash_conv / len(self.values)


@dataclass(frozen=True, eq=False)
class ExactLoop:
    """All rounds, and the mixture with the smallest NashConv as a single strategy."""

    strategies: tuple[str, ...]
    rounds: tuple[ExactRound, ...]
    best: ExactRound
    strategy: Strategy


class _Mixer:
    """The strategies of a loop and their mixtures."""

    def __init__(self, small: SmallGame, to: str, n_first: int) -> None:
        self.small, self.to, self.n_first = small, to, n_first
        self.strategies: list[Strategy] = []
        self._plans: list[ByEdgeCell] = []
        self._sums: ByEdgeCell = []  # of a mixture by order, which grows by one term a round
        self._last: ByEdgeCell = []  # the last of these terms
        self._payoffs: dict[Profile, dict[int, float]] = {}

    def add(self, strategy: Strategy) -> None:
        plan = self.small.realization(strategy)
        self.strategies.append(strategy)
        if self.to in BY_ORDER:
            count = count_of(self.to, self.n_first, len(self.strategies) - 1)
            self._last = [count * each for each in plan]
            sums = self._sums or [np.zeros_like(each) for each in plan]
            self._sums = [each + more for each, more in zip(sums, self._last, strict=True)]
        else:
            self._plans.append(plan)

    def mixture(self) -> tuple[Floats, Strategy]:
        """Mixture computed by the meta-solver, and the strategy equivalent to it."""
        n, problem = len(self.strategies), self.small.problem
        if self.to in BY_ORDER:
            chances = counts(self.to, n_first=self.n_first, n_strategies=n)
            twice = self.to == "optimistic" and n > self.n_first
            sums = [each + twice * more for each, more in zip(self._sums, self._last, strict=True)]
            return chances, Strategy.from_sums(problem.tree, problem.cells, sums)
        chances = meta_solution(self.to, self.game(), n_first=self.n_first).mixture
        return chances, self.small.of_plans(self._plans, chances)

    def game(self) -> SymmetricGame:
        """The game of the strategies, with exact payoffs over all seatings."""
        n, n_seats = len(self.strategies), self.small.n_seats
        for profile in combinations_with_replacement(range(n), n_seats):
            if profile not in self._payoffs:
                won = self.small.payoffs([self.strategies[s] for s in profile])
                means = {s: [won[place] for place in range(n_seats) if profile[place] == s] for s in set(profile)}
                self._payoffs[profile] = {s: float(np.mean(each)) for s, each in means.items()}
        return game_of_profiles([str(s) for s in range(n)], n_seats, self._payoffs)


def respond_exactly(
    small: SmallGame,
    first: Mapping[str, Strategy],
    *,
    rounds: int,
    to: str,
    report: Callable[[int, int], None] | None = None,
) -> ExactLoop:
    """Run at most `rounds` rounds, starting with the strategies `first`; the loop ends early if a mixture is an
    equilibrium."""
    check_meta_solver(to)
    mixer, done = _Mixer(small, to, len(first)), list[ExactRound]()
    for strategy in first.values():
        mixer.add(strategy)
    best: tuple[ExactRound, Strategy] | None = None
    for number in range(1, rounds + 1):
        chances, mixed = mixer.mixture()
        response, nash_conv = small.responses(mixed)
        done.append(ExactRound(number, chances, nash_conv, small.values(mixed)))
        if best is None or done[-1].nash_conv < best[0].nash_conv:
            best = (done[-1], mixed)
        if report is not None:
            report(number, rounds)
        if done[-1].nash_conv <= AT_REST:
            break
        mixer.add(response)
    assert best is not None, "a loop has one round or more"
    names = (*first, *(f"response {n}" for n in range(1, len(mixer.strategies) - len(first) + 1)))
    return ExactLoop(names[: len(done[-1].mixture)], tuple(done), *best)


def shown_rounds(rounds: Sequence[ExactRound]) -> list[ExactRound]:
    """Rounds 1, 2, 5, 10, 20, 50 and so on, and the last one."""
    marks = {digit * 10**power for power in range(7) for digit in (1, 2, 5)}
    return [each for each in rounds if each.number in marks or each is rounds[-1]]
