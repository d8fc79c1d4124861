"""Ranges: the grammar, its inverse, percentages, dead cards, and errors that point at the text."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.card import cards
from pokerlab.cards.combos import (
    CLASS_OF_COMBO,
    COMBOS_OF_CLASS,
    class_index,
    class_text,
    combo_index,
    combo_text,
)
from pokerlab.cards.ranges import STRONGEST_FIRST, check_range, parse_range, range_text, without_cards
from pokerlab.cards.strength_tables import preflop_strength
from pokerlab.errors import CardError, ParseError, PokerlabError


def classes_in(text):
    """The classes a range holds completely with weight 1, checking that it holds nothing else."""
    weights = parse_range(text)
    names = [class_text(c) for c, combos in enumerate(COMBOS_OF_CLASS) if (weights[combos] == 1).all()]
    assert weights.sum() == sum(len(COMBOS_OF_CLASS[class_index(name)]) for name in names)
    return " ".join(names)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("99", "99"),
        ("QQ+", "AA KK QQ"),
        ("22-55", "55 44 33 22"),
        ("55-22", "55 44 33 22"),
        ("AKs", "AKs"),
        ("KAo", "AKo"),
        ("AK", "AKs AKo"),
        ("KTs+", "KQs KJs KTs"),
        ("32o+", "32o"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s - A5s", "A5s A4s A3s A2s"),
        ("JTs-87s", "JTs T9s 98s 87s"),
        ("64o-86o", "86o 75o 64o"),
        ("K9-KT", "KTs K9s KTo K9o"),
        ("akS, qq", "AKs QQ"),
        ("any, QQ-22:0, KQ-K2:0, QJ-Q2:0, JT-32:0, J9-J2:0, T8-T2:0, 97-92:0, 86-82:0, 75-72:0, 64-62:0, 53-52:0, 42:0",
         "AA AKs AQs AJs ATs A9s A8s A7s A6s A5s A4s A3s A2s AKo KK AQo AJo ATo A9o A8o A7o A6o A5o A4o A3o A2o"),
    ],
)  # fmt: skip
def test_items_of_the_grammar(text, holds):
    assert classes_in(text) == holds


def test_one_combo():
    assert np.flatnonzero(parse_range("KhAh")).tolist() == [combo_index(*cards("AhKh"))]
    assert np.array_equal(parse_range("10hAh"), parse_range("A♥T♥"))


@pytest.mark.parametrize(
    "text", ["random", "ANY", "*", "100%", "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32"]
)
def test_every_hand(text):
    assert (parse_range(text) == 1).all()
    assert range_text(parse_range(text)) == "random"


def test_weights_and_later_items_override():
    weights = parse_range("AK:0.5, AKs:.25, AhKh:1")
    assert weights[combo_index(*cards("AhKh"))] == 1
    assert weights[combo_index(*cards("AsKs"))] == 0.25
    assert weights[combo_index(*cards("AsKh"))] == 0.5
    assert weights.sum() == 1 + 3 * 0.25 + 12 * 0.5


@pytest.mark.parametrize("percent", [0.1, 5, 15, 33.3, 99])
def test_a_percentage_is_that_share_of_the_combos(percent):
    weights = parse_range(f"{percent}%")
    assert weights.sum() == pytest.approx(percent / 100 * 1326, abs=1e-9)
    partial = {CLASS_OF_COMBO[combo] for combo in np.flatnonzero((weights > 0) & (weights < 1))}
    assert len(partial) <= 1, "only the class at the edge is held in part"


def test_percentages_are_nested():
    sizes = [parse_range(f"{percent}%") for percent in range(1, 101)]
    assert all((small <= large).all() for small, large in pairwise(sizes))


def test_strength_order_is_that_of_exact_equity_against_a_random_hand():
    order = [class_index(name) for name in STRONGEST_FIRST.split()]
    assert sorted(order) == list(range(169))
    equities = preflop_strength()[0][order]
    assert (np.diff(equities) < 0).all()
    assert equities[[0, -1]] == pytest.approx([0.852037, 0.323032], abs=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "99+, AKs, A5s-A2s, KQo:0.5",
        "AQs+, KTs+, AKo:0.9",
        "AK, QJ",
        "random:0.5",
        "A2+",
        "88-66, AhKh",
        "AsKs, AsQs:0.125",
    ],
)
def test_plain_text_prints_as_written(text):
    assert range_text(parse_range(text)) == text


weight = st.sampled_from([0.0, 1.0]) | st.floats(0, 1)


@pytest.mark.slow
@given(st.lists(weight, min_size=169, max_size=169).filter(any), st.dictionaries(st.integers(0, 1325), weight))
def test_print_then_parse_is_identity(by_class, exceptions):
    weights = np.array(by_class)[CLASS_OF_COMBO]
    for combo, value in exceptions.items():
        weights[combo] = value
    if weights.any():
        assert np.array_equal(parse_range(range_text(weights)), weights)


@given(st.sets(st.integers(0, 168), min_size=1))
def test_print_then_parse_is_identity_for_sets_of_classes(classes):
    weights = np.isin(CLASS_OF_COMBO, sorted(classes)).astype(float)
    assert np.array_equal(parse_range(range_text(weights)), weights)


@pytest.mark.parametrize(
    ("text", "problem", "at", "bad"),
    [
        ("", "an empty range", 0, ""),
        ("  ", "an empty range", 0, ""),
        ("AA:0", "an empty range: every weight is zero", 0, ""),
        ("99+, 1Xs", "not a hand", 5, "1Xs"),
        ("99+, , AK", "not a hand", 5, ""),
        ("AA,", "not a hand", 3, ""),
        ("AA, AhAh", "the same card twice", 4, "AhAh"),
        ("AA, AKx", "not a hand", 4, "AKx"),
        ("AAs", "a pair is neither", 0, ""),
        ("AKs-QTs", "the ends need", 0, ""),
        ("AA-AT", "the ends need", 0, ""),
        ("A5s-A2o", "the ends must both be suited", 0, ""),
        ("22-55+", "not a hand", 0, ""),
        ("22-33-44", "not a hand", 0, ""),
        ("AK:2", "a weight is a number from 0 to 1", 0, ""),
        ("AK:-1", "a weight is a number from 0 to 1", 0, ""),
        ("AK:nan", "a weight is a number from 0 to 1", 0, ""),
        ("AK:", "a weight is a number from 0 to 1", 0, ""),
        ("AA, 0%", "a percentage is above 0", 4, "0%"),
        ("101%", "a percentage is above 0", 0, ""),
        ("Ah", "not a hand", 0, ""),
    ],
)
def test_errors_point_at_the_item(text, problem, at, bad):
    with pytest.raises(ParseError) as caught:
        parse_range(text)
    assert str(caught.value).startswith(problem)
    assert caught.value.at == at
    assert str(caught.value).endswith(f'at character {at + 1}: "{bad}"' if bad else f'"{text}"')


@given(st.text(alphabet="AK72so+-:.5%, h*", max_size=12))
def test_any_text_is_a_range_or_a_parse_error(text):
    try:
        check_range(parse_range(text))
    except ParseError as error:
        assert "\n" not in str(error)


def test_dead_cards_leave_the_range():
    left = without_cards(parse_range("AA, KK:0.5"), cards("AsKd"))
    assert left.sum() == 3 + 0.5 * 3
    assert all("As" not in combo_text(int(combo)) for combo in np.flatnonzero(left))


def test_a_range_with_nothing_left_is_an_error():
    with pytest.raises(CardError, match="no hand of the range AA is left: AsAhAd cannot be in it"):
        without_cards(parse_range("AA"), cards("AsAhAd"))


@pytest.mark.parametrize("weights", [np.zeros(1326), np.ones(169), np.full(1326, np.nan), np.full(1326, 1.5)])
def test_invalid_ranges_are_refused(weights):
    with pytest.raises(PokerlabError):
        check_range(weights)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[50]AA, KK", r"the bracket \[50\] is not closed by \[/50\]"),
        ("[50]AA, KK[/25]", r"\[/25\] closes \[50\]"),
        ("AA[/50]", r"\[/50\] closes no bracket"),
        ("[150]AA[/150]", "a percentage up to 100"),
        ("[50]AA, [25]KK[/25][/50]", "none stands in another"),
    ],
)
def test_brackets_that_do_not_match_are_named(text, why):
    with pytest.raises(ParseError, match=why):
        parse_range(text)


def test_brackets_of_gto_plus_are_weights():
    assert (parse_range("AA, [50.0]KK, QQ:0.5[/50.0], 22") == parse_range("AA, 22, KK:0.5, QQ:0.25")).all()
