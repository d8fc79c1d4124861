"""Card features: an example of each, the definition against the compiled code, and their nesting."""

from pathlib import Path

import numpy as np
import pytest
from oracles.hand_features import defined_features

from pokerlab.cards.card import cards
from pokerlab.cards.card_features import card_features, features_of, features_on
from pokerlab.cards.feature_names import (
    BOARD_COLUMNS,
    BOARD_FEATURES,
    BOARD_NAMES,
    BOARD_SCALE,
    FIRST_COLUMNS,
    ORDER_COLUMNS,
    PRIVATE_COLUMNS,
    PRIVATE_FEATURES,
    PRIVATE_NAMES,
    PRIVATE_SCALE,
    UNORDERED_RIVER,
)
from pokerlab.errors import CardError

STREET = {0: "pre-flop", 3: "flop", 4: "turn", 5: "river"}
NAMES = (*BOARD_NAMES, *PRIVATE_NAMES)


def _examples() -> list[tuple[str, str, dict[str, int]]]:
    found = []
    for line in (Path(__file__).parent / "card_features.txt").read_text().splitlines():
        if not line.startswith("#"):
            shown, _, features = line.partition(": ")
            hand, board = shown.replace("-", "").split(" ")
            found.append((hand, board, {n: int(v) for n, _, v in (f.rpartition(" ") for f in features.split(", "))}))
    return found


def _last_street(found: dict[str, int], n_board: int) -> dict[str, int]:
    street = STREET[n_board] + "/"
    named = {name.replace("river-unordered/", "river/unordered/"): value for name, value in found.items()}
    return {name.removeprefix(street): value for name, value in named.items() if name.startswith(street)}


def _structured_deals(n: int, seed: int) -> list[list[int]]:
    """Deals of seven cards: some random, some of few neighbouring ranks, some of few ranks, some mostly of a suit."""
    rng = np.random.default_rng(seed)
    deals = []
    for i in range(n):
        low = int(rng.integers(9))
        ranks = [range(13), range(low, low + 4), rng.permutation(13)[:3], range(13)][i % 4]
        deck = [4 * int(rank) + suit for rank in ranks for suit in range(1 if i % 4 == 3 else 4)]
        more = [card for card in range(52) if card not in deck]
        deck = list(rng.permutation(deck))[:5] + list(rng.permutation(more))[:2] if i % 4 == 3 else deck
        deals.append([int(card) for card in rng.permutation(deck)[:7]])
    return deals


@pytest.mark.parametrize("hand, board, expected", _examples())
def test_examples_by_definition_and_compiled(hand, board, expected):
    hole, seen = cards(hand), cards(board)
    assert _last_street(features_on(hole, seen), len(seen)) == expected
    assert _last_street(defined_features(hole, seen), len(seen)) == expected


def test_every_feature_has_an_example():
    shown = {
        f"{STREET[len(cards(board))]}/{name}".replace("river/unordered/", "river-unordered/")
        for _, board, expected in _examples()
        for name in expected
    }
    assert shown == set(NAMES)


@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
def test_the_definition_agrees_with_the_compiled_features(n_board):
    for deal in _structured_deals(60, n_board):
        hole, board = deal[:2], deal[2 : 2 + n_board]
        values = np.concatenate(features_of(hole, board))
        assert {n: int(v) for n, v in zip(NAMES, values, strict=True) if v} == defined_features(hole, board)


def test_many_deals_agree_with_single_deals():
    deals = np.array(_structured_deals(200, 1))
    found = card_features(deals[:, None, :2], deals[:, 2:])
    for deal, board, private in zip(deals.tolist(), found.board, found.private[:, 0], strict=True):
        one = features_of(deal[:2], deal[2:])
        assert (one.board == board).all() and (one.private == private).all()


def test_values_stay_within_their_scales_and_a_nested_feature_needs_its_parent():
    deals = np.array(_structured_deals(8_000, 2))
    found = card_features(deals[:, None, :2], deals[:, 2:])
    assert (found.board >= 0).all() and (found.board <= BOARD_SCALE).all()
    assert (found.private >= 0).all() and (found.private <= PRIVATE_SCALE).all()
    on = dict(zip(NAMES, (np.concatenate([found.board, found.private[:, 0]], axis=1) != 0).T, strict=True))
    nested = [(name, name.rpartition("/")[0]) for name in NAMES if name.rpartition("/")[0] in on]
    assert len(nested) == 169
    assert [name for name, parent in nested if (on[name] & ~on[parent]).any()] == []


def test_permuting_suits_and_hole_cards_changes_nothing():
    deals = np.array(_structured_deals(2_000, 3))
    suits = np.array([2, 0, 3, 1])
    other = deals // 4 * 4 + suits[deals % 4]
    one, two = (card_features(d[:, None, :2], d[:, 2:]) for d in (deals, np.c_[other[:, 1::-1], other[:, 2:]]))
    assert (one.board == two.board).all() and (one.private == two.private).all()
    assert (
        one.private.any() and not (one.private == card_features(deals[::-1, None, :2], deals[::-1, 2:]).private).all()
    )


def test_the_order_of_a_board_matters_to_all_but_the_unordered():
    one, two = (features_of(cards("AsKd"), cards(board)).board for board in ("9h8h2cTc3s", "9h2cTc8h3s"))
    assert (one[UNORDERED_RIVER] == two[UNORDERED_RIVER]).all()
    assert not (one[BOARD_COLUMNS[1]] == two[BOARD_COLUMNS[1]]).all()


def test_counts_by_street():
    """Table 9-1 prints 0, 19, 22, 38 and 30 for the board and 6, 71, 95, 82 for the hand; the list has fewer."""
    assert [c.stop - c.start for c in (*BOARD_COLUMNS, UNORDERED_RIVER)] == [0, 16, 25, 34, 30]
    assert [c.stop - c.start for c in PRIVATE_COLUMNS] == [6, 74, 95, 82]
    assert [c.stop - c.start for c in ORDER_COLUMNS] == [0, 2, 4, 10]
    assert all(first.stop == order.start for first, order in zip(FIRST_COLUMNS, ORDER_COLUMNS, strict=True))
    assert [sum(f.printed for f in PRIVATE_FEATURES[c]) for c in PRIVATE_COLUMNS] == [6, 72, 87, 71]
    assert all(feature.printed for feature in BOARD_FEATURES)


@pytest.mark.parametrize(
    "hand, board, expected",
    [
        (
            "Kh5h",
            "TsTcKd5s",
            {"turn/pair-board/paired-kicker/unmatched": 4},
        ),  # both kickers paired: the lower is unmatched
        ("3h3d", "KsKc9d9h5s", {"river/two-pair-board/hi-rank": 2}),  # a pocket pair that does not play is a high card
        ("9h8d", "KsKcTdTh8s", {"river/two-pair-board/hi-rank": 8}),  # nor does a pair of the kicker below both pairs
        ("As2d", "", {"pre-flop/straights": 1}),  # the ace is low as well
        ("KcKd", "5d5sKh2c", {"turn/pair-board/full-pocket": 1}),
        ("2h2d", "5d5sKh2c", {"turn/pair-board/higher-pocket-fulls": 1}),  # counted for pocket pairs, too
        ("AhKs", "QdJcTs2s3s", {"river/two-gap-straight": 1}),
        ("6h2d", "7d8c9sTsKs", {"river/one-gap-straight": 1, "river/higher-one-gaps": 1, "river/higher-two-gaps": 2}),
    ],
)
def test_choices_where_the_list_is_silent(hand, board, expected):
    found = features_on(cards(hand), cards(board))
    assert {name: found.get(name, 0) for name in expected} == expected


def test_bad_hands_and_arrays_are_refused():
    with pytest.raises(CardError, match="2 cards and a board of 0, 3, 4 or 5, not of 2 and 2"):
        features_of((0, 1), (2, 3))
    with pytest.raises(CardError, match="As is both in hole and in board"):
        features_on(cards("AsKd"), cards("As7h2c"))
    with pytest.raises(CardError, match=r"not \(3, 2\) and \(3, 5\)"):
        card_features(np.zeros((3, 2)), np.zeros((3, 5)))
