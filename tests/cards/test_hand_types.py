"""Types of hands: the counts of table 3.2, partial hands, and the compiled twin."""

import numpy as np
import pytest

from pokerlab.cards import _hand_types_numba as kernels
from pokerlab.cards.card import cards
from pokerlab.cards.evaluate import CATEGORIES, category_of_rank, evaluate
from pokerlab.cards.hand_types import (
    RESOLUTIONS,
    SUBTYPES,
    PartialHand,
    _most,
    _tuple_of,
    board_state,
    hand_state,
    partial_board,
    partial_hand,
    subtype_of,
    subtype_of_rank,
    type_name,
)
from pokerlab.errors import CardError
from pokerlab.rng import shuffled_deck

PRINTED = [18, 228, 209, 329, 493, *[220] * 13, 231, 374, 121, 132, 858, 10, 1277, 156, 156, 10]
SHARES = {  # Taylor (2007), table 3.2, column by column, rounded as printed
    "1993": [0.1711, 0.3833, 0.1150, 0.1150, 0.0013, 0.1711, 0.0209, 0.0209, 0.0013],
    "1999": [
        *[0.0024, 0.0306, 0.0280, 0.0441, 0.0661, 0.2064, 0.0884, 0.0295, 0.0295, 0.0295],
        *[0.1150, 0.1150, 0.0013, 0.1711, 0.0209, 0.0209, 0.0013],
    ],
    "2000": [
        *[0.0024, 0.0306, 0.0280, 0.0441, 0.0661, *[0.0295] * 13],
        *[0.1150, 0.1150, 0.0013, 0.1711, 0.0209, 0.0209, 0.0013],
    ],
    "2007": [
        *[0.1711, 0.2064, 0.1179, 0.0295, 0.0295, 0.0310, 0.0501, 0.0162, 0.0177],
        *[0.1150, 0.0013, 0.1711, 0.0209, 0.0209, 0.0013],
    ],
}


def test_the_28_counts_of_table_3_2() -> None:
    assert np.bincount(subtype_of_rank(), minlength=28).tolist() == PRINTED
    assert sum(PRINTED) == 7462
    assert (np.diff(subtype_of_rank()) >= 0).all()  # a better rank never has a worse type


@pytest.mark.parametrize("year", SHARES)
def test_every_column_of_table_3_2(year: str) -> None:
    shares = np.bincount(RESOLUTIONS[year].type_of_rank) / 7462
    assert shares.round(4).tolist() == SHARES[year]


def test_resolutions_have_as_many_types_as_their_players() -> None:
    sizes = {"1993": 9, "1999": 17, "2000": 25, "2003": 25, "2007": 15, "2007-network": 16}
    assert {year: len(types) for year, types in RESOLUTIONS.items()} == sizes
    assert RESOLUTIONS["2007-network"].names[:6] == ("Busted", "PairLow", "PairMed", "PairHi", "PairK", "PairA")


@pytest.mark.parametrize(
    ("text", "year", "name"),
    [
        ("QsQd7h7c2d", "2007-network", "TwoPairMed"),  # two pair with queens are medium
        ("QsQd7h4c2d", "2007-network", "PairHi"),
        ("QsQd7h4c2d", "2007", "PairMed"),
        ("8s8d", "1999", "Pair Low"),
        ("9s9d", "1999", "Pair Medium"),
        ("8s7d", "2003", "Busted Low"),
        ("As2d3h4c", "2000", "Busted Ace"),  # four cards make no straight
        ("As2d3h4c5c", "2000", "Straight"),
    ],
)
def test_types_of_hands(text: str, year: str, name: str) -> None:
    assert type_name(year, cards(text)) == name


def test_partial_hands() -> None:
    assert partial_hand(cards("Ts9s"), ()) == PartialHand("Busted Medium", "draw", "draw")
    assert partial_hand(cards("Ts5d"), ()) == PartialHand("Busted Medium", "none", "none")
    assert partial_hand(cards("AsKs"), cards("7s2s9d")) == PartialHand("Busted Ace", "draw", "none")
    assert partial_hand(cards("9c8c"), cards("Ts7d8d")) == PartialHand("PairLow", "none", "draw")
    assert partial_hand(cards("AsKs"), cards("7s2s9d3c4d")) == PartialHand("Busted Ace", "none", "none")  # the river
    assert partial_hand(cards("As2s"), cards("3s4s5s")) == PartialHand("Busted Ace", "made", "made")
    assert partial_board(cards("9h8h8d7h")) == PartialHand("Pair", "three", "three")
    assert partial_board(cards("9h8h8d7h6h")) == PartialHand("Pair", "four", "four")
    assert (board_state(()), hand_state(cards("3c2d"), ())) == (0, 1)


def test_the_kernels_agree_with_the_readable_twin() -> None:
    for index in range(500):
        hand = shuffled_deck(1, "hand types", index=index, n_first=(2, 3, 4, 5, 6, 7)[index % 6])
        counts, suits = (
            np.bincount(of, minlength=n) for of, n in (([c >> 2 for c in hand], 13), ([c & 3 for c in hand], 4))
        )
        assert kernels.tuple_of_counts(counts) == _tuple_of(hand)
        assert (kernels.most_of_a_suit(suits), kernels.most_of_a_straight(counts)) == _most(hand)
        if len(hand) == 5 and CATEGORIES[category_of_rank(evaluate(hand))] not in (
            "straight",
            "flush",
            "straight flush",
        ):
            assert subtype_of(hand) == _tuple_of(hand)


def test_invalid_hands_are_refused() -> None:
    with pytest.raises(CardError, match="no resolution '2001'"):
        type_name("2001", cards("AsKd"))
    with pytest.raises(CardError, match="1 to 7 cards, not 0"):
        subtype_of(())
    assert len(SUBTYPES) == 28
