"""The picture of what a Q-learner does."""

import numpy as np

from pokerlab.pictures.q_values import save_actions
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.systems.threeplayer.q_learning import QPlayer


def test_every_feature_that_is_told_apart_has_its_row(tmp_path):
    features = ValueFeatures(4, 2, 2, street=True, players=True, pot=2)
    player = QPlayer(features, np.random.default_rng(1).random((features.n_states(3), 3)))
    save_actions(player, tmp_path / "actions.svg")
    drawn = (tmp_path / "actions.svg").read_text()
    assert drawn.count("pot from 2 bets") == drawn.count("pot from 0 bets") == 4 * 2
    assert "river" in drawn and "3 players" in drawn
