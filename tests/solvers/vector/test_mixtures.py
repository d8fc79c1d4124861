"""Mixtures of strategies as one strategy: Kuhn's theorem by enumeration of draws, exact responses, payoffs."""

from itertools import product

import numpy as np
import pytest
from oracles.enumeration import player_values

from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.vector.mixtures import SmallGame


@pytest.fixture(scope="module", params=["kuhn3p", "leduc3p"])
def small(request):
    return SmallGame(make_problem(game(request.param)))


def random_strategy(small, seed):
    rng, problem = np.random.default_rng(seed), small.problem
    shapes = zip(problem.tree.edges_on, problem.cells.n_cells, strict=True)
    return Strategy.from_sums(problem.tree, problem.cells, [rng.random((len(e), n)) ** 3 for e, n in shapes])


def test_a_mixture_plays_like_its_strategies_drawn_before_every_hand(small):
    strategies, chances = [random_strategy(small, seed) for seed in (1, 2)], np.array([0.3, 0.7])
    drawn = np.zeros(3)
    for draw in product(range(2), repeat=3):
        drawn += chances[list(draw)].prod() * small.values(small.seated([strategies[d] for d in draw]))
    assert small.values(small.mixed(strategies, chances)) == pytest.approx(drawn, abs=1e-12)
    halfway = [0.3 * one + 0.7 * other for one, other in zip(strategies[0].p, strategies[1].p, strict=True)]
    wrong = Strategy(small.problem.tree, small.problem.cells, tuple(halfway))
    assert np.abs(small.values(wrong) - drawn).max() > 1e-4, "averaging at every decision is something else"


def test_the_best_response_gains_nash_conv_in_all_seats_together(small):
    strategy = random_strategy(small, 3)
    response, gained = small.best_response(strategy), 0.0
    for seat in range(3):
        seats = [strategy] * 3
        seats[seat] = response
        more = small.values(small.seated(seats)) - small.values(strategy)
        assert more[seat] == pytest.approx(small.gains(strategy)[seat], abs=1e-12) and more[seat] > 0
        gained += more[seat]
    assert gained == pytest.approx(small.nash_conv(strategy), abs=1e-12)


def test_values_are_those_of_enumeration_and_payoffs_are_over_all_seatings():
    small = SmallGame(make_problem(game("kuhn3p")))
    strategies = [random_strategy(small, seed) for seed in (4, 5, 6)]
    assert small.values(strategies[0]) == pytest.approx(player_values(small.problem, strategies[0]), abs=1e-12)
    payoffs = small.payoffs(strategies)
    assert sum(payoffs.values()) == pytest.approx(0.0, abs=1e-12)
    alone = small.payoffs([strategies[0]] * 3)
    assert list(alone.values()) == pytest.approx([0.0] * 3, abs=1e-12), "a player of a mixture gets nothing from it"


@pytest.mark.parametrize(("name", "nash_conv"), [("kuhn3p", 2.0625), ("leduc3p", 12.611221340388006)])
def test_nash_conv_of_random_play(name, nash_conv):
    """OpenSpiel 1.6, `nash_conv` of `UniformRandomPolicy` of kuhn_poker and leduc_poker with three players."""
    problem = make_problem(game(name))
    assert SmallGame(problem).nash_conv(problem.uniform()) == pytest.approx(nash_conv, abs=1e-9)
