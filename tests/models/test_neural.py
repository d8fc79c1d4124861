"""The small network learns what a player does, and starts as the default."""

import numpy as np

from pokerlab.agents.registry import agent
from pokerlab.games.actions import Kind
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.models.neural import N_INPUTS, Network, NeuralModels, by_kind
from pokerlab.policies.formula import FormulaPolicy
from pokerlab.table.match import MatchPlan, play_match


def test_a_stranger_is_the_default_player() -> None:
    view = State.start(game("limit2p"), tuple(range(52))).view(1, 0, ("a", "b"))
    actions, p = NeuralModels().model_of("nobody").by_combo(view, 1)
    expected_actions, expected = FormulaPolicy().by_combo(view, 1)
    assert actions == expected_actions
    np.testing.assert_allclose(p, expected, atol=1e-6)


def test_a_player_who_always_raises_is_found_out() -> None:
    models = NeuralModels("watcher")
    play_match(MatchPlan("limit2p", ("raiser", "caller"), hands=30, seed=1), agent, on_hand=models.observe)
    view = State.start(game("limit2p"), tuple(range(52))).view(1, 0, ("caller", "raiser"))
    raising, calling = (
        by_kind(*models.model_of(name).by_combo(view, 1))[0].mean(axis=0) for name in ("raiser", "caller")
    )
    assert raising[Kind.RAISE] > 0.8
    assert calling[Kind.CALL] > 0.8


def test_learning_is_a_step_up_the_likelihood() -> None:
    network, rng = Network(), np.random.default_rng(1)
    x, default = rng.normal(size=(1, N_INPUTS)), np.full((1, 3), 1 / 3)
    legal = np.ones((1, 3), np.bool_)
    before = network.forward(x)[0]
    network.learn(x, default, np.array([2]), legal)
    after = network.forward(x)[0]
    assert after[2] - after[0] > before[2] - before[0]
