"""Cards: encoding, parsing and printing, and errors that give the position."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.card import card, card_text, cards, cards_text, check_distinct, rank_of
from pokerlab.errors import CardError, ParseError


def test_encoding_is_four_times_rank_plus_suit():
    assert [card(text) for text in ("2c", "2d", "2h", "2s", "3c", "As")] == [0, 1, 2, 3, 4, 51]
    assert (rank_of(card("Td")), card("Td") & 3) == (8, 1)


@given(st.lists(st.integers(0, 51), unique=True))
def test_print_then_parse_is_identity(hand):
    assert cards(cards_text(hand)) == tuple(hand)


@pytest.mark.parametrize("text", ["AdQc", "ad qc", "A♦Q♣", "ADQC", " Ad, Qc "])
def test_ways_to_write_the_same_hand(text):
    assert cards(text) == (49, 40)


def test_ten_may_be_written_with_digits():
    assert card_text(card("10d")) == "Td"


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("1x", "not a card", 0),
        ("AdAd", "the same card twice", 2),
        ("AdQ", "not a card", 2),
        ("AdQx", "not a card", 2),
        ("A", "not a card", 0),
    ],
)
def test_errors_point_at_the_offending_text(text, problem, at):
    with pytest.raises(ParseError) as caught:
        cards(text)
    assert caught.value.at == at
    assert str(caught.value).startswith(problem)


@pytest.mark.parametrize("text", ["", "AdQc"])
def test_one_card_is_one_card(text):
    with pytest.raises(ParseError, match="expected one card"):
        card(text)


def test_check_distinct_names_the_groups():
    check_distinct(hole=cards("AdQc"), board=cards("3h4cJh"))
    with pytest.raises(CardError, match=r"^Ad is both in hole and in board$"):
        check_distinct(hole=cards("AdQc"), board=cards("3h4cAd"))
    with pytest.raises(CardError, match=r"^2c is twice in dead$"):
        check_distinct(dead=(0, 0))
    with pytest.raises(CardError, match="52 is not a card"):
        check_distinct(dead=(52,))
