"""Kernel-density models on our own matches, small: the printed tables, the metrics, and both protocols."""

import numpy as np
import pytest

from pokerlab.experiments.experiment import Config
from pokerlab.experiments.registry import experiment
from pokerlab.experiments.threeplayer import kde as threeplayer_kde
from pokerlab.experiments.threeplayer import kde_match as threeplayer_kde_match
from pokerlab.experiments.threeplayer.kde import BETWEEN
from pokerlab.experiments.threeplayer.kde_match import SUMS, VARIANTS, Plays, Predicted, metric, predicted
from pokerlab.systems.threeplayer import q_learning
from pokerlab.systems.threeplayer.betting_densities import BettingDensities, Point


def test_the_printed_tables():
    published = experiment("threeplayer-kde").published
    assert {len(published[title]) for title in published} == {15}

    def both(title, row):
        return published[title][row].mean, published[f"{title}, standard deviation over matches"][row].mean

    assert both("PB, unrelaxed, % of hands", "Hyperborean-Eqm, turn") == (84.8, 6.0)
    assert both("CFEPBH, relaxed, bets", "Hyperborean-BR, total") == (0.54, 0.19)
    assert published["PB, relaxed, % of hands"]["dpp, river"].mean == 87.1


def plays(amounts, raised):
    n = len(amounts)
    strength = np.linspace(0.1, 0.9, n)
    return Plays(
        np.arange(n), np.zeros(n, int), np.array(amounts), np.array(raised), np.ones(n, bool), np.zeros(n),
        {"hs": strength, "mean_hs_squared": strength**2}, ["offsuit"] * n,
    )  # fmt: skip


def test_the_metrics_by_hand():
    made = plays([0, 1, 4, 2], [False, False, True, True])
    said = Predicted(np.full((4, 5), 0.2), np.array([1.4, 1.6, 2.0, 2.5]))  # rounded 1, 2, 2, 3
    sums = np.array(threeplayer_kde_match._sums(made, said, np.ones(4, bool)))
    assert len(sums) == len(SUMS)
    assert metric(sums, "PB") == 75.0 and metric(sums, "EPUH") == 2.0
    assert metric(sums, "EPBH") == pytest.approx(1.0) and metric(sums, "CFEPBH") == pytest.approx(1.0)
    assert metric(sums, "absolute") == pytest.approx((1 + 1 + 2 + 1) / 4)
    assert metric(sums, "log") == pytest.approx(np.log(0.2))
    assert metric(sums, "Brier") == pytest.approx(0.8**2 + 4 * 0.2**2)


def test_predictions_are_those_of_the_model_before_it_learns():
    made = plays([1, 2, 1, 3, 2, 1], [False] * 6)
    densities = BettingDensities()
    for variant in ("as published", "weighted by frequency"):
        settings = VARIANTS[variant]
        densities = BettingDensities(settings)
        found = predicted(made, settings, made.shown)
        for i, strength in enumerate(made.strength["hs"]):
            amounts = densities.amounts("x", street=0, strength=float(strength))
            assert found.expected[i] == pytest.approx(amounts @ np.arange(5))
            densities.learn("x", [Point(0, int(made.amount[i]), float(strength), 0.0)])


def test_the_whole_experiment_small(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 300)
    monkeypatch.setattr(threeplayer_kde_match, "SCORED_AFTER", 15)
    protocols = {"relaxed": ("all", 15), "unrelaxed": ("showdowns", 0)}
    monkeypatch.setattr(threeplayer_kde, "PROTOCOLS", protocols)
    monkeypatch.setattr(
        threeplayer_kde, "BETWEEN", {row: (source, first and 15) for row, (source, first) in BETWEEN.items()}
    )
    settings = {"players": ["rulebot", "caller"], "learn_hands": 300, "rounds": 2, "hands": 40}
    found = experiment("threeplayer-kde").run(Config(settings, seed=7))
    rows = found["PB, relaxed, % of hands"]
    assert {row.partition(",")[0] for row in rows} == {"rulebot", "caller", "09v10n"}
    assert all(0 <= each.mean <= 100 for each in rows.values())
    scores = found["log-likelihood of the bet, nats, relaxed, all streets"]
    assert set(scores) == {*VARIANTS, "mean bet so far"} and all(each.mean < 0 for each in scores.values())
    assert sum(row.mean for row in found["share of all hands that were not bounded, relaxed, %"].values()) in (
        pytest.approx(100.0),
        0.0,
    )
    assert "0 bets 0.0%" in found.notes[2]  # who has bet nothing before the flop shows no hand
