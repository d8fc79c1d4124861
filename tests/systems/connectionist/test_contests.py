"""Weights against weights on lanes: what the one seat wins among the others."""

import numpy as np
import pytest

pytest.importorskip("jax")

from pokerlab.errors import PokerlabError
from pokerlab.systems.connectionist.parameters import initial_parameters, save_parameters
from pokerlab.systems.connectionist.self_play import lane_winnings


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A player with a high cost of chips, who folds, and one with a negative cost, who raises."""
    folder = tmp_path_factory.mktemp("weights")
    for name, cost in (("folder", 60.0), ("raiser", -60.0)):
        plain = initial_parameters(seed=1, spread=0.0)
        save_parameters(folder / name, plain._replace(cost=np.full(4, cost, np.float32)), {})
    return folder / "folder", folder / "raiser"


@pytest.mark.slow
def test_who_always_folds_loses_its_blinds(files):
    """As the small blind it loses one, as the big blind two small blinds a hand."""
    found = lane_winnings(*files, players=2, capped=True, hands=400, seed=3)
    assert found.n == 400
    assert found.low < -1.5 < found.high and found.half_width == pytest.approx(1.96 * 0.5 / 20, rel=0.05)
    won = lane_winnings(*files[::-1], players=2, capped=True, hands=400, seed=3)
    assert won.low < 1.5 < won.high


def test_one_hand_tells_nothing(files):
    with pytest.raises(PokerlabError, match="at least 2 hands, not 1"):
        lane_winnings(*files, players=2, hands=1, seed=3)
