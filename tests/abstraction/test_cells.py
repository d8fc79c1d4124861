"""Lossless cells: equivalent suits are merged, pairs of cells have their exact probabilities and showdowns."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless, check_pairs_fit
from pokerlab.cards.card import cards
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game, small_deck
from pokerlab.games.showdown import strength

ISLAND = replace(game("rhode-island"), deck=small_deck(3, 3), name="little-island")


@pytest.fixture(scope="module", params=["kuhn", "leduc", "little-island"])
def cells(request):
    return Lossless(ISLAND if request.param == "little-island" else game(request.param))


def test_counts():
    assert Lossless(game("kuhn")).n_cells == (3,)
    assert Lossless(game("leduc")).n_cells == Lossless(game("leduc")).n_information == (3, 9)
    island = Lossless(ISLAND)
    assert island.n_information < island.n_cells


def test_pairs_by_dealing_every_hand(cells):
    """Probabilities and showdowns of every street, counted over every order of the deck."""
    rules, pairs = cells.rules, cells.pairs
    sizes = np.cumsum([street.n_board for street in rules.streets])
    joint = [Counter() for _ in sizes]
    shown = [Counter() for _ in sizes]
    deals = list(permutations(rules.deck, rules.n_dealt))
    for deal in deals:
        holes, board = ((deal[0],), (deal[1],)), deal[2:]
        mine, theirs = (strength(rules.ranking, hole, board) for hole in holes)
        for street, n in enumerate(sizes):
            at = tuple(cells.of_hand(hole, board[:n]) for hole in holes)
            joint[street][at] += 1
            shown[street][at] += (mine > theirs) - (mine < theirs)
    for street in range(len(sizes)):
        boards, n, _ = pairs.joint[street].shape
        for counted, matrix in ((joint[street], pairs.joint[street]), (shown[street], pairs.showdown[street])):
            expected = np.zeros((boards, n, n))
            for (i, j), times in counted.items():
                assert i // n == j // n, "only cells of one board meet"
                expected[i // n, i % n, j % n] = times / len(deals)
            np.testing.assert_allclose(matrix, expected, rtol=0, atol=1e-14)


def test_parents_are_the_cells_of_the_street_before(cells):
    rules, parent = cells.rules, cells.pairs.parent
    sizes = np.cumsum([street.n_board for street in rules.streets])
    for deal in permutations(rules.deck, 1 + int(sizes[-1])):
        at = [cells.of_hand(deal[:1], deal[1 : 1 + n]) for n in sizes]
        for street in range(1, len(sizes)):
            assert parent[street][at[street]] == at[street - 1]
    assert not parent[0].any()


def test_chances_of_each_street_sum_to_one_and_showdowns_are_fair(cells):
    for joint, showdown in zip(cells.pairs.joint, cells.pairs.showdown, strict=True):
        assert joint.sum() == pytest.approx(1)
        assert np.array_equal(showdown, -np.swapaxes(showdown, 1, 2))
        assert np.all(np.abs(showdown) <= joint + 1e-15)


def test_labels():
    leduc = Lossless(game("leduc"))
    assert [leduc.label(0, cell) for cell in range(3)] == ["Q", "K", "A"]
    assert leduc.label(1, leduc.of_hand(cards("Ah"), cards("As"))) == "A on A"
    island = Lossless(ISLAND)
    assert len({island.label(2, cell) for cell in range(island.n_cells[2])} - {"-"}) == island.n_information[2]


def test_interchangeable_suits_are_merged():
    island = Lossless(ISLAND)
    one = island.of_hand(cards("Ah"), cards("KhQs"))
    assert one == island.of_hand(cards("Ad"), cards("KdQh"))
    assert one != island.of_hand(cards("As"), cards("KhQs"))
    assert island.of_hand(cards("Ah"), cards("KhQh")) == island.of_hand(cards("As"), cards("KsQs"))


def test_rhode_island_counts_by_suit_patterns():
    """A card, then others of its suit or not: 13; 13 x 12 + 13 x 13; and five patterns of three suits."""
    patterns = 13 * 12 * 11 + 3 * (13 * 12 * 13) + 13**3
    assert Lossless(game("rhode-island")).n_information == (13, 13 * 12 + 13 * 13, patterns)


def test_games_with_too_many_cards_are_refused():
    with pytest.raises(RulesError) as refused:
        Lossless(game("limit2p"))
    assert "limit2p has too many cards to tell every hand apart" in str(refused.value)
    assert "name card buckets, such as --cards pr5" in str(refused.value)
    with pytest.raises(RulesError, match="stud2p has no card side for solvers"):
        Lossless(game("stud2p"))
    with pytest.raises(RulesError, match="kuhn3p is for 3 players; pairs of cells are for two"):
        _ = Lossless(game("kuhn3p")).pairs


def test_pairs_that_do_not_fit_are_refused_before_they_are_made(monkeypatch):
    leduc = Lossless(game("leduc"))
    assert leduc.pair_bytes == sum(joint.nbytes for joint in leduc.pairs.joint)
    monkeypatch.setattr("pokerlab.abstraction.cells.available_memory", lambda: 100)
    with pytest.raises(RulesError, match=r"^leduc: pairs of hands take .* GB, and 0.0 GB are free; only sampling"):
        _ = Lossless(game("leduc")).pairs


def test_buckets_are_suggested_only_for_holdem():
    with pytest.raises(RulesError, match="name card buckets, such as --cards pr5"):
        Lossless(game("limit2p"))
    flop_only = replace(game("nolimit2p"), name="three-street", streets=game("nolimit2p").streets[:3])
    with pytest.raises(RulesError, match="only hold'em has card buckets"):
        Lossless(flop_only)


def test_pairs_that_cannot_fit_are_refused_before_a_game_is_enumerated(monkeypatch):
    rules = game("rhode-island")
    needed = 2 * Lossless(rules).pair_bytes
    monkeypatch.setattr(Lossless, "__init__", None)  # must not be called
    check_pairs_fit(rules, available=needed)
    check_pairs_fit(game("leduc"), available=0)  # only ranks matter
    with pytest.raises(RulesError, match=r"^rhode-island: pairs of hands take about 0 GB, and 0.0 GB are free"):
        check_pairs_fit(rules, available=needed // 2)
