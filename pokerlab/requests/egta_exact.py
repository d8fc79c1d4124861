"""Rounds of `pokerlab egta` at small games, whose deals can all be listed: best responses and exact epsilons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import perm

import numpy as np

from pokerlab.answers import Answer, AnswerTable
from pokerlab.empirical.exact_rounds import ExactRound, respond_exactly, shown_rounds
from pokerlab.empirical.meta_solvers import RespondTo
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Kind
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.vector.mixtures import SmallGame

FIRST = {"caller": (Kind.CALL,), "raiser": (Kind.RAISE, Kind.CALL), "folder": (Kind.FOLD, Kind.CALL), "random": ()}
"""The strategies that exact rounds can begin from: the kinds of action that they prefer."""
MOST_DEALS = 10_000


def check_exact(rules: Rules, strategies: Sequence[str], settings: Sequence[str]) -> None:
    """Refuse games with too many deals, strategies that are no scripts, and settings of learned responses."""
    deals = perm(len(rules.deck), rules.n_dealt)
    if deals > MOST_DEALS:
        raise PokerlabError(
            f"rounds need limit hold'em, where responses are learned, or a game as small as leduc3p, where all deals "
            f"can be listed; {rules.name} has {deals:,}"
        )
    for name in strategies:
        if name not in FIRST:
            raise PokerlabError(f"rounds at {rules.name} are exact and begin from {', '.join(FIRST)}, not {name}")
    if settings:
        option = f"--{settings[0].replace('_', '-')}"
        raise PokerlabError(f"rounds at {rules.name} are exact: leave out {option}, which is for learned responses")


def script_strategy(problem: Problem, name: str) -> Strategy:
    """Return the strategy that acts as a script does, with the same action probabilities for all cards.

    At each decision it takes the first kind of action in `FIRST[name]` that is legal; "random" takes every legal action
    with equal probability.

    >>> from pokerlab.games.catalog import game
    >>> kuhn = make_problem(game("kuhn3p"))
    >>> [round(float(script_strategy(kuhn, name).p[0].sum()), 1) for name in ("caller", "random")]
    [48.0, 48.0]
    """
    tree, strategy = problem.tree, problem.uniform()
    for decision in range(tree.n_decisions if FIRST[name] else 0):
        edges = tree.edges(decision)
        kinds = [int(tree.kind[edge]) for edge in edges]
        kind = next(kind for kind in FIRST[name] if kind in kinds)
        p = strategy.p[int(tree.street[decision])]
        for edge in edges:
            p[tree.row[edge]] = edge == edges[kinds.index(kind)]
    return strategy


def exact_answer(
    rules: Rules, strategies: Sequence[str], rounds: int, to: RespondTo, report: Callable[[int, int], None]
) -> Answer:
    """The loop from these strategies: the epsilon of the mixtures, and the most stable one."""
    small = SmallGame(make_problem(rules))
    first = {name: script_strategy(small.problem, name) for name in strategies}
    loop = respond_exactly(small, first, rounds=rounds, to=to, report=report)
    rows = [(str(each.number), f"{each.epsilon:.6f}", f"{each.nash_conv:.6f}") for each in shown_rounds(loop.rounds)]
    table = AnswerTable(("round", "epsilon, chips/hand", "NashConv, chips/hand"), tuple(rows), note=NOTE)
    data = {
        "game": rules.name,
        "strategies": list(strategies),
        "respond_to": to,
        "units": "chips_per_hand",
        "epsilon_is": EXACT,
        "rounds": [_round(each) for each in loop.rounds],
        "best": _round(loop.best) | {"mixture": dict(zip(loop.strategies, loop.best.mixture.tolist(), strict=False))},
    }
    values = ", ".join(f"{value:+.5f}" for value in loop.best.values)
    line = f"the most stable mixture is that of round {loop.best.number}; by seat it wins {values} chips/hand"
    title = f"{rules.name}, {len(loop.rounds)} best responses to the {to} mixture"
    return Answer(title, (table,), (line, EXACT), data, result=loop)


NOTE = "NashConv is the sum of the gains of all seats by best responses; epsilon is their mean"
EXACT = "Every epsilon is exact: it is the gain of the best response."


def _round(each: ExactRound) -> dict[str, object]:
    return {
        "round": each.number,
        "epsilon": each.epsilon,
        "nash_conv": each.nash_conv,
        "values": np.asarray(each.values).tolist(),
    }
