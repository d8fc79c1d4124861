"""Board values against the exact value in the game whose pair matrices come from the same boards."""

import numpy as np
import pytest

from pokerlab.abstraction.buckets import INDEX_BITS, MOST_SCORE, Buckets
from pokerlab.abstraction.percentile_buckets import SCALE, preflop_cells, sampled_boards
from pokerlab.cards.combos import MASK_OF_COMBO
from pokerlab.cards.evaluate import rank_combos
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.trees.betting_tree import build_tree
from pokerlab.valuing.sampled_boards import BoardValues, sampled_boards_value

BOARDS = sampled_boards(3, 3).cards.tolist()


def halves():
    """Two nested parts a street, cut at half the strength; percentiles would take a while to find."""
    keys = tuple(np.full((2**street, 1), most // 2 << INDEX_BITS) for street, most in ((1, SCALE), (2, SCALE)))
    river = np.full((8, 1), MOST_SCORE // 2 << INDEX_BITS)
    return Buckets("pr2", {"kind": "test"}, (2, 4, 8, 16), True, preflop_cells(2), (*keys, river))


def pairs_on(boards, cells):
    """(`joint[cell, cell]`, `showdown[cell, cell]`) over every pair of disjoint hands."""
    joint, showdown = np.zeros((16, 16)), np.zeros((16, 16))
    for board in boards:
        ranks, cell = rank_combos(board), cells.of_board(board)[3]
        live = np.flatnonzero(ranks >= 0)
        disjoint = (MASK_OF_COMBO[live][:, None] & MASK_OF_COMBO[live][None, :]) == 0
        where = (cell[live][:, None], cell[live][None, :])
        np.add.at(joint, where, disjoint)
        np.add.at(showdown, where, disjoint * np.sign(ranks[live].astype(int)[:, None] - ranks[live]))
    return joint / joint.sum(), showdown / joint.sum()


@pytest.fixture(scope="module")
def problem():
    cells = halves()
    joint, showdown = pairs_on(BOARDS, cells)
    whole = Buckets("pr2", cells.recipe, cells.n_cells, True, cells.preflop, cells.keys, (None, None), joint, showdown)
    return Problem(build_tree(game("nolimit2p"), "1p once"), whole)


def random_strategy(problem, seed):
    rng = np.random.default_rng(seed)
    sums = [rng.random(p.shape) for p in problem.uniform().p]
    return Strategy.from_sums(problem.tree, problem.cells, sums)


def test_mean_over_the_boards_of_the_pairs_is_the_exact_value(problem):
    strategy = random_strategy(problem, 1)
    values = BoardValues(strategy, strategy)
    mean = np.mean([values.value(np.array(board)) for board in BOARDS])
    exact = evaluate(problem, strategy).value
    assert mean == pytest.approx(exact, rel=1e-9)
    assert abs(exact) > 0.01 and len({int(c) for c in np.flatnonzero(problem.cells.joint.sum(axis=1))}) > 10


def test_workers_change_nothing(problem):
    one, two = random_strategy(problem, 1), random_strategy(problem, 2)
    found = [sampled_boards_value(one, two, n_boards=4, seed=5, workers=n) for n in (1, 2)]
    assert found[0] == found[1]
    assert found[0].n == 4 and found[0].low < found[0].mean < found[0].high
