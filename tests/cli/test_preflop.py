"""`pokerlab preflop`."""

import json

import pytest

from pokerlab.cli import main
from pokerlab.files import read_header
from pokerlab.policies.income_rates import KIND


def answer(capsys, *words):
    assert main(["preflop", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_rates_with_their_errors_and_counts(capsys):
    found = answer(capsys)
    assert (found["players"], found["kind"], found["units"]) == (10, "roll-out", "small_bets_per_hand")
    assert len(found["hands"]) == 169
    aces = found["hands"][0]
    assert aces["hand"] == "AA"
    assert aces["rate"] == pytest.approx(2.108, abs=0.001)
    assert aces["error"] == pytest.approx(0.0018, abs=0.0001)
    assert aces["count"] == 6_781_694
    assert found["made"]["command"] == "pokerlab preflop --build"


def test_named_hands(capsys):
    aces, worst = answer(capsys, "--iterated", "--classes", "AA, 72o")["hands"]
    assert aces["rate"] == pytest.approx(2.998, abs=0.001)
    assert worst == {"hand": "72o", "rate": None, "error": None, "count": 0}
    assert main(["preflop", "--iterated", "--classes", "AA,72o"]) == 0
    shown = capsys.readouterr().out
    assert "folded" in shown
    assert "times played" in shown


@pytest.mark.slow
def test_tables_and_pictures(capsys, tmp_path):
    assert main(["preflop", "--players", "6"]) == 0
    assert "87 profitable hands" in capsys.readouterr().out
    picture = tmp_path / "rates.svg"
    assert main(["preflop", "--players", "2", "--grid", "--picture", str(picture)]) == 0
    assert "0.704" in capsys.readouterr().out
    assert "Income rates, 2 players, roll-out" in picture.read_text()


@pytest.mark.slow
def test_build(capsys, tmp_path):
    path = tmp_path / "rates.bin"
    assert answer(capsys, "--build", "--trials", "1000", "--seed", "5", "--out", str(path))["path"] == str(path)
    about = read_header(path, KIND)[0]["about"]
    assert (about["trials"], about["seed"]) == (1000, 5)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--players", "11"], "income rates are for 2 to 10 players, not 11"),
        (["--classes", "AX"], "not one of the 169 classes"),
        (["--build", "--trials", "0"], "at least 1"),
    ],
)
def test_mistakes_are_one_line(words, line, capsys):
    assert main(["preflop", *words]) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1
