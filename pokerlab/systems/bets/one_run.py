"""Bet sizes and a strategy for them from one run of BETS.

The thesis solves a second game once the sizes are known. Here the strategy comes from the run itself: as sizes settle,
its later strategies nearly belong to the final sizes. Its early ones do not, so the average of the strategy, like that
of the sizes, covers only the second half of the run.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.best_response import evaluate
>>> from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
>>> from pokerlab.solvers.bet_sizing.ranges import Range
>>> from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
>>> from pokerlab.solvers.core.problem import Problem
>>> from pokerlab.abstraction.cells import Lossless
>>> rules = game("kuhn-half-street")
>>> cells = Lossless(rules)
>>> tree = build_sized_tree(rules, sides("none", ([Range(0, 1)], [])), alpha=0)
>>> bets = Bets(tree, cells, deals_of(cells.pairs), BetsSettings(), iterations=20_000)
>>> size, strategy = sized_and_solved(bets)
>>> size.round(3), round(evaluate(Problem(strategy.tree, cells), strategy).bounds.low, 3)
(array([0.414]), 0.057)

References
----------
Hawkin (2014), section 8.2.1 (two runs as a limitation).
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.steps import Arrays
from pokerlab.solvers.bet_sizing.bets import BetsEngine


def sized_and_solved(bets: BetsEngine) -> tuple[Floats, Strategy]:
    """Make the whole run: `size[bet]`, and the average strategy of its second half in the tree of these sizes."""
    half = bets.iterations // 2
    arrays = without_average(bets.step(bets.init(), half))
    arrays = bets.step(arrays, bets.iterations - half)
    return bets.sizes(arrays), bets.strategy(arrays)


def without_average(arrays: Arrays) -> Arrays:
    """The arrays with the players' average strategies reset; regrets and sizes stay."""
    return {name: np.zeros_like(x) if name.partition("/")[0] == "sums" else x for name, x in arrays.items()}
