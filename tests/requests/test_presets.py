"""Named ways to train the connectionist player: what they stand for, and that a run is identified without them."""

import pytest

from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.run import request
from pokerlab.runs.cost import Cost
from pokerlab.runs.directory import open_run
from pokerlab.systems.connectionist.parameters import load_parameters
from pokerlab.systems.connectionist.player import shipped_weights
from pokerlab.systems.connectionist.settings import PRESETS, TrainSettings

KIND = "train connectionist"
NAMES = tuple(PRESETS["modern"])


def asked(**settings):
    identity = request(KIND, settings).identity()
    assert "preset" not in identity
    return {name: identity[name] for name in NAMES}


@pytest.mark.parametrize("name", ["2p", "3p", "6p", "any", "self-aware", "nolimit2p"])
def test_by_default_a_player_is_trained_like_the_shipped_ones(name):
    trained = load_parameters(shipped_weights(f"connectionist:{name}"))[1]["settings"]
    found = asked(players=trained["players"], no_limit=trained.get("no_limit", False))
    assert found == {name: trained[name] for name in NAMES}


def test_the_published_learner_is_that_of_the_settings_without_a_preset():
    plain = TrainSettings()
    assert asked(preset="published") == {name: getattr(plain, name) for name in NAMES}
    assert (plain.optimizer, plain.entropy, plain.strangers, plain.cooldown) == ("scaled", 0, 0, 0)


def test_a_response_has_no_strangers_and_the_last_bonus():
    found = asked(response_to="weights.bin", players=6)
    assert (found["strangers"], found["entropy"], found["last_entropy"]) == (0, 0.03, 0.03)
    assert asked(response_to="weights.bin", players=6, strangers=0.1)["strangers"] == 0.1


@pytest.mark.parametrize("name", NAMES)
def test_a_given_setting_replaces_that_of_the_preset(name):
    other = {"optimizer": "scaled"}.get(name, 0.25)
    assert asked(**{name: other}) == {**PRESETS["modern"], name: other}


def test_the_command_takes_presets_and_settings_beside_them(monkeypatch, capsys):
    from pokerlab.systems.connectionist import training

    seen = []
    monkeypatch.setattr(
        training,
        "training_cost",
        lambda settings, *, errors: (seen.append(settings), Cost(1, counts={"hands_per_second": 1}))[1],
    )
    line = ["train", "connectionist", "--players", "2", "--dry-run"]
    assert main([*line, "--preset", "published", "--rate", "0.04"]) == main(line) == 0
    published, modern = ({name: getattr(each, name) for name in NAMES} for each in seen)
    assert published == {**PRESETS["published"], "rate": 0.04} and modern == PRESETS["modern"]
    capsys.readouterr()
    assert main([*line, "--preset", "old"]) == 2
    assert '"modern", "published"' in capsys.readouterr().err


def test_a_run_of_explicit_settings_is_resumed_by_the_preset(tmp_path):
    explicit = {**PRESETS["published"], "players": 3}
    by_name, by_settings = (request(KIND, each) for each in ({"preset": "published", "players": 3}, explicit))
    assert by_name.directory == by_settings.directory
    with open_run(tmp_path, KIND, by_settings.identity()):
        pass
    with open_run(tmp_path, KIND, by_name.identity()):
        pass
    with pytest.raises(PokerlabError, match=r"cooldown was 0.0, now 0.5"):
        open_run(tmp_path, KIND, request(KIND, {"players": 3}).identity())


def test_nothing_is_no_value_of_a_setting():
    with pytest.raises(PokerlabError, match="rate must be a number, not None"):
        request(KIND, {"rate": None})
    with pytest.raises(PokerlabError, match="preset must be 'modern' or 'published', not 'old'"):
        request(KIND, {"preset": "old"})
