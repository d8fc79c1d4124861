"""`pokerlab egta`."""

import json

import pytest

from pokerlab.cli import main
from pokerlab.empirical import mixture_play
from pokerlab.systems.threeplayer import q_learning

LINE = ["egta", "--game", "leduc", "--hands", "50", "--workers", "1"]


@pytest.mark.slow
def test_a_table_an_equilibrium_and_a_picture(tmp_path, capsys):
    out = tmp_path / "run"
    line = [*LINE, "--strategies", "caller,raiser,folder", "--instances", "3", "--out", str(out)]
    assert main([*line, "--dry-run"]) == 0
    assert "18 matches, 900 hands" in capsys.readouterr().out
    assert main(line) == 0
    said = capsys.readouterr().out
    assert "raiser, folder" in said and "epsilon" in said and "fictitious play" in said
    assert "Every epsilon is a lower bound" in said
    assert "folder" in (out / "replicator.svg").read_text()

    assert main([*line, "--dry-run"]) == 0
    assert "all 18 instances are saved" in capsys.readouterr().out
    line[line.index("--strategies") + 1] += ",random"
    assert main([*line, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["profiles"]) == 10 and found["units"] == "mbb_per_hand"
    assert found["epsilon_is"].startswith("Every epsilon is a lower bound")
    worst = {name: row["mean"] for name, row in found["profiles"][-1]["payoffs"].items()}
    assert sum(worst.values()) == pytest.approx(0.0, abs=1e-9)
    assert {**json.loads((out / "result.json").read_text()), "path": str(out)} == found
    assert "steps of replicator dynamics" in (out / "replicator.svg").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--strategies", "caller"], "caller alone makes no game: name two or more strategies"),
        (["--strategies", "caller,rulebot"], "rulebot does not play leduc"),
        (["--strategies", "caller,raiser", "--instances", "0"], "two instances or more for an interval, not 0"),
        (["--strategies", "caller,raiser", "--picture", "x.doc"], "a picture ends in"),
    ],
)
def test_what_is_refused_in_one_line(words, said, capsys):
    assert main([*LINE, *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.slow
def test_a_response_is_learned_and_played(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 200)
    line = ["egta", "--game", "limit2p", "--strategies", "caller,folder", "--hands", "30", "--instances", "3"]
    line += ["--workers", "1", "--rounds", "1", "--learn-hands", "200", "--out", str(tmp_path / "run")]
    line += ["--respond-to", "average"]
    assert main(line) == 0
    said = capsys.readouterr().out
    assert "its gain" in said and "q:1-" in said and "caller 50.0%" in said
    assert "the most stable of these mixtures against all strategies: that of round 1" in said
    assert "round 1" not in (tmp_path / "run" / "curves.svg").read_text()  # one curve needs no name
    assert main([*line, "--no-save"]) == 2
    assert "contradict" in capsys.readouterr().err
    assert main([*line[:-4], "--no-save"]) == 2
    assert "rounds saves learned responses in the run directory: leave out --no-save" in capsys.readouterr().err


@pytest.mark.slow
def test_a_response_to_any_agent_and_a_fresh_one_for_epsilon(tmp_path, capsys, monkeypatch):
    """poki is not compiled: the learner sits at the ordinary table."""
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 20)
    line = ["egta", "--game", "limit2p", "--strategies", "rulebot,poki", "--hands", "10", "--instances", "2"]
    line += ["--workers", "1", "--rounds", "1", "--learn-hands", "20", "--respond-to", "regret-matching"]
    monkeypatch.setattr(mixture_play, "BLOCK", 10)
    assert main([*line, "--fresh", "2", "--out", str(tmp_path / "run"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rounds"][0]["method"] == "regret-matching" and len(found["strategies"]) == 3
    assert found["fresh"]["learned_from_hands"] == 40 and found["fresh"]["epsilon"]["n"] == 2
    assert main([*line, "--fresh", "2", "--out", str(tmp_path / "run")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "a fresh response, learned from 40 hands, gains" in said and "its epsilon is no smaller" in said


@pytest.mark.slow
def test_more_instances_are_played_where_the_solution_depends_on_them(tmp_path, capsys):
    line = [*LINE, "--strategies", "caller,raiser,folder", "--instances", "3", "--out", str(tmp_path / "run")]
    assert main([*line, "--more", "2"]) == 0
    assert "(n = 3 to 6 instances)" in " ".join(capsys.readouterr().out.split())
    assert main([*line, "--more", "2", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["profiles"]
    assert sum(row["instances"] for row in rows) == 3 * (6 + 2)
    assert main([*line, "--more", "-1"]) == 2
    assert "more must be at least 0, not -1" in capsys.readouterr().err


def test_rounds_at_a_small_game_are_exact(capsys):
    line = ["egta", "--game", "kuhn3p", "--strategies", "random", "--rounds", "10", "--respond-to", "average"]
    assert main([*line, "--no-save", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rounds"][0]["nash_conv"] == pytest.approx(2.0625) and len(found["rounds"]) == 10
    assert found["rounds"][9]["epsilon"] == pytest.approx(0.094583, abs=1e-6)  # docs/three-player.md
    assert found["best"]["round"] == 10 and sum(found["best"]["mixture"].values()) == pytest.approx(1)
    line[line.index("random")] = "raiser"
    assert main([*line, "--no-save"]) == 0
    said = capsys.readouterr().out
    assert "Every epsilon is exact" in said and "the most stable mixture is that of round" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "rhode-island", "--strategies", "caller"], "rhode-island has 6,497,400"),
        (["--game", "kuhn3p", "--strategies", "caller", "--fresh", "10"], "leave out --fresh"),
        (["--game", "leduc3p", "--strategies", "shover"], "begin from caller, raiser, folder, random, not shover"),
    ],
)
def test_exact_rounds_refuse_in_one_line(words, said, capsys):
    assert main(["egta", "--rounds", "2", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
