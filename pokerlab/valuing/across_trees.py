"""Exact value of two strategies on different betting trees against each other, over their common buckets.

Each player interprets the other's bets by translation (`trees.translation`), so neither betting tree contains the hands
that they play. Here these hands are enumerated: at each decision all actions of the actor's strategy, for all of its
buckets at once, down to the terminal nodes that both players reach. Both strategies must use the same buckets. Then no
cards need to be dealt: the probabilities and showdown values of pairs of buckets are enough.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.sequence_form import solve_lp
>>> small, large = (solve_lp(make_problem(game("leduc-nolimit"), sizes)).strategy for sizes in ("fcpa", "3p, fcpa"))
>>> result = encounter(StrategyPolicy(large), StrategyPolicy(small))
>>> round(result.value, 4), result.decisions
(-0.0646, 24)

References
----------
Hawkin (2014), section 7.6.1: players on different trees, by 8 million hands a pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.cells import CellPairs
from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.games.betting import Betting
from pokerlab.games.views import PublicView
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import recipe_digest
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.problem import Problem

MOST_DECISIONS = 2_000_000


class Encounter(NamedTuple):
    """Expected chips per hand of seat 0, number of decisions visited, and probability of the hands left out."""

    value: float
    decisions: int
    left_out: float  # probability of hands that were left out as too unlikely


class _Point(NamedTuple):
    public: PublicView  # the public view, without a board
    reach: tuple[Floats, Floats]  # reach[seat][cell of the street]


def encounter(
    first: StrategyPolicy, second: StrategyPolicy, *, least: float = 0.0, most_decisions: int = MOST_DECISIONS
) -> Encounter:
    """Compute the value of `first` in seat 0 against `second` in seat 1. An action is left out, with everything after
    it, if it leads to a decision with a probability below `least`."""
    policies, pairs = (first, second), _pairs(first.strategy(0), second.strategy(1))
    rules = first.strategy(0).tree.rules
    if not second.supports(rules):
        raise PokerlabError(f"a player of {second.rules.name} does not play {rules.name}")
    whole = np.ones(first.strategy(0).cells.n_cells[0])
    pending = [_Point(PublicView.start(rules), (whole, whole))]
    value, decisions, left_out = 0.0, 0, 0.0
    while pending:
        public, before = pending.pop()
        betting = public.betting
        decisions += 1
        if decisions > most_decisions:
            raise PokerlabError(f"the two players reach more than {most_decisions:,} decisions")
        actions, p = policies[betting.actor].by_cell(public, betting.actor)
        for action, chance in zip(actions, p.T, strict=True):
            reach = (before[0] * chance, before[1]) if betting.actor == 0 else (before[0], before[1] * chance)
            share = _mean(pairs.joint, betting.street, reach)
            if share <= least:
                left_out += share
                continue
            after = public.after(action)
            if after.betting.over:
                value += _outcome(pairs, betting.street, after.betting, reach)
                continue
            later = [_dealt(pairs, each, betting.street, after.street) for each in reach]
            pending.append(_Point(after, (later[0], later[1])))
    return Encounter(value, decisions, left_out)


def _pairs(one: Strategy, other: Strategy) -> CellPairs:
    """Pairs of buckets of two strategies, which must use the same card abstraction."""
    if one.cells.name != other.cells.name or recipe_digest(one.cells) != recipe_digest(other.cells):
        raise PokerlabError(f"no exact value of {one.cells.name} cards against {other.cells.name} cards: play hands")
    return Problem(one.tree, one.cells).pairs


def _mean(matrices: tuple[Floats, ...], street: int, reach: tuple[Floats, Floats]) -> float:
    """Sum of a matrix over pairs of buckets, weighted by both players' reach."""
    matrix = matrices[street]
    rows, columns = (each.reshape(len(matrix), -1) for each in reach)
    return float(np.einsum("bi,bij,bj->", rows, matrix, columns, optimize=True))


def _outcome(pairs: CellPairs, street: int, over: Betting, reach: tuple[Floats, Floats]) -> float:
    """Payoff of a terminal node to seat 0, times its probability."""
    stake = float(min(over.spent))
    if over.showdown:
        return stake * _mean(pairs.showdown, street, reach)
    return (-stake if over.folded & 1 else stake) * _mean(pairs.joint, street, reach)


def _dealt(pairs: CellPairs, reach: Floats, street: int, to: int) -> Floats:
    """Turn reach probabilities by bucket into those by bucket of a later street."""
    for s in range(street, to):
        reach = reach[pairs.parent[s + 1]]
    return reach
