"""Board values against the exact value in the game whose pair matrices come from the same boards."""

import numpy as np
import pytest

from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.best_response import evaluate
from pokerlab.solvers.board_values import BoardValues, sampled_boards_value
from pokerlab.solvers.problem import Problem
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.percentile_buckets import build_percentiles, sampled_boards

N_BOARDS, SEED = 6, 3


@pytest.fixture(scope="module")
def problem():
    return Problem(build_tree(game("nolimit2p"), "fcpa"), build_percentiles(2, n_boards=N_BOARDS, seed=SEED))


def random_strategy(problem, seed):
    rng = np.random.default_rng(seed)
    sums = [rng.random(p.shape) for p in problem.uniform().p]
    return Strategy.from_sums(problem.tree, problem.cells, sums)


def test_mean_over_the_boards_of_the_pairs_is_the_exact_value(problem):
    strategy = random_strategy(problem, 1)
    boards = sampled_boards(N_BOARDS, SEED).cards
    values = BoardValues(strategy, strategy)
    mean = np.mean([values.value(board) for board in boards])
    assert mean == pytest.approx(evaluate(problem, strategy).value, rel=1e-5)  # the matrices are float32


def test_workers_change_nothing(problem):
    one, two = random_strategy(problem, 1), random_strategy(problem, 2)
    found = [sampled_boards_value(one, two, n_boards=4, seed=5, workers=n) for n in (1, 2)]
    assert found[0] == found[1]
    assert found[0].n == 4 and found[0].low < found[0].mean < found[0].high
