"""Sizes of one bet in JAX: the values, slopes and sizes of the Numba engine, on one tree for all sizes."""

from __future__ import annotations

import pytest

from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
from pokerlab.systems.bets.sized_solver import SizedSolver
from pokerlab.systems.bets.subgame_sizes import best_size

pytest.importorskip("jax")

from pokerlab.solvers.subgames.level_passes import kernels
from pokerlab.systems.bets.level_sizer import LevelSizer

TARGET = 0.2
SIZES = (0.05, 0.5, 1.0, 1.9)  # with 2 pots behind a raise of the pot fits below all-in after the first alone


@pytest.fixture(scope="module")
def river():
    return make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)


@pytest.fixture(scope="module")
def sizer(river):
    return LevelSizer(river, target=TARGET)


def test_values_of_sizes_are_those_of_trees_of_their_own(river, sizer):
    assert len({river.at(size).n_decisions for size in SIZES}) > 1
    other = SizedSolver(river, target=TARGET, threads=1)
    for size in (*([size] for size in SIZES), []):  # without a size: check and all-in only
        ours, theirs = sizer.solve(*size), other.solve(*size)
        assert ours.exploitability <= TARGET and ours.value == pytest.approx(theirs.value, abs=2 * TARGET)


def test_the_slope_is_that_of_the_value(sizer):
    the_slope_is_that_of_the_value(sizer)


def the_slope_is_that_of_the_value(sizer):
    amounts, slopes = sizer._amounts(0.7)
    tables = sizer.passes.step(sizer._at(amounts), sizer._begun(), 0, 5)
    way = (sizer.subgame.player, kernels.FIXED)

    def value(size):
        cards = sizer._at(sizer._amounts(size)[0])
        return sizer._chips(way, sizer.passes.look(cards, tables.regret, (way,))[way])

    slope = sizer._slope(slopes, tables)
    assert abs(slope) > 0.1 and slope == pytest.approx((value(0.71) - value(0.69)) / 0.02, rel=1e-3)


def test_the_size_found_in_position_is_worth_what_numba_finds():
    river = make_sized_subgame("Ks7h2d5c8s", ("KQ, 77", "AA, JTs"), pot=100, stack=200, player=1)
    ours = best_size(river, target=TARGET, solver=LevelSizer(river, target=TARGET))
    other = best_size(river, target=TARGET, threads=1)
    assert river.to_player(ours.evaluation) == pytest.approx(river.to_player(other.evaluation), abs=2 * TARGET)
    assert river.to_player(ours.evaluation) > river.to_player(ours.without) + 2 * TARGET


def test_a_turn_is_sized_over_all_its_rivers():
    turn = make_sized_subgame("Ks7s2d5c", ("AA, JTs", "KQ, 77"), pot=100, stack=150, player=0)
    ours, other = LevelSizer(turn, target=1.0), SizedSolver(turn, target=1.0, threads=1)
    assert ours.solve(0.6).value == pytest.approx(other.solve(0.6).value, abs=2.0)
    the_slope_is_that_of_the_value(ours)


def test_boards_with_nearly_as_many_hands_share_programs(sizer):
    other = make_sized_subgame("Ah7h2d5c8s", ("AA, JTs, 99", "KQ, 77"), pot=100, stack=200, player=0)
    shared = LevelSizer(other, target=TARGET, passes=sizer.passes)
    alone = SizedSolver(other, target=TARGET, threads=1)
    sizer.solve(0.5)
    n_programs = sizer.passes._step._cache_size()
    assert shared.solve(0.5).value == pytest.approx(alone.solve(0.5).value, abs=2 * TARGET)
    assert sizer.passes._step._cache_size() == n_programs
