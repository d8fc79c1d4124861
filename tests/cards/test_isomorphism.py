"""Indices of hands up to suits: counts, round trips, and agreement with trying all 24 relabellings."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO
from pokerlab.cards.isomorphism import Indexer, canonical_boards, indexer
from pokerlab.errors import CardError

ROUNDS = [(2,), (2, 3), (2, 3, 1), (2, 3, 1, 1), (2, 4), (2, 5), (3,), (4,), (5,), (1, 1), (4, 3)]


def plain_canonical_form(hand, rounds):
    """The readable twin: the smallest of the 24 relabelled hands, each round sorted."""
    forms = []
    for relabel in permutations(range(4)):
        new, form, at = [c & ~3 | relabel[c & 3] for c in hand], [], 0
        for n in rounds:
            form += sorted(new[at : at + n])
            at += n
        forms.append(tuple(form))
    return min(forms)


def random_hands(n_hands, n_cards, seed=0):
    return np.argsort(np.random.default_rng(seed).random((n_hands, 52)), axis=1)[:, :n_cards]


@pytest.mark.parametrize(
    ("rounds", "size"),
    [
        ((2,), 169),
        ((2, 3), 1_286_792),
        ((2, 3, 1), 55_190_538),
        ((2, 3, 1, 1), 2_428_287_420),
        ((2, 4), 13_960_050),
        ((2, 5), 123_156_254),
        ((3,), 1_755),
        ((4,), 16_432),
        ((5,), 134_459),
    ],
)
def test_counts_are_the_published_ones(rounds, size):
    assert Indexer(rounds).size == size


def test_every_flop_hand_survives_the_round_trip():
    flop = indexer(2, 3)
    every = np.arange(flop.size)
    assert np.array_equal(flop.index_many(flop.unindex_many(every)), every)
    assert flop.multiplicities(every).sum() == comb(52, 2) * comb(50, 3)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_unindex_inverts_index_on_a_sample(rounds):
    some = np.random.default_rng(1).integers(0, indexer(*rounds).size, 20_000)
    some[:2] = 0, indexer(*rounds).size - 1
    hands = indexer(*rounds).unindex_many(some)
    assert np.array_equal(indexer(*rounds).index_many(hands), some)
    assert all(len(set(hand)) == len(hand) for hand in hands[:100].tolist())


@pytest.mark.parametrize("rounds", ROUNDS)
def test_unindex_gives_an_equivalent_hand(rounds):
    hands = random_hands(200, sum(rounds))
    canonical = indexer(*rounds).unindex_many(indexer(*rounds).index_many(hands))
    for hand, found in zip(hands.tolist(), canonical.tolist(), strict=True):
        assert plain_canonical_form(found, rounds) == plain_canonical_form(hand, rounds)


@pytest.mark.parametrize("rounds", [(2,), (3,), (1, 1), (1, 2), (2, 1), (1, 1, 1)])
def test_same_index_exactly_when_some_relabelling_matches(rounds):
    """All hands of a deck of four ranks: index and canonical form pair off one to one."""
    deck, hands = range(16), [()]
    for n in rounds:
        hands = [h + more for h in hands for more in combinations([c for c in deck if c not in h], n)]
    indices = indexer(*rounds).index_many(hands).tolist()
    pairs = {(index, plain_canonical_form(hand, rounds)) for index, hand in zip(indices, hands, strict=True)}
    assert len(pairs) == len({index for index, _ in pairs}) == len({form for _, form in pairs})


@given(st.permutations(range(52)), st.permutations(range(4)), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_relabelling_suits_or_shuffling_a_round_changes_nothing(deck, relabel, random):
    hole, flop, turn, river = deck[:2], deck[2:5], deck[5:6], deck[6:7]
    expected = indexer(2, 3, 1, 1).index(hole + flop + turn + river)
    random.shuffle(hole)
    random.shuffle(flop)
    assert indexer(2, 3, 1, 1).index([c & ~3 | relabel[c & 3] for c in hole + flop + turn + river]) == expected


def test_order_of_rounds_matters_and_order_of_an_unordered_board_does_not():
    first, second = cards("AdQc 3h4cJh 9s 2d"), cards("AdQc 3h4cJh 2d 9s")
    assert indexer(2, 3, 1, 1).index(first) != indexer(2, 3, 1, 1).index(second)
    assert indexer(2, 5).index(first) == indexer(2, 5).index(second)


def test_hole_cards_fall_into_the_169_classes():
    indices = indexer(2).index_many(CARDS_OF_COMBO)
    assert len({*zip(indices.tolist(), CLASS_OF_COMBO.tolist(), strict=True)}) == 169
    assert indexer(2).multiplicities(indices[[1325]]).tolist() == [6]


@pytest.mark.parametrize("n_cards", [3, 4, 5])
def test_canonical_boards_stand_for_every_board(n_cards):
    boards, multiplicity = canonical_boards(n_cards)
    assert multiplicity.sum() == comb(52, n_cards)
    for at in np.random.default_rng(2).integers(0, len(boards), 50):
        board = boards[at].tolist()
        relabelled = {frozenset(c & ~3 | p[c & 3] for c in board) for p in permutations(range(4))}
        assert len(relabelled) == multiplicity[at]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: indexer(2, 3).index(cards("AdQc3h4c")), "expected hands of 5 cards"),
        (lambda: indexer(2).index([3, 3]), "2s is twice in hand"),
        (lambda: indexer(2).index_many([[1, 2], [7, 52]]), "52 is not a card"),
        (lambda: indexer(2).index_many([[1, 2], [-1, 5]]), "-1 is not a card"),
        (lambda: indexer(2).unindex(169), r"are 0\.\.168"),
        (lambda: Indexer(()), "cannot index rounds"),
        (lambda: Indexer((2, 0)), "cannot index rounds"),
    ],
)
def test_bad_input_is_one_clear_line(call, message):
    with pytest.raises(CardError, match=message):
        call()
