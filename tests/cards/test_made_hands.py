"""Made hands and draws, counted by hand on boards where that is quick."""

from collections import Counter

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.made_hands import DRAWS, MADE, draws, made_hands
from pokerlab.errors import CardError


def counts(names, of_combo):
    return Counter(names[kind] for kind in of_combo[of_combo >= 0])


def test_made_hands_on_a_dry_flop_are_as_many_as_combinatorics_say():
    made = counts(MADE, made_hands(cards("Ks7h2d")))
    assert sum(made.values()) == 49 * 48 // 2
    assert made["set"] == 3 * 3 and made["two pair"] == 3 * 9 and made["overpair"] == 6
    assert made["top pair"] == made["second pair"] == made["lower pair"] == 3 * 40
    assert made["underpair"] == 9 * 6 and made["ace high"] == 4 * 9 * 4
    assert made["straight"] == made["flush"] == made["trips"] == 0


def test_draws_on_a_two_suited_flop_are_as_many_as_combinatorics_say():
    draw = counts(DRAWS, draws(cards("KsQs2d")))
    assert draw["flush draw"] + draw["flush and straight draw"] == 11 * 10 // 2
    assert draw["flush and straight draw"] == 5  # of spades: JT, AJ, AT, J9, T9
    assert draw["open-ended"] == 16 - 1 and draw["gutshot"] == 4 * 15
    assert draw["backdoor flush draw"] == 12 * 11 // 2 - 5  # of diamonds, less those with a straight draw
    assert draw["none"] == 49 * 24 - sum(draw[name] for name in DRAWS[:-1])


@pytest.mark.parametrize(
    ("board", "hand", "made"),
    [
        ("KsKh2d", "8c8d", "underpair"), ("KsKh2d", "AcKd", "trips"), ("KsKh2d", "2c2h", "full house"),
        ("KsQh7d2c3s", "AcAd", "overpair"), ("KsQh7d2c3s", "QsJs", "second pair"), ("KsQh7d2c3s", "7s6s", "lower pair"),
        ("AsKsQsJsTs", "2c2d", "nothing"), ("5h4d3s2cKd", "Ac9c", "straight"), ("KsKhKd2c3s", "AcQd", "ace high"),
    ],
)  # fmt: skip
def test_a_made_hand_is_what_the_combo_adds(board, hand, made):
    assert MADE[made_hands(cards(board))[combo_index(*cards(hand))]] == made


def test_combos_that_the_board_blocks_and_rivers_have_no_draws():
    assert made_hands(cards("KsQs2d"))[combo_index(*cards("KsAh"))] == -1
    assert set(np.unique(draws(cards("KsQs2d3h4h")))) == {-1, DRAWS.index("none")}
    with pytest.raises(CardError, match="hands are made on 3, 4 or 5 cards, not on As"):
        made_hands(cards("As"))
