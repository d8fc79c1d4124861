"""Sampling CFR, for any number of players: each iteration visits only some deals, and in them some or all lines of
play.

- `chance`: cards are sampled, and all lines of play are walked (Zinkevich et al. 2007).
- `external`: cards and the others' actions are sampled; all of a player's own actions are walked (Lanctot et al. 2009).
- `outcome`: one line of play is sampled, with exploration probability `epsilon` for own actions (Lanctot et al. 2009).
- `public`: only the board is sampled; all hands of two players go through the tree together (Johanson et al. 2012).
  This is the module `public_chance`.

One iteration is one deal (or `deals_per_iteration`), and updates every player once on it, in the order of seats; a
player sees the updates of those before it. If an iteration has several deals, all players are walked on all of them
with the strategies from its beginning, and the updates are added in the order of deals. The work can therefore be
divided among threads, and any number of threads gives the same bits.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.solve import solve
>>> solution = solve(MonteCarloCfr(make_problem(game("kuhn")), Sampling("external"), seed=7), iterations=20_000)
>>> abs(solution.value + 1 / 18) < 0.005, solution.exploitability < 0.02
(True, True)

References
----------
Zinkevich, Johanson, Bowling and Piccione (2007), "Regret minimization in games with incomplete information", section 4.
Lanctot, Waugh, Zinkevich and Bowling (2009), "Monte Carlo sampling for regret minimization in extensive games".
Johanson, Bard, Lanctot, Gibson and Bowling (2012), "Efficient Nash equilibrium approximation through Monte Carlo
counterfactual regret minimization". Brown and Sandholm (2019), "Solving imperfect-information games via discounted
regret minimization" (linear weighting, also with sampling).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import nan
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from pokerlab.abstraction.cells import Lossless
from pokerlab.abstraction.deals import Deals, deals_for
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.rng import stream_key
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.core.best_response import Evaluation, evaluate
from pokerlab.solvers.core.pair_tables import PairTables
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.sampling import _mccfr_numba as kernels
from pokerlab.solvers.vector.multiplayer import evaluate_many

Kind: TypeAlias = Literal["chance", "external", "outcome", "public"]
DEALS_AT_ONCE = 4096
LOG_ENTRIES = 1 << 20


@dataclass(frozen=True)
class Sampling:
    """Kind of sampling, and weights of iterations."""

    kind: Kind = "external"
    epsilon: float = 0.6  # outcome sampling: the share of own actions drawn uniformly (0.6: Lanctot et al. 2009)
    deals_per_iteration: int = 1
    # whether regrets are kept at 0 or above after every change (CFR+ does it after every iteration)
    floor: bool = False
    regret_power: float = 0.0  # regrets of iteration t have the weight t ** regret_power (1: linear CFR)
    average_power: float = 0.0  # its strategy has the weight t ** average_power in the average
    # external and outcome sampling with more than two players: deals between two walks for the average
    average_every: int = 1

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise PokerlabError(f"no sampling is called {self.kind!r}; there are {', '.join(get_args(Kind))}")
        if not 0 < self.epsilon <= 1:
            raise PokerlabError(f"epsilon is {self.epsilon:g}; outcome sampling needs more than 0 and at most 1")
        if self.deals_per_iteration < 1 or self.average_every < 1:
            raise PokerlabError("deals_per_iteration and average_every count from 1")


class SamplingCfr:
    """Base class of the sampling engines, with the arrays `regret[pair]` and `sums[pair]`, their initial values and the
    strategy."""

    problem: Problem
    tables: PairTables
    dtype: Literal["float64", "float32"] = "float64"

    def init(self) -> Arrays:
        n = self.tables.n_pairs
        return {"iteration": np.array(0), "regret": np.zeros(n, self.dtype), "sums": np.zeros(n, self.dtype)}

    def strategy(self, arrays: Arrays) -> Strategy:
        return self.tables.strategy(arrays["sums"])

    def evaluate(self, arrays: Arrays) -> Evaluation:
        """Compute the average strategy's value and the values of best responses to it.

        Best responses use the card abstraction and the betting tree of `problem`. If they cannot be computed exactly,
        all values are NaN.
        """
        return evaluate_if_possible(self.problem, self.strategy(arrays))


class MonteCarloCfr(SamplingCfr):
    """Sampling CFR on a problem; an `Engine`.

    The arrays are `regret[pair]`, `sums[pair]` (with the layout of `pair_tables`) and `iteration`. They take 16 bytes
    per pair, or 8 in float32; float32 sums stop growing once they are 2 ** 24 times the increment of an iteration.
    Further iterations depend on the arrays, the settings and the seeds, not on `threads`. More than one thread needs
    `deals_per_iteration` above 1.

    With more than two players, the average of external and outcome sampling is accumulated by separate walks, which
    follow one sampled action of the player and all actions of the others. Otherwise a third player's choices would
    affect the weight of an iteration.
    """

    def __init__(
        self,
        problem: Problem,
        sampling: Sampling = Sampling(),
        *,
        deals: Deals | None = None,
        seed: int = 0,
        threads: int = 1,
        dtype: Literal["float64", "float32"] = "float64",
    ) -> None:
        self.problem, self.sampling, self.seed, self.threads = problem, sampling, int(seed), threads
        self.dtype = dtype
        self.deals = deals if deals is not None else deals_for(problem.cells, problem.tree.rules.n_seats, seed)
        self.tables = PairTables(problem)
        self._key = stream_key(self.seed, "sampled actions")
        if sampling.kind == "public":
            raise PokerlabError("public-chance sampling is public_chance.PublicChanceCfr")
        if threads < 1 or (threads > 1 and sampling.deals_per_iteration < threads):
            raise PokerlabError(f"{threads} threads need deals_per_iteration of at least {max(threads, 1)}")

    @property
    def about(self) -> dict[str, Any]:
        """The problem and the settings; the number of threads does not affect results and is omitted."""
        return {
            **self.problem.about, "algorithm": "mccfr", "sampling": asdict(self.sampling),
            "deals": self.deals.about, "seed": self.seed, "dtype": self.dtype,
        }  # fmt: skip

    def step(self, arrays: Arrays, n: int) -> Arrays:
        done, size = int(arrays["iteration"]), self.sampling.deals_per_iteration
        if size == 1:
            updates = self.tables.updates(arrays["regret"], arrays["sums"], floor=self.sampling.floor)
            for first in range(done, done + n, DEALS_AT_ONCE):
                at_once = self.deals.deal(first, min(DEALS_AT_ONCE, done + n - first))
                self._run(first, first + 1, 1, at_once, updates)
        else:
            self.deals.deal(0, 1)  # make tables and compile kernels before threads need them
            with ThreadPoolExecutor(self.threads) as pool:
                for t in range(done + 1, done + n + 1):
                    self._batch(arrays, t, pool)
        arrays["iteration"] = np.array(done + n)
        return arrays

    def _run(self, first: int, t: int, t_step: int, at_once: tuple[Any, Any], updates: Any) -> int:
        own, tree = self.sampling, self.tables.kernel
        kind = {"chance": kernels.CHANCE, "external": kernels.EXTERNAL, "outcome": kernels.OUTCOME}[own.kind]
        settings = kernels.SamplingSettings(kind, own.epsilon, own.average_every)
        powers = np.array([own.regret_power, own.average_power])
        return int(kernels.run_deals(self._key, first, t, t_step, powers, *at_once, tree, updates, settings))

    def _batch(self, arrays: Arrays, t: int, pool: ThreadPoolExecutor) -> None:
        """Run iteration `t`: each thread walks a part of its deals and logs the changes; then all logs are added up."""
        size = self.sampling.deals_per_iteration
        ends = [size * part // self.threads for part in range(self.threads + 1)]

        def walked(part: int) -> list[Any]:
            return self._logged(arrays, t, (t - 1) * size + ends[part], ends[part + 1] - ends[part])

        logs = [log for part in pool.map(walked, range(self.threads)) for log in part]
        cuts = [self.tables.n_pairs * part // self.threads for part in range(self.threads + 1)]

        def added(part: tuple[int, int]) -> None:
            for log in logs:
                kernels.apply_log(log, *part)

        list(pool.map(added, pairwise(cuts)))

    def _logged(self, arrays: Arrays, t: int, first: int, n: int) -> list[Any]:
        """Return the logs of deals number `first` .. `first + n - 1`, in order. When a log is full, the next deals go
        to a new log."""
        logs, done = [], 0
        entries = max(LOG_ENTRIES, 4 * self.problem.tree.rules.n_seats * self.problem.tree.n_edges)
        while done < n:
            at_once = self.deals.deal(first + done, min(DEALS_AT_ONCE, n - done))
            start = 0
            while start < len(at_once[0]):
                log = self.tables.updates(arrays["regret"], arrays["sums"], n_log=entries, floor=self.sampling.floor)
                rest = (at_once[0][start:], at_once[1][start:])
                start += self._run(first + done + start, t, 0, rest, log)
                logs.append(log)
            done += len(at_once[0])
        return logs


def evaluate_if_possible(problem: Problem, strategy: Strategy) -> Evaluation:
    """Compute a strategy's value and the values of best responses to it, if this is possible exactly.

    It is possible for two players with perfect recall, and for small games with any number of players. For buckets of
    imperfect recall, and for hold'em with three or more players, all values are NaN; such strategies can only be
    evaluated by playing.
    """
    n_players = problem.tree.rules.n_seats
    if n_players == 2 and problem.cells.pairs is not None:
        return evaluate(problem, strategy)
    if isinstance(problem.cells, Lossless):
        return evaluate_many(problem, strategy)
    return Evaluation(nan, (nan,) * n_players)
