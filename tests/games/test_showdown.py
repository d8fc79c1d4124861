"""Comparison of hands in each ranking."""

from collections import Counter
from itertools import combinations

import pytest

from pokerlab.cards.card import cards
from pokerlab.games.showdown import strength


def best_first(ranking: str, hands: list[str]) -> None:
    values = [strength(ranking, cards(hand), ()) for hand in hands]  # type: ignore[arg-type]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


def test_kuhn_and_leduc() -> None:
    best_first("high", ["As", "Ks", "Qs"])
    assert strength("high", cards("Qh"), cards("Qs")) > strength("high", cards("As"), cards("Ks"))
    assert strength("high", cards("As"), cards("Qh")) > strength("high", cards("Kh"), cards("Qh"))
    assert strength("high", cards("Ah"), cards("Qh")) == strength("high", cards("As"), cards("Qh"))


def test_up_to_four_cards_showing() -> None:
    best_first(
        "high",
        ["2c2d2h2s", "AcAdAhKs", "3c3d3h2s", "AcAdKcKd", "3c3d2c2d", "AcAdKcQd", "2c2d5c4d", "AcKcQcJc", "5d4c3c2c"],
    )
    best_first("high", ["AcAdKc", "KcKdAc", "2c2dAc", "AcKdQc", "AcKdJc"])


def test_three_card_hands_of_rhode_island() -> None:
    best_first(
        "three-card",
        [
            *("AsKsQs", "4s3s2s", "3sAs2s"),  # straight flushes
            *("AcAdAh", "2c2d2h"),  # three of a kind
            *("AcKdQh", "4c3d2h", "2cAd3h"),  # straights: the ace is also low
            *("AsKsJs", "AsKsTs", "5s4s2s"),  # flushes
            *("AcAdKh", "AcAd2h", "2c2d3h"),  # pairs
            *("AcKdJh", "5c4d2h"),
        ],
    )
    assert strength("three-card", cards("Kc"), cards("2hKd")) == strength("three-card", cards("2s"), cards("KhKs"))


def test_all_22_100_three_card_hands_by_category() -> None:
    """Shi and Littman (2001): a straight is rarer than a flush with three cards, and ranks above it."""
    counts = Counter(strength("three-card", hand, ()) >> 28 for hand in combinations(range(52), 3))
    assert counts == {5: 48, 4: 52, 3: 720, 2: 1096, 1: 3744, 0: 16440}
    assert counts.total() == 22100


def test_omaha_uses_exactly_two_hole_cards_and_three_of_the_board() -> None:
    board = cards("AsKsQsJs2d")
    one_spade = strength("omaha", cards("Ts9h8h7c"), board)  # four spades on the board, but only three can be used
    assert one_spade == strength("high", cards("KsQsJsTs9h"), ()), "a straight of a ten and a nine, no flush"
    assert strength("omaha", cards("AhAdAcKd"), cards("2c3d7h9sJd")) == strength("high", cards("AhAd7h9sJd"), ())
    best = max(
        strength("high", pair + three, ())
        for pair in combinations(cards("Ts9h8h7c"), 2)
        for three in combinations(board, 3)
    )
    assert one_spade == best


@pytest.mark.parametrize("suits", ["dhsc", "scdh"])
def test_suits_do_not_matter(suits: str) -> None:
    for ranking, hand in [("high", "AcAd7h"), ("three-card", "3c5c9c"), ("high", "AcKdQh2s3c4d5h")]:
        other = "".join(rank + suits["cdhs".index(suit)] for rank, suit in zip(hand[::2], hand[1::2], strict=True))
        assert strength(ranking, cards(hand), ()) == strength(ranking, cards(other), ())  # type: ignore[arg-type]
