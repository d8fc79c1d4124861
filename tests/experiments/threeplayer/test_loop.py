"""The loop to its end and the copycats, small: rounds, stages, and that what was learned is not learned again."""

import numpy as np
import pytest

from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment
from pokerlab.experiments.threeplayer import cross as threeplayer_cross
from pokerlab.experiments.threeplayer import initial as threeplayer_features
from pokerlab.experiments.threeplayer import loop as threeplayer_loop
from pokerlab.experiments.threeplayer import self_play as threeplayer_self_play
from pokerlab.experiments.threeplayer.copycats import BESIDE, LIKELIHOOD, WON
from pokerlab.experiments.threeplayer.loop import ABOVE, EPSILONS, FOLDS, GAINS, MET, MET_STABLE
from pokerlab.runs.directory import open_run
from pokerlab.systems.threeplayer import q_learning, regret_tables

SMALL = {"learn_hands": 300, "learners": 1, "instances": 2, "hands": 20, "meetings": 2, "rounds": 1}


@pytest.mark.slow
def test_the_loop_is_measured_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 300)
    settings = {**SMALL, "longer_hands": 300, "others": ["rulebot"]}
    with open_run(tmp_path / "run", "reproduce", {}) as run:
        found = experiment("threeplayer-loop").run(Config(settings, seed=7, run=run))
        monkeypatch.setattr(q_learning, "learn", None)  # learning again would fail
        again = experiment("threeplayer-loop").run(Config(settings, seed=7, run=run))
    assert found == again
    for row, gain in found[GAINS].items():
        assert found[EPSILONS][row].mean >= gain.mean - 1e-12 and found[FOLDS][row].mean < 0
    assert "Round 1 responds to 100.0% rulebot." in found.notes
    assert list(found[MET]) == ["the last mixture against two rulebot", "rulebot against two the last mixture"]


def test_the_average_of_all_strategies_is_responded_to_and_the_most_stable_of_them_meets_others(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 300)
    monkeypatch.setattr(threeplayer_loop, "FIRST_STRATEGIES", ("caller", "folder"))
    settings = {**SMALL, "rounds": 3, "longer_hands": 300, "others": ["rulebot"]}
    found = experiment("threeplayer-average").run(Config(settings, seed=7))
    epsilons = {row: each.mean for row, each in found[EPSILONS].items()}
    best = min(epsilons, key=epsilons.get)
    assert {row: each.mean for row, each in found[ABOVE].items()} == pytest.approx(
        {row: each - epsilons[best] for row, each in epsilons.items() if row != best}
    )
    assert "Round 1 responds to 50.0% caller, 50.0% folder." in found.notes
    assert "Round 2 responds to 50.0% response 1, 25.0% caller, 25.0% folder." in found.notes
    assert any(note.startswith(f"The most stable mixture is that of {best.partition(',')[0]}") for note in found.notes)
    assert "the most stable mixture against two rulebot" in found[MET_STABLE]


def test_self_play_is_measured_by_fresh_responses_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 100)
    monkeypatch.setattr(regret_tables, "DEALS_A_STEP", 100)
    settings = {"deals": [100, 200], "guest_share": 0.1, "response_hands": 200, "longer_hands": [300, 400], "seeds": 2}
    settings["gain_hands"] = 2000
    with open_run(tmp_path / "run", "reproduce", {}) as run:
        config = Config(settings, seed=7, run=run)
        found = experiment("threeplayer-self-play").run(config)
        for module, name in ((q_learning, "learn"), (threeplayer_self_play, "learn_regrets")):
            monkeypatch.setattr(module, name, None)  # learning again would fail
        assert experiment("threeplayer-self-play").run(config) == found
    gains = found[threeplayer_self_play.GAINS]
    assert next(iter(gains)) == "200 hands, against rulebot" and len(gains) == 7
    assert list(gains)[-2:] == ["300 hands in finer states, against 200 deals", "300 hands, seed 1, against 200 deals"]
    assert all(each.n == 2 for each in gains.values()) and len({each.mean for each in gains.values()}) == 7


def test_a_cross_table_has_every_player_alone_among_two_of_every_other():
    config = Config({"players": {"folder": 3, "raiser": 2}, "match_hands": 30}, seed=7)
    found = experiment("threeplayer-cross").run(config)
    folds, raises = (found[threeplayer_cross.WON.format(alone=name)] for name in ("folder", "raiser"))
    assert list(folds) == ["raiser"] and list(raises) == ["folder"]
    assert folds["raiser"].mean == -0.5 and raises["folder"].mean == 1.0  # the blinds, every hand
    assert folds["raiser"].n == raises["folder"].n == 3
    assert found.notes[0].startswith("Alone among two, folder wins from nobody")


@pytest.mark.slow
def test_copycats_imitate_and_play(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 300)
    settings = {**SMALL, "originals": ["rulebot", "caller"], "watched": 1, "held_out": 2}
    settings["response_hands"] = 300
    found = experiment("threeplayer-copycats").run(Config({**settings, "others": ["rulebot"]}, seed=7))
    likely = found[LIKELIHOOD]
    assert likely["caller, decisions"].mean > -0.1 > likely["caller, every legal action as likely"].mean
    assert likely["rulebot, decisions"].mean > likely["rulebot, frequencies without cards"].mean
    gap = found[WON]["caller"].mean - found[WON]["copycat of caller"].mean
    assert found[BESIDE]["caller"].mean == pytest.approx(gap)
    assert np.isfinite([row.mean for section in found for row in found[section].values()]).all()


@pytest.mark.slow
def test_learners_with_other_features_see_the_same_cards(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 300)
    monkeypatch.setattr(threeplayer_features, "AGAINST", {"two rule bots": {"rulebot": 1.0}})
    settings = {"learn_hands": 300, "learners": 2, "hands": 40}
    found = experiment("threeplayer-features").run(Config(settings, seed=7))
    won, gained = found[threeplayer_features.ENDED], found[threeplayer_features.GAINED]
    with_bets, without = (won[f"{name}, against two rule bots"] for name in (threeplayer_features.EXPECTED, "richer"))
    gap = gained[f"{threeplayer_features.EXPECTED}, against two rule bots"]
    assert gap.mean == pytest.approx(with_bets.mean - without.mean) and gap.n == 2
    assert "two rule bots" in found.notes[0]
