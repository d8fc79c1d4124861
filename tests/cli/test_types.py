"""`pokerlab types`: the types of a hand at every resolution, and what it refuses."""

import json

from pokerlab.cli import main


def test_a_hand_with_a_board(capsys):
    assert main(["types", "AsKd", "--board", "Ah7h2c", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["types"] == {
        "1993": "Pair",
        "1999": "Pair of Aces",
        "2000": "Pair of Aces",
        "2003": "Pair of Aces",
        "2007": "PairA",
        "2007-network": "PairA",
    }
    assert found["partial"]["hand"] == {"tuple": "PairA", "suit": "none", "sequence": "none"}
    assert found["partial"]["board"] == {"tuple": "Nothing", "suit": "none", "sequence": "none"}


def test_it_is_a_table_for_people(capsys):
    assert main(["types", "9s9d"]) == 0
    said = capsys.readouterr().out
    assert "Pair Medium" in said and "Pair of Nines" in said


def test_a_board_of_two_cards_is_refused(capsys):
    assert main(["types", "AsKd", "--board", "Ah7h"]) == 2
    assert (
        capsys.readouterr().err == "pokerlab: with a board, a hand has 2 cards and the board 3, 4 or 5, not 2 and 2\n"
    )
