"""Omaha: two cards of the hand and three of the board, one by one and in arrays."""

import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.equity import equity
from pokerlab.cards.evaluate import evaluate
from pokerlab.cards.omaha import evaluate_omaha
from pokerlab.errors import CardError, PokerlabError
from pokerlab.games.catalog import game


def test_a_hand_plays_exactly_two_of_its_cards():
    board = cards("AsAdKc2h2d")
    assert evaluate_omaha(cards("AhAcKsKd"), board) == evaluate(cards("AhAcAsAdKc"))
    assert evaluate_omaha(cards("3c4c5d6d"), board) == evaluate(cards("6d5dAsAdKc"))  # no two pair of the board alone


def test_arrays_count_what_hands_say_one_by_one():
    hands = [cards("AsAhKsKh"), cards("JcTc9d8d"), cards("QcQd2s3s")]
    board, gone = cards("2c7d9sTh"), cards("4c")
    left = [card for card in range(52) if card not in (*board, *gone, *(c for hand in hands for c in hand))]
    expected = [0.0] * 3
    for river in left:
        ranks = [evaluate_omaha(hand, (*board, river)) for hand in hands]
        winners = [i for i, rank in enumerate(ranks) if rank == max(ranks)]
        for i in winners:
            expected[i] += 1 / len(winners) / len(left)
    found = equity(hands, board, gone)
    assert (found.method, found.n) == ("exact", 35)
    assert found.equity == pytest.approx(expected)


def test_samples_agree_with_the_count():
    hands, board = [cards("AsAhKsKh"), cards("JcTc9d8d")], cards("2c7d9s")
    exact, sampled = equity(hands, board), equity(hands, board, method="sampled", samples=5000, seed=3)
    assert sum(exact.wins) + sum(exact.ties) / 2 == exact.n == 820
    low, high = sampled.interval[0]
    assert low < exact.equity[0] < high < low + 0.03


def test_random_hands_are_sampled():
    found = equity([cards("AsAhKsKh"), None, None], cards("2c7d9sTh3h"), samples=2000)
    assert (found.method, found.n) == ("sampled", 2000) and sum(found.equity) == pytest.approx(1)
    with pytest.raises(PokerlabError, match="too many to count"):
        equity([cards("AsAhKsKh"), None], method="exact")


def test_hands_of_other_sizes_are_refused():
    with pytest.raises(CardError, match="player 2's hand is neither"):
        equity([cards("AsAhKsKh"), cards("QcQd")])
    with pytest.raises(CardError, match="As is both"):
        equity([cards("AsAhKsKh"), cards("AsQdJdTd")])


def test_the_catalog_deals_four_cards_under_a_pot_limit():
    rules = game("omaha6p:50bb")
    assert (rules.limits, rules.ranking, rules.streets[0].n_hole, rules.stacks[0]) == ("pot-limit", "omaha", 4, 5000)
    assert not rules.is_holdem
