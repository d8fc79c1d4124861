"""Evaluation against a reference written from the rules, and against the known counts of all hands."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from numba import njit

from pokerlab.cards._evaluate_numba import rank_of_key
from pokerlab.cards.card import cards
from pokerlab.cards.card_keys import KEY_OF_CARD, ONE_CARD, ROW_BITS, SUITS_OF_CARD, SUM_OF_RANK
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS
from pokerlab.cards.evaluate import (
    CATEGORIES,
    N_RANKS,
    category_of_rank,
    evaluate,
    evaluate_batch,
    rank_combos,
    rank_label,
    tables,
)
from pokerlab.errors import CardError


def score_of_five(hand: tuple[int, ...]) -> tuple[int, ...]:
    """The rules of poker: (category, deciding ranks in order), for five cards."""
    count = Counter(card >> 2 for card in hand)
    ranks = sorted(count, key=lambda rank: (count[rank], rank), reverse=True)
    shape = tuple(count[rank] for rank in ranks)
    flush = len({card & 3 for card in hand}) == 1
    straight = len(ranks) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    if straight and ranks[:2] == [12, 3]:
        ranks = [3, 2, 1, 0, -1]  # the ace plays below the deuce
    category = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0)
    if straight or flush:
        category = 8 if straight and flush else 5 if flush else 4
    return (category, *ranks)


def one_hand_of_each_class() -> list[tuple[int, ...]]:
    """A five-card hand for every choice of ranks, and a suited one for every five different ranks: 7,462 in all."""
    off_suit = (0, 1, 2, 3, 0)
    hands = []
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] == ranks[4]:
            continue
        # Five ranks in order: a repeated rank takes consecutive suits, and four suits are never all the same.
        hands.append(tuple(4 * rank + suit for rank, suit in zip(ranks, off_suit, strict=True)))
        if len(set(ranks)) == 5:
            hands.append(tuple(4 * rank for rank in ranks))
    return hands


@pytest.fixture(scope="module")
def rank_of_score() -> dict[tuple[int, ...], int]:
    scores = sorted({score_of_five(hand) for hand in one_hand_of_each_class()})
    return {score: rank for rank, score in enumerate(scores)}


def random_hands(n: int, n_cards: int, seed: int) -> np.ndarray:
    keys = np.random.default_rng(seed).random((n, 52), dtype=np.float32)
    return keys.argpartition(n_cards, axis=1)[:, :n_cards].astype(np.uint8)


def test_every_class_of_five_cards_has_its_rank(rank_of_score: dict[tuple[int, ...], int]) -> None:
    hands = one_hand_of_each_class()
    assert len(hands) == len(rank_of_score) == N_RANKS
    expected = [rank_of_score[score_of_five(hand)] for hand in hands]
    assert evaluate_batch(hands).tolist() == expected
    assert [evaluate(hand) for hand in hands] == expected
    assert [category_of_rank(rank) for rank in expected] == [score_of_five(hand)[0] for hand in hands]


@pytest.mark.slow
@pytest.mark.parametrize("n_cards", [6, 7])
def test_the_best_five_of_more_cards_count(n_cards: int, rank_of_score: dict[tuple[int, ...], int]) -> None:
    hands = random_hands(4000, n_cards, seed=n_cards)
    suited = random_hands(200_000, n_cards, seed=10 + n_cards)
    suited = suited[np.array([np.bincount(hand & 3, minlength=4).max() >= 5 for hand in suited])][:1500]
    hands = np.concatenate([hands, suited])
    best = [rank_of_score[max(score_of_five(five) for five in combinations(hand, 5))] for hand in hands.tolist()]
    assert evaluate_batch(hands).tolist() == best
    assert [evaluate(hand) for hand in hands.tolist()] == best
    assert [evaluate(hand) for hand in hands] == best  # rows of an array as well as lists


def test_the_sum_of_a_hand_identifies_its_ranks() -> None:
    """No two multisets of five, six or seven ranks have the same sum, and each has a slot of its own."""
    sums: list[int] = []
    for n_cards in (5, 6, 7):
        for ranks in combinations_with_replacement(range(13), n_cards):
            if max(Counter(ranks).values()) <= 4:
                sums.append(sum(SUM_OF_RANK[rank] + ONE_CARD for rank in ranks))
    assert len(set(sums)) == len(sums) == 6175 + 18395 + 49205
    total = np.array(sums)
    slots = tables().row_start[total % (1 << ROW_BITS)] + (total >> ROW_BITS)
    assert len(np.unique(slots)) == len(sums)


@njit
def count_ranks(n_cards, n_hands_of_rank, tables):  # type: ignore[no-untyped-def]
    """Every hand of `n_cards` from the deck by nested partial sums: `cards[level]` counts down from its neighbour."""
    one = np.uint64(1)
    held = np.zeros(8, np.uint64)
    keys, suits = np.zeros(8, np.uint64), np.zeros(8, np.uint64)
    level = 0
    held[0] = 52
    while level >= 0:
        if held[level] == 0:
            level -= 1
            continue
        held[level] -= one
        card = held[level]
        key, suit = keys[level] + KEY_OF_CARD[card], suits[level] + SUITS_OF_CARD[card]
        if level == n_cards - 2:  # the last card in a plain loop, for speed
            for last in range(card):
                n_hands_of_rank[rank_of_key(key + KEY_OF_CARD[last], suit + SUITS_OF_CARD[last], tables)] += 1
        else:
            keys[level + 1], suits[level + 1], held[level + 1] = key, suit, card
            level += 1


# Category counts, worst first. Five and seven cards: the standard tables; six cards: each sums to C(52, n).
KNOWN_COUNTS = {
    5: (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40),
    6: (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844),
    7: (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584),
}


@pytest.mark.parametrize(
    ("n_cards", "n_hands", "n_distinct"), [(5, 2_598_960, 7462), (6, 20_358_520, 6075), (7, 133_784_560, 4824)]
)
def test_all_hands_fall_into_the_known_categories(n_cards: int, n_hands: int, n_distinct: int) -> None:
    counts = np.zeros(N_RANKS, dtype=np.int64)
    count_ranks(n_cards, counts, tables())
    assert counts.sum() == n_hands
    assert np.count_nonzero(counts) == n_distinct
    category = [category_of_rank(rank) for rank in range(N_RANKS)]
    assert np.bincount(category, weights=counts).astype(int).tolist() == list(KNOWN_COUNTS[n_cards])


@pytest.mark.parametrize("board", ["3h4cJh", "3h4cJh8h", "3h4cJh8h8d", "AsKsQsJsTs", "2c3c4c5cAc"])
def test_combos_on_a_board(board: str) -> None:
    on_board = cards(board)
    ranks = rank_combos(on_board)
    for combo in range(N_COMBOS):
        hole = CARDS_OF_COMBO[combo].tolist()
        expected = -1 if set(hole) & set(on_board) else evaluate([*hole, *on_board])
        assert ranks[combo] == expected


def test_permuting_suits_and_cards_changes_nothing() -> None:
    hands = random_hands(20_000, 7, seed=3)
    ranks = evaluate_batch(hands)
    swapped = (hands & ~np.uint8(3)) | np.array([2, 0, 3, 1], dtype=np.uint8)[hands & 3]
    assert np.array_equal(evaluate_batch(swapped), ranks)
    assert np.array_equal(evaluate_batch(hands[:, ::-1]), ranks)
    assert np.array_equal(evaluate_batch(hands.astype(np.int64)), ranks)


def test_labels() -> None:
    labels = {
        "AsKsQsJsTs": "royal flush",
        "5h4h3h2hAh": "straight flush, five high",
        "9c9d9h9sKd": "four nines, K kicker",
        "TcTdTh2s2d": "full house, tens full of deuces",
        "AcJc9c3c2c": "flush, A-J-9-3-2",
        "5h4c3h2hAh": "straight, five high",
        "7c7d7hKs2d": "three sevens, K-2 kickers",
        "QcQd6h6sAd": "two pair, queens and sixes, A kicker",
        "2c2d9h8s7d": "pair of deuces, 9-8-7 kickers",
        "Kc8d5h4s2d": "king high, 8-5-4-2 kickers",
    }
    assert {text: rank_label(evaluate(cards(text))) for text in labels} == labels
    every = [rank_label(rank) for rank in range(N_RANKS)]
    assert len(set(every)) == N_RANKS
    assert [CATEGORIES[category_of_rank(rank)] for rank in (0, N_RANKS - 1)] == ["high card", "straight flush"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evaluate([0, 1, 2, 3]), "5, 6 or 7 cards, not 4"),
        (lambda: evaluate([0, 1, 2, 3, 3]), "2s is twice in hand"),
        (lambda: evaluate([0, 1, 2, 3, 52]), "52 is not a card"),
        (lambda: evaluate([0, 1, 2, 3, -1]), "-1 is not a card"),
        (lambda: evaluate_batch(np.zeros((2, 8), np.uint8)), r"not of shape \[2, 8\]"),
        (lambda: evaluate_batch(np.zeros(5, np.uint8)), r"not of shape \[5\]"),
        (lambda: evaluate_batch(np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 200]], np.uint8)), "hand 1 holds 200"),
        (lambda: evaluate_batch([[0, 1, 2, 3, 4], [0, 1, 2, 3, -1]]), "hand 1 holds -1"),
        (lambda: evaluate_batch([[0.0, 1, 2, 3, 4]]), "not float64"),
        (lambda: rank_combos([0, 1]), "3, 4 or 5 cards, not 2"),
        (lambda: rank_combos([0, 1, 1]), "2d is twice in board"),
        (lambda: rank_label(7462), "7462 is not a hand rank"),
    ],
)
def test_bad_input_gets_one_clear_line(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(CardError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_seven_numbers_are_a_hand_exactly_if_they_are_seven_different_cards() -> None:
    evaluate(range(7))  # the first call prepares the tables
    numbers = np.random.default_rng(5).integers(-128, 256, (3000, 7))
    numbers[::2] = numbers[::2] % 52  # cards, of which some are there twice
    numbers[::3, 0] = numbers[::3, 6]
    n_hands = 0
    for hand in numbers.tolist():
        if set(hand) <= set(range(52)) and len(set(hand)) == 7:
            n_hands += 1
            assert evaluate(hand) == evaluate_batch([hand])[0]
        else:
            with pytest.raises(CardError):
                evaluate(hand)
    assert 300 < n_hands < 1000


def test_any_bytes_are_safe() -> None:
    """Repeated cards have no meaning, but never read outside the tables: the answer is some rank."""
    same = np.repeat(np.arange(52, dtype=np.uint8)[:, None], 7, axis=1)
    ranks = evaluate_batch(same)
    assert ranks.min() >= 0
    assert ranks.max() < N_RANKS
