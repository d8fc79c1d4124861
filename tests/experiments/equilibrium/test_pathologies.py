"""Abstraction pathologies in Leduc: what is merged, what is finer, and a pair in which finer is worse."""

import pytest

from pokerlab.experiments.equilibrium.pathologies import Abstraction, exploitability, finer
from pokerlab.games.catalog import game
from pokerlab.solvers.core.problem import make_problem


@pytest.fixture(scope="module")
def leduc():
    return make_problem(game("leduc"))


def test_what_is_finer():
    kings, jacks, all_ranks = "JQ.K", "J.QK", "J.Q.K"
    assert finer(Abstraction(all_ranks, "nothing"), Abstraction(kings, "nothing"))
    assert finer(Abstraction(kings, "board and pair"), Abstraction(kings, "pair"))
    assert not finer(Abstraction(kings, "nothing"), Abstraction(jacks, "nothing"))
    same_cells = Abstraction(all_ranks, "board and pair"), Abstraction(all_ranks, "hand and board")
    assert not finer(*same_cells)
    assert not finer(Abstraction(kings, "pair"), Abstraction(kings, "pair"))


def test_telling_everything_apart_is_the_game_itself(leduc):
    whole, inside = exploitability(leduc, Abstraction("J.Q.K", "hand and board"), 1000)
    assert whole == pytest.approx(inside, rel=1e-9)
    assert whole == pytest.approx(2.54e-4, rel=0.02)


def test_a_finer_abstraction_can_be_worse(leduc):
    coarse, fine = (exploitability(leduc, Abstraction(first, "nothing"), 2000)[0] for first in ("JQ.K", "J.Q.K"))
    assert coarse == pytest.approx(0.731, abs=0.01)
    assert fine == pytest.approx(0.832, abs=0.01)
