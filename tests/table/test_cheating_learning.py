"""A cheating agent gains nothing where a learner plays against it: `train q`, and the rounds of `egta`."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.empirical import mixture_play
from pokerlab.empirical.mixture_play import winnings_among
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.games.rules_json import rules_to_json
from pokerlab.players.registry import agent
from pokerlab.requests.egta import Egta
from pokerlab.requests.q import TrainQ
from pokerlab.runs.directory import saved_seed
from pokerlab.runs.steps import steps_done
from pokerlab.systems.threeplayer import q_learning
from pokerlab.systems.threeplayer.dealt_learning import DealtQLearning
from pokerlab.systems.threeplayer.q_learning import QConfig, make_q

sys.path.insert(0, str(Path(__file__).parent))
from test_cheating import bots

assert bots  # a fixture

HANDS = 60
"""Hands of a step of learning."""


@pytest.fixture(autouse=True)
def short_steps(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", HANDS)
    monkeypatch.setattr(mixture_play, "BLOCK", 30)


def learned(name, tmp_path, **settings):
    """The learner's winnings against an agent over all hands, in small bets a hand, and its run."""
    request = TrainQ(against=(f"py:cheating_bots:{name}",), game="limit2p", hands=HANDS, **settings)
    answer = request.run(tmp_path / f"{name}-{len(settings)}")
    return answer.result.curve[0], answer


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Peeker", "Patcher", "Guesser"])
def test_a_learner_is_not_cheated(name, bots, tmp_path):
    """A cheat that sees only its cards folds every hand, so the learner's winnings are those against `folder`."""
    won, answer = learned(name, tmp_path)
    seed = answer.data["seed"]
    assert 2**62 <= seed == saved_seed(answer.path)
    assert answer.lines[-1].endswith(f"could guess a short seed: --seed {seed} deals these cards again")
    config = QConfig("limit2p", {"folder": 1.0}, HANDS, seed=seed)
    theirs = DealtQLearning(config, agent)
    assert won == theirs.step(theirs.init(), 1)["curve"][0]


def test_in_the_dealers_process_the_learner_is_cheated_and_the_answer_says_so(bots, tmp_path):
    won, answer = learned("Peeker", tmp_path, in_process=True)
    assert won < -0.5
    assert answer.data["seed"] == 7 and answer.data["in_process"] == ["py:cheating_bots:Peeker"]
    assert "played in the dealer's process" in answer.lines[-1]


def test_every_action_refuses_an_agent_that_compiled_code_does_not_play(bots, tmp_path):
    with pytest.raises(PokerlabError, match="compiled code cannot play py:cheating_bots:Rule"):
        TrainQ(against=("py:cheating_bots:Rule",), game="limit2p", every_action=True, hands=HANDS)


def test_another_game_by_a_name_of_the_catalog_is_refused():
    with pytest.raises(PokerlabError, match="limit2p is another game there"):
        TrainQ(game=json.loads(rules_to_json(replace(game("limit2p"), blinds=(20, 10)))), hands=HANDS)


@pytest.mark.slow
def test_an_honest_opponent_teaches_the_same_bits_in_both_ways_and_after_a_stop(bots, tmp_path):
    settings = {"against": ("py:cheating_bots:Learns", "raiser"), "game": "limit2p", "hands": 2 * HANDS}
    apart = TrainQ(**settings, seed=2**62).run(tmp_path / "apart")
    inside = TrainQ(**settings, seed=2**62, in_process=True).run(tmp_path / "inside")
    assert np.array_equal(apart.result.values, inside.result.values) and apart.result.values.any()

    with pytest.raises(KeyboardInterrupt):
        TrainQ(**settings).run(tmp_path / "stopped", stopped=lambda: True)
    assert steps_done(tmp_path / "stopped" / "checkpoint.bin") == 1
    first = saved_seed(tmp_path / "stopped")
    resumed = TrainQ(**settings).run(tmp_path / "stopped")
    whole = TrainQ(**settings, seed=first).run(tmp_path / "whole")
    assert np.array_equal(resumed.result.values, whole.result.values)


def test_among_players_of_a_mixture_a_cheat_gains_nothing(bots, monkeypatch):
    monkeypatch.setattr(mixture_play, "_compiled", lambda *_: None)  # the same deals for all of them
    how = {"hands": 60, "seed": 3, "units": "small_bets_per_hand"}
    cheats = {"py:cheating_bots:Peeker": 1.0}
    assert winnings_among(game("limit2p"), "caller", cheats, **how, make=agent).mean < -0.5
    folds = winnings_among(game("limit2p"), "caller", {"folder": 1.0}, **how)
    assert winnings_among(game("limit2p"), "caller", cheats, **how) == folds


@pytest.mark.slow
@pytest.mark.parametrize(("payoffs", "strategies"), [(True, ("raiser",)), (False, ())])
def test_rounds_of_egta_are_not_cheated(payoffs, strategies, bots, tmp_path):
    settings = {"game": "limit2p", "instances": 2, "hands": 20, "rounds": 1, "respond_to": "uniform", "fresh": 1}
    settings |= {"learn_hands": HANDS, "payoffs": payoffs}

    def rounds(cheat, seed):
        answer = Egta(strategies=(cheat, *strategies), seed=seed, **settings).run(tmp_path / cheat, workers=1)
        values = [make_q(str(path.parent)).values for path in sorted((tmp_path / cheat).rglob("player.bin"))]
        return answer, values

    ours, learned = rounds("py:cheating_bots:Peeker", 7)
    seed = ours.data["seed"]
    assert 2**62 <= seed == saved_seed(tmp_path / "py:cheating_bots:Peeker")
    monkey = pytest.MonkeyPatch()
    monkey.setattr(mixture_play, "_compiled", lambda *_: None)
    monkey.setattr("pokerlab.systems.threeplayer.dealt_learning.compiled_opponent", lambda player: None)
    theirs, expected = rounds("folder", seed)  # it sees nothing, so it folds
    monkey.undo()
    assert len(learned) == 2 and all(map(np.array_equal, learned, expected))
    assert ours.data["rounds"][0]["gain"] == theirs.data["rounds"][0]["gain"]
    assert ours.data["fresh"]["epsilon"] == theirs.data["fresh"]["epsilon"]
