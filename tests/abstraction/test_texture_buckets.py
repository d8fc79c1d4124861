"""Cells by texture and strength: textures by hand, one answer for hand, board and kernel, parts as large as asked."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.abstraction._bucket_deals_numba import cells_of_boards
from pokerlab.abstraction._buckets_numba import N_TEXTURES, texture
from pokerlab.abstraction.board_rows import RELABELLED_CARD, board_rows
from pokerlab.abstraction.bucket_files import kind_of_name, load_buckets, save_buckets
from pokerlab.abstraction.buckets import INDEX_BITS, Buckets, means_and_squares_of_board
from pokerlab.abstraction.build_buckets import command
from pokerlab.abstraction.texture_buckets import N_VARIED, _grid, cuts
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_COMBOS, combo_index, live_combos
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.errors import FileError, PokerlabError
from pokerlab.rng import stream


@pytest.fixture(scope="module")
def made() -> Buckets:
    """Two parts by strength, each cut into four, and three parts on the river."""
    grid = np.array([[0, 2**27, 2**28, 3 * 2**27], [30_000, 2**28, 2**29, 2**30]])
    none, river = np.zeros((1, 0), np.int64), np.tile(np.array([500, 1500]) << INDEX_BITS, (N_TEXTURES[5], 1))
    n_cells = (169, 8 * N_TEXTURES[3], 8 * N_TEXTURES[4], 3 * N_TEXTURES[5])
    preflop = CLASS_OF_COMBO.astype(np.int32)
    return Buckets("tx8-8-3", {}, n_cells, False, preflop, (none, none, river), grids=(grid, grid))


@pytest.mark.parametrize(
    ("board", "number"),
    [
        ("Ks7h2d", 0), ("KsKh2d", 1), ("Ks7s2d", 2), ("Ks7s2s", 4),
        ("Ks7h2d3c", 0), ("Ks7s2d7h", 3), ("Ks7s2s3s", 4),
        ("Ks7h2d3c9s", 0), ("AsKh2d3c4s", 1), ("Ks7s2s3c9h", 4), ("Ks7s2s3s2h", 10), ("Ts7s8s9s2s", 9),
    ],
)  # fmt: skip
def test_textures_count_suits_pairs_and_straights(board, number):
    dealt = np.array(cards(board), np.uint8)
    assert texture(dealt, len(dealt)) == texture.py_func(dealt, len(dealt)) == number


def test_a_texture_is_the_same_under_every_relabelling_of_suits():
    rng = stream(5, "textures")
    for size, n_textures in N_TEXTURES.items():
        seen = set()
        for _ in range(60):
            board = rng.permutation(52)[:size]
            of_all = {int(texture(moved[board].astype(np.uint8), size)) for moved in RELABELLED_CARD}
            assert len(of_all) == 1
            seen |= of_all
        assert max(seen) < n_textures and len(seen) > 3


def test_hand_board_and_kernel_agree(made):
    rng = stream(6, "boards")
    dealt = np.array([rng.permutation(52)[:5] for _ in range(3)], np.uint8)
    rows = (1755, 16_432)
    tabled = Buckets(
        made.name, {}, made.n_cells, False, made.preflop, made.keys,
        tuple(np.zeros((n, N_COMBOS), np.uint16) for n in rows), grids=made.grids,
    )  # fmt: skip
    for board in dealt.tolist():
        for street, size in ((1, 3), (2, 4)):
            row, _ = board_rows(size).find(board[:size])
            table = tabled.segments[street - 1]
            assert table is not None
            table[row] = made.segments_of_board(street, board_rows(size).boards[row].tolist())
    cells, ranks = np.empty((3, 4, N_COMBOS), np.int32), np.empty((3, N_COMBOS), np.int32)
    cells_of_boards(dealt, tabled.lookup(), cells, ranks)
    for by_kernel, board in zip(cells, dealt.tolist(), strict=True):
        of_board = made.of_board(board)
        for combo in np.flatnonzero(by_kernel[3] >= 0)[::97]:
            hole = CARDS_OF_COMBO[combo].tolist()
            of_hand = [made.of_hand(hole, board[:size]) for size in (0, 3, 4, 5)]
            assert of_hand == by_kernel[:, combo].tolist() == [int(cell[combo]) for cell in of_board]
    assert len(np.unique(cells[:, 1])) > 8 and len(np.unique(cells[:, 3])) > 3


def test_a_draw_and_a_made_hand_of_the_same_strength_lie_apart(made):
    flop = cards("Ks7s2d")
    mean, squared = means_and_squares_of_board(flop)
    draw, pair = (combo_index(*cards(hand)) for hand in ("As3s", "7h6c"))
    varies = squared * 65535 - mean**2
    assert abs(int(mean[draw]) - int(mean[pair])) < 0.08 * 65535
    assert varies[draw] > 1.3 * varies[pair]


def test_parts_hold_the_shares_of_hands_that_they_should():
    grid = _grid(4, 3, 1, lambda what, done, total: None)
    assert grid.shape == (4, N_VARIED)
    boards, times = canonical_boards(3)
    count = np.zeros((4, N_VARIED))
    probe = Buckets("p", {}, (169,), False, CLASS_OF_COMBO, (grid, grid, grid), grids=(grid, grid))
    for board, weight in list(zip(boards.tolist(), times.tolist(), strict=True))[::7]:
        live = live_combos(sum(1 << card for card in board))
        count += weight * np.bincount(probe.segments_of_board(1, board)[live], minlength=16).reshape(4, N_VARIED)
    share = count / count.sum()
    assert np.cumsum(share.sum(axis=1))[:3] == pytest.approx(cuts(4), abs=0.01)
    assert share / share.sum(axis=1, keepdims=True) == pytest.approx(0.25, abs=0.03)


def test_they_are_saved_and_a_damaged_grid_is_one_line(made, tmp_path):
    path = tmp_path / "tx8-8-3.bin"
    save_buckets(made, path, command=command("tx8-8-3", n_boards=7, seed=1))
    again = load_buckets(path)
    assert command("tx8-8-3", n_boards=7, seed=1) == "pokerlab buckets build tx8-8-3"
    board = cards("3h4cJhQs2d")
    assert all(np.array_equal(a, b) for a, b in zip(again.of_board(board), made.of_board(board), strict=True))
    assert again.grids is not None and made.grids is not None
    short = Buckets(
        made.name, {}, made.n_cells, False, made.preflop, made.keys, grids=(made.grids[0][:1], made.grids[1])
    )
    save_buckets(short, path, command="")
    with pytest.raises(FileError, match="a grid of 4 parts does not fit 48 cells"):
        load_buckets(path)


def test_names_say_how_many_parts():
    assert kind_of_name("tx160-160-100") == ("tx", (160, 160, 100))
    with pytest.raises(PokerlabError, match="tx6-8-8: on flop and turn, tx buckets have a multiple of 4 parts"):
        kind_of_name("tx6-8-8")
    for name in ("tx8-8", "tx8-8-1", "tx8-8-8-8", "tx8-8-999999"):
        with pytest.raises(PokerlabError, match="no card buckets are called"):
            kind_of_name(name)
