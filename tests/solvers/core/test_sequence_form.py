"""Exact values, and what a linear program refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.errors import RulesError
from pokerlab.games.catalog import game, small_deck
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import Plans, payoffs, program_size, solve_lp

EXACT = {
    ("kuhn", None): -1 / 18,  # Kuhn 1950
    ("leduc", None): -0.085606424078,
    ("kuhn-one-bet", "1p"): 0.0,
    ("kuhn-half-street", "0.5p"): 1 / 18,
    ("leduc-nolimit", "fcpa"): -0.071372254725,
    ("leduc-unrestricted", "fcpa"): -0.071296250446,
}


@pytest.mark.parametrize(("name", "sizes"), EXACT, ids=lambda part: str(part))
def test_values(name, sizes):
    found = solve_lp(make_problem(game(name), sizes))
    assert found.value == pytest.approx(EXACT[name, sizes], abs=1e-11)
    assert found.exploitability < 1e-11
    bounds = found.evaluation.bounds
    assert bounds.low - 1e-12 <= found.value <= bounds.high + 1e-12


@pytest.mark.parametrize("s", [0.25, 0.5, 2 * 2**0.5 - 2, 1, 1.5])
def test_half_street_kuhn_by_hand(s):
    """A bet of s chips into a pot of 2: the queen calls (2 - s) / (2 + s), the jack bluffs s / (2 + s).

    The bettor's value s(2 - s) / (6(2 + s)) is largest at s = 2 sqrt(2) - 2, which is 0.414 of the pot.
    """
    found = solve_lp(make_problem(game("kuhn-half-street"), f"{s / 2:.15f}p"))
    assert found.value == pytest.approx(s * (2 - s) / (6 * (2 + s)), abs=1e-12)
    assert found.value <= (3 - 2 * 2**0.5) / 3 + 1e-12
    assert found.strategy.at(1)[1, 1] == pytest.approx((2 - s) / (2 + s))
    assert found.strategy.at(0)[1, 0] == pytest.approx(s / (2 + s))


def test_strategies_are_distributions_and_kuhn_plays_one_of_its_equilibria():
    problem = make_problem(game("kuhn"))
    p = solve_lp(problem).strategy
    assert all(part.min() >= 0 for part in p.p)
    for decision in range(problem.tree.n_decisions):
        assert p.at(decision).sum(axis=0) == pytest.approx(np.ones(3))
    jack_bets, _, king_bets = p.at(0)[1]
    assert 0 <= jack_bets <= 1 / 3 + 1e-12
    assert king_bets == pytest.approx(3 * jack_bets)


def test_plans_have_a_row_for_each_information_set_and_one_more():
    problem = make_problem(game("leduc"))
    plans = [Plans.of(problem, player) for player in (0, 1)]
    n_sets, n_pairs = problem.counts
    assert sum(plan.constraints.shape[0] - 1 for plan in plans) == n_sets
    assert sum(plan.constraints.shape[1] - 1 for plan in plans) == n_pairs


def test_payoffs_of_the_uniform_plans_are_the_uniform_value():
    problem = make_problem(game("leduc"))
    plans = [Plans.of(problem, player) for player in (0, 1)]
    weights = [_uniform(plan) for plan in plans]
    value = weights[0] @ (payoffs(problem, *plans) @ weights[1])
    assert value == pytest.approx(evaluate(problem, problem.uniform()).value, abs=1e-14)
    for plan, weight in zip(plans, weights, strict=True):
        shared = plan.constraints @ weight
        assert shared[0] == 1
        assert shared[1:] == pytest.approx(np.zeros(len(shared) - 1), abs=1e-15)


def _uniform(plan):
    """The plan that shares evenly, read from the constraints alone."""
    weight = np.zeros(plan.constraints.shape[1])
    weight[0] = 1
    rows = plan.constraints.tocsr()
    for i in range(1, rows.shape[0]):
        columns, signs = (
            rows.indices[rows.indptr[i] : rows.indptr[i + 1]],
            rows.data[rows.indptr[i] : rows.indptr[i + 1]],
        )
        after = columns[signs > 0]
        weight[after] = weight[columns[signs < 0][0]] / len(after)
    return weight


def test_a_program_that_is_too_large_is_refused_before_it_is_built():
    problem = make_problem(game("leduc"))
    assert program_size(problem) == 1116
    with pytest.raises(RulesError) as refused:
        solve_lp(problem, max_size=1000)
    assert str(refused.value) == (
        "the linear program of leduc with lossless cards has 1,116 payoff terms, more than 1,000; "
        "solve it by iteration (cfr+, dcfr ..)"
    )


def test_cells_that_are_never_dealt_have_no_sequences():
    """Three-card hands of a deck of three ranks and three suits: some boards leave fewer hands than others."""
    rules = replace(game("rhode-island"), deck=small_deck(3, 3), name="little-island")
    problem = make_problem(rules)
    n_sets, n_pairs = problem.counts
    assert n_sets < problem.tree.counts(problem.cells.n_cells)[0]
    plans = [Plans.of(problem, player) for player in (0, 1)]
    assert sum(plan.constraints.shape[0] - 1 for plan in plans) == n_sets
    assert sum(plan.constraints.shape[1] - 1 for plan in plans) == n_pairs
