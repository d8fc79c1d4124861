"""Numbers printed by Hawkin (2014) that need no long run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.experiments.bets.curves import called_all_ins, runout_pairs
from pokerlab.experiments.bets.tables import (
    FOLD_ALWAYS,
    FOLD_FACING,
    WITH_RUNOUTS,
    count,
    printed_pairs,
)
from pokerlab.games.catalog import game
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.trees.betting_tree import build_tree

PUBLISHED = printed_pairs()
BUCKETS = (5, 25, 125, 625)
NO_LIMIT = replace(game("nolimit2p"), fold_any_time=True)
OURS = {
    "FCPA": 1_650_840,
    "H_PF": 3_553_540,
    "H_F": 3_551_590,
    "H_T": 3_515_840,
    "H_R": 3_012_090,
    "H_FTR": 8_846_840,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_table_5_3(name):
    """By our rule; with the pairs after called all-ins the printed number less 1,050."""
    found = count((name, BUCKETS))
    assert found[FOLD_ALWAYS] == OURS[name]
    assert found[WITH_RUNOUTS] == PUBLISHED[name] - 1050
    assert found[FOLD_FACING] < found[FOLD_ALWAYS]


@pytest.mark.slow
def test_table_5_3_of_the_largest():
    tree = build_tree(NO_LIMIT, "acpc_2011 | fcpa")
    pairs = tree.counts(BUCKETS)[1]
    assert pairs == 30_312_160
    assert pairs + runout_pairs(tree, BUCKETS) == PUBLISHED["ACPC_2011"] - 1050


def test_table_5_3_differences_that_are_exact_without_explanation():
    """Half-pot bets on the turn or the river add no all-ins before it, so the plain counts differ as printed."""
    assert OURS["H_T"] - OURS["FCPA"] == PUBLISHED["H_T"] - PUBLISHED["FCPA"] == 1_865_000
    assert OURS["H_R"] - OURS["FCPA"] == PUBLISHED["H_R"] - PUBLISHED["FCPA"] == 1_361_250


def test_fold_call_pot_all_in_by_street():
    tree = build_tree(NO_LIMIT, "fcpa")
    assert np.bincount(tree.edge_street).tolist() == [58, 282, 938, 2442]
    assert called_all_ins(tree) == [10, 50, 170, 450]


def test_section_5_2_no_limit_leduc():
    """Fold, call, pot and all-in, 400 chips, two bets a round: -0.072 to player one; exactly it is -0.0713722547."""
    exact = solve_lp(make_problem(game("leduc-nolimit"), "fcpa"))
    assert exact.value == pytest.approx(-0.072, abs=0.001)
    assert -0.0746 < exact.value < -0.0689
    assert exact.value == pytest.approx(-0.0713722547, abs=5e-11)


def test_section_4_half_street_kuhn():
    """The best bet is 0.414 of the pot (its exact value is sqrt(2) - 1): either side of it is worth less."""
    best, less, more = (solve_lp(make_problem(game("kuhn-half-street"), f"{s}p")).value for s in (0.414, 0.404, 0.424))
    assert best > less
    assert best > more
