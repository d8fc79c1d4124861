"""Responses learned by sampling: near the best response where that is known, and the others are left alone."""

import numpy as np
import pytest

from pokerlab.games.catalog import game
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.pair_tables import PairTables
from pokerlab.solvers.core.problem import make_problem
from pokerlab.valuing.learned_response import response_gain, sampled_response


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_it_gains_nearly_what_a_best_response_gains(player):
    leduc = make_problem(game("leduc"))
    uniform = leduc.uniform()
    response = sampled_response(uniform, player, iterations=25, seed=1, caution=1)
    old, new = evaluate(leduc, uniform), evaluate(leduc, response)
    sign = 1 - 2 * player
    best, gain = old.best_response[player] - sign * old.value, sign * (new.value - old.value)
    assert 0.98 * best < gain <= best + 1e-9
    found = response_gain(uniform, response, player, hands=50_000, seed=2)
    error = (found.high - found.low) / 2 / 1.96
    assert abs(found.mean - 1000 * gain / float(leduc.tree.rules.big_blind)) < 3.5 * error


def test_caution_keeps_the_old_strategy():
    leduc = make_problem(game("leduc"))
    uniform = leduc.uniform()
    response = sampled_response(uniform, 0, iterations=5, seed=1, caution=1e9)
    assert max(np.abs(a - b).max() for a, b in zip(response.p, uniform.p, strict=True)) < 1e-3


def test_only_the_player_changes_and_unseen_cells_stay():
    kuhn = make_problem(game("kuhn3p"))
    uniform = kuhn.uniform()
    response = sampled_response(uniform, 1, iterations=3, seed=1)
    for decision in range(kuhn.tree.n_decisions):
        same = np.allclose(response.at(decision), uniform.at(decision))
        assert same or kuhn.tree.actor[decision] == 1
    assert any(not np.allclose(a, b) for a, b in zip(response.p, uniform.p, strict=True))


def test_pairs_are_laid_out_as_the_solver_has_them():
    leduc = make_problem(game("leduc"))
    tables, rng = PairTables(leduc), np.random.default_rng(1)
    strategy = tables.strategy(rng.random(tables.n_pairs))
    again = tables.strategy(strategy.by_pair()[0])
    assert all(np.allclose(a, b) for a, b in zip(strategy.p, again.p, strict=True))
