"""Sizes and a strategy from one run of BETS."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.systems.bets.search import sized_and_solved, without_average

RULES = game("leduc-nolimit")
CELLS = Lossless(RULES)
TREE = build_sized_tree(RULES, sides("all-in | fcpa", ([Range(0.8, 1.5)], [])))


def run_of(iterations):
    return Bets(TREE, CELLS, deals_of(CELLS.pairs), BetsSettings(), iterations=iterations)


def guaranteed(strategy):
    return evaluate(Problem(strategy.tree, CELLS), strategy).bounds.low


def test_the_second_half_guarantees_more_than_the_whole_and_sizes_are_the_same():
    bets = run_of(3000)
    state = bets.step(bets.init(), 3000)
    size, strategy = sized_and_solved(run_of(3000))
    np.testing.assert_allclose(size, bets.sizes(state), atol=1e-12)
    assert guaranteed(bets.strategy(state)) == pytest.approx(-0.0808, abs=2e-4)
    assert guaranteed(strategy) == pytest.approx(-0.0672, abs=2e-4)


def test_only_averages_begin_afresh():
    state = without_average(
        {"sums": np.ones(2), "sums/0/1": np.ones(3), "size_sum": np.ones(1), "regret/0/1": np.ones(3)}
    )
    assert [float(x.sum()) for x in state.values()] == [0, 0, 1, 3]
