"""Gradient ascent in self-play: it circles, its mean return converges, and an anchor or WoLF end the circling."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.systems.connectionist.gradient_self_play import Ascent, normal_form, onto_simplex, self_play

PENNIES = np.array([[1.0, -1.0], [-1.0, 1.0]])


def test_strategies_circle_while_the_mean_return_converges():
    course = self_play(PENNIES, Ascent(), steps=20_000)
    first = course.strategies[0][:, 0]
    assert first[100:].min() < 0.3 < 0.7 < first[100:].max()  # to and fro around 1/2, with no end in sight
    assert course.exploitability[100:].min() > 0.3
    assert abs(course.mean_return[-1]) < 0.002
    assert course.average_exploitability[-1] < 0.02


@pytest.mark.parametrize("ascent", [Ascent(anchor=0.5), Ascent(lose_faster=4.0)])
def test_an_anchor_or_wolf_end_the_circling(ascent):
    course = self_play(PENNIES, ascent, steps=12_000)
    assert course.exploitability[-20:].max() < 0.01
    assert course.strategies[1][-1] == pytest.approx([0.5, 0.5], abs=0.01)


def test_the_normal_form_of_kuhn_has_its_value():
    from scipy.optimize import linprog

    payoff = normal_form(game("kuhn"))
    n = len(payoff)
    found = linprog(  # the most that player 0 can make sure of, whatever plan the other has
        np.r_[np.zeros(n), -1],
        A_ub=np.c_[-payoff.T, np.ones(payoff.shape[1])],
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=np.r_[np.ones(n), 0][None],
        b_eq=[1],
        bounds=[(0, 1)] * n + [(None, None)],
    )
    assert -found.fun == pytest.approx(-1 / 18)


def test_the_nearest_mixed_strategy():
    found = onto_simplex(np.array([0.1, 2.0, 0.3]))
    assert found.tolist() == [0.0, 1.0, 0.0]
    assert onto_simplex(np.array([0.3, 0.7])) == pytest.approx([0.3, 0.7])


def test_what_is_refused():
    with pytest.raises(PokerlabError, match="step must be above 0"):
        Ascent(step=0.0)
    with pytest.raises(PokerlabError, match="leduc has too many plans to make a matrix"):
        normal_form(game("leduc"))
