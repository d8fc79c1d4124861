"""`pokerlab grid`."""

import json

import pytest

from pokerlab.cli import main


def test_json(capsys):
    assert main(["grid", "AKs,QQ:0.5", "--dead", "AhQcQdQh", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["combos"] == 3
    assert answer["grid"][0][1] == 1
    assert answer["grid"][2][2] is None
    assert answer["range"] == "AsKs, AdKd, AcKc"


@pytest.mark.slow
def test_terminal_and_picture(capsys, tmp_path):
    assert main(["grid", "15%", "--picture", str(tmp_path / "range.svg")]) == 0
    out = capsys.readouterr().out
    assert "198.9 of 1326 combos" in out
    assert "A6s" in out
    assert "<svg" in (tmp_path / "range.svg").read_text()


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["grid"], "requires an argument"),
        (["grid", ""], "an empty range"),
        (["grid", "99+, 1Xs"], 'at character 6: "1Xs"'),
        (["grid", "AA", "--dead", "AhAdAs"], "no hand of the range AA is left"),
        (["grid", "AA", "--dead", "1x"], "not a card"),
        (["grid", "AA", "--picture", "/dev/null/x.png"], "/dev/null: File exists"),
        (["grid", "AA", "--picture", "x.bmp"], "x.bmp: a picture ends in .png, .svg, .pdf"),
    ],
)
def test_mistakes_are_one_line(tokens, says, capsys):
    assert main(tokens) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert says in captured.err
