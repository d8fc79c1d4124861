"""Decks of subgames: the board of the rules, and hands from the ranges in proportion to their weights."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from pokerlab.cards.card import cards, cards_text
from pokerlab.errors import CardError, RulesError
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand, start_ranges
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.games.state import State
from pokerlab.rng import Shuffler
from pokerlab.solvers.subgames.subgame import subgame_rules

TURN = subgame_rules("Ks7h2d5c", ("AhAd, AhKh:0.5, KcQc", "AhAs:0.4, KcQc, 7c7s"), pot=100, stack=100)


def test_pairs_of_hands_come_as_often_as_the_products_of_their_weights():
    n, shuffler = 8000, Shuffler(3, "cards")
    decks = [deck_of_hand(TURN, shuffler, number) for number in range(n)]
    pairs = Counter((cards_text(deck[:2]), cards_text(deck[2:4])) for deck in decks)
    weights = [{"AhAd": 1.0, "AhKh": 0.5, "KcQc": 1.0}, {"AsAh": 0.4, "KcQc": 1.0, "7s7c": 1.0}]
    joint = {
        (one, other): v * w
        for (one, v), (other, w) in product(*(each.items() for each in weights))
        if not {one[:2], one[2:]} & {other[:2], other[2:]}
    }
    assert set(pairs) == set(joint)
    for pair, weight in joint.items():
        assert pairs[pair] / n == pytest.approx(weight / sum(joint.values()), abs=0.02)
    assert {deck[4:8] for deck in decks} == {cards("Ks7h2d5c")}
    rivers = Counter(deck[8] for deck in decks)
    assert len(rivers) == 48  # every card but the board's; those that hands may hold come less often
    assert rivers[cards("9c")[0]] / n == pytest.approx(1 / 44, abs=0.005)
    assert all(len(set(deck)) == 9 == TURN.n_dealt for deck in decks)


def test_any_hand_can_be_dealt_alone_and_other_games_are_unchanged():
    shuffler = Shuffler(3, "cards")
    assert deck_of_hand(TURN, shuffler, 17) == deck_of_hand(TURN, Shuffler(3, "cards"), 17)
    leduc = game("leduc")
    assert deck_of_hand(leduc, shuffler, 17) == shuffler.deal(17, leduc.deck, leduc.n_dealt)
    assert start_ranges(leduc) == ()


def test_the_rules_of_a_subgame_include_its_board_and_ranges():
    assert rules_from_json(rules_to_json(TURN)) == TURN
    assert [TURN.street_name(street) for street in (0, 1)] == ["turn", "river"]
    with pytest.raises(CardError, match="turn subgame begins on Ks7h2d5c, but this deck has another board"):
        State.start(TURN, cards("AhAd KcQc Ks7h2d5d 9c"))
    assert State.start(TURN, cards("AhAd KcQc Ks7h2d5c 9c")).board == cards("Ks7h2d5c")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"board": cards("Ks7h2d")}, "a subgame is for two seats and two ranges, with a board of 3, 4 or 5 cards"),
        ({"ranges": ("AA",)}, "a subgame is for two seats and two ranges"),
        ({"board": ()}, "a subgame is for two seats and two ranges"),
        ({"board": (1, 1, 2, 3)}, "the board of a subgame is 4 different cards of the deck"),
    ],
)
def test_invalid_subgames_are_refused(changes, says):
    with pytest.raises(RulesError, match=says):
        replace(TURN, **changes)
