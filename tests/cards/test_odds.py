"""Odds: published and enumerated numbers of single hands, and agreement between one hand and all of them."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.equity import equity
from pokerlab.cards.odds import odds_of_board, odds_of_hand
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import CardError


def test_ad_qc_on_3h_4c_jh():
    """Taylor (2007), table 3.1."""
    odds = odds_of_hand(cards("AdQc"), cards("3h4cJh"))
    assert (odds.ahead, odds.tied, odds.behind) == (628, 9, 444)
    assert odds.hs == pytest.approx(0.585, abs=5e-4)
    assert odds.ppot == pytest.approx(0.20832, abs=5e-6)
    assert odds.npot == pytest.approx(0.27369, abs=5e-6)
    assert odds.ehs == pytest.approx(0.671, abs=1e-3)
    assert odds.potential2.tolist() == [[449005, 3211, 169504], [0, 8370, 540], [91981, 1036, 346543]]
    assert odds.potential1.sum() == 1081 * 45


def test_one_and_two_card_potential_of_a_draw():
    """Davidson (2002), table 3.2."""
    odds = odds_of_hand(cards("7h9h"), cards("8h6c4h"))
    one = odds.potential1
    cases = one[2].sum() + one[1].sum() / 2
    assert (one[2, 0] + one[2, 1] / 2 + one[1, 0] / 2) / cases == pytest.approx(0.40621, abs=5e-6)
    assert odds.ppot == pytest.approx(0.61960, abs=5e-6)


def test_fewer_tables_on_later_streets():
    turn, river = (odds_of_hand(cards("AdQc"), cards(board)) for board in ("3h4cJh2d", "3h4cJh2d9s"))
    assert turn.potential2 is None
    assert turn.potential1.sum() == 44 * 45 * 46 / 2
    assert river.potential1 is None
    assert (river.ppot, river.npot) == (0, 0)
    assert river.hs == river.ehs == river.mean_hs == river.equity
    assert river.mean_hs_squared == pytest.approx(river.hs**2)


def test_equity_is_mean_strength_and_agrees_with_the_equity_room():
    odds = odds_of_hand(cards("AdQc"), cards("3h4cJh"))
    assert odds.equity == pytest.approx(equity([cards("AdQc"), None], cards("3h4cJh"), method="exact").equity[0])
    weights = parse_range("99+, AK:0.25, KQ")
    against = odds_of_hand(cards("AdQc"), cards("3h4cJh"), weights=weights)
    assert against.equity == pytest.approx(equity([cards("AdQc"), weights], cards("3h4cJh"), method="exact").equity[0])


def test_several_opponents():
    """Taylor (2007): HS^3 = 0.200."""
    one, three = (odds_of_hand(cards("AdQc"), cards("3h4cJh"), n_opponents=n, seed=5) for n in (1, 3))
    assert one.hs**3 == pytest.approx(0.2, abs=5e-4)
    assert three.ehs == pytest.approx(0.2 + 0.8 * one.ppot, abs=1e-3)
    assert three.hs == one.hs
    assert (three.method, three.seed) == ("sampled", 5)
    assert three.n >= 100_000
    assert three.interval[0] < three.equity < three.interval[1] < one.equity


def test_before_the_flop():
    odds = odds_of_hand(cards("AsAh"))
    assert odds.hs == odds.mean_hs == odds.equity == pytest.approx(0.8520371330210104, abs=1e-9)
    assert odds.mean_hs**2 < odds.mean_hs_squared < odds.mean_hs
    assert odds.ppot is odds.ehs is odds.ahead is odds.potential1 is None


def test_before_the_flop_against_a_range():
    odds = odds_of_hand(cards("AhKh"), weights=parse_range("QcQd"))
    assert odds.equity == pytest.approx(0.46214457, abs=1e-8)
    assert odds.mean_hs_squared is None


@pytest.mark.parametrize("board", ["", "3h4cJh", "3h4cJh2d", "3h4cJh2d9s"])
@pytest.mark.parametrize("value", ["hs", "mean_hs", "mean_hs_squared", "ehs", "ppot", "npot"])
def test_all_hands_agree_with_one(board, value):
    if not board and value in ("ehs", "ppot", "npot"):
        with pytest.raises(CardError, match="before the flop only"):
            odds_of_board((), value=value)
        return
    odds = odds_of_hand(cards("AdQc"), cards(board))
    vector = odds_of_board(cards(board), value=value)
    # The table of the flop holds 16 bits a number.
    assert vector[combo_index(*cards("AdQc"))] == pytest.approx(getattr(odds, value), abs=2e-5)
    assert np.isnan(vector).sum() == 1326 - (52 - len(board) // 2) * (51 - len(board) // 2) // 2


def test_all_hands_against_a_range():
    weights = parse_range("99+, AK")
    vector = odds_of_board(cards("3h4cJh"), value="npot", weights=weights)
    odds = odds_of_hand(cards("AdQc"), cards("3h4cJh"), weights=weights)
    assert vector[combo_index(*cards("AdQc"))] == pytest.approx(odds.npot)


@pytest.mark.parametrize(
    ("hole", "board", "n_opponents", "says"),
    [
        ("AdQc", "3h4cJh", 24, "room for 1 to 22 opponents, not 24"),
        ("AdQc", "3h4cJh", 0, "room for 1 to 22 opponents, not 0"),
        ("AdQcTh", "3h4cJh", 1, "2 hole cards, not 3"),
        ("AdQc", "3h", 1, "0, 3, 4 or 5 cards, not 1"),
        ("AdQc", "3h4cJh2d9s8s", 1, "0, 3, 4 or 5 cards, not 6"),
        ("AdQc", "3h4cAd", 1, "Ad is both in the hand and in the board"),
    ],
)
def test_impossible_inputs_are_refused(hole, board, n_opponents, says):
    with pytest.raises(CardError, match=says):
        odds_of_hand(cards(hole), cards(board), n_opponents=n_opponents)
