"""Strategies that a person can remember: probabilities in steps of 25, 50 or 100%, and the exact cost of rounding.

A player with rounded probabilities loses against the solution itself, and is easier to exploit. Both costs are reported
by player, in chips per hand: against the solution, and against a best response.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.sequence_form import solve_lp
>>> kuhn = solve_lp(make_problem(game("kuhn"))).strategy
>>> [(cost.step, [round(loss, 4) for loss in cost.worst], round(cost.exploitability, 4)) for cost in costs_of(kuhn)]
[(25, [0.0278, 0.0556], 0.0417), (50, [0.0278, 0.0556], 0.0417), (100, [0.1111, 0.2222], 0.1667)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy, by_seat, in_steps
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.valuing.strategy_worth import evaluated

STEPS = (25, 50, 100)  #: steps of probabilities, in percent


@dataclass(frozen=True)
class StepCost:
    """Cost to each player of rounding probabilities to steps of `step` percent, in chips per hand."""

    step: int
    against_solution: tuple[float, float]  # by player: loss against the other player's unrounded solution
    worst: tuple[float, float]  # by player: loss against a best response (with rake: the response's gain)
    exploitability: float  # exploitability if both players are rounded
    solved: float  # the exploitability of the solution


def simplified(strategy: Strategy, step: int) -> Strategy:
    """Round the probabilities of `strategy` to steps of `step` percent."""
    if not 0 < step <= 100 or 100 % step:
        raise PokerlabError(f"steps divide 100%, as 25, 50 and 100 do; {step} does not")
    return in_steps(strategy, 100 // step)


def costs_of(strategy: Strategy, steps: Sequence[int] = STEPS, *, threads: int | None = None) -> list[StepCost]:
    """Cost of rounding, for each step."""
    solved = evaluated(strategy, threads=threads)
    return [_cost(strategy, solved, step, threads) for step in steps]


def _cost(strategy: Strategy, solved: Evaluation, step: int, threads: int | None) -> StepCost:
    rounded = simplified(strategy, step)
    both = evaluated(rounded, threads=threads)
    first = evaluated(by_seat(rounded, strategy), threads=threads).values[0]
    second = evaluated(by_seat(strategy, rounded), threads=threads).values[1]
    return StepCost(
        step,
        against_solution=(solved.values[0] - first, solved.values[1] - second),
        worst=(both.best_response[1] - solved.best_response[1], both.best_response[0] - solved.best_response[0]),
        exploitability=both.exploitability,
        solved=solved.exploitability,
    )
