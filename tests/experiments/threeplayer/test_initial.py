"""The three-player experiments, small: what is printed, that strategies keep their names, and that parts are kept."""

import numpy as np
import pytest

from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment
from pokerlab.experiments.threeplayer import initial as threeplayer
from pokerlab.experiments.threeplayer.initial import EPSILON, FIGURE, WON
from pokerlab.runs.directory import open_run
from pokerlab.systems.threeplayer import q_learning


def test_the_printed_figures():
    published = experiment("threeplayer-responses").published
    assert published[FIGURE]["09v10n, 09v10n, 09v10n"].mean == pytest.approx(1499.279 / 2000)
    assert len(published[FIGURE]) == 20
    assert published[FIGURE]["09v10n, 09v10n, caller"].mean == 4587.469 / 2000
    assert published[WON]["09v13n against two 09v10n"].mean == 1.36


def test_the_initial_game_has_the_rule_bots_in_equilibrium():
    found = experiment("threeplayer-initial").run(Config({"instances": 3, "hands": 30}, seed=7))
    first, epsilon = next(iter(found[EPSILON].items()))
    assert first == "rulebot, rulebot, rulebot" and epsilon.mean == 0.0
    assert "rulebot 100%" in found.notes[0]
    assert found["winnings of one folder, small bets a hand"]["caller, folder, raiser"].mean == pytest.approx(-0.5)


@pytest.mark.slow
def test_responses_play_under_their_names_and_are_not_learned_again(tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 300)
    settings = {"learn_hands": 300, "instances": 2, "hands": 20, "chains": 2}
    with open_run(tmp_path / "run", "reproduce", {}) as run:
        found = experiment("threeplayer-responses").run(Config(settings, seed=7, run=run))
        monkeypatch.setattr(threeplayer, "learn", None)  # whoever learned again would fail
        again = experiment("threeplayer-responses").run(Config(settings, seed=7, run=run))
    assert found == again
    assert set(experiment("threeplayer-responses").published[WON]) < set(found[WON]) and len(found[FIGURE]) == 20
    rows = found[WON]
    over = found[f"{FIGURE}, mean over chains"]
    assert over["09v14n, 09v14n, 09v14n"].n == 2 and over["caller, caller, caller"].mean > 0
    curves = found["won over the last 50,000 hands of learning, small bets a hand"]
    assert len(curves) == 4 and all(each.low < each.mean < each.high for each in curves.values())
    for one, two in (("09v10n", "rulebot"), ("09v13n", "09v10n")):
        total = rows[f"{one} against two {two}"].mean + 2 * rows[f"{two} against {one} and {two}"].mean
        assert total == pytest.approx(0.0, abs=1e-9)
    assert np.isfinite([row.mean for row in found[FIGURE].values()]).all()
