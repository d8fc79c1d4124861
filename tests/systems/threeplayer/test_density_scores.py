"""Errors of predicted bets: the published metrics, and predictions before a model learns."""

import numpy as np
import pytest

from pokerlab.systems.threeplayer.betting_densities import BettingDensities, Point
from pokerlab.systems.threeplayer.density_scores import (
    CFEPBH_BOUNDED,
    CFEPBH_CALM,
    SUMS,
    VARIANTS,
    PredictedBets,
    StreetPlays,
    error_sums,
    metric,
    predict,
)


def plays(amounts, raised):
    n = len(amounts)
    strength = np.linspace(0.1, 0.9, n)
    return StreetPlays(
        np.arange(n), np.zeros(n, int), np.array(amounts), np.array(raised), np.ones(n, bool), np.zeros(n),
        {"hs": strength, "mean_hs_squared": strength**2}, ["offsuit"] * n,
    )  # fmt: skip


def test_the_metrics_by_hand():
    made = plays([0, 1, 4, 2], [False, False, True, True])
    said = PredictedBets(np.full((4, 5), 0.2), np.array([1.4, 1.6, 2.0, 2.5]))  # rounded 1, 2, 2, 3
    sums = np.array(error_sums(made, said, np.ones(4, bool)))
    assert len(sums) == len(SUMS)
    assert metric(sums, "PB") == 75.0 and metric(sums, "EPUH") == 2.0
    assert metric(sums, "EPBH") == pytest.approx(1.0)
    # three bounded hands, of which two end in a call or a fold, each one bet below the prediction
    assert metric(sums, CFEPBH_CALM) == pytest.approx(2 / 2) and metric(sums, CFEPBH_BOUNDED) == pytest.approx(2 / 3)
    assert metric(sums, "absolute") == pytest.approx((1 + 1 + 2 + 1) / 4)
    assert metric(sums, "log") == pytest.approx(np.log(0.2))
    assert metric(sums, "Brier") == pytest.approx(0.8**2 + 4 * 0.2**2)


def test_predictions_are_those_of_the_model_before_it_learns():
    made = plays([1, 2, 1, 3, 2, 1], [False] * 6)
    densities = BettingDensities()
    for variant in ("as published", "weighted by frequency"):
        settings = VARIANTS[variant]
        densities = BettingDensities(settings)
        found = predict(made, settings, made.shown)
        for i, strength in enumerate(made.strength["hs"]):
            amounts = densities.amounts("x", street=0, strength=float(strength))
            assert found.expected[i] == pytest.approx(amounts @ np.arange(5))
            densities.learn("x", [Point(0, int(made.amount[i]), float(strength), 0.0)])
