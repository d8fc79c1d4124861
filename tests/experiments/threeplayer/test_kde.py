"""Kernel-density models on our own matches, small: the printed tables, the metrics, and both protocols."""

import pytest

from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment
from pokerlab.experiments.threeplayer import kde as threeplayer_kde
from pokerlab.experiments.threeplayer.kde import BETWEEN
from pokerlab.systems.threeplayer import density_scores, q_learning


def test_the_printed_tables():
    published = experiment("threeplayer-kde").published
    assert {len(published[title]) for title in published} == {15}

    def both(title, row):
        return published[title][row].mean, published[f"{title}, standard deviation over matches"][row].mean

    assert both("PB, unrelaxed, % of hands", "Hyperborean-Eqm, turn") == (84.8, 6.0)
    for reading in ("CFEPBH over all bounded hands", "CFEPBH over call-and-fold hands"):
        assert both(f"{reading}, relaxed, bets", "Hyperborean-BR, total") == (0.54, 0.19)
        assert both(f"{reading}, unrelaxed, bets", "dpp, river") == (0.27, 0.09)
    assert published["PB, relaxed, % of hands"]["dpp, river"].mean == 87.1


def test_the_whole_experiment_small(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 300)
    monkeypatch.setattr(density_scores, "SCORED_AFTER", 15)
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
    assert set(scores) == {*density_scores.VARIANTS, "mean bet so far"} and all(
        each.mean < 0 for each in scores.values()
    )
    assert sum(row.mean for row in found["share of all hands that were not bounded, relaxed, %"].values()) in (
        pytest.approx(100.0),
        0.0,
    )
    for protocol in ("relaxed", "unrelaxed"):
        calm, bounded, all_hands = (
            found[f"{name}, {protocol}, bets"]
            for name in ("CFEPBH over call-and-fold hands", "CFEPBH over all bounded hands", "EPBH")
        )
        assert all(calm[row].mean >= each.mean and each.mean <= all_hands[row].mean for row, each in bounded.items())
    assert "over all bounded hands is above EPBH in 0 of" in found.notes[1]
    assert "0 bets 0.0%" in found.notes[4]  # who has bet nothing before the flop shows no hand
