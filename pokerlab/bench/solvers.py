"""Benchmarks of `solvers/`: iterations per second compared with OpenSpiel's C++ solvers, whole solves, playing."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from pokerlab.bench.benchmark import Work, repeated, stepped
from pokerlab.games.actions import CALL
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.rng import shuffled_deck
from pokerlab.solvers.configs import SolveConfig
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.runs import engine_of, problem_of
from pokerlab.solvers.sampling.mccfr import Kind, MonteCarloCfr, Sampling
from pokerlab.solvers.sampling.public_chance import PublicChanceCfr
from pokerlab.solvers.vector.cfr import VectorCfr

LEDUC_ITERATIONS = 2_000
HOLDEM_ITERATIONS = 10


def vector(name: str) -> Work:
    return stepped(VectorCfr(make_problem(game("leduc")), variant(name)), LEDUC_ITERATIONS)


def sampling(kind: Kind) -> Work:
    make = PublicChanceCfr if kind == "public" else MonteCarloCfr
    return stepped(make(make_problem(game("leduc")), Sampling(kind), seed=1), 10 * LEDUC_ITERATIONS)


def open_spiel(solver: str, n: int) -> Work:
    """One of OpenSpiel's C++ solvers, called from Python by its method for one iteration."""
    import pyspiel

    leduc: Any = pyspiel.load_game("leduc_poker")
    made = getattr(pyspiel, solver)(leduc)
    return repeated(made.run_iteration if "Sampling" in solver else made.evaluate_and_update_policy, n)


def holdem() -> Work:
    config = SolveConfig(game="nolimit2p", cards="pr5", sizes="fcpa")
    return stepped(engine_of(config, problem_of(config)), HOLDEM_ITERATIONS)


def leduc_to_the_end() -> Work:
    problem = make_problem(game("leduc"))

    def once() -> None:
        solution = solve(VectorCfr(problem, variant("pdcfr+")), iterations=1_000_000, target=1e-9)
        assert solution.exploitability <= 1e-9

    return repeated(once, 1)


def strategy_decisions() -> Work:
    """Decisions of a player of nolimit2p in hands that are called down: two per street, with new cards."""
    rules = game("nolimit2p")
    problem = make_problem(rules, "fcpa", "pr5")
    policy, seeds = StrategyPolicy(problem.uniform()), count()
    rng = np.random.default_rng(1)

    def work() -> int:
        state, n = State.start(rules, shuffled_deck(next(seeds), "strategy-decision")), 0
        while not state.over:
            policy.act(state.view(state.betting.actor, 0, ("a", "b")), rng)
            state, n = state.after(CALL), n + 1
        return n

    return work
