"""Strength and potential printed by Davidson (2002), chapter 3, and Taylor (2007), section 3.3.1."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.strength import ehs, hs_against_all, pot_odds, strength_of_board, strength_of_hand

ACE_QUEEN, ITS_FLOP = cards("AdQc"), cards("3h4cJh")
NINE_SEVEN, DRAW_FLOP = cards("7h9h"), cards("8h6c4h")


@pytest.fixture(params=["one hand", "whole board"])
def strength(request):
    """Both ways to ask must print the same."""
    if request.param == "one hand":
        return strength_of_hand

    def of_board(hole, board, **settings):
        every = strength_of_board(board, **settings)
        combo = combo_index(*hole)
        return type(every)(every.table[combo], every.mean_hs_squared[combo], every.n_runouts)

    return of_board


def test_davidson_hand_strength_of_ace_queen(strength):
    """Section 3.3.1: 444 better, 9 tie, 628 worse, HS 0.585."""
    hand = strength(ACE_QUEEN, ITS_FLOP)
    assert (hand.ahead, hand.tied, hand.behind) == (628, 9, 444)
    assert hand.hs == pytest.approx(0.585, abs=0.0005)


def test_taylor_table_3_1(strength):
    """The whole table; PPot 0.208 and NPot 0.274 are printed, five digits follow from the cells."""
    hand = strength(ACE_QUEEN, ITS_FLOP)
    printed = [[449_005, 3_211, 169_504], [0, 8_370, 540], [91_981, 1_036, 346_543]]
    assert np.array_equal(hand.table, printed)
    assert hand.table.sum() == 1_070_190 == 1081 * hand.n_runouts
    assert hand.ppot == pytest.approx(0.20832, abs=5e-6)
    assert hand.npot == pytest.approx(0.27369, abs=5e-6)


def test_davidson_table_3_2_turn(strength):
    hand = strength(NINE_SEVEN, DRAW_FLOP, n_to_come=1)
    assert np.array_equal(hand.table, [[4_380, 0, 480], [81, 324, 0], [17_663, 0, 25_717]])
    assert hand.ppot == pytest.approx(0.40621, abs=5e-6)


def test_davidson_table_3_2_river(strength):
    hand = strength(NINE_SEVEN, DRAW_FLOP)
    assert np.array_equal(hand.table, [[89_836, 4_449, 12_635], [3_240, 5_625, 45], [590_955, 3_010, 360_395]])
    assert hand.ppot == pytest.approx(0.61960, abs=5e-6)


def test_davidson_strength_of_kings_and_of_the_draw(strength):
    """Section 3.3.2 prints 0.945 (it is 0.94588, which rounds to 0.946) and 0.104."""
    assert strength(cards("KcKs"), DRAW_FLOP).hs == pytest.approx(0.94588, abs=5e-6)
    assert strength(NINE_SEVEN, DRAW_FLOP).hs == pytest.approx(0.104, abs=0.0005)


def test_taylor_effective_strength_of_ace_queen():
    """EHS 0.671 against one, from the printed 0.585 and 0.208 (unrounded it is 0.6715); HS 0.200 against three."""
    hand = strength_of_hand(ACE_QUEEN, ITS_FLOP)
    assert ehs(0.585, 0.208) == pytest.approx(0.671, abs=0.0005)
    assert ehs(hand.hs, hand.ppot) == pytest.approx(0.67154, abs=5e-6)
    assert hs_against_all([hand.hs] * 3) == pytest.approx(0.200, abs=0.0005)


def test_davidson_pot_odds():
    """Section 3.3.4: 10 to call into 50 is 0.167."""
    assert pot_odds(10, 50) == pytest.approx(0.167, abs=0.0005)
