"""Main and side pots, odd chips and antes, worked by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from pokerlab.games.catalog import game
from pokerlab.games.pots import Pot, payoffs, pots_of, shares, side_pots

TABLE = game("nolimit4p")


def test_one_pot_if_all_remaining_seats_spent_the_same() -> None:
    assert side_pots((300, 300, 100, 50), folded=0b1100) == [Pot(750, (0, 1))]


def test_a_side_pot_for_each_shorter_stack_and_the_uncalled_bet_apart() -> None:
    assert side_pots((50, 200, 1000, 600), folded=0) == [
        Pot(200, (0, 1, 2, 3)),
        Pot(450, (1, 2, 3)),
        Pot(800, (2, 3)),
        Pot(400, (2,)),
    ]


def test_chips_of_those_who_folded_stay_in_the_pots_they_reached() -> None:
    assert side_pots((50, 200, 200, 120), folded=0b1000) == [Pot(200, (0, 1, 2)), Pot(370, (1, 2))]


def test_chips_folded_above_everyone_left_go_to_the_last_pot() -> None:
    assert side_pots((40, 60, 100), folded=0b100) == [Pot(120, (0, 1)), Pot(80, (1,))]
    assert side_pots((0, 60, 100), folded=0b110) == [Pot(160, (0,))]


def test_dead_chips_join_the_main_pot() -> None:
    assert side_pots((50, 200, 200), folded=0, dead=30) == [Pot(180, (0, 1, 2)), Pot(300, (1, 2))]
    assert side_pots((0, 0, 0), folded=0b001, dead=30) == [Pot(30, (1, 2))]


def test_each_pot_goes_to_the_best_hand_that_paid_for_it() -> None:
    rules = TABLE.with_stacks((50, 200, 1000, 600))
    spent = (50, 200, 1000, 600)
    assert payoffs(rules, spent, 0, (9, 7, 1, 4)) == (150, 250, -600, 200)
    assert payoffs(rules, spent, 0, (1, 2, 9, 4)) == (-50, -200, 850, -600)
    assert payoffs(rules, spent, 0b0100, (1, 7, 0, 4)) == (-50, 450, -1000, 600), "seat 3 is alone in the last pots"


def test_without_a_showdown_the_strengths_are_not_read() -> None:
    assert payoffs(TABLE, (50, 100, 0, 0), 0b1101, (9, 0, 9, 9)) == (-50, 50, 0, 0)


def test_odd_chips() -> None:
    spent, strengths = (25, 25, 25, 1), (5, 5, 5, 0)
    split, first, turn = (
        payoffs(replace(TABLE, odd_chips=how), spent, 0b1000, strengths)
        for how in ("split", "first seat", "seat by seat")
    )
    assert split == (Fraction(1, 3),) * 3 + (-1,)
    assert first == turn == (1, 0, 0, -1)
    spent = (26, 26, 26, 2)
    assert payoffs(replace(TABLE, odd_chips="first seat"), spent, 0b1000, strengths) == (2, 0, 0, -2)
    assert payoffs(replace(TABLE, odd_chips="seat by seat"), spent, 0b1000, strengths) == (1, 1, 0, -2)


def test_every_pot_is_split_by_itself() -> None:
    rules = replace(TABLE, odd_chips="first seat")
    spent = (3, 4, 1, 3)  # pots of 4 and 6, then one chip back to seat 1
    assert payoffs(rules, spent, 0, (5, 5, 0, 5)) == (Fraction(1), 0, -1, 0)
    spent = (3, 3, 1, 2)  # main pot 4 of seats 0, 1 and 2; 5 of seats 0 and 1
    assert payoffs(rules, spent, 0b1000, (5, 5, 0, 0)) == (2, 1, -1, -2)


@pytest.mark.parametrize("amount", [Fraction(5, 2), 7, 100])
def test_shares_add_up(amount: Fraction | int) -> None:
    for how in ("split", "first seat", "seat by seat"):
        for n in (1, 2, 3, 6):
            assert sum(shares(amount, n, how)) == amount  # type: ignore[arg-type]
    assert shares(0.5, 2, "first seat") == [0.25, 0.25]
    assert shares(Fraction(101, 100), 2, "first seat", Fraction(1, 100)) == [Fraction(51, 100), Fraction(1, 2)]


def test_an_ante_that_only_one_seat_pays_is_won_by_the_main_pot() -> None:
    rules = replace(game("nolimit3p"), antes=(0, 100, 0), stacks=(20000, 20000, 20000))
    assert rules.antes_are_dead
    spent = (100, 200, 100)  # everyone has called the big blind, which also paid an ante
    assert pots_of(rules, spent, 0) == [Pot(400, (0, 1, 2))]
    assert payoffs(rules, spent, 0, (9, 0, 0)) == (300, -200, -100)
    live = replace(rules, dead_antes=False)
    assert payoffs(live, spent, 0, (9, 0, 0)) == (200, -100, -100), "as an unmatched bet it would come back"


def test_a_stack_too_short_for_an_even_ante_plays_for_as_much_of_the_others() -> None:
    rules = replace(game("nolimit3p"), antes=(50, 50, 50), stacks=(20000, 20000, 20))
    assert not rules.antes_are_dead
    assert payoffs(rules, (150, 150, 20), 0, (1, 5, 9)) == (-150, 110, 40)
    dead = replace(rules, dead_antes=True)
    assert payoffs(dead, (150, 150, 20), 0, (1, 5, 9)) == (-150, 50, 100)


def test_the_antes_of_a_game_can_be_replaced() -> None:
    rules = replace(game("nolimit3p"), antes=(0, 100, 0))
    assert replace(rules, antes=(5, 5, 5)).antes_are_dead is False
    assert replace(game("nolimit3p"), antes=(0, 100, 0)).antes_are_dead is True
