"""Pre-flop matchups, against exact equities and against the table of strength."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index
from pokerlab.cards.equity import equity
from pokerlab.cards.matchups import edge_against
from pokerlab.cards.strength_tables import strength_of


@pytest.mark.parametrize("one, other", [("AsKs", "7d7c"), ("2c3d", "AhAd"), ("QhJh", "QdJd"), ("9c8c", "9d8c")])
def test_a_matchup_is_the_exact_equity(one, other):
    edge = edge_against(combo_index(*cards(other)))[combo_index(*cards(one))]
    if set(cards(one)) & set(cards(other)):
        assert edge == 0
    else:
        shares = equity((cards(one), cards(other)), (), (), method="exact", threads=1).equity
        assert edge == pytest.approx(shares[0] - shares[1], abs=1e-12)


def test_the_mean_over_all_opponents_is_the_strength_before_the_flop():
    strength = strength_of(()).mean_hs
    for combo in range(0, N_COMBOS, 97):
        others = ~np.isin(CARDS_OF_COMBO, CARDS_OF_COMBO[combo]).any(axis=1)
        assert others.sum() == 1225
        assert -edge_against(combo)[others].mean() == pytest.approx(2 * strength[combo] - 1, abs=1e-12)


def test_mirror_images_are_opposite():
    rows = np.array([edge_against(combo) for combo in range(0, N_COMBOS, 13)])
    square = rows[:, ::13]
    np.testing.assert_array_equal(square, -square.T)
