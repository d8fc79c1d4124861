"""Whole hands and whole small games: payoffs, openers, views, numbers of betting sequences."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import CardError, IllegalAction
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.state import State


def play(rules: Rules, deck: str, actions: list[Action]) -> State:
    state = State.start(rules, cards(deck))
    for action in actions:
        state = state.after(action)
    return state


def letter(action: Action) -> str:
    return "fcr"[action.kind]


def endings(betting: Betting, so_far: str = "") -> Iterator[str]:
    """Every betting sequence of the menu's actions, in ACPC's notation."""
    if betting.over:
        yield so_far
        return
    for action in betting.legal().menu():
        after = betting.after(action)
        slash = "/" * (after.street - betting.street) if not after.over else ""
        yield from endings(after, so_far + letter(action) + slash)


def test_kuhn_has_five_ways_to_bet_and_three_players_thirteen() -> None:
    assert sorted(endings(Betting.start(game("kuhn")))) == ["cc", "crc", "crf", "rc", "rf"]
    three = sorted(endings(Betting.start(game("kuhn3p"))))
    assert three[:5] == ["ccc", "ccrcc", "ccrcf", "ccrfc", "ccrff"]
    assert len(three) == 13


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("leduc", 4 + 5 * 9),  # four ways to fold at once; five ways to a second round of nine endings
        ("rhode-island", 6 + 7 * (6 + 7 * 13)),
        ("kuhn-half-street", 1),  # a real-valued game has no menu of its own
    ],
)
def test_the_number_of_ways_to_bet(name: str, count: int) -> None:
    assert len(list(endings(Betting.start(game(name))))) == count


@pytest.mark.parametrize(
    ("betting", "payoffs"), [("cc", (1, -1)), ("crc", (2, -2)), ("crf", (-1, 1)), ("rc", (2, -2)), ("rf", (1, -1))]
)
def test_kuhn_payoffs_with_the_better_card_in_seat_0(betting: str, payoffs: tuple[int, int]) -> None:
    actions = [{"f": FOLD, "c": CALL, "r": RaiseTo(2)}[each] for each in betting]
    for high, low in (("As", "Ks"), ("As", "Qs"), ("Ks", "Qs")):
        assert play(game("kuhn"), high + low, actions).payoffs() == payoffs
        folds = "f" in betting
        assert play(game("kuhn"), low + high, actions).payoffs() == (payoffs if folds else payoffs[::-1])


def test_three_player_kuhn_payoffs() -> None:
    rules = game("kuhn3p")
    assert play(rules, "JsAsKs", [CALL, CALL, CALL]).payoffs() == (-1, 2, -1)
    assert play(rules, "JsAsKs", [CALL, CALL, RaiseTo(2), FOLD, FOLD]).payoffs() == (-1, -1, 2)
    assert play(rules, "JsAsKs", [RaiseTo(2), CALL, FOLD]).payoffs() == (-2, 3, -1)
    assert play(rules, "QsAsKs", [CALL, RaiseTo(2), CALL, CALL]).payoffs() == (-2, 4, -2)


def equilibrium_of_kuhn(alpha: Fraction) -> dict[tuple[str, str], Fraction]:
    """p(raise, or call facing a raise) by (card, betting); Kuhn (1950), one equilibrium for each alpha up to 1/3."""
    third = Fraction(1, 3)
    p = {"": (alpha, 0, 3 * alpha), "c": (third, 0, 1), "r": (0, third, 1), "cr": (0, alpha + third, 1)}
    return {
        (card, betting): Fraction(each) for betting, row in p.items() for card, each in zip("QKA", row, strict=True)
    }


def value(state: State, policy: dict[tuple[str, str], Fraction], so_far: str = "") -> Fraction:
    """The value to seat 0 if both play `policy`."""
    if state.over:
        return Fraction(state.payoffs()[0])
    hole = state.hole(state.betting.actor)
    p = policy["QKA"[(hole[0] or 0) // 4 - 10], so_far]
    active = CALL if so_far.endswith("r") else RaiseTo(2)
    passive = FOLD if so_far.endswith("r") else CALL
    return p * value(state.after(active), policy, so_far + letter(active)) + (1 - p) * value(
        state.after(passive), policy, so_far + letter(passive)
    )


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_the_value_of_kuhn_is_minus_an_eighteenth(alpha: Fraction) -> None:
    rules, policy = game("kuhn"), equilibrium_of_kuhn(alpha)
    values = [value(State.start(rules, deal), policy) for deal in permutations(rules.deck, 2)]
    assert sum(values) / 6 == Fraction(-1, 18)


def test_leduc_by_hand() -> None:
    rules = game("leduc")
    pair = play(rules, "QhAsQs", [RaiseTo(3), RaiseTo(5), CALL, CALL, RaiseTo(4), RaiseTo(8), CALL])
    assert (pair.board, pair.betting.spent, pair.payoffs()) == (cards("Qs"), (13, 13), (13, -13))
    assert play(rules, "QhAsKs", [CALL] * 4).payoffs() == (-1, 1)
    assert play(rules, "KhKsQs", [CALL, CALL, RaiseTo(4), CALL]).payoffs() == (0, 0)
    assert play(rules, "QhAsKs", [RaiseTo(3), FOLD]).payoffs() == (1, -1)


def test_rhode_island_by_hand() -> None:
    bets = [RaiseTo(10), CALL, RaiseTo(20), CALL, CALL, CALL]
    assert play(game("rhode-island"), "2hKdAh3h", bets).payoffs() == (35, -35), "a straight flush"
    assert play(game("rhode-island"), "2hKdAcKh", bets).payoffs() == (-35, 35)


def test_a_side_pot_hand_by_hand() -> None:
    rules = game("nolimit3p").with_stacks((500, 2000, 1000))
    deck = "AsAh" + "KsKh" + "QsQh" + "2c7d9h3s4d"
    state = play(rules, deck, [RaiseTo(800), CALL, RaiseTo(2000), CALL])
    assert state.over
    assert state.board == cards("2c7d9h3s4d")
    assert state.payoffs() == (1000, 0, -1000), "1500 to the aces, 1000 and 1000 back to the kings"


def test_a_split_pot_is_exact() -> None:
    deck = "AsKh" + "AhKs" + "QsQh" + "2c7d9h3sAd"
    state = play(game("limit3p"), deck, [CALL] * 12)
    assert state.payoffs() == (5, 5, -10)
    odd = replace(game("limit3p"), blinds=(5, 10, 0), antes=(1, 1, 1))
    assert play(odd, deck, [CALL] * 12).payoffs() == (Fraction(11, 2), Fraction(11, 2), -11)
    assert play(replace(odd, odd_chips="first seat"), deck, [CALL] * 12).payoffs() == (6, 5, -11)


# Five-card stud: one card down, then up cards by seat, street by street


def stud(holes: str, *ups: str) -> State:
    rest = [card for card in range(52) if card not in cards(holes + "".join(ups))]
    return State.start(game("stud3p"), cards(holes + "".join(ups)) + tuple(rest))


def test_in_stud_the_best_cards_showing_open_every_street() -> None:
    state = stud("2c2d2h", "3cKd4h", "3h5c4d", "4c5dTh")
    assert state.betting.actor == 1, "a king"
    state = state.after(CALL).after(CALL).after(CALL)
    assert state.up(0) == cards("3c3h")
    assert state.betting.actor == 2, "a pair of fours"
    state = state.after(CALL).after(CALL).after(CALL)
    assert state.betting.actor == 1, "fives before fours and threes"


def test_in_stud_ties_go_to_the_first_seat_left_of_the_button_and_two_pair_beat_a_pair() -> None:
    assert stud("2c2d2h", "3cKdKh").betting.actor == 1
    state = stud("2s9d9h", "AcKd4h", "Ad8c4d", "Qc8d5h", "Js7c5d")
    while state.betting.street < 3:
        state = state.after(CALL)
    assert state.betting.actor == 2, "fours and fives before a pair of aces"


def test_in_stud_a_folded_or_all_in_hand_does_not_act() -> None:
    state = stud("2c2d2h", "3cKd4h", "3h5c4d").after(RaiseTo(10)).after(CALL).after(FOLD)
    assert state.betting.actor == 2
    rules = replace(game("stud3p"), stacks=(100, 2, 100))
    state = State.start(rules, cards("2c2d2h3cKd4h") + tuple(cards("3h5c4d4c5dTh6c6d6h")))
    assert state.betting.actor == 2, "seat 1 shows the king but has no chips left"
    assert stud("2c2d2h", "3cKd4h").view(0, 0, ("a", "b", "c")).up == ((cards("3c")), cards("Kd"), cards("4h"))


# Views and errors


def test_a_view_holds_the_seats_own_cards_and_the_public_ones() -> None:
    state = play(game("nolimit2p"), "AsKsQdQc2c7d9h3s4d", [RaiseTo(300), CALL, CALL])
    view = state.view(1, 12, ("ann", "bob"))
    assert (view.seat, view.hole, view.board, view.hand) == (1, cards("QdQc"), cards("2c7d9h"), 12)
    assert (view.street, view.pot, view.stacks, view.to_call) == (1, 600, (19700, 19700), 0)
    assert str(view.legal()) == "check, raise to 100-19700"
    assert [step.action for step in view.actions] == [RaiseTo(300), CALL, CALL]
    public = state.public(12, ("ann", "bob"))
    assert not hasattr(public, "hole")
    assert not any(hasattr(view, name) for name in ("deck", "state"))


def test_a_deck_too_small_or_with_a_card_twice_is_refused() -> None:
    with pytest.raises(CardError, match="nolimit2p deals 9 cards; the deck has 4"):
        State.start(game("nolimit2p"), cards("AsKsQdQc"))
    with pytest.raises(CardError, match="leduc: the deck holds Ks twice"):
        State.start(game("leduc"), (*cards("KsQs"), *cards("Ks")))


def test_a_hand_that_is_not_over_has_no_payoffs() -> None:
    with pytest.raises(IllegalAction, match="the hand is not over: seat 0 is to act on the flop"):
        play(game("nolimit2p"), "AsKsQdQc2c7d9h3s4d", [CALL, CALL]).payoffs()


def test_unknown_cards_are_needed_only_if_they_decide() -> None:
    deck = (*cards("AsKs"), None, None, *cards("2c7d9h3s4d"))
    state = State.start(game("nolimit2p"), deck)
    assert state.after(FOLD).payoffs() == (50, -50)
    with pytest.raises(CardError, match="seat 1's hand is not known"):
        state.view(1, 0, ("a", "b"))
    for action in [CALL] * 8:
        state = state.after(action)
    with pytest.raises(CardError, match="seat 1's hand is not known"):
        state.payoffs()


def test_amounts_become_plain_python_numbers() -> None:
    state = play(game("nolimit2p"), "AsKsQdQc2c7d9h3s4d", [RaiseTo(np.int64(300)), RaiseTo(1000.0)])
    assert [type(step.action.to) for step in state.actions] == [int, int]
    assert [type(chips) for chips in state.betting.spent] == [int, int]
    assert state.actions[0].action.kind is Kind.RAISE
