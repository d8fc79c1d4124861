"""The loop with exact responses and payoffs: three-player Kuhn's closed form, two players' value, and its mixtures."""

import numpy as np
import pytest

from pokerlab.agents.scripted import Scripted, caller, raiser
from pokerlab.empirical.exact_rounds import respond_exactly, shown_rounds
from pokerlab.empirical.meta_solvers import meta_solution
from pokerlab.empirical.symmetric_games import matrix_game
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.vector.mixtures import SmallGame
from pokerlab.valuing.tabulate import tabulate


def small_game(name):
    return SmallGame(make_problem(game(name)))


def test_fictitious_play_comes_to_the_value_of_kuhn():
    small = small_game("kuhn")
    loop = respond_exactly(small, {"uniform": small.problem.uniform()}, rounds=300, to="average")
    assert loop.best.values[0] == pytest.approx(-1 / 18, abs=5e-3)
    assert loop.best.nash_conv < 0.04 < loop.rounds[20].nash_conv


@pytest.mark.slow
@pytest.mark.parametrize("to", ["nearest", "regret-matching", "fictitious-play", "replicator", "alpha-rank", "uniform"])
def test_every_meta_solver_improves_on_the_first_strategies(to):
    small = small_game("kuhn3p")
    first = {"caller": tabulate(Scripted(caller), small.problem), "raiser": tabulate(Scripted(raiser), small.problem)}
    loop = respond_exactly(small, first, rounds=7, to=to)
    assert loop.best.nash_conv < 0.6 * loop.rounds[0].nash_conv
    assert loop.best.nash_conv == pytest.approx(small.nash_conv(loop.strategy), abs=1e-12)
    assert loop.strategies[:3] == ("caller", "raiser", "response 1") and len(loop.strategies) == 8
    assert loop.rounds[-1].mixture.sum() == pytest.approx(1.0) and len(shown_rounds(loop.rounds)) == 4


@pytest.mark.parametrize("to", ["average", "optimistic"])
def test_the_mixture_of_a_round_is_played_as_one_strategy(to):
    """NashConv by the loop's running sums is that of the mixture made from its strategies anew."""
    small = small_game("kuhn3p")
    loop = respond_exactly(small, {"uniform": small.problem.uniform()}, rounds=4, to=to)
    strategies = [small.problem.uniform()]
    for each in loop.rounds:
        mixed = small.mixed(strategies, each.mixture)
        assert small.nash_conv(mixed) == pytest.approx(each.nash_conv, abs=1e-12)
        strategies.append(small.best_response(mixed))


def test_alpha_rank_counts_players_of_profiles():
    rps = matrix_game(("rock", "paper", "scissors"), [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert meta_solution("alpha-rank", rps, n_first=3).mixture == pytest.approx(np.full(3, 1 / 3))
    with pytest.raises(PokerlabError, match="not 'nash'"):
        meta_solution("nash", rps, n_first=3)
