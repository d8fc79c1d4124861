"""Rollout errors on lanes: cards that stay, chances that are the agent's own, and the same means as at the table."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax")

from pokerlab.errors import PokerlabError
from pokerlab.estimates import estimate
from pokerlab.games.catalog import game
from pokerlab.people import exploiting
from pokerlab.players.registry import agent
from pokerlab.rng import stream
from pokerlab.systems.connectionist.decision_rollouts import dealt_again, rolled_out
from pokerlab.systems.connectionist.lane_rollouts import (
    Company,
    RolloutBatch,
    RolloutSample,
    _drawn_again,
    weights_rollout_errors,
)
from pokerlab.systems.connectionist.parameters import initial_parameters, save_parameters
from pokerlab.systems.connectionist.population import beginning, initial_model, save_exploiter
from pokerlab.systems.connectionist.settings import TrainSettings
from pokerlab.valuing.rollout_error import draw_decision, fold_errors

SETTINGS = TrainSettings(players=2, capped=True)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "weights.bin"
    save_parameters(path, initial_parameters(seed=3, spread=0.5), {"settings": SETTINGS.data()})
    return path


def test_deals_keep_what_the_actor_saw():
    rng = np.random.default_rng(1)
    cards = rng.permutation(52).astype(np.uint8)
    hole, board = cards[:6].reshape(3, 2), cards[6:11]
    holes, boards = dealt_again(rng, 50, len(hole), seat=1, hole=hole[1], board=board[:3])
    assert (holes[:, 1] == hole[1]).all() and (boards[:, :3] == board[:3]).all()
    assert len(np.unique(boards[:, 3])) > 10
    every = np.concatenate([holes.reshape(50, -1), boards], axis=1)
    assert all(len(set(row)) == 11 for row in every.tolist())


@pytest.mark.slow
def test_lanes_and_the_ordinary_table_measure_the_same(weights):
    lanes = weights_rollout_errors(weights, RolloutSample(100, 40, seed=1)).by_street["overall"]
    player, rules, rng = agent(f"weights:{weights}"), game("limit2p"), stream(2, "decisions")
    found = []
    for _ in range(60):
        drawn = draw_decision(player, player, rules, rng)
        sample = rolled_out(player, drawn.view, 40, rng)
        found.append(fold_errors(sample.weights, sample.returns, drawn.chances))
    for measured, column in ((lanes.sample, 0), (lanes.improvement, 2)):
        table = estimate(np.array(found)[:, column])
        assert abs(measured.mean - table.mean) < 1.5 * (measured.half_width**2 + table.half_width**2) ** 0.5
    assert lanes.improvement.low > 0  # random weights decide badly


def test_types_are_drawn_by_what_is_believed_of_them():
    believed = np.zeros((2, 3, 2), np.float32)
    believed[0, 2], believed[1, :, 0], believed[1, 1, 1] = 1, (0.25, 0, 0.75), 1
    parameters = initial_parameters(seed=3)
    company = Company(parameters, parameters.types, np.zeros((2, 2), np.int32), believed, np.array([0, 1], np.int32))
    drawn = _drawn_again(np.random.default_rng(1), company, 400)
    assert drawn.kinds.shape == (2, 800) and (drawn.kinds[0] == 2).all() and (drawn.kinds[1, 400:] == 1).all()
    assert np.mean(drawn.kinds[1, :400] == 2) == pytest.approx(0.75, abs=0.08) and (drawn.kinds[1, :400] != 1).all()
    assert drawn.learner.tolist() == [0] * 400 + [1] * 400


@pytest.mark.slow
def test_only_the_exploiters_decisions_are_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(exploiting, "MATCHES_AT_ONCE", 22)  # no part of which closes ranks: quicker to compile
    model = initial_model(seed=4, spread=0.5)
    settings = TrainSettings(players=2, capped=True, model="of the test", match_hands=3)
    save_exploiter(tmp_path / "weights.bin", beginning(model), model, {"settings": settings.data()})
    found = exploiting.exploiter_rollout_errors(tmp_path / "weights.bin", RolloutSample(40, 30, seed=1))
    overall = found.by_street["overall"]
    assert overall.sample.n + found.left_out == 40 and 20 < overall.sample.n < 40  # walks
    assert overall.improvement.mean > 0  # random weights decide badly
    asked = RolloutBatch(str(tmp_path / "weights.bin"), 1, 30, 12, 20, 20)
    there = exploiting.company(tmp_path / "weights.bin", asked)
    assert there.learner.shape == (20,) and len(set(there.believed[0, 0].tolist())) > 8  # hands were played before
    np.testing.assert_allclose(there.believed.sum(axis=1), 1, atol=1e-5)


def test_too_few_are_refused():
    with pytest.raises(PokerlabError, match="1 decisions of 60 rollouts"):
        RolloutSample(1, 60, seed=1)
