"""Values of strategies: by playing (kernel and twin agree, unbiased), by every way beside each other."""

import numpy as np
import pytest

from pokerlab.agents.recipes import strategy_path
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy, by_seat
from pokerlab.policies.strategy_files import load_strategy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.sampling.mccfr import MonteCarloCfr
from pokerlab.valuing.played_hands import HandPlayer, played_values
from pokerlab.valuing.strategy_worth import BOARDS, EXACT, PLAYED, worths


def random_strategy(problem, seed):
    rng = np.random.default_rng(seed)
    sums = [rng.random((len(edges), n)) for edges, n in zip(problem.tree.edges_on, problem.cells.n_cells, strict=True)]
    return Strategy.from_sums(problem.tree, problem.cells, sums)


@pytest.fixture(scope="module")
def leduc():
    problem = make_problem(game("leduc"))
    return problem, random_strategy(problem, 1), random_strategy(problem, 2)


def test_a_hand_is_the_same_whenever_it_is_played(leduc):
    play = HandPlayer(leduc[1:], seed=5)
    chips = play.hands(100, 300)
    assert np.array_equal(chips[50:60], play.hands(150, 10))
    assert not chips.sum(axis=1).any() and len(np.unique(chips)) > 5


def test_hands_are_not_those_that_a_solver_of_the_same_seed_trained_on(leduc):
    """A sampling solver goes through the deals of its seed from the first; measurements have a stream of their own."""
    trained = MonteCarloCfr(leduc[0], seed=7).deals.deal(0, 500)[0]
    played = HandPlayer(leduc[1:], seed=7)._deals.deal(0, 500)[0]
    assert (trained == played).all(axis=(1, 2)).mean() < 0.2  # of independent deals of Leduc one in twelve


def test_playing_is_unbiased(leduc):
    problem, first, second = leduc
    exact = 1000 * evaluate(problem, by_seat(first, second)).value / float(problem.tree.rules.big_blind)
    found, other = played_values([first, second], hands=400_000, seed=3)
    error = (found.high - found.low) / 2 / 1.96
    assert abs(found.mean - exact) < 3.5 * error < 60
    assert other.mean == pytest.approx(-found.mean)


def test_seats_keep_their_strategies(leduc):
    problem, first, second = leduc
    both = by_seat(first, second)
    for decision in range(problem.tree.n_decisions):
        own = (first, second)[problem.tree.actor[decision]]
        assert np.array_equal(both.at(decision), own.at(decision))


def test_every_way_for_a_small_game(leduc):
    _, first, second = leduc
    exact, played = worths(first, second, hands=50_000, boards=2, seed=1)
    assert (exact.way, played.way) == (EXACT, PLAYED)
    assert played.value.low < exact.value.mean < played.value.high and played.value.n == 50_000
    assert (exact.value.kind, played.value.kind) == ("exact", "interval")
    assert exact.best_response[0] > exact.value.mean > -exact.best_response[1]
    assert played.seconds_for(played.value.half_width / 2) == pytest.approx(4 * played.seconds)
    assert exact.seconds_for(1.0) == exact.seconds


@pytest.mark.slow
def test_every_way_for_holdem():
    strategy = load_strategy(strategy_path("nolimit2p")).strategy
    exact, played, boards = worths(strategy, hands=100_000, boards=10, seed=1)
    assert boards.way == BOARDS and exact.value.mean == pytest.approx(-61.73, abs=0.01)
    assert played.value.low < exact.value.mean < played.value.high
    assert boards.value.low < exact.value.mean < boards.value.high


def test_other_trees_are_refused(leduc):
    with pytest.raises(RulesError, match="on the same betting tree"):
        HandPlayer([leduc[1], make_problem(game("kuhn")).uniform()], seed=1)
