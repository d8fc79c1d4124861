"""The ablation of the additions to the published learner."""

from dataclasses import asdict

import numpy as np
import pytest

from pokerlab.experiments.connectionist import ablation
from pokerlab.systems.connectionist.parameters import initial_parameters, save_parameters
from pokerlab.systems.connectionist.settings import PRESETS

ASKED = {"hands": 2048, "batch": 1024}


@pytest.mark.parametrize("name", ablation.LEFT_OUT)
def test_a_training_lacks_one_addition(name):
    found, modern = (asdict(ablation.training(each, 3, ASKED)) for each in (name, ablation.MODERN))
    changed = {key for key, value in found.items() if value != modern[key]}
    assert changed == set(ablation.LEFT_OUT[name])
    assert {key: found[key] for key in changed} == {key: PRESETS["published"][key] for key in changed}
    assert (found["players"], found["hands"], found["seed"]) == (6, 2048, 3)


def test_only_unfinished_trainings_are_made(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(ablation, "train", lambda settings, folder: made.append(folder.name))
    for seed, hands in ((1, 2048), (2, 1024)):
        folder = ablation.directory_of(tmp_path, "without the bonus", seed)
        folder.mkdir()
        save_parameters(folder / "weights.bin", initial_parameters(seed=seed), {"settings": {}, "hands": hands})
    for seed in (1, 2, 3):
        ablation.trained(tmp_path, "without the bonus", seed, ASKED)
    assert made == ["without-the-bonus-2", "without-the-bonus-3"]


def test_means_are_over_the_seeds_of_a_training():
    rows = ablation._by_name({("modern", 1): 1.0, ("modern", 2): 3.0, ("published", 1): 0.0, ("published", 2): 0.0})
    assert (rows["modern"].mean, rows["modern"].n, rows["published"].mean) == (2.0, 2, 0.0)
    assert np.isclose(rows["modern"].half_width, 12.706, atol=1e-3)  # Student's, one degree of freedom
