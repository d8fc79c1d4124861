"""Combos and classes: every index has one meaning and one function that makes it."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import (
    CARDS_OF_COMBO,
    CLASS_OF_COMBO,
    COMBOS_OF_CLASS,
    MASK_OF_COMBO,
    class_index,
    class_of_cards,
    class_text,
    combo_index,
    combo_text,
    live_combos,
)
from pokerlab.errors import ParseError


def test_combo_index_runs_over_all_pairs_once_in_either_order():
    pairs = list(combinations(range(52), 2))
    assert sorted(combo_index(a, b) for a, b in pairs) == list(range(1326))
    assert all(combo_index(a, b) == combo_index(b, a) for a, b in pairs)
    assert all(tuple(CARDS_OF_COMBO[combo_index(a, b)]) == (b, a) for a, b in pairs)


def test_masks_hold_the_two_cards():
    assert int(MASK_OF_COMBO[combo_index(0, 51)]) == 1 | 1 << 51
    assert all(int(mask).bit_count() == 2 for mask in MASK_OF_COMBO)


def test_known_indices():
    assert combo_index(1, 0) == 0
    assert combo_text(combo_index(*cards("KhAh"))) == "AhKh"
    assert [class_of_cards(*cards(text)) for text in ("AsAh", "AsKs", "KhAs", "2c2d")] == [0, 1, 13, 168]


def test_classes_have_6_4_or_12_combos_and_cover_the_deck():
    sizes = {class_text(c): len(combos) for c, combos in enumerate(COMBOS_OF_CLASS)}
    assert {sizes["AA"], sizes["AKs"], sizes["AKo"]} == {6, 4, 12}
    assert sum(sizes.values()) == 1326
    assert sorted(sizes.values()) == [4] * 78 + [6] * 13 + [12] * 78


def test_class_names_round_trip_and_agree_with_the_combos():
    for hand_class, combos in enumerate(COMBOS_OF_CLASS):
        name = class_text(hand_class)
        assert class_index(name) == hand_class
        for combo in combos:
            high, low = combo_text(int(combo))[::2]
            suited = combo_text(int(combo))[1] == combo_text(int(combo))[3]
            assert name == high + low + ("" if high == low else "s" if suited else "o")
            assert CLASS_OF_COMBO[combo] == hand_class


def test_not_a_class():
    with pytest.raises(ParseError, match="169 classes"):
        class_index("AAs")


def test_live_combos():
    assert live_combos(0).sum() == 1326
    assert live_combos(0b111).sum() == 49 * 48 // 2
    assert not live_combos(1 << 51)[combo_index(51, 3)]


def test_tables_cannot_be_changed():
    for table in (CARDS_OF_COMBO, MASK_OF_COMBO, CLASS_OF_COMBO):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = np.zeros_like(table[0])
