"""Spots of hands that were played: where they begin, and whose ranges they have."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.formats import read_hands
from pokerlab.people.hand_spots import spot_of_hand
from pokerlab.players.registry import agent
from pokerlab.policies.solved_charts import SOLVED_CHARTS

EXAMPLE = Path(__file__).parents[2] / "docs" / "example-hand.phh"
CHECKED_DOWN = (RaiseTo(300), CALL, CALL, RaiseTo(300), CALL, CALL, CALL)
DECK = cards("QcQdAhKh2c3c4d5s9h")


def test_an_imported_hand_has_its_last_street_with_two_players():
    (hand,) = read_hands(EXAMPLE).hands
    river = spot_of_hand(hand, SOLVED_CHARTS)
    assert (river.street, river.names, river.pot) == ("river", ("Bob", "Alice"), 125)
    turn = spot_of_hand(hand, SOLVED_CHARTS, street="turn")
    assert (turn.board, turn.pot, turn.stack) == ("Js8c4s2h", 85, 340)  # a limit hand: four pots behind
    assert turn.ranges == river.ranges  # charts end with the flop
    with pytest.raises(PokerlabError, match="it has turn and river"):
        spot_of_hand(hand, SOLVED_CHARTS, street="flop")


def test_hands_that_leave_no_spot_are_refused():
    all_in = HandHistory(game("nolimit2p"), DECK, (RaiseTo(20000), CALL), ("ann", "bob"))
    folded = HandHistory(game("nolimit2p"), DECK, (RaiseTo(300), FOLD), ("ann", "bob"))
    for hand in (all_in, folded):
        with pytest.raises(PokerlabError, match="it has none"):
            spot_of_hand(hand, SOLVED_CHARTS)


def test_a_strategy_is_asked_in_its_own_chips():
    strategy = agent("equilibrium:nolimit2p")
    hand = HandHistory(game("nolimit2p"), DECK, CHECKED_DOWN, ("ann", "bob"))
    doubled = HandHistory(
        replace(hand.rules, blinds=(200, 100), stacks=(40000, 40000)),
        DECK,
        tuple(RaiseTo(2 * action.to) if action.kind.name == "RAISE" else action for action in CHECKED_DOWN),
        ("ann", "bob"),
    )
    one, two = (spot_of_hand(each, strategy) for each in (hand, doubled))
    assert one.ranges == two.ranges and two.pot == 2 * one.pot
    weights = [parse_range(text) for text in one.ranges]
    assert not np.array_equal(*weights)
