"""Deals of small games: cells and ranks agree with the cards, frequencies with the probabilities."""

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.abstraction.deals import SmallDeals, boards_for, code_of, deals_for
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.games.showdown import strength
from pokerlab.rng import shuffled_deck


@pytest.mark.parametrize("name", ["kuhn", "kuhn3p", "leduc"])
def test_a_deal_agrees_with_the_cards_of_its_deck(name):
    rules = game(name)
    cells = Lossless(rules)
    dealt, rank = SmallDeals(cells, seed=3).deal(50, 40)
    for i in range(40):
        deck = shuffled_deck(3, "deals", index=50 + i, cards=rules.deck, n_first=rules.n_dealt)
        board = deck[rules.n_seats :]
        strengths = [strength(rules.ranking, deck[p : p + 1], board) for p in range(rules.n_seats)]
        for p in range(rules.n_seats):
            for street, n_board in enumerate([0, 1][: len(rules.streets)]):
                assert dealt[i, p, street] == cells.of_hand(deck[p : p + 1], board[:n_board])
            for q in range(rules.n_seats):
                assert np.sign(rank[i, p] - rank[i, q]) == np.sign(strengths[p] - strengths[q])


def test_any_deal_can_be_made_alone():
    deals = SmallDeals(Lossless(game("leduc")), seed=1)
    cells, rank = deals.deal(0, 100)
    again, ranks_again = deals.deal(37, 5)
    assert np.array_equal(cells[37:42], again) and np.array_equal(rank[37:42], ranks_again)


def test_every_deal_of_three_player_kuhn():
    every = SmallDeals(Lossless(game("kuhn3p"))).every()
    assert len(every.weight) == 24 and np.all(every.weight == 1 / 24)
    assert len({tuple(row) for row in every.cells[:, :, 0].tolist()}) == 24


def test_every_deal_of_leduc_has_the_weights_of_its_pairs():
    cells = Lossless(game("leduc"))
    every = SmallDeals(cells).every()
    joint = np.zeros((3, 3))
    np.add.at(joint, (every.cells[:, 0, 0], every.cells[:, 1, 0]), every.weight)
    assert joint == pytest.approx(cells.pairs.joint[0][0], abs=1e-15)
    won = np.zeros((3, 3))
    np.add.at(won, tuple(every.cells[:, :, 0].T), every.weight * np.sign(every.rank[:, 0] - every.rank[:, 1]))
    assert won == pytest.approx(cells.pairs.showdown[0][0], abs=1e-15)


def test_sampled_deals_have_the_right_frequencies():
    deals = SmallDeals(Lossless(game("leduc")), seed=5)
    every, n = deals.every(), 60_000
    cells, _ = deals.deal(0, n)
    index = {row.tobytes(): i for i, row in enumerate(every.cells)}
    count = np.bincount([index[row.tobytes()] for row in cells], minlength=len(every.weight))
    chi_squared = ((count - n * every.weight) ** 2 / (n * every.weight)).sum()
    assert chi_squared < 50  # 23 degrees of freedom: 49.7 is exceeded once in a thousand


def test_boards_give_the_cells_of_all_hands():
    rules = game("leduc")
    cells = Lossless(rules)
    deals = SmallDeals(cells, seed=2)
    by_board, rank = deals.boards(0, 20)
    assert deals.hand_cards.tolist() == [[place] for place in range(6)]
    for i in range(20):
        (board,) = np.flatnonzero(rank[i] < 0)
        for hand in set(range(6)) - {int(board)}:
            assert by_board[i, 0, hand] == cells.of_hand((rules.deck[hand],), ())
            assert by_board[i, 1, hand] == cells.of_hand((rules.deck[hand],), (rules.deck[board],))


def test_codes_number_all_sets():
    from itertools import combinations

    assert sorted(code_of(s) for s in combinations(range(7), 3)) == list(range(35))


def test_card_sides_that_cannot_deal_are_refused():
    class Strange:
        name = "strange"
        n_cells = (1,)

    with pytest.raises(RulesError, match="the card side strange has no deals"):
        deals_for(Strange(), 2, 0)
    with pytest.raises(RulesError, match="the card side strange has no deals"):
        boards_for(Strange(), 0)
