"""The same cards and actions give the same choices and the same chips as PokerKit."""

from dataclasses import replace
from itertools import combinations

import pytest

from pokerlab.cards.card import cards_text
from pokerlab.games.actions import CALL, FOLD, Action, Legal, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.showdown import strength
from pokerlab.verify.rules_check import check_hands, verify
from pokerlab.verify.rules_peers import POKERKIT_SETTINGS, PokerKitHand

pokerkit = pytest.importorskip("pokerkit")


@pytest.mark.slow
def test_random_hands() -> None:
    """`pokerlab verify rules` plays as many as one likes; docs/results/rules.md has the last 100,000."""
    tally = verify("pokerkit", hands=300, seed=20)
    assert tally.differences == []
    assert tally.n_hands == 300
    assert {limits for limits, _ in tally.hands} == {"limit", "no-limit", "pot-limit", "omaha", "stud"}
    assert {n for _, n in tally.hands} == {2, 3, 4, 5, 6}
    assert tally.seen["tables with uneven stacks"] > 250
    assert tally.seen["side pots"] > 100
    assert tally.seen["split pots"] > 5


def both(rules: Rules, actions: list[Action]) -> tuple[Legal, Legal]:
    """What the last to act may do by our rules and by PokerKit's."""
    theirs, ours = PokerKitHand(rules, rules.deck), Betting.start(rules)
    for action in actions:
        theirs.act(action)
        ours = ours.after(action)
    assert theirs.actor() == ours.actor
    return ours.legal(), theirs.legal()


@pytest.mark.parametrize(
    ("setting", "stacks", "actions"),
    [
        ("short_all_in_reopens", (1000, 20000, 20000), [RaiseTo(700), RaiseTo(1000), CALL]),
        ("first_raise_is_full", (20000, 160, 20000), [CALL, CALL, CALL, CALL, RaiseTo(60), CALL]),
        ("uncallable_raises", (80, 100, 20000), []),
    ],
)
def test_each_setting_explains_a_difference(setting: str, stacks: tuple[int, ...], actions: list[Action]) -> None:
    rules = replace(game("nolimit3p"), stacks=stacks, **POKERKIT_SETTINGS)
    ours, theirs = both(rules, actions)
    assert ours == theirs
    ours, theirs = both(replace(rules, **{setting: not POKERKIT_SETTINGS[setting]}), actions)
    assert ours != theirs


def test_pokerkit_forgets_short_all_ins_that_made_a_full_raise() -> None:
    """Seat 2 raised by 600 and now owes 1000, so it may raise again; the last 300 make PokerKit think otherwise."""
    rules = replace(game("nolimit6p"), stacks=(1400, 1700, 20000, 20000, 20000, 1000), **POKERKIT_SETTINGS)
    actions = [RaiseTo(700), CALL, FOLD, RaiseTo(1000), RaiseTo(1400), RaiseTo(1700)]
    assert both(rules, actions) == (Legal(True, 1000, 2300, 20000), Legal(True, 1000))
    theirs = PokerKitHand(rules, rules.deck)
    for action in actions:
        assert theirs.defect() == ""
        theirs.act(action)
    assert theirs.defect() == "PokerKit forgets short all-ins that made a full raise"


def test_pokerkit_splits_pots_with_the_same_winners_as_one() -> None:
    """Hand 70148 of seed 1: pots of 5 and 5 for two equal hands, which is 3 + 3 by room rules and 5 by PokerKit's."""
    tally = check_hands("pokerkit", 1, 70148, 1)
    assert tally.differences == []
    assert list(tally.explained.items()) == [("odd_chips: PokerKit splits pots that the same seats win as one pot", 1)]


def test_all_three_card_hands_rank_in_the_same_order() -> None:
    hand_type = pokerkit.RhodeIslandHoldemHand
    pairs = {
        (strength("three-card", hand, ()), hand_type(cards_text(hand)).entry.index)
        for hand in combinations(range(52), 3)
    }
    ours, theirs = zip(*sorted(pairs), strict=True)
    assert len(set(ours)) == len(set(theirs)) == len(pairs), "the same hands are equal"
    assert list(theirs) == sorted(theirs)
