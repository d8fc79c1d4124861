"""Betting features: an example of each, with six and with two players."""

import pytest

from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.betting_features import BETTING_FEATURES, betting_features
from pokerlab.games.catalog import game

SIX, TWO = game("limit6p"), game("limit2p")  # blinds 5 and 10, so that a small blind is 5 chips


def _after(rules, *actions):
    betting = Betting.start(rules)
    for action in actions:
        betting = betting.after(action)
    return betting


@pytest.mark.parametrize(
    "rules, so_far, action, expected, cost",
    [
        # first of six calls: small blind owes 1, the big blind nothing, three others 2 each; three act after it later
        (SIX, (), CALL, (5, 0, 5, 7, 2, 5, 3, 0, 3), 2),
        # raises to 4: the blinds owe 3 and 2, three others 4
        (SIX, (), RaiseTo(20), (5, 0, 7, 17, 4, 5, 3, 0, 2), 4),
        # all fold to the small blind, who completes: the big blind will act and acts after it on the flop
        (SIX, (FOLD,) * 4, CALL, (1, 0, 4, 0, 2, 1, 1, 1, 3), 1),
        # and the big blind's check ends the street
        (SIX, (FOLD,) * 4 + (CALL,), CALL, (1, 1, 4, 0, 2, 0, 0, 1, 3), 0),
        # heads-up the button calls first; the big blind acts again, but before it on the flop
        (TWO, (), CALL, (1, 0, 4, 0, 2, 1, 0, 1, 3), 1),
        # on the river nothing follows; the caller of a bet of 4 ends the street
        (TWO, (CALL,) * 7 + (RaiseTo(20),), CALL, (1, 1, 12, 0, 6, 0, 0, 1, 3), 4),
        (TWO, (CALL,) * 7 + (RaiseTo(20),), RaiseTo(40), (1, 0, 16, 4, 10, 1, 0, 1, 2), 8),
    ],
)
def test_examples(rules, so_far, action, expected, cost):
    found, paid = betting_features(_after(rules, *so_far), action)
    assert dict(zip(BETTING_FEATURES, found, strict=True)) == dict(zip(BETTING_FEATURES, expected, strict=True))
    assert paid == cost


def test_two_players_may_raise_without_limit_if_the_rules_allow_it():
    from dataclasses import replace

    uncapped = replace(SIX, uncapped_heads_up=True)
    raised = (FOLD,) * 4 + (RaiseTo(20), RaiseTo(30))
    assert betting_features(_after(uncapped, *raised), CALL)[0][8] == 4
    assert betting_features(_after(SIX, *raised), CALL)[0][8] == 1


def test_folding_has_no_features():
    with pytest.raises(ValueError, match="not of a fold"):
        betting_features(_after(SIX), FOLD)
