"""`pokerlab demo`: each step is a command that exists, and a step that fails stops it."""

import shlex

import pytest

from pokerlab.cli import COMMANDS, demo, main


def test_steps_are_commands():
    assert {shlex.split(line)[0] for _, line in (*demo.STEPS, *demo.TOURNAMENT)} <= set(COMMANDS)


@pytest.mark.slow
def test_it_runs_and_leaves_a_picture(monkeypatch, tmp_path, capsys):
    (match,) = [line for _, line in demo.STEPS if line.startswith("match")]
    short = match.replace("poki", "caller").replace("--hands 100", "--hands 4 --workers 1")
    monkeypatch.setattr(demo, "STEPS", (*demo.STEPS[:2], ("?", short)))
    assert main(["demo", "--out", str(tmp_path / "new")]) == 0
    out = capsys.readouterr().out
    assert "$ pokerlab odds AdQc --board 3h4cJh" in out and "computing" in out
    assert "628 ahead, 9 tied, 444 behind" in out
    assert "± half of a 95% interval" in out
    assert (tmp_path / "new" / "river.png").read_bytes().startswith(b"\x89PNG")
    assert out.splitlines()[-1] == "pokerlab play --web --against poki --open"


def test_an_equilibrium_player_plays(monkeypatch, tmp_path, capsys):
    (question, line), *_ = demo.TOURNAMENT
    monkeypatch.setattr(demo, "TOURNAMENT", ((question, line.replace("--hands 50", "--hands 4 --workers 1")),))
    assert main(["demo", "tournament", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "limit2p, 4 deals, each in 2 seatings" in out and "AIVAT, duplicate" in out


@pytest.mark.parametrize("line", ["odds 1x", "nonsense"])
def test_a_failing_step_is_the_status(monkeypatch, tmp_path, line):
    monkeypatch.setattr(demo, "STEPS", (("?", line),))
    assert main(["demo", "--out", str(tmp_path)]) == 2
