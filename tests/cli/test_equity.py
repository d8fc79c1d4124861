"""`pokerlab equity`: what it gives a machine, what it shows, and what it refuses."""

import json

import pytest

from pokerlab.cli import main


def answer(capsys, *tokens):
    assert main(["equity", *tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_two_hands_exactly(capsys):
    found = answer(capsys, "AhKh", "QcQd", "--board", "2h7h9c")
    assert (found["method"], found["n"], found["seed"]) == ("exact", 990, None)
    assert [player["hand"] for player in found["players"]] == ["AhKh", "QcQd"]
    assert sum(player["equity"] for player in found["players"]) == pytest.approx(1)
    assert found["players"][0]["win"] == pytest.approx(found["players"][0]["equity"] - found["players"][0]["tie"] / 2)


def test_range_and_random_hand(capsys):
    found = answer(capsys, "AhKh", "99+, AKs", "random", "--board", "2h7h9c", "--samples", "5000", "--seed", "3")
    assert (found["method"], found["n"], found["seed"]) == ("sampled", 5000, 3)
    for player in found["players"]:
        assert player["low"] < player["equity"] < player["high"]
    assert found == answer(
        capsys, "AhKh", "99+, AKs", "random", "--board", "2h7h9c", "--samples", "5000", "--seed", "3"
    )


def test_dead_cards_change_the_answer(capsys):
    board = ("--board", "2h7h9c3d")
    free, blocked = (answer(capsys, "AhKh", "QcQd", *board, *dead) for dead in ((), ("--dead", "QhQs")))
    assert (free["n"], blocked["n"]) == (44, 42)
    assert free["players"][0]["equity"] == pytest.approx(15 / 44), "nine hearts, three aces, three kings"
    assert blocked["players"][0]["equity"] == pytest.approx(14 / 42), "the queen of hearts is dead"


def test_table(capsys):
    assert main(["equity", "AhKh", "QcQd", "--board", "2h7h9c3d"]) == 0
    out = capsys.readouterr().out
    assert "exact: 44 deals" in out
    assert main(["equity", "AhKh", "QcQd", "--samples", "1000"]) == 0
    assert "95% interval" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["AdAd", "QQ"], "the same card twice"),
        (["1x", "QQ"], "not a hand or a range of hands"),
        (["AhKh", ""], "an empty range"),
        (["AhKh"], "two or more players, not 1"),
        (["AhKh", "QQ", "--board", "2c3c4c5c6c7c"], "a board has at most 5 cards, not 6"),
        (["AhKh", "AA", "--board", "AsAdAc"], "player 2's range has no hand"),
        (["AhKh", "QQ", "--board", "KhQc2d"], "Kh is both"),
        (["AhKh", "AhQh"], "Ah is both"),
        (["AhKh", *["random"] * 24], "a deck has 52"),
        (["AhKh", "QQ", "--exact", "--samples", "10"], "--exact counts every deal"),
        (["AhKh", "QQ", "--samples", "0"], "more than zero"),
        (["AhKh", "QQ", "--samples", "many"], "is not a whole number"),
        (["AhKh", "QQ", "--bord", "2c3c4c"], "Did you mean --board?"),
    ],
)
def test_mistakes_are_one_line(tokens, says, capsys):
    assert main(["equity", *tokens]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert says in captured.err
