"""Blunders: each kind is found, and what only looks like one is not."""

import pytest

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.valuing.blunders import blunder, blunders_of

ACES = "AsAh7c2d"


def found(deck: str, *actions, name: str = "limit2p"):
    return [each.kind for each in blunders_of(HandHistory(game(name), cards(deck), actions, ("a", "b")))]


@pytest.mark.parametrize(
    ("deck", "actions", "expected"),
    [
        (f"{ACES} AcKd9h 5s 4s", (CALL, RaiseTo(20), RaiseTo(30), FOLD), ["folded aces"]),
        (f"{ACES} AcKd9h 5s 4s", (CALL, CALL, CALL, RaiseTo(10), FOLD), ["folded the nuts"]),
        ("7s2h KhKs AcKd9h 5s 4s", (CALL, CALL, CALL, RaiseTo(10), FOLD), []),
        # kings full are beaten by one hand alone: the two aces left
        ("KsKh 7s2h AcAdKd 5s 4s", (CALL, CALL, CALL, RaiseTo(10), FOLD), []),
        # deuces and treys play the board, which everyone does
        ("2s3h 7s6h AcAdAhAsKd", (CALL, CALL, *(CALL,) * 4, CALL, RaiseTo(20), CALL), []),
        # ... and beat nothing where other hands do better
        ("2s3h 7s8h AcAdKhKsQd", (CALL, CALL, *(CALL,) * 4, CALL, RaiseTo(20), CALL), ["called with nothing"]),
        ("2s3h 7s8h AcAdKhKsQd", (CALL, CALL, *(CALL,) * 4, CALL, RaiseTo(20), FOLD), []),
    ],
)
def test_what_is_a_blunder(deck, actions, expected):
    assert found(deck, *actions) == expected


def test_a_fold_that_saves_nothing():
    """The rules here offer no such fold; other programs make it."""
    view = State.start(game("limit2p"), cards(f"{ACES} AcKd9h 5s 4s")).after(CALL).view(0, 0, ("a", "b"))
    assert blunder(view, FOLD) == "folded for nothing"
    assert blunder(view, CALL) is None


def test_aces_may_be_folded_where_the_whole_stack_is_at_stake():
    view = State.start(game("nolimit2p"), cards(f"7c2d {ACES[:4]} AcKd9h 5s 4s")).view(1, 0, ("a", "b"))
    assert blunder(view, FOLD) is None
