"""`pokerlab features`: what is on for a hand, and what it refuses."""

import json

from pokerlab.cli import main


def test_a_hand_with_a_board(capsys):
    assert main(["features", "AsKd", "--board", "Ah7h2c", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["on"]
    assert found["board"] == {
        "flop/no-pair": 1,
        "flop/no-pair/hi-rank": 13,
        "flop/no-pair/mid-rank": 6,
        "flop/no-pair/lo-rank": 1,
        "flop/two-flush": 1,
        "flop/single-draws": 3,
    }
    assert found["hand"] == {
        "flop/no-pair-board/pair": 1,
        "flop/no-pair-board/pair/rank": 13,
        "flop/no-pair-board/pair/kicker": 12,
        "flop/no-pair-board/pair/kicker-board-above": 1,
    }


def test_it_is_a_table_for_people_with_ranks_as_letters(capsys):
    assert main(["features", "TdTs"]) == 0
    said = capsys.readouterr().out.split()
    assert "2 features on, of 362" in " ".join(said) and said[-1] == "T"


def test_a_board_of_two_cards_is_refused(capsys):
    assert main(["features", "AsKd", "--board", "Ah7h"]) == 2
    assert capsys.readouterr().err == "pokerlab: features are of 2 cards and a board of 0, 3, 4 or 5, not of 2 and 2\n"
