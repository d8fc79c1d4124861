"""Strength and potential: agreement with the published pseudo-code written plainly, and properties."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards import _strength_numba as kernels
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index, live_combos
from pokerlab.cards.evaluate import evaluate_batch, rank_combos
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.cards.strength import (
    ehs,
    hs_against_all,
    hs_of_board,
    pot_odds,
    potentials_of_board,
    strength_of_board,
    strength_of_hand,
)
from pokerlab.errors import CardError


def plain_strength(hole, board, n_to_come, weights):
    """The readable twin, Davidson's figures 3.3 and 3.4: (table[now][later], E[HS], E[HS^2])."""
    deck = [c for c in range(52) if c not in (*hole, *board)]
    opponents = list(combinations(deck, 2))
    weight = np.array([weights[combo_index(*opponent)] for opponent in opponents])

    def outcome(final, which):
        """0, 1, 2 for ahead, tied, behind of each opponent in `which`."""
        hands = np.array([[*opponents[k], *final] for k in which])
        ours = evaluate_batch(np.array([[*hole, *final]]))[0]
        return 1 + np.sign(evaluate_batch(hands) - ours)

    now = outcome(board, range(len(opponents)))
    table, won, won_squared, total = np.zeros((3, 3)), 0.0, 0.0, 0.0
    for runout in combinations(deck, n_to_come):
        which = np.array([k for k, (a, b) in enumerate(opponents) if a not in runout and b not in runout])
        later = outcome((*board, *runout), which)
        np.add.at(table, (now[which], later), weight[which])
        on_this_board = (weight[which] * (1 - later / 2)).sum()
        won += on_this_board
        total += weight[which].sum()
        won_squared += on_this_board**2 / max(weight[which].sum(), 1e-300)
    return table, won / total, won_squared / total


def random_weights(seed, share=1.0):
    rng = np.random.default_rng(seed)
    return rng.random(1326) * (rng.random(1326) < share)


BOARDS = ["8h6c4h", "KsKdKc", "Ah9h2h", "2c3c4c5d", "TdTh9h8h", "QsJs9s8s", "AcKcQcJcTc", "7d7h2s2c9d", "3s8s9dTsKh"]


@pytest.mark.slow
@pytest.mark.parametrize("text", [b for b in BOARDS if len(b) > 6])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_combo_of_a_turn_or_river_agrees_with_the_plain_twin(text, weighted):
    board = cards(text)
    weights = random_weights(1, 0.3) if weighted else np.ones(1326)
    found = strength_of_board(board, weights=weights if weighted else None)
    live = np.flatnonzero(live_combos(sum(1 << c for c in board)))
    for combo in live[:: 200 if len(board) == 4 else 60]:
        table, mean, squared = plain_strength(CARDS_OF_COMBO[combo].tolist(), board, 5 - len(board), weights)
        assert found.table[combo] == pytest.approx(table, abs=1e-9)
        assert found.mean_hs[combo] == pytest.approx(mean, abs=1e-12)
        assert found.mean_hs_squared[combo] == pytest.approx(squared, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("text", [b for b in BOARDS if len(b) == 6])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_card_to_come_on_the_flop_agrees_with_the_plain_twin(text, weighted):
    board = cards(text)
    weights = random_weights(2) if weighted else np.ones(1326)
    found = strength_of_board(board, weights=weights if weighted else None, n_to_come=1)
    for combo in np.flatnonzero(live_combos(sum(1 << c for c in board)))[5::300]:
        table, mean, squared = plain_strength(CARDS_OF_COMBO[combo].tolist(), board, 1, weights)
        assert found.table[combo] == pytest.approx(table, abs=1e-9)
        assert found.mean_hs[combo] == pytest.approx(mean, abs=1e-12)
        assert found.mean_hs_squared[combo] == pytest.approx(squared, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("hole", "board"), [("AdQc", "3h4cJh"), ("7s6s", "8s9sAd")])
def test_two_cards_to_come_agree_with_the_plain_twin(hole, board):
    table, mean, squared = plain_strength(cards(hole), cards(board), 2, np.ones(1326))
    found = strength_of_hand(cards(hole), cards(board))
    assert np.array_equal(found.table, table)
    assert found.mean_hs == pytest.approx(mean, abs=1e-12)
    assert found.mean_hs_squared == pytest.approx(squared, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_hand_and_all_hands_are_the_same_answer(text, weighted):
    """Two algorithms: one compares pairs of hands, the other sweeps cumulative sums with cards removed."""
    board, weights = cards(text), random_weights(3, 0.5) if weighted else None
    every = strength_of_board(board, weights=weights)
    live = np.flatnonzero(live_combos(sum(1 << c for c in board)))
    for combo in live[:: 17 if len(board) > 3 else 130]:
        one = strength_of_hand(CARDS_OF_COMBO[combo].tolist(), board, weights=weights)
        assert every.table[combo] == pytest.approx(one.table, abs=1e-7, rel=1e-10)
        for name in ("hs", "mean_hs", "mean_hs_squared", "ppot", "npot"):
            assert getattr(every, name)[combo] == pytest.approx(float(getattr(one, name)), abs=1e-10), name


@pytest.mark.parametrize("text", BOARDS)
def test_merging_equally_likely_hands_changes_nothing(text):
    """Weights of one run the code for weights."""
    merged, single = strength_of_board(cards(text)), strength_of_board(cards(text), weights=np.ones(1326))
    assert np.array_equal(merged.table, single.table)
    assert merged.mean_hs_squared == pytest.approx(single.mean_hs_squared, abs=1e-12, nan_ok=True)


def test_no_board_has_more_ranks_than_the_kernels_have_room_for():
    """Every flop, a sample of turns and rivers. All were ranked once: 136 is the most on each street."""
    most = 0
    for n_cards, step in ((3, 1), (4, 11), (5, 101)):
        for board in canonical_boards(n_cards)[0][::step].tolist():
            most = max(most, len(np.unique(rank_combos(board))) - 1)  # less the -1 of blocked combos
    assert most == kernels.MAX_LEVELS == 136


def test_blocked_combos_are_nan_and_count_nothing():
    flop = strength_of_board(cards("3h4cJh"), n_to_come=1)
    blocked = ~live_combos(sum(1 << c for c in cards("3h4cJh")))
    assert blocked.sum() == 150
    for name in ("hs", "mean_hs", "mean_hs_squared", "ppot", "npot"):
        assert np.array_equal(np.isnan(getattr(flop, name)), blocked), name
    assert not flop.table[blocked].any() and not flop.ahead[blocked].any()


def test_on_the_river_expected_strength_is_strength_and_nothing_can_change():
    river = strength_of_board(cards("7d7h2s2c9d"))
    assert np.array_equal(river.mean_hs, river.hs, equal_nan=True)
    assert river.mean_hs_squared == pytest.approx(river.hs**2, nan_ok=True, abs=1e-15)
    assert np.nansum(river.ppot) == np.nansum(river.npot) == 0
    assert np.nanmax(river.ahead + river.tied + river.behind) == 990


def test_hs_zero_sum():
    """Every pair of hands gives one of the two a win, or both half: total HS weight is half the pairs."""
    flop = strength_of_board(cards("8h6c4h"))
    assert np.nansum(flop.hs) == pytest.approx(1176 / 2)
    assert np.nansum(flop.mean_hs) == pytest.approx(1176 / 2)
    assert flop.table[..., 0, 2].sum() == flop.table[..., 2, 0].sum()  # what one gains another loses


@pytest.mark.parametrize("weighted", [False, True])
def test_effective_strength_with_both_potentials_is_expected_strength(weighted):
    """Equation 3.5 is not an estimate: with two cards to come it is E[HS], ties and weights included."""
    flop = strength_of_board(cards("8h6c4h"), weights=random_weights(4) if weighted else None)
    assert ehs(flop.hs, flop.ppot, npot=flop.npot) == pytest.approx(flop.mean_hs, nan_ok=True, abs=1e-12)


def test_a_hand_that_nothing_beats_has_no_positive_potential():
    royal = strength_of_hand(cards("AsKs"), cards("QsJsTs"))
    assert (float(royal.hs), float(royal.ppot), float(royal.npot), float(royal.mean_hs_squared)) == (1, 0, 0, 1)


def test_scale_of_weights_does_not_matter_and_zero_weights_are_absent_hands():
    board, weights = cards("TdTh9h8h"), random_weights(5, 0.1)
    one, other = strength_of_board(board, weights=weights), strength_of_board(board, weights=1000 * weights)
    assert one.hs == pytest.approx(other.hs, nan_ok=True, abs=1e-12)
    assert one.ppot == pytest.approx(other.ppot, nan_ok=True, abs=1e-10)
    only = np.zeros(1326)
    only[combo_index(*cards("AcAd"))] = 0.3
    against_aces = strength_of_board(cards("3h4cJh"), weights=only, n_to_come=0)
    assert against_aces.hs[combo_index(*cards("JcJd"))] == 1
    assert against_aces.hs[combo_index(*cards("KcKd"))] == 0
    assert against_aces.hs[combo_index(*cards("AhAs"))] == 0.5
    assert np.isnan(against_aces.hs[combo_index(*cards("AcKd"))])  # the opponent's only hand is gone


def test_a_hand_that_takes_the_whole_range_is_nan_whatever_the_rounding():
    aces = np.zeros(1326)
    ace = cards("AcAdAhAs")
    for k, (a, b) in enumerate(combinations(ace, 2)):
        aces[combo_index(a, b)] = 0.1 + 0.1 * k
    flop = strength_of_board(cards("3h4cAs"), weights=aces)
    for text in ("AcAd", "AdAh", "AcAh"):
        assert np.isnan(flop.hs[combo_index(*cards(text))]) and np.isnan(flop.mean_hs[combo_index(*cards(text))])


@given(st.permutations(range(52)), st.permutations(range(4)))
@settings(max_examples=15, deadline=None)
def test_relabelling_suits_changes_nothing(deck, relabel):
    hole, board = deck[:2], deck[2:6]

    def renamed(group):
        return [c & ~3 | relabel[c & 3] for c in group]

    one, other = strength_of_hand(hole, board), strength_of_hand(renamed(hole), renamed(board))
    assert np.array_equal(one.table, other.table)
    assert one.mean_hs_squared == pytest.approx(float(other.mean_hs_squared), abs=1e-14)


def test_strength_against_several():
    assert hs_against_all([0.5, 0.4, 0.9]) == pytest.approx(0.18)
    assert hs_against_all([0.6] * 4) == pytest.approx(0.6**4)
    assert ehs(0.6, 0.2, n_opponents=3) == pytest.approx(0.216 + 0.784 * 0.2)
    assert ehs(np.array([0.6, np.nan]), 0.2)[0] == pytest.approx(0.6 + 0.4 * 0.2)


def test_pot_odds_make_a_call_break_even():
    chance = pot_odds(10, 50)
    assert chance * 50 - (1 - chance) * 10 == pytest.approx(0)
    assert pot_odds(0, 50) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: strength_of_board(cards("3h4c")), "3, 4 or 5 cards, not 2"),
        (lambda: strength_of_board(cards("3h4cJh2d9sKs")), "3, 4 or 5 cards, not 6"),
        (lambda: strength_of_board([3, 3, 5]), "2s is twice in board"),
        (lambda: strength_of_board(cards("3h4cJh2d"), n_to_come=2), "0 to 1 to come, not 2"),
        (lambda: strength_of_hand(cards("3hQc"), cards("3h4cJh")), "3h is both in hole and in board"),
        (lambda: strength_of_hand(cards("Qc"), cards("3h4cJh")), "2 hole cards, not 1"),
        (lambda: strength_of_board(cards("3h4cJh"), weights=np.ones(169)), "each of the 1326 combos"),
        (lambda: strength_of_board(cards("3h4cJh"), weights=np.full(1326, -1.0)), "not negative"),
        (lambda: strength_of_board(cards("3h4cJh"), weights=np.full(1326, np.nan)), "finite"),
        (lambda: strength_of_board(cards("3h4cJh"), weights=np.zeros(1326)), "no hand left beside 3h4cJh"),
        (lambda: ehs(0.5, 0.2, n_opponents=0), "one opponent or more"),
        (lambda: hs_against_all([]), "one opponent or more"),
        (lambda: pot_odds(0, 0), "not both 0"),
    ],
)
def test_bad_input_is_one_clear_line(call, message):
    with pytest.raises(CardError, match=message):
        call()


@pytest.mark.parametrize("text", ["8h6c4h", "AcAd9h2s", "3h4cJhQs2d", "KhQhJhTh9h"])
@pytest.mark.parametrize("weighted", [False, True])
def test_potentials_are_those_of_the_whole_table(text, weighted):
    board, n_to_come = cards(text), min(1, 5 - len(cards(text)))
    weights = np.random.default_rng(1).random(N_COMBOS) ** 4 if weighted else None
    whole = strength_of_board(board, weights=weights, n_to_come=n_to_come)
    found = potentials_of_board(board, weights=weights, n_to_come=n_to_come)
    assert found == pytest.approx(np.nan_to_num([whole.hs, whole.ppot, whole.npot]), abs=1e-9)
    if weights is not None:
        assert hs_of_board(board, weights) == pytest.approx(whole.hs, abs=1e-12, nan_ok=True)
        one = np.zeros(N_COMBOS)
        one[combo_index(*cards("AsAh"))] = 1.0
        assert hs_of_board(board, one) == pytest.approx(
            strength_of_board(board, weights=one, n_to_come=0).hs, nan_ok=True
        )
