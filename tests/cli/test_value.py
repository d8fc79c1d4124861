"""`pokerlab value`."""

import json

import pytest

from pokerlab.cli import main


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory):
    directory = tmp_path_factory.mktemp("value") / "kuhn"
    assert main(["solve", "kuhn", "--iterations", "200", "--out", str(directory)]) == 0
    return str(directory)


def test_for_people(kuhn, capsys):
    assert main(["value", kuhn, "--hands", "20000"]) == 0
    out = capsys.readouterr().out
    assert "exact" in out and "played hands" in out and "20,000" in out and "the game's value is between" in out


def test_for_machines(kuhn, capsys):
    assert main(["value", f"strategy:{kuhn}", "--against", kuhn, "--hands", "20000", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    exact, played = answer["values"]
    assert exact["value"] == pytest.approx(-1000 / 18, abs=1) and exact["low"] is None
    assert played["low"] < exact["value"] < played["high"]
    assert answer["units"] == "mbb_per_hand" and answer["game"] == "kuhn"


def test_players_on_trees_of_their_own(tmp_path, capsys):
    for name, sizes in (("pot", "fcpa"), ("half", "0.5p, all-in")):
        words = ["solve", "leduc-nolimit", "--sizes", sizes, "--algorithm", "lp", "--out", str(tmp_path / name)]
        assert main(words) == 0
    pot, half = str(tmp_path / "pot"), f"strategy:{tmp_path / 'half'}"
    capsys.readouterr()
    answers = []
    for words in ([pot, "--against", half], [half, "--against", pot]):
        assert main(["value", *words, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0]["value"] == pytest.approx(-answers[1]["value"]) == pytest.approx(sum(answers[0]["seats"]) / 2)
    assert answers[0]["seats"][0] == pytest.approx(-answers[1]["seats"][1])
    assert main(["value", pot, "--against", half]) == 0
    assert f"{pot} wins {answers[0]['value']:+.2f} mbb/hand" in capsys.readouterr().out
    assert main(["value", pot, "--against", half, "--respond", "3"]) == 2
    assert "responses are learned on one betting tree" in capsys.readouterr().err
    seats = tmp_path / "seats"
    seats.mkdir()
    (seats / "player-0.bin").touch()
    assert main(["value", str(seats)]) == 2
    assert (
        "a strategy for each seat, on different betting trees; name an opponent with against" in capsys.readouterr().err
    )


def test_learned_responses(kuhn, capsys):
    assert main(["value", kuhn, "--hands", "2000", "--respond", "2", "--threads", "1", "--json"]) == 0
    gains = json.loads(capsys.readouterr().out)["response_gains"]
    assert [gain["seat"] for gain in gains] == [0, 1]
    assert all(gain["low"] <= gain["mean"] <= gain["high"] and gain["n"] == 2000 for gain in gains)
    assert main(["value", kuhn, "--hands", "2000", "--respond", "2", "--threads", "1"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "seat 1: a response learned in 2 iterations gains" in out
    assert out.count("a lower bound on the gain of a best response") == len(gains)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["value", "nowhere.bin"], "no strategy file at nowhere.bin"),
        (["value", "equilibrium:chess"], "no equilibrium player is called 'chess'"),
        (["value", "nowhere.bin", "--hands", "1"], "an interval needs at least 2 hands and 2 boards, not 1 and 100"),
    ],
)
def test_what_is_wrong_is_one_line(words, line, capsys):
    assert main(words) == 2
    assert line in capsys.readouterr().err


def test_few_hands_that_came_out_alike_have_no_interval(kuhn, capsys):
    for seed in range(12):
        assert main(["value", kuhn, "--hands", "2", "--seed", str(seed)]) == 0
    said = capsys.readouterr().out
    assert " none " in said and "nan" not in said
