"""Every kind of learning, stopped after a step and after another: resumed from its checkpoint it has the same bits."""

import numpy as np
import pytest

from pokerlab.players.registry import agent
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.runs.steps import Watch, steps_done, take_steps
from pokerlab.systems.threeplayer import q_learning, regret_tables
from pokerlab.systems.threeplayer.dealt_learning import DealtQLearning
from pokerlab.systems.threeplayer.every_action import EveryAction
from pokerlab.systems.threeplayer.q_learning import QConfig, QLearning
from pokerlab.systems.threeplayer.regret_tables import RegretConfig, RegretLearning

SIZE, STEPS = 60, 4
FEATURES = ValueFeatures(hs=4, ppot=1, call=2, street=True)


def q(**settings):
    return QConfig("limit2p", hands=SIZE * STEPS, features=FEATURES, seed=5, **settings)


LEARNING = {
    "train q": lambda: QLearning(q(against={"rulebot": 1.0}, own_count=True), agent),
    "train q --every-action": lambda: EveryAction(q(against={"caller": 0.5, "raiser": 0.5}, every_action=True), agent),
    "train q from dealt agents": lambda: DealtQLearning(q(against={"poki": 0.5, "random": 0.5}), agent),
    "train regrets": lambda: RegretLearning(RegretConfig("limit2p", SIZE * STEPS, FEATURES, seed=5), agent),
}


@pytest.mark.parametrize("name", LEARNING)
def test_learning_that_is_stopped_twice_goes_on_to_the_same_bits(name, tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", SIZE)
    monkeypatch.setattr(regret_tables, "DEALS_A_STEP", SIZE)
    whole = take_steps(LEARNING[name](), iterations=STEPS)
    path = tmp_path / "checkpoint.bin"
    for done in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            take_steps(LEARNING[name](), iterations=STEPS, watch=Watch(path, stopped=lambda: True))
        assert steps_done(path) == done
    resumed = take_steps(LEARNING[name](), iterations=STEPS, watch=Watch(path))
    assert set(resumed) == set(whole) and resumed["iteration"] == STEPS
    for key, array in whole.items():
        assert np.array_equal(resumed[key], array), key
    assert np.count_nonzero(whole["regret" if "regret" in whole else "values"]) > 10
