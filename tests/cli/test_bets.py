"""`pokerlab bets`: finding sizes, going on, and solving with what was found."""

import json

import pytest

from pokerlab.cli import main

QUICK = ["bets", "leduc-nolimit", "--iterations", "1500"]


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    directory = tmp_path_factory.mktemp("bets") / "leduc"
    assert main([*QUICK, "--runs", "1", "--out", str(directory)]) == 0
    return directory


def test_the_same_command_goes_on_and_its_sizes_can_be_solved(leduc, capsys, tmp_path):
    picture = tmp_path / "bets.svg"
    assert main([*QUICK, "--runs", "2", "--out", str(leduc), "--json", "--picture", str(picture)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [run["run"] for run in answer["runs"]] == [1, 2]
    assert [run["sized_bets"] for run in answer["runs"]] == [12, 12]
    assert answer["runs"][0]["pairs"] == 1248
    first = answer["bets"][0]
    assert first["low"] <= first["size"] <= first["high"] and first["importance"] > 0
    assert "leduc-nolimit, run 2" in picture.read_text()
    solve = ["solve", "leduc-nolimit", "--sizes", f"@{answer['sizes']}", "--algorithm", "lp", "--no-keep", "--json"]
    assert main(solve) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(answer["runs"][1]["value"], abs=1e-9)


def test_for_people(leduc, capsys):
    assert main([*QUICK, "--runs", "1", "--out", str(leduc)]) == 0
    out = capsys.readouterr().out
    for words in ("sizes of player 0 against fcpa", "check, bet 1p, call / bet", "importance", "@"):
        assert words in out


def test_half_street_kuhn(capsys):
    tokens = ["bets", "kuhn-half-street", "--ranges", "0-1", "--runs", "1", "--iterations", "20000"]
    assert main([*tokens, "--opponent", "none", "--no-keep", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["bets"][0]["size"] == pytest.approx(2**0.5 - 1, rel=0.01)
    s = answer["bets"][0]["size"]  # antes of one chip: twice Chen and Ankenman's value (equation 4.9)
    assert answer["runs"][0]["value"] == pytest.approx(2 * s * (1 - s) / (6 * (1 + s)), rel=1e-6)


def test_dry_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*QUICK, "--dry-run", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["decisions"], answer["sized_bets"], answer["pairs"]) == (60, 12, 1248)
    assert answer["seconds"] > 0 and answer["memory_bytes"] > 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["leduc-nolimit", "--ranges", "0.9-0.5"], "the range 0.9-0.5 begins above its end"),
        (["leduc-nolimit", "--ranges", "half"], "'half' is no range of bet sizes"),
        (["leduc-nolimit", "--ranges", "7"], "7 ranges have no defaults"),
        (["leduc-nolimit", "--ranges", "900-901"], "too short for any bet"),
        (["leduc-nolimit", "--opponent", "1p"], "has no all-in"),
        (["leduc", "--opponent", "limit"], "bet sizes are found in no-limit games"),
        (["kuhn-nolimit", "--opponent", "none"], "give a largest number of raises"),
        (["leduc-nolimit", "--runs", "0"], "runs must be at least 1"),
        (["leduc-nolimit", "--n", "0"], "N is 0"),
        (["leduc-nolimit", "--extra", "-1"], "extra must be at least 0, not -1"),
        (["leduc-nolimit", "--max-raises", "0"], "max_raises must be at least 1, not 0"),
        (["leduc-nolimit", "--opponent", "@sizes.bin"], "@sizes.bin has the sizes of both players"),
        (["leduc-nolimit", "--picture", "tree.gif"], "a picture ends in"),
        (["leduc-nolimit", "--cards", "pr5"], "card abstraction of hold'em"),
    ],
)
def test_bad_input_is_one_line(tokens, says, capsys):
    assert main(["bets", *tokens, "--no-keep"]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_another_search_does_not_go_on_in_its_directory(leduc, capsys):
    assert main([*QUICK, "--runs", "2", "--player", "1", "--out", str(leduc)]) == 2
    assert "holds another run (players was" in capsys.readouterr().err
