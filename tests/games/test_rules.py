"""Invalid rules are refused; properties derived from rules are right."""

import pickle
from dataclasses import replace
from math import inf, nan
from typing import Any

import pytest

from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules, Street

TABLE = game("nolimit3p")
NEGATIVE = (Street(n_hole=-1),)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"n_seats": 1}, "nolimit3p: 1 players; a game has 2 to 12"),
        ({"n_seats": 13}, "nolimit3p: 13 players; a game has 2 to 12"),
        ({"blinds": (50, 100)}, "nolimit3p: 2 blinds for 3 players"),
        ({"antes": (1,)}, "nolimit3p: 1 antes for 3 players"),
        ({"blinds": (50, -1, 0)}, r"nolimit3p: blinds must be numbers of chips, not \(50, -1, 0\)"),
        ({"blinds": (50, inf, 0)}, "nolimit3p: blinds must be numbers of chips"),
        ({"stacks": (100, nan, 100)}, "nolimit3p: stacks must be numbers of chips"),
        ({"stacks": (100, 100, 0)}, "nolimit3p: seat 2 has no chips to play with"),
        ({"streets": ()}, "nolimit3p: a game needs at least one street"),
        ({"streets": (Street(n_hole=2, first=3),)}, "nolimit3p: first to act must be one of the 3 seats"),
        ({"streets": NEGATIVE}, "nolimit3p: street 1 has a negative number"),
        ({"limits": "limit"}, "nolimit3p: a limit game needs a raise size above 0 on every street"),
        ({"limits": "spread"}, "nolimit3p: limits is 'spread', not one of"),
        ({"odd_chips": "mine"}, "nolimit3p: odd_chips is 'mine', not one of"),
        ({"deck": tuple(range(8))}, "nolimit3p: 11 different cards are dealt from a deck of 8"),
        ({"deck": (0,) * 52}, "nolimit3p: 11 different cards are dealt from a deck of 1"),
        ({"responders": (0, 1, 2)}, r"nolimit3p: responders must be fewer than all of the 3 seats"),
        ({"responders": (5,)}, r"nolimit3p: responders must be fewer than all of the 3 seats"),
        ({"min_bet": -1}, "nolimit3p: the smallest bet must be a number of chips, not -1"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(changes: dict[str, Any], line: str) -> None:
    with pytest.raises(RulesError, match=line):
        replace(TABLE, **changes)


def test_properties_derived_from_rules() -> None:
    assert (TABLE.big_blind, TABLE.smallest_bet, TABLE.n_dealt) == (100, 100, 11)
    assert game("rhode-island").big_blind == 5
    assert replace(TABLE, min_bet=20).smallest_bet == 20
    assert game("limit2p").full_bets == (10, 10, 20, 20)
    assert replace(TABLE, min_bet=20).full_bets == (100, 20, 20, 20)
    assert TABLE.with_stacks((1, 2, 3)).stacks == (1, 2, 3)
    assert [TABLE.street_name(i) for i in range(4)] == ["pre-flop", "flop", "turn", "river"]
    assert game("leduc").street_name(1) == "street 2"


def test_the_deck_is_dealt_seat_by_seat_then_the_board() -> None:
    holes, _, board = TABLE.layout[0]
    assert holes == (slice(0, 2), slice(2, 4), slice(4, 6))
    assert board == slice(6, 6)
    assert [board for _, _, board in TABLE.layout[1:]] == [slice(6, 9), slice(9, 10), slice(10, 11)]
    holes, ups, _ = game("stud2p").layout[0]
    assert (holes, ups) == ((slice(0, 1), slice(1, 2)), (slice(2, 3), slice(3, 4)))
    assert game("stud2p").dealt_by[2][1] == ((2, 4, 6), (3, 5, 7))


def test_rules_are_values() -> None:
    again: Rules = pickle.loads(pickle.dumps(TABLE))
    assert again == TABLE
    assert hash(again) == hash(TABLE)
    assert again.n_dealt == 11
    with pytest.raises(AttributeError):
        TABLE.n_seats = 4  # type: ignore[misc]


def test_with_one_blind_the_button_opens_heads_up() -> None:
    """And all seats have the same ante, for any number of players."""
    rules = replace(game("nolimit3p"), blinds=(0, 100, 0), antes=(25, 25, 25))
    two, four = rules.for_players((900, 500)), rules.for_players((900, 500, 700, 800))
    assert (two.blinds, two.streets[0].first) == ((100, 0), 1)
    assert (four.antes, four.streets[0].first) == ((25,) * 4, 1)
