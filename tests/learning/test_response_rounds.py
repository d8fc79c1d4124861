"""The loop of empirical games and learning, and that it goes on where it was."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.learning import q_learning
from pokerlab.learning.empirical_games import EmpiricalPlan, play_empirical
from pokerlab.learning.q_learning import train_q
from pokerlab.learning.response_rounds import Learning, respond_in_rounds, rounds_summary
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.runs.directory import open_run
from pokerlab.runs.steps import Watch
from pokerlab.runs.workers import here

PLAN = EmpiricalPlan("limit2p", ("caller", "folder"), instances=3, hands=60, seed=3)
LEARNING = Learning(1000, ValueFeatures(hs=5, ppot=1, call=2))


def loop(path, plan=PLAN, rounds=2):
    learned = []
    with open_run(path, "egta", {}) as run:

        def play(each):
            make = "pokerlab.agents.registry:agent"
            return play_empirical(each, make=make, runner=here, units="small_bets_per_hand", run=run)

        def learn(config, where):
            before = (where / "player.bin").exists()
            learned.append((dict(config.against), before))
            return train_q(config, where, watch=Watch())

        directory = run.path / "learned"
        found, done = respond_in_rounds(
            plan, rounds=rounds, learning=LEARNING, play=play, learn=learn, directory=directory
        )
    return found, done, learned


def test_responses_join_the_game_and_a_finished_loop_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 250)
    found, done, learned = loop(tmp_path / "run")
    assert found.plan.strategies[:2] == ("caller", "folder")
    assert [each.response for each in done] == list(found.plan.strategies[2:])
    assert done[0].solution.epsilon < 1e-9 and learned[0] == ({"caller": 1.0}, False)
    assert done[0].gain.low > 0  # whoever looks at cards beats a caller
    summary = rounds_summary(found, done)
    assert summary[0]["epsilon"]["mean"] >= done[0].gain.mean - 1e-12
    again, done_again, learned_again = loop(tmp_path / "run")
    assert all(there for _, there in learned_again)
    assert np.array_equal(again.game.payoff, found.game.payoff)
    assert [each.gain for each in done_again] == [each.gain for each in done]


def test_who_cannot_be_learned_against_is_refused_before_anything_is_played(tmp_path):
    plan = EmpiricalPlan("limit2p", ("caller", "random"), instances=2, hands=10)
    with pytest.raises(PokerlabError, match="random cannot be learned against"):
        loop(tmp_path / "run", plan)
    assert not (tmp_path / "run" / "matches").exists()


def test_no_rounds_are_no_loop(tmp_path):
    with pytest.raises(PokerlabError, match="one round or more"):
        loop(tmp_path / "run", rounds=0)
