"""Abstraction pathologies in Leduc: what is merged, what is finer, and a pair in which finer is worse."""

import pytest

from pokerlab.experiments.waugh2009_pathologies import exploitability, finer
from pokerlab.games.catalog import game
from pokerlab.solvers.core.problem import make_problem


@pytest.fixture(scope="module")
def leduc():
    return make_problem(game("leduc"))


def test_what_is_finer():
    assert finer("J.Q.K / nothing", "JQ.K / nothing")
    assert finer("JQ.K / board and pair", "JQ.K / pair")
    assert not finer("JQ.K / nothing", "J.QK / nothing")
    assert not finer("J.Q.K / board and pair", "J.Q.K / hand and board")  # the same cells under another name
    assert not finer("JQ.K / pair", "JQ.K / pair")


def test_telling_everything_apart_is_the_game_itself(leduc):
    whole, inside = exploitability(leduc, "J.Q.K / hand and board", 1000)
    assert whole == pytest.approx(inside, rel=1e-9)
    assert whole == pytest.approx(2.54e-4, rel=0.02)


def test_a_finer_abstraction_can_be_worse(leduc):
    coarse, fine = (exploitability(leduc, name, 2000)[0] for name in ("JQ.K / nothing", "J.Q.K / nothing"))
    assert coarse == pytest.approx(0.731, abs=0.01)
    assert fine == pytest.approx(0.832, abs=0.01)
