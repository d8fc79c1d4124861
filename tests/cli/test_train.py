"""`pokerlab train`."""

import json

import pytest

from pokerlab.agents import recipes
from pokerlab.agents.recipes import Recipe
from pokerlab.cli import main
from pokerlab.solvers.runs import config_of

LEDUC = Recipe(game="leduc", cards="lossless", algorithm="cfr+", iterations=50, cites="Tammelin 2014", note="a test")


@pytest.fixture(autouse=True)
def small_recipe(monkeypatch, tmp_path):
    monkeypatch.setattr(recipes, "RECIPES", {"leduc": LEDUC})
    monkeypatch.setattr(recipes, "cache_directory", lambda: tmp_path / "cache")


def test_for_people(tmp_path, capsys):
    assert main(["train", "equilibrium", "leduc", "--out", str(tmp_path / "run")]) == 0
    out = capsys.readouterr().out
    assert "50 iterations in" in out and "exploitability" in out and "it plays as equilibrium:leduc" in out
    assert (
        main(
            [
                "match",
                "--game",
                "leduc",
                "--agents",
                "equilibrium:leduc,caller",
                "--hands",
                "20",
                "--no-keep",
                "--workers",
                "1",
            ]
        )
        == 0
    )


def test_for_machines(tmp_path, capsys):
    words = ["train", "equilibrium", "leduc", "--iterations", "20", "--out", str(tmp_path / "run"), "--json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["player"], answer["installed"], answer["iterations"]) == ("leduc", False, 20)
    assert answer["path"] == str(tmp_path / "run" / "player.bin")


def test_a_dry_run_says_the_cost_and_the_configuration(tmp_path, capsys):
    words = ["train", "equilibrium", "leduc", "--dry-run", "--out", str(tmp_path / "run")]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "leduc, bets those of the game, cards lossless, cfr+ on numba" in said and "elsewhere: a test" in said
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert config_of(answer["config"]).iterations == 50
    assert answer["estimate"]["buckets_seconds"] == 0
    assert not (tmp_path / "run").exists()


def test_what_is_wrong_is_one_line(capsys):
    assert main(["train", "equilibrium", "chess"]) == 2
    assert capsys.readouterr().err == "pokerlab: no equilibrium player is called 'chess'; there are leduc\n"
