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
    assert both("CFEPBH, relaxed, bets", "Hyperborean-BR, total") == (0.54, 0.19)
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
    assert "0 bets 0.0%" in found.notes[2]  # who has bet nothing before the flop shows no hand


def test_both_readings_of_the_call_and_fold_error_stand_beside_print(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 300)
    monkeypatch.setattr(density_scores, "SCORED_AFTER", 15)
    monkeypatch.setattr(threeplayer_kde, "PROTOCOLS", {"relaxed": ("all", 15), "unrelaxed": ("showdowns", 0)})
    settings = {"players": ["rulebot", "caller"], "learn_hands": 300, "rounds": 2, "hands": 40}
    found = experiment("threeplayer-readings").run(Config(settings, seed=7))
    published = experiment("threeplayer-readings").published
    for protocol, printed in (("relaxed", 0.54), ("unrelaxed", 0.58)):
        bounded, calm, all_hands = (
            f"{name}, {protocol}, bets"
            for name in ("CFEPBH over all bounded hands", "CFEPBH over call-and-fold hands", "EPBH")
        )
        assert published[bounded]["Hyperborean-BR, total"].mean == published[calm]["Hyperborean-BR, total"].mean
        assert published[bounded]["Hyperborean-BR, total"].mean == printed
        for row, each in found[bounded].items():
            assert found[calm][row].mean >= each.mean <= found[all_hands][row].mean
        # a caller never raises: every bounded hand of it ends in a call or a fold
        assert found[bounded]["caller, total"].mean == pytest.approx(found[all_hands]["caller, total"].mean)
    assert found.notes[1].startswith(
        "CFEPBH over all bounded hands is above EPBH in 0 of 30 cells (printed: in 0 of 30)"
    )
