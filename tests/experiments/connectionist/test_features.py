"""The census of hands that card features do not order."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.card_features import features_on
from pokerlab.cards.evaluate import STRAIGHT_FLUSH, category_of_rank, evaluate
from pokerlab.cards.feature_names import FIRST_COLUMNS, ORDER_COLUMNS, PRIVATE_COLUMNS, PRIVATE_NAMES
from pokerlab.experiments.connectionist import features
from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment

RIVER = "8c8s5c5dTs"


def conflicts_by_pairs(board, without=()):
    """Pairs of hands with the same features by name and different ranks."""
    deck = [card for card in range(52) if card not in board]
    hands = []
    for hole in combinations(deck, 2):
        on = {name: value for name, value in features_on(hole, board).items() if name not in without}
        rank = evaluate([*hole, *board])
        if category_of_rank(rank) != STRAIGHT_FLUSH:
            hands.append((on, rank))
    pairs = [(i, j) for (i, a), (j, b) in combinations(enumerate(hands), 2) if a[1] != b[1] and a[0] == b[0]]
    return len(pairs), len({hand for pair in pairs for hand in pair}), len(hands)


def test_the_census_agrees_with_a_comparison_of_every_pair():
    board, added = cards(RIVER), set(PRIVATE_NAMES[ORDER_COLUMNS[3]])
    found = features.conflicts(np.array([board], np.uint8), FIRST_COLUMNS[3])
    by_pairs = conflicts_by_pairs(board, added)
    assert tuple(int(each[0]) for each in found) == by_pairs
    assert by_pairs[0] > 0


@pytest.mark.parametrize("street", [1, 2, 3])
def test_features_order_all_hands_on_random_boards_and_on_boards_of_few_ranks_and_suits(street):
    rng = np.random.default_rng(street)
    decks = [rng.permutation(52) for _ in range(60)]
    few_ranks = [
        rng.permutation([4 * rank + suit for rank in rng.permutation(13)[:3] for suit in range(4)]) for _ in range(60)
    ]
    suited = [np.r_[rng.permutation(13)[:4] * 4, rng.permutation(13) * 4 + 1] for _ in range(40)]
    same_suit = [rng.permutation(13) * 4 for _ in range(20)]
    boards = np.array([deck[: street + 2] for deck in (*decks, *few_ranks, *suited, *same_suit)], np.uint8)
    before, now = (features.conflicts(boards, columns[street]) for columns in (FIRST_COLUMNS, PRIVATE_COLUMNS))
    assert before.pairs.sum() > 10_000
    assert now.pairs.sum() == now.torn.sum() == 0
    assert now.hands.max() == (52 - street - 2) * (51 - street - 2) // 2


@pytest.mark.parametrize(
    ("better", "worse", "board"),
    [
        ("Td5h", "5h2c", RIVER),  # fives full of tens, not of eights
        ("Tc4c", "8c4c", "Jh4s6h4h7s"),  # kickers beside trips
        ("Ac9s", "9s2h", "9d9c9hKsQd"),  # and beside quads
        ("KhQh", "KhQc", "8s9h6hJh7h"),  # the second card of a flush
        ("JdJc", "2d2c", "QdKsKhQs"),  # on the turn a pocket pair below both pairs is a kicker
    ],
)
def test_hands_that_the_printed_list_leaves_equal(better, worse, board):
    street = len(cards(board)) - 2
    added = set(PRIVATE_NAMES[ORDER_COLUMNS[street]])
    one, other = (features_on(cards(hole), cards(board)) for hole in (better, worse))
    assert evaluate([*cards(better), *cards(board)]) > evaluate([*cards(worse), *cards(board)])
    differ = {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}
    assert differ & added


def test_the_record_counts_features_and_conflicts():
    table = experiment("sweeney2012-features").run(Config({"boards": 30}, seed=7))
    assert table["hand features"]["turn"].mean == 95 and table["hand features"]["all"].mean == 257
    assert table[features.PAIRS]["river, all features"].mean == 0
    assert table[features.BOARDS]["river, without those that order hands"].low > 20
