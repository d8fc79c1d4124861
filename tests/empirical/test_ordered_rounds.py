"""The loop without payoffs: its mixtures, and that a finished round is not learned again."""

import json

import numpy as np
import pytest

from pokerlab.cli import main
from pokerlab.empirical import mixture_play
from pokerlab.empirical.ordered_rounds import OrderedLoop
from pokerlab.empirical.response_rounds import Learning, learn_responses
from pokerlab.errors import PokerlabError
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import here
from pokerlab.systems.threeplayer import q_learning

LEARNING = Learning(200, ValueFeatures(hs=5, ppot=1, call=2), own_count=True, every_action=True, power=0.8)


def rounds(path, monkeypatch, n=3):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 100)
    monkeypatch.setattr(mixture_play, "BLOCK", 50)
    loop = OrderedLoop("limit2p", ("caller", "folder"), first_count=2.0)
    with open_run(path, "egta", {}) as run:

        def learn(asked):
            return learn_responses(asked, run=run, runner=here)

        return loop, list(loop.rounds(n, LEARNING, learn=learn, directory=run.path / "learned", hands=200))


def test_a_round_responds_to_the_strategies_before_it_and_is_learned_once(tmp_path, monkeypatch):
    loop, done = rounds(tmp_path / "run", monkeypatch)
    for each, parts in zip(done, ([1 / 2, 1 / 2], [2 / 5, 2 / 5, 1 / 5], [1 / 3, 1 / 3, 1 / 6, 1 / 6]), strict=True):
        assert list(each.against.values()) == pytest.approx(parts)
    assert list(done[2].against)[2:] == [done[0].response, done[1].response]
    assert done[0].gain.mean > 0 and done[0].gain.n == 4  # whoever looks at cards beats a caller
    assert sum(loop.mixture([each.response for each in done]).values()) == pytest.approx(1)
    monkeypatch.setattr(q_learning, "learn", None)  # learning again would fail
    again = rounds(tmp_path / "run", monkeypatch)[1]
    assert again == done


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"to": "nearest"}, "responds to average, optimistic, uniform, not 'nearest'"),
        ({"first_count": 0.0}, "more than 0"),
    ],
)
def test_what_a_loop_without_payoffs_refuses(settings, line):
    with pytest.raises(PokerlabError, match=line):
        OrderedLoop("limit3p", ("rulebot",), **settings)


def test_the_command_reports_rounds_and_the_gain_of_a_fresh_response(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 100)
    monkeypatch.setattr(mixture_play, "BLOCK", 50)
    line = ["egta", "--game", "limit2p", "--strategies", "caller", "--no-payoffs", "--instances", "2", "--hands", "50"]
    more = ["--rounds", "2", "--respond-to", "average", "--learn-hands", "200", "--every-action", "--fresh", "2"]
    assert main([*line, *more, "--workers", "1", "--out", str(tmp_path / "run"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["fresh"]["learned_from_hands"] == 400 and found["fresh"]["epsilon"]["n"] == 2
    assert list(found["mixture"].values()) == pytest.approx([1 / 6, 2 / 6, 3 / 6])
    assert np.isfinite([each["gain"]["mean"] for each in found["rounds"]]).all()
    assert main(line) == 2 and "--no-payoffs leaves a loop: request --rounds" in capsys.readouterr().err
