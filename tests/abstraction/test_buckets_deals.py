"""Sampled deals: their cells and ranks are those of the cards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.buckets import INDEX_BITS, Buckets
from pokerlab.abstraction.build_buckets import build_buckets
from pokerlab.abstraction.deals import LABEL, BucketDeals
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO
from pokerlab.cards.evaluate import rank_combos
from pokerlab.errors import RulesError
from pokerlab.rng import Shuffler


def some_tables(n_flop, n_turn):
    """Invented tables of every flop and turn; building real ones takes minutes."""
    rng = np.random.default_rng(0)
    return (
        rng.integers(n_flop, size=(1755, 1326), dtype=np.uint16),
        rng.integers(n_turn, size=(16432, 1326), dtype=np.uint16),
    )


@pytest.fixture(scope="module", params=["perfect recall", "imperfect recall"])
def made(request):
    if request.param == "perfect recall":
        pr3 = build_buckets("pr3", n_boards=3, seed=7, workers=1)
        n_segments = [pr3.cell_of_segment(street).shape[1] for street in (1, 2)]
        return replace(pr3, segments=some_tables(*n_segments))
    none = np.zeros((1, 0), np.int64)
    river = np.array([[300, 900, 1500, 1979]]) << INDEX_BITS
    classes = CLASS_OF_COMBO.astype(np.int32)
    return Buckets("ir5", {"kind": "test"}, (169, 5, 5, 5), False, classes, (none, none, river), some_tables(5, 5))


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [2, 3, 10])
def test_deals_agree_with_their_cards(made, n_players):
    cells, rank = BucketDeals(made, n_players, seed=5).deal(40, 6)
    shuffler = Shuffler(5, LABEL)
    for i in range(6):
        deck = shuffler.deal(40 + i, tuple(range(52)), 5 + 2 * n_players)
        board = list(deck[:5])
        of_board, ranks = made.of_board(board), rank_combos(board)
        for player in range(n_players):
            a, b = sorted(deck[5 + 2 * player : 7 + 2 * player])
            combo = b * (b - 1) // 2 + a
            assert cells[i, player].tolist() == [of_street[combo] for of_street in of_board]
            assert rank[i, player] == ranks[combo]


def test_boards_agree_with_their_cards(made):
    deals = BucketDeals(made, 2, seed=5)
    cells, rank = deals.boards(first=3, n=4)
    assert np.array_equal(deals.hand_cards, CARDS_OF_COMBO)
    for i in range(4):
        board = list(Shuffler(5, LABEL).deal(3 + i, tuple(range(52)), 5))
        expected, live = np.stack(made.of_board(board)), made.of_board(board)[3] >= 0
        assert np.array_equal(cells[i][:, live], expected[:, live]) and (cells[i][:, ~live] == -1).all()
        assert np.array_equal(rank[i][live], rank_combos(board)[live]) and (rank[i][~live] == -1).all()


def test_a_deal_does_not_depend_on_the_batch(made):
    deals = BucketDeals(made, 2, seed=5)
    cells, rank = deals.deal(0, 50)
    later, later_rank = BucketDeals(made, 2, 5).deal(30, 20)
    assert np.array_equal(cells[30:], later) and np.array_equal(rank[30:], later_rank)
    assert not np.array_equal(cells, BucketDeals(made, 2, seed=6).deal(0, 50)[0])
    assert deals.about["seed"] == 5 and deals.about["buckets"] == made.name


def test_too_many_players_are_one_line(made):
    with pytest.raises(RulesError, match="for 2 to 10 players, not 11"):
        BucketDeals(made, 11, seed=1)
