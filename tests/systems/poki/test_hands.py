"""One hand and every hand give the same numbers, which are those of the exact enumerations."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_COMBOS, combo_index, live_combos
from pokerlab.cards.strength import strength_of_hand
from pokerlab.rng import stream
from pokerlab.systems.poki.hands import EveryHand, OneHand, share_of_pot, sure
from pokerlab.valuing.blunders import hands_beaten

HOLES = ("AdQc", "9h7h", "2s2d", "KcKs")


@pytest.mark.parametrize("board", ["3h4cJh", "8d6c4hAs", "8d6c4hAsTh"])
def test_one_hand_and_every_hand_agree(board):
    live = live_combos(sum(1 << card for card in cards(board)))
    weights = stream(3, "weights").random(N_COMBOS) ** 4 * live
    every = EveryHand(cards(board))
    for hole in HOLES:
        one, number = OneHand(cards(hole), cards(board)), combo_index(*cards(hole))
        assert one.weight(weights)[0] == pytest.approx(every.weight(weights)[number])
        assert one.hs(weights)[0] == pytest.approx(every.hs(weights)[number])
        for mine, theirs in zip(one.ahead(weights), every.ahead(weights), strict=True):
            assert mine[0] == pytest.approx(theirs[number])
    exact = strength_of_hand(cards("AdQc"), cards(board), weights=weights, n_to_come=len(board) < 10)
    assert OneHand(cards("AdQc"), cards(board)).ahead(weights)[0][0] == pytest.approx(float(exact.ppot))


def test_equity_before_the_flop():
    """Aces win 0.852 against any hand and 0.826 against kings: the shipped matchups, both ways round."""
    aces, kings = OneHand(cards("AsAh"), ()), np.zeros(N_COMBOS)
    kings[combo_index(*cards("KsKh"))] = 1
    assert aces.equity(np.ones(N_COMBOS))[0] == pytest.approx(0.852, abs=5e-4)
    assert aces.equity(kings)[0] == pytest.approx((1 + 0.6527) / 2, abs=1e-4)
    assert EveryHand(()).equity(kings)[aces.numbers[0]] == pytest.approx(aces.equity(kings)[0])
    assert OneHand(cards("KsKd"), ()).equity(kings)[0] == 0.5  # no hand is possible


def test_equity_against_classes_of_hands_is_that_against_their_hands():
    weights = stream(3, "classes").random(169)[CLASS_OF_COMBO]
    equity = EveryHand(()).equity(weights)
    for hole in HOLES:
        one = OneHand(cards(hole), ())
        assert equity[one.numbers[0]] == pytest.approx(one.equity(weights)[0], rel=1e-12)
    weights[combo_index(*cards("AdQc"))] += 1e-9  # not one number a class any more
    assert EveryHand(()).equity(weights) == pytest.approx(equity, abs=1e-8)


def test_a_share_of_the_pot_falls_with_every_rival_who_comes_along():
    aces, anyone = OneHand(cards("AsAh"), ()), np.ones(N_COMBOS)
    alone, rivals = share_of_pot(aces, [(anyone, 1.0)])
    assert alone[0] == pytest.approx(0.852, abs=5e-4) and rivals == 1.0
    several = [share_of_pot(aces, [(anyone, 1.0)] * n)[0][0] for n in range(1, 10)]
    assert several == sorted(several, reverse=True) and 0.3 < several[-1] < 0.4
    assert share_of_pot(aces, [(anyone, 1.0), (anyone, 0.2)])[1] == pytest.approx(1.2)


@pytest.mark.parametrize("board", ["AcAd9h", "AcAdKhKsQd", "AcAdAhAsKd", "8d6c4hAsTh"])
def test_sure_hands_are_those_of_a_count(board):
    unbeaten, hopeless = sure(cards(board))
    for number in range(0, N_COMBOS, 37):
        hole = tuple(CARDS_OF_COMBO[number].tolist())
        if not set(hole) & set(cards(board)):
            beats, beaten_by = hands_beaten(hole, cards(board))
            assert (unbeaten[number], hopeless[number]) == (beaten_by == 0, beats == 0 and beaten_by > 0)
