"""Kernel densities beside SciPy's, and the running form beside the one by one."""

import numpy as np
import pytest
from scipy.stats import gaussian_kde, norm

from pokerlab.systems.threeplayer.kernel_density import log_density, outcome_chances, running_chances, widths

RNG = np.random.default_rng(5)


def test_one_dimension_is_scipys():
    points, places = RNG.random((40, 1)), np.linspace(-0.5, 1.5, 30)[:, None]
    assert np.exp(log_density(points, places)) == pytest.approx(gaussian_kde(points[:, 0])(places[:, 0]), rel=1e-9)


def test_two_dimensions_are_products_of_kernels():
    points, places = RNG.random((15, 2)), RNG.random((7, 2))
    wide = widths(points)
    assert wide == pytest.approx(points.std(axis=0, ddof=1) * 15 ** (-1 / 6))
    by_hand = [np.mean(np.prod(norm.pdf(place, loc=points, scale=wide), axis=1)) for place in places]
    assert np.exp(log_density(points, places)) == pytest.approx(by_hand)


def test_one_point_has_the_least_width_and_none_no_density():
    assert np.exp(log_density(np.array([[0.5]]), np.array([[0.5]]), least=0.1)) == pytest.approx(norm.pdf(0) / 0.1)
    assert log_density(np.zeros((0, 1)), np.array([[0.5]])).tolist() == [-np.inf]
    assert outcome_chances([np.zeros((0, 1))] * 4, np.array([[0.5]]), weighted=True, least=0.1).tolist() == [[0.25] * 4]


def test_weights_are_bayes_rule_and_doubt_is_never_certain():
    often, rarely = np.full((9, 1), 0.5), np.full((1, 1), 0.5)
    place = np.array([[0.5]])
    settings = {"least": 0.1}
    assert outcome_chances([often, rarely], place, weighted=False, **settings)[0] == pytest.approx([0.5, 0.5])
    assert outcome_chances([often, rarely], place, weighted=True, **settings)[0] == pytest.approx([0.9, 0.1])
    far = outcome_chances([often, np.zeros((0, 1))], np.array([[40.0]]), weighted=True, doubt=1.0, **settings)
    assert far[0] == pytest.approx([9.5 / 10, 0.5 / 10])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dimensions", [1, 2])
def test_the_running_form_is_the_one_by_one(weighted, dimensions):
    points, outcomes, learns = RNG.random((60, dimensions)), RNG.integers(0, 4, 60), RNG.random(60) < 0.6
    settings = {"weighted": weighted, "least": 0.05, "doubt": 1.0}
    found = running_chances(points, outcomes, learns, n_outcomes=5, **settings)
    for i in range(60):
        before = [points[:i][learns[:i] & (outcomes[:i] == outcome)] for outcome in range(5)]
        assert found[i] == pytest.approx(outcome_chances(before, points[i : i + 1], **settings)[0], abs=1e-9)
