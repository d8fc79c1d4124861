"""Values and best responses of any strategy are those of the textbook recursion over every deal."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import textbook_cfr

from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import best_response, evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import solve_lp

SIZES = {"kuhn": None, "leduc": None, "leduc-nolimit": "min, all-in"}
"""The last is what `Legal.menu` offers, and so what the reference plays."""


def drawn(problem, seed, power=1):
    """A random strategy; a high `power` makes it nearly pure."""
    rng = np.random.default_rng(seed)
    return Strategy.from_sums(
        problem.tree, problem.cells, [rng.exponential(size=p.shape) ** power for p in problem.uniform().p]
    )


def as_profile(strategy, tree):
    """A strategy as the reference wants it: by information set, suits told apart."""
    decision = {at.actions: strategy.tree.decision_after(at.actions) for at in tree.members}
    return {at: strategy.at(decision[at.actions])[:, strategy.cells.of_hand(at.hole, at.board)] for at in tree.members}


@pytest.fixture(scope="module", params=SIZES)
def both(request):
    rules = game(request.param)
    return make_problem(rules, SIZES[request.param]), textbook_cfr.GameTree(rules)


@pytest.mark.slow
def test_evaluations_are_those_of_the_reference(both):
    problem, tree = both
    strategy = drawn(problem, 3, power=4)
    profile = as_profile(strategy, tree)
    found = evaluate(problem, strategy)
    values = textbook_cfr.expected_values(tree, profile)
    assert found.value == pytest.approx(values[0], abs=1e-12)
    assert -found.value == pytest.approx(values[1], abs=1e-12)
    for player in (0, 1):
        expected = textbook_cfr.best_response_value(tree, profile, player)
        assert found.best_response[player] == pytest.approx(expected, rel=1e-12)
    assert found.nash_conv == pytest.approx(textbook_cfr.nash_conv(tree, profile), rel=1e-12)


@pytest.mark.slow
def test_a_best_response_gets_what_it_promises(both):
    problem, _ = both
    strategy = drawn(problem, 5)
    promised = evaluate(problem, strategy).best_response
    for player, sign in ((0, 1), (1, -1)):
        answer = best_response(problem, strategy, player)
        assert sign * evaluate(problem, answer).value == pytest.approx(promised[player], rel=1e-12)
        mine = problem.tree.actor[problem.tree.edge_decision]
        for street, edges in enumerate(problem.tree.edges_on):
            theirs = mine[edges] != player
            assert np.array_equal(answer.p[street][theirs], strategy.p[street][theirs])
            assert set(np.unique(answer.p[street][~theirs])) <= {0.0, 1.0}


def test_bounds_hold_the_value_and_meet_at_an_equilibrium():
    problem = make_problem(game("leduc"))
    value = solve_lp(problem).value
    for seed in range(5):
        bounds = evaluate(problem, drawn(problem, seed)).bounds
        assert bounds.low < value < bounds.high


def test_uniform_is_exploitable_by_what_is_published():
    """4.747222: NashConv of the uniform policy of Leduc, as OpenSpiel's tests have it too."""
    problem = make_problem(game("leduc"))
    assert evaluate(problem, problem.uniform()).nash_conv == pytest.approx(4.747222, abs=5e-7)


def test_three_players_are_refused():
    problem = make_problem(game("kuhn3p"))
    with pytest.raises(RulesError, match="kuhn3p is for 3 players; this solver is for two"):
        evaluate(problem, problem.uniform())
