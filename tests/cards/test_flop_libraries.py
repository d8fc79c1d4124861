"""Libraries of flops: what they hold, and how they are chosen and measured."""

import json

import numpy as np
import pytest

from pokerlab.cards.board_texture import texture
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, class_index
from pokerlab.cards.equity import equity
from pokerlab.cards.evaluate import tables
from pokerlab.cards.flop_equities import FIRST, SECOND, FlopEquities, kernels, live_pairs
from pokerlab.cards.flop_libraries import SIZES, flop_library, libraries_text
from pokerlab.cards.flop_selection import Flops, choose, fitted_weights, texture_table, whole_weights
from pokerlab.cards.isomorphism import canonical_boards, indexer
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import FileError, PokerlabError


def pair(first, second):
    """The number of a pair of classes, the first of which comes first in the grid."""
    return int(np.flatnonzero((class_index(first) == FIRST) & (class_index(second) == SECOND))[0])


@pytest.mark.parametrize("size", SIZES)
def test_a_library_stands_for_all_flops_and_contains_the_smaller_ones(size):
    library = flop_library(size)
    assert len(library) == size and sum(library.values()) == 22_100 and min(library.values()) >= 22_100 / size / 5
    assert len(set(indexer(3).index_many(np.array(list(library))).tolist())) == size  # no two alike
    assert all(flop in library for smaller in SIZES if smaller < size for flop in flop_library(smaller))


def test_textures_come_as_often_as_among_all_flops():
    flops, counts = canonical_boards(3)
    for by in ("suits", "pairs", "straights"):
        for size, off in ((23, 0.03), (184, 0.01)):
            library = flop_library(size)
            for word in {getattr(texture(flop), by) for flop in flops.tolist()}:
                every = sum(
                    n for flop, n in zip(flops.tolist(), counts, strict=True) if getattr(texture(flop), by) == word
                )
                some = sum(n for flop, n in library.items() if getattr(texture(flop), by) == word)
                assert abs(some - every) < off * 22_100, (size, word)


def test_a_library_of_another_size_or_a_damaged_file_is_refused(tmp_path):
    with pytest.raises(PokerlabError, match="23, 49, 95 or 184 flops, not 24"):
        flop_library(24)
    (tmp_path / "other.json").write_text('{"layout": 2}')
    with pytest.raises(FileError, match="has layout 2; this pokerlab reads layout 1"):
        flop_library(23, tmp_path / "other.json")
    with pytest.raises(FileError, match="cannot read the libraries"):
        flop_library(23, tmp_path / "none.json")


def test_what_is_written_is_read(tmp_path):
    named = {size: {"AsKsQs": 22_000, "7h2d2c": 100} for size in SIZES} | {23: {"AsKsQs": 22_100}}
    path = tmp_path / "libraries.json"
    path.write_text(libraries_text({"version": "1"}, named))
    assert json.loads(path.read_text())["version"] == "1"
    assert flop_library(23, path) == {cards("AsKsQs"): 22_100}
    assert flop_library(49, path) == {cards("AsKsQs"): 22_000, cards("7h2d2c"): 100}


@pytest.mark.slow
def test_shares_of_classes_on_a_board_are_those_of_equity():
    """Five cards are one flop with one run-out: shares must be those that `equity` counts."""
    board = cards("Ks7h2d5c8s")
    total = np.zeros((1, len(FIRST)), np.int32)
    everything = (CARDS_OF_COMBO.astype(np.uint8), CLASS_OF_COMBO.astype(np.uint8), tables())
    kernels.add_boards(np.array([board], np.uint8), np.array([3]), np.zeros((1, 1), np.int64), *everything, total)
    pairs = live_pairs(np.array(board, np.int8))
    for first, second in (("AA", "KQs"), ("AKs", "AKo"), ("77", "76s"), ("QJs", "22")):
        result = equity([parse_range(first), parse_range(second)], board)
        at = pair(first, second)
        assert total[0, at] / 6 == pytest.approx(result.equity[0] * pairs[at]), (first, second)
        assert pairs[at] == result.total
    own = pair("AKo", "AKo")
    assert total[0, own] / 6 == pairs[own] / 2  # against itself a class wins half
    assert pairs[own] == sum(not {a, b} & {c, d} for a, b in _hands("AKo", board) for c, d in _hands("AKo", board))


def _hands(text, board):
    held = CARDS_OF_COMBO[parse_range(text) > 0].tolist()
    return [hand for hand in held if not set(hand) & set(board)]


def made_up(n_flops, n_pairs=40):
    """Flops with few pairs of classes, of random equity."""
    drawn = np.random.default_rng(5)
    x = drawn.normal(0, 1, (n_flops, n_pairs))
    return x @ x.T / n_pairs


def test_choosing_lowers_what_is_left_and_nests():
    products = made_up(60)
    sets = choose(products, (4, 9))
    (few, few_weights), (more, more_weights) = sets
    assert more[:4] == few and len(set(more)) == 9
    left = [w @ products[np.ix_(rows, rows)] @ w for rows, w in sets]
    drawn = np.random.default_rng(6)
    by_chance = [drawn.choice(60, 9, replace=False).tolist() for _ in range(50)]
    best = min(
        fitted_weights(products, rows) @ products[np.ix_(rows, rows)] @ fitted_weights(products, rows)
        for rows in by_chance
    )
    assert left[1] < left[0] and left[1] < best
    for weights in (few_weights, more_weights):
        assert weights.sum() == pytest.approx(1) and weights.min() >= 0.25 / len(weights) - 1e-9


def test_fitted_weights_are_the_best_ones():
    products = made_up(12)
    rows = [0, 3, 4, 7, 8]
    weights = fitted_weights(products, rows)
    part = products[np.ix_(rows, rows)]
    least = weights @ part @ weights
    for seed in range(200):
        other = 0.05 + 0.75 * np.random.default_rng(seed).dirichlet(np.ones(5))
        assert other @ part @ other >= least - 1e-9


def test_whole_weights_add_up():
    assert whole_weights(np.array([0.5, 0.3, 0.2]), 7).tolist() == [4, 2, 1]
    assert whole_weights(np.full(3, 1 / 3), 10).sum() == 10


def test_the_measure_is_zero_for_all_flops_and_counts_what_is_missing():
    flops, counts = (each[:40] for each in canonical_boards(3))
    pairs = np.stack([live_pairs(flop) for flop in flops])
    won = pairs * np.random.default_rng(4).uniform(0, 1, pairs.shape).astype(np.float32)
    won[:, FIRST == SECOND] = pairs[:, FIRST == SECOND] / 2
    every = Flops(FlopEquities(flops, counts, pairs, won))
    assert max(every.kept(range(40), counts.astype(float))) < 1e-4
    kept = every.kept([3], np.ones(1))
    often = counts / counts.sum() @ pairs
    errors = np.where(pairs[3] > 0, won[3] / np.maximum(pairs[3], 1), 0.5) - every.equities.equity
    assert kept.pairs == pytest.approx(100 * np.sqrt(often @ errors**2 / often.sum()), rel=1e-4)
    table = texture_table(flops)
    share = counts / counts.sum()
    assert kept.textures == pytest.approx(100 * np.abs(table[3] - share @ table).max())
    again = [every.random_sets(5, 3, seed=seed) for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2] and len(again[0]) == 3
