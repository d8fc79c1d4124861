"""All-ins at their expected value: against the mean of the rules' own payoffs over every run-out."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Street
from pokerlab.table.all_in import ends_all_in, expected_shares
from pokerlab.table.player_hands import player_hands


def mean_payoffs(hand, places):
    """The mean of the payoffs over every deal of the cards that are not known to `places` of the deck."""
    known = [card for place, card in enumerate(hand.deck) if place not in places and card is not None]
    left = [card for card in hand.rules.deck if card not in known]
    total, n = [Fraction(0)] * hand.rules.n_seats, 0
    for run_out in permutations(left, len(places)):
        deck = list(hand.deck)
        for place, card in zip(places, run_out, strict=True):
            deck[place] = card
        payoffs = replace(hand, deck=tuple(deck)).payoffs
        total, n = [t + p for t, p in zip(total, payoffs, strict=True)], n + 1
    return [float(t / n) for t in total]


def without(hand, *places):
    return replace(hand, deck=tuple(None if at in places else card for at, card in enumerate(hand.deck)))


def adjusted(hand):
    rows = player_hands([hand])
    return rows["adjusted"], rows["all_in"]


SIDE = HandHistory(
    replace(game("nolimit4p"), stacks=(700, 2500, 1600, 20000), antes=(0, 40, 0, 0)),  # the one ante is dead
    cards("QhJhAsAd8c7c2d2sKcTc9h5s3c"),
    # All see the flop for 300 and check it. On the turn p0 is all-in, p1 over it, p2 calls all-in, p3 folds.
    (RaiseTo(300), CALL, CALL, CALL, *(CALL,) * 4, RaiseTo(400), RaiseTo(2160), CALL, FOLD),
    ("p0", "p1", "p2", "p3"),
)


def test_side_pots_with_a_folded_hand_and_a_dead_ante():
    values, how = adjusted(SIDE)
    # The folded hand (places 6 and 7) is not known to those who show; the river (place 12) is to come.
    assert values == pytest.approx(mean_payoffs(without(SIDE, 6, 7), [12]))
    assert how == [1, 1, 1, 0]
    assert sum(values) == pytest.approx(0)
    assert values != pytest.approx([float(chips) for chips in SIDE.payoffs])
    assert [pot.seats for pot in expected_shares(SIDE).pots] == [(0, 1, 2), (1, 2)]


def test_two_cards_to_come():
    rules = replace(game("nolimit2p"), stacks=(1000, 600))
    hand = HandHistory(rules, cards("AhKhQcQd2h7h9s4c4d"), (CALL, CALL, RaiseTo(900), CALL), ("a", "b"))
    values, _ = adjusted(hand)
    assert values == pytest.approx(mean_payoffs(hand, [7, 8]))
    assert sum(values) == pytest.approx(0)


def test_before_the_flop_it_is_the_equity():
    hand = HandHistory(game("nolimit2p"), cards("AhKhQcQd2h7h9s4c4d"), (RaiseTo(20000), CALL), ("a", "b"))
    wins, losses, ties = 787966, 917606, 6732  # of 1,712,304 boards, as every odds calculator counts them
    share = (wins + ties / 2) / (wins + losses + ties)
    assert adjusted(hand) == (pytest.approx([40000 * share - 20000, 20000 - 40000 * share]), [1, 1])


def test_hands_without_cards_to_come_or_without_showdown_are_left_alone():
    rules = replace(game("nolimit2p"), stacks=(1000, 600))
    deck = cards("AhKhQcQd2h7h9s4c4d")
    on_the_river = HandHistory(rules, deck, (*(CALL,) * 6, RaiseTo(500), CALL), ("a", "b"))
    folded = HandHistory(rules, deck, (CALL, RaiseTo(1000), FOLD), ("a", "b"))
    for hand in (on_the_river, folded):
        assert not ends_all_in(hand)
        assert adjusted(hand) == ([float(chips) for chips in hand.payoffs], [0, 0])


def test_hands_that_were_shown_but_are_not_known_are_left_alone():
    hidden = replace(without(SIDE, 2, 3), recorded=SIDE.payoffs)
    assert expected_shares(hidden) is None
    assert adjusted(hidden) == ([float(chips) for chips in SIDE.payoffs], [3, 3, 3, 0])


def test_winnings_are_before_rake_with_all_ins_at_their_expected_value_too():
    rules = replace(game("nolimit2p"), stacks=(1000, 1000))
    hand = HandHistory(rules, cards("AhKhQcQd2h7h9s4c4d"), (RaiseTo(1000), CALL), ("a", "b"))
    raked = replace(hand, recorded=(-1000, 900))  # a pot of 2000 less 5%
    (fair, _), (values, _) = adjusted(hand), adjusted(raked)
    assert hand.payoffs == (-1000, 1000)
    assert values == pytest.approx(fair)
    rows = player_hands([raked])
    assert (rows["won"], rows["net"], rows["rake"]) == ([0, 1], [-1000, 1000], [0, 100])
    assert player_hands([hand])["rake"] == [None, None]  # played here, without a file that states it


OMAHA = replace(
    game("nolimit2p"),
    ranking="omaha",
    stacks=(1000, 1000),
    streets=tuple(
        Street(n_hole=4 if i == 0 else 0, n_board=n, first=1 if i == 0 else 0) for i, n in enumerate((0, 3, 1, 1))
    ),
)
OMAHA_DECK = cards("AhKhQs2cQcQd7d7s2h7h9s4c4d")


def test_omaha_is_enumerated():
    hand = HandHistory(OMAHA, OMAHA_DECK, (CALL, CALL, CALL, CALL, RaiseTo(900), CALL), ("a", "b"))
    values, how = adjusted(hand)
    assert values == pytest.approx(mean_payoffs(hand, [12]))
    assert how == [1, 1]


def test_what_is_too_much_to_enumerate_is_sampled_always_the_same_way(monkeypatch):
    before_flop = HandHistory(OMAHA, OMAHA_DECK, (RaiseTo(1000), CALL), ("a", "b"))
    assert adjusted(before_flop)[1] == [2, 2]
    assert adjusted(before_flop) == adjusted(before_flop)
    on_flop = HandHistory(OMAHA, OMAHA_DECK, (CALL, CALL, RaiseTo(900), CALL), ("a", "b"))
    (exact,) = expected_shares(on_flop).pots
    monkeypatch.setattr("pokerlab.table.all_in.MOST_ENUMERATED", 10)
    sampled = expected_shares(on_flop)
    assert not sampled.exact
    # The standard error of 10,000 shares is at most 0.005.
    assert sampled.pots[0].shares == pytest.approx(exact.shares, abs=0.02)


def test_stud_deals_the_run_out_to_the_players():
    rules = replace(game("stud3p"), stacks=(32, 32, 32))  # ante 2, then bets of 10: all-in on the third street
    # In dealing order: one down and one up each, then one up each on every street.
    deck = cards("As2c3cAdKd4cQhQs5cJhJs6c9h8h7c")
    up_to_second = (RaiseTo(10), CALL, CALL)
    hand = HandHistory(rules, deck, (*up_to_second, RaiseTo(10), CALL, FOLD, RaiseTo(10), CALL), ("a", "b", "c"))
    assert ends_all_in(hand)
    assert hand.steps[-1].street == 2
    values, how = adjusted(hand)
    # The last card up of a and b (places 12 and 13) is to come; c's first card (place 2) was never shown, and c, who
    # folded, gets no more cards.
    assert values == pytest.approx(mean_payoffs(without(hand, 2, 11, 14), [12, 13]))
    assert how == [1, 1, 0]
