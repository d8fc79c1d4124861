"""The value of a game with a given set of bet sizes, with bounds from best responses or a 95% interval.

Small games are solved exactly by a linear program. Larger games are solved by regret minimisation (CFR+ in Numba, DCFR+
in JAX) until the bounds are close enough. Games with imperfect recall are solved on sampled boards for a fixed number
of iterations. Values are player 0's chips per hand.
"""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Watch, take_steps
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import MAX_SIZE, program_size, solve_lp
from pokerlab.solvers.core.solve import Engine, solve
from pokerlab.solvers.core.variants import variant


def game_value(
    tree: SizedTree,
    size: Floats,
    cells: Cells,
    *,
    iterations: int,
    target: float,
    engine: str,
    boards: tuple[int, int] = (8, 10_000),
    seed: int = 7,
    watch: Watch | None = None,
) -> tuple[Estimate, Strategy]:
    """Solve the game of `tree` at `size[bet]`. Return (value to player 0 in chips per hand, strategy).

    With perfect recall, a small game is solved exactly. A larger one is solved until NashConv is at most `target`
    chips, checked after every eighth of `iterations`; best responses give bounds on its value. With imperfect recall,
    each iteration samples boards[0] boards, and the value has a 95% interval over boards[1] new boards.
    """
    problem = Problem(tree.tree(size), cells)
    if cells.pairs is None:
        from pokerlab.solvers.bet_sizing.dense_bets import BoardBets

        settings = BetsSettings(n=np.inf, variant=variant("lcfr"), seed=seed)
        sampled = BoardBets(tree.fixed(size), cells, settings, iterations=iterations, boards_per_iteration=boards[0])
        state = take_steps(sampled, iterations=iterations, watch=watch)
        return sampled.value(state, boards[1]), sampled.strategy(state)
    if solved_exactly(problem):
        exact = solve_lp(problem)
        return exact.evaluation.bounds, exact.strategy
    solver: Engine
    if engine == "numba":
        from pokerlab.solvers.vector.cfr import VectorCfr

        solver = VectorCfr(problem, variant("cfr+"))
    else:
        # Ranges of width zero keep the sizes fixed, so the compiled code of the run that found them can be reused.
        from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

        settings = BetsSettings(n=np.inf, variant=variant("dcfr+"))
        solver = DenseBets(tree.fixed(size), cells, settings, iterations=iterations)
    every = max(1, iterations // 8)
    found = solve(solver, iterations=iterations, target=target / 2, every=every, watch=watch)
    return found.evaluation.bounds, found.strategy


def solved_exactly(problem: Problem) -> bool:
    """Whether a game is small enough for a linear program."""
    return program_size(problem) <= MAX_SIZE // 4
