"""Nested percentiles: cells of equal weight, the same for every relabelling, and pairs as counted one by one."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.abstraction import _buckets_numba as kernels
from pokerlab.abstraction.board_rows import RELABELLED, board_rows
from pokerlab.abstraction.bucket_files import buckets, load_buckets, save_buckets
from pokerlab.abstraction.buckets import INDEX_BITS, Buckets, key_of_hand, keys_of_board
from pokerlab.abstraction.build_buckets import build_buckets, command
from pokerlab.abstraction.percentile_buckets import every_board, flop_keys_of_rows, preflop_cells, sampled_boards
from pokerlab.cards._evaluate_numba import rank_combos
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, MASK_OF_COMBO, combo_index
from pokerlab.cards.evaluate import tables
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.cards.strength_tables import preflop_strength
from pokerlab.errors import CardError, FileError, PokerlabError

N_BOARDS = 30


@pytest.fixture(scope="module")
def pr3():
    return build_buckets("pr3", n_boards=N_BOARDS, seed=7, workers=1)


def boards(n, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.permutation(52)[:5].tolist() for _ in range(n)]


def pairs_one_by_one(made, some_boards):
    """(`met[cell, cell]`, `won less lost[cell, cell]`) over every pair of disjoint hands."""
    size = made.n_cells[3]
    met, won = np.zeros((size, size)), np.zeros((size, size))
    for board in some_boards:
        ranks = np.empty(1326, np.int32)
        rank_combos(np.array(board, np.uint8), tables(), ranks)
        cell, live = made.of_board(board)[3], np.flatnonzero(ranks >= 0)
        for a in live:
            others = live[(MASK_OF_COMBO[live] & MASK_OF_COMBO[a]) == 0]
            np.add.at(met[cell[a]], cell[others], 1)
            np.add.at(won[cell[a]], cell[others], np.sign(ranks[a] - ranks[others]))
    return met, won


def test_every_board_is_mapped_to_its_row():
    for n_cards, n_rows in ((3, 1755), (4, 16432)):
        rows = board_rows(n_cards)
        assert len(rows.boards) == n_rows == rows.row_of_place.max() + 1
        _, multiplicity = canonical_boards(n_cards)
        assert np.array_equal(np.bincount(rows.row_of_place), multiplicity)
        for board in boards(200):
            row, relabelling = rows.find(board[:n_cards])
            held = [combo_index(board[i], board[(i + 1) % n_cards]) for i in range(n_cards)]
            moved = set(CARDS_OF_COMBO[RELABELLED[relabelling, held]].reshape(-1).tolist())
            assert moved == set(rows.boards[row].tolist())


def test_preflop_cells_are_fifths_of_the_combos_by_squared_strength():
    cells, squared = preflop_cells(5), preflop_strength()[1][CLASS_OF_COMBO]
    assert np.bincount(cells).tolist() == [264, 268, 264, 266, 264]
    for cell in range(4):
        assert squared[cells == cell].max() < squared[cells == cell + 1].min()
    assert cells[combo_index(*cards("AsAh"))] == 4 and cells[combo_index(*cards("7c2d"))] == 0


@pytest.mark.slow
def test_flop_cells_are_equal_parts_of_their_parents():
    """Over all flops and hands: the parts of a parent are equal up to the weight of one hand."""
    pr3 = build_buckets("pr3", n_boards=2, workers=1)
    segments = pr3.segments_of_keys(1, flop_keys_of_rows())
    cells = pr3.cell_of_segment(1)[pr3.preflop[None, :], segments]
    boards, multiplicity = canonical_boards(3)
    masks = np.array([sum(1 << int(c) for c in board) for board in boards], dtype=np.uint64)
    live = (MASK_OF_COMBO[None, :] & masks[:, None]) == 0
    weight = np.bincount(cells[live], np.broadcast_to(multiplicity[:, None], cells.shape)[live]).reshape(3, 3)
    assert weight.sum() == 22100 * 1176
    assert weight / weight.sum(axis=1, keepdims=True) == pytest.approx(np.full((3, 3), 1 / 3), abs=2e-6)


@pytest.mark.slow
def test_turn_and_river_cells_are_equal_parts_over_the_boards_they_were_made_from(pr3):
    """Over the sample's hands: thirds of each parent, up to the weight of one value or step of the index."""
    count = [np.zeros(n) for n in pr3.n_cells]
    for board in sampled_boards(N_BOARDS, 7).cards.tolist():
        for street, cell in enumerate(pr3.of_board(board)):
            np.add.at(count[street], cell[cell >= 0], 1)
    for street in (2, 3):
        parts = count[street].reshape(-1, 3)
        assert parts.sum() == N_BOARDS * (1128 if street == 2 else 1081)
        assert np.abs(parts / parts.sum(axis=1, keepdims=True) - 1 / 3).max() < 0.02


@pytest.mark.slow
def test_a_cell_determines_the_cells_before_it(pr3):
    for board in boards(5):
        cells = pr3.of_board(board)
        assert [len(c) for c in cells] == [1326] * 4
        for before, after, dealt in zip(cells, cells[1:], (3, 4, 5), strict=False):
            live = after >= 0
            assert live.sum() == {3: 1176, 4: 1128, 5: 1081}[dealt]
            assert np.array_equal(after[live] // 3, before[live])


def test_stronger_hands_of_a_parent_are_in_higher_cells(pr3):
    board = cards("3h4cJhQs2d")
    cells, keys = pr3.of_board(board), kernels.MOST_SCORE * strength(board)
    for parent in np.unique(cells[2][cells[3] >= 0]):
        at = (cells[2] == parent) & (cells[3] >= 0)
        order = np.argsort(keys[at], kind="stable")
        assert (np.diff(np.sort(cells[3][at])) >= 0).all()
        highest = np.maximum.accumulate(cells[3][at][order])
        behind = cells[3][at][order] < highest  # only among tied hands
        for score, is_behind in zip(keys[at][order], behind, strict=True):
            assert not is_behind or (np.isclose(keys[at], score)).sum() > 1


def strength(board):
    from pokerlab.cards.strength import strength_of_board

    return strength_of_board(board).hs


def test_the_cell_of_one_hand_agrees_with_its_board(pr3):
    for board in boards(4, seed=3):
        cells = pr3.of_board(board)
        for street, size in enumerate((0, 3, 4, 5)):
            for combo in np.flatnonzero(cells[3] >= 0)[::270]:
                assert pr3.of_hand(CARDS_OF_COMBO[combo].tolist(), board[:size]) == cells[street][combo]


def test_single_hands_of_the_shipped_buckets_agree_with_their_boards():
    """On every street: random hands, and all hands whose value is that of a boundary, where the index decides."""
    pr5, rng, n_at_a_border = buckets("pr5"), np.random.default_rng(8), 0
    for board in boards(25, seed=9):
        cells = pr5.of_board(board)
        live = np.flatnonzero(cells[3] >= 0)
        at_a_border = np.zeros(len(live), bool)
        for street in (1, 2, 3):
            borders, keys = pr5.keys[street - 1][cells[street - 1][live]], keys_of_board(board[: street + 2])[live]
            at_a_border |= (borders >> INDEX_BITS == (keys >> INDEX_BITS)[:, None]).any(axis=1)
        n_at_a_border += at_a_border.sum()
        for combo in {*live[at_a_border].tolist(), *rng.choice(live, 10).tolist()}:
            hole = CARDS_OF_COMBO[combo].tolist()
            expected = [int(cell[combo]) for cell in cells]
            assert [pr5.of_hand(hole, board[:size]) for size in (0, 3, 4, 5)] == expected
            assert pr5.of_hand(hole[::-1], [*board[2::-1], *board[3:]]) == expected[3]
    assert n_at_a_border > 500


def test_the_key_of_one_hand_agrees_with_its_board():
    for board in boards(8, seed=10):
        for size in (3, 4, 5):
            keys = keys_of_board(board[:size])
            for combo in np.flatnonzero(keys >= 0)[::59]:
                assert key_of_hand(tuple(CARDS_OF_COMBO[combo].tolist()), tuple(board[:size])) == keys[combo]


def test_relabelling_the_suits_changes_nothing(pr3):
    rng = np.random.default_rng(5)
    for board in boards(6, seed=4):
        suits = rng.permutation(4)
        relabel = [4 * (c // 4) + int(suits[c % 4]) for c in range(52)]
        moved = np.array([combo_index(relabel[a], relabel[b]) for a, b in CARDS_OF_COMBO])
        flop = [relabel[c] for c in board[:3]][::-1]  # in another order as well
        there = pr3.of_board([*flop, relabel[board[3]], relabel[board[4]]])
        for here, other in zip(pr3.of_board(board), there, strict=True):
            assert np.array_equal(here, other[moved])


def test_the_kernel_agrees_with_the_readable_twin(pr3):
    """With tables for the turns of a few boards only; ranks are the evaluator's."""
    from dataclasses import replace

    some = boards(12, seed=6)
    turns = board_rows(4)
    places = [turns.find(board[:4])[0] for board in some]
    used = np.unique(places)
    row_of = np.zeros(len(turns.boards), np.int32)
    row_of[used] = np.arange(len(used))
    turn = np.stack([pr3._segments_of_row(2, row) for row in used])
    whole = replace(pr3, segments=(pr3.segments_of_keys(1, flop_keys_of_rows()), turn))
    lookup = whole.lookup(row_of[turns.row_of_place])
    cells, entries = np.empty((4, 1326), np.int32), np.empty(1326, np.uint32)
    ranks, scores, expected = (np.empty(1326, np.int32) for _ in range(3))
    for board in some:
        n_live = kernels.score_combos(np.array(board, np.uint8), tables(), ranks, entries, scores)
        kernels.cells_of_board(np.array(board, np.uint8), scores, lookup, kernels.new_tied(1326), cells)
        assert n_live == 1081 and np.array_equal(scores[scores >= 0], np.rint(1980 * strength(board))[scores >= 0])
        rank_combos(np.array(board, np.uint8), tables(), expected)
        assert np.array_equal(ranks, expected)
        live = ranks >= 0
        for street, twin in enumerate(pr3.of_board(board)):
            assert np.array_equal(cells[street][live], twin[live])
            assert (cells[street][~live] == -1).all()


def test_pair_matrices_agree_with_counting_pairs():
    few = build_buckets("pr2", n_boards=3, seed=9, workers=1)
    met, won = pairs_one_by_one(few, sampled_boards(3, 9).cards.tolist())
    assert met.sum() == 3 * 1081 * 990
    assert np.allclose(few.joint, met / met.sum(), rtol=1e-6, atol=0)
    assert np.allclose(few.showdown, won / met.sum(), rtol=1e-6, atol=1e-12)


def test_joint_is_a_symmetric_distribution_and_showdown_antisymmetric(pr3):
    assert pr3.joint.sum(dtype=np.float64) == pytest.approx(1, abs=1e-6)
    assert np.array_equal(pr3.joint, pr3.joint.T) and pr3.joint.min() >= 0
    assert np.array_equal(pr3.showdown, -pr3.showdown.T)
    assert (np.abs(pr3.showdown) <= pr3.joint * (1 + 1e-6)).all()


def test_pairs_of_earlier_streets_are_sums_over_later_cells(pr3):
    pairs = pr3.pairs
    assert pairs.n_cells == (3, 9, 27, 81)
    for street, parent in enumerate(pairs.parent):
        assert pairs.joint[street].sum() == pytest.approx(1, abs=1e-12)
        assert np.array_equal(parent, np.zeros(3) if street == 0 else np.arange(3 ** (street + 1)) // 3)
    blocks = pairs.joint[3].reshape(3, 27, 3, 27).sum(axis=(1, 3))
    assert pairs.joint[0][0] == pytest.approx(blocks, abs=1e-12)
    assert pairs.showdown[1][0] == pytest.approx(pairs.showdown[3].reshape(9, 9, 9, 9).sum(axis=(1, 3)), abs=1e-12)
    assert pairs.showdown[0][0, 2, 0] > 0.2 * pairs.joint[0][0, 2, 0]  # the best third beats the worst more often


def test_the_same_bits_from_any_number_of_threads(pr3):
    other = build_buckets("pr3", n_boards=N_BOARDS, seed=7, workers=2)
    assert np.array_equal(pr3.joint, other.joint) and np.array_equal(pr3.showdown, other.showdown)
    assert all(np.array_equal(a, b) for a, b in zip(pr3.keys, other.keys, strict=True))
    third = build_buckets("pr3", n_boards=N_BOARDS, seed=8, workers=2)
    assert not np.array_equal(pr3.joint, third.joint)


def test_saved_and_loaded(pr3, tmp_path):
    path = tmp_path / "pr3.bin"
    save_buckets(pr3, path, command="here")
    back = load_buckets(path)
    assert (back.name, dict(back.recipe), back.n_cells) == ("pr3", dict(pr3.recipe), (3, 9, 27, 81))
    board = boards(1)[0]
    assert all(np.array_equal(a, b) for a, b in zip(pr3.of_board(board), back.of_board(board), strict=True))
    damaged = bytearray(path.read_bytes())
    damaged[-1000] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(FileError, match=r"pr3\.bin is damaged: the checksum of showdown"):
        load_buckets(path)


def test_a_file_of_another_layout_is_refused(pr3, tmp_path, monkeypatch):
    path = tmp_path / "pr3.bin"
    monkeypatch.setattr("pokerlab.abstraction.bucket_files.LAYOUT", 0)
    save_buckets(pr3, path, command="here")
    monkeypatch.undo()
    with pytest.raises(FileError, match="layout 0; this pokerlab reads layout 1"):
        load_buckets(path)


def test_the_buckets_that_ship():
    pr5 = buckets("pr5")
    assert pr5.joint.shape == (625, 625) and pr5.joint.sum(dtype=np.float64) == pytest.approx(1, abs=1e-6)
    by_cell = pr5.joint.sum(axis=1, dtype=np.float64)
    assert by_cell.reshape(5, 125).sum(axis=1) == pytest.approx(np.bincount(pr5.preflop) / 1326, abs=3e-4)
    assert by_cell.reshape(125, 5) / by_cell.reshape(125, 5).sum(axis=1, keepdims=True) == pytest.approx(
        np.full((125, 5), 0.2), abs=0.002
    )


@pytest.mark.slow
def test_multiplicities_of_canonical_boards_sum_to_all_boards():
    every = every_board()
    assert every.cards.shape == (2_554_656, 5)
    assert every.weights.sum() == 22100 * 49 * 48
    some = np.sort(every.cards[::997], axis=1)
    assert (np.diff(some.astype(int), axis=1) > 0).all()  # five different cards


def test_the_command_that_rebuilds_buckets():
    assert command("pr5", n_boards=None, seed=1) == "pokerlab buckets build pr5 --boards 0 --out DIR"
    assert command("pr8", n_boards=7, seed=2) == "pokerlab buckets build pr8 --boards 7 --seed 2"
    assert command("ir9", n_boards=7, seed=2) == "pokerlab buckets build ir9 --seed 2"


def test_missing_buckets_are_a_one_line_error(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    with pytest.raises(PokerlabError, match="pr4 are not built yet: pokerlab buckets build pr4"):
        buckets("pr4")
    for name in ("pr1", "pr11", "ir", "hs5", "pr05", "../pr5"):
        with pytest.raises(PokerlabError, match=r"there are pr2 \.\. pr10, ir2 \.\. ir1981"):
            buckets(name)
    with pytest.raises(PokerlabError, match="1 board or more, not 0"):
        build_buckets("pr2", n_boards=0)


def test_with_imperfect_recall_a_hand_agrees_with_its_board():
    """Made-up tables of clusters, a number for each hand up to suits, and a river of three intervals."""
    segments = tuple(
        (board_rows(n).boards.sum(axis=1)[:, None] + np.arange(1326) % 50).astype(np.uint16) for n in (3, 4)
    )
    river = np.array([[500, 1500]]) << INDEX_BITS
    none = np.zeros((1, 0), np.int64)
    made = Buckets(
        "ir300", {}, (169, 300, 300, 3), False, CLASS_OF_COMBO.astype(np.int32), (none, none, river), segments
    )
    for board in boards(4, seed=11):
        cells = made.of_board(board)
        for combo in np.flatnonzero(cells[3] >= 0)[::101]:
            hole = CARDS_OF_COMBO[combo].tolist()
            assert [made.of_hand(hole, board[:size]) for size in (0, 3, 4, 5)] == [int(c[combo]) for c in cells]


def test_bad_cards_are_one_line(pr3):
    with pytest.raises(CardError, match="boards of 0, 3, 4 or 5 cards, not 2"):
        pr3.of_board(cards("3h4c"))
    with pytest.raises(CardError, match="3h is both in hole and in board"):
        pr3.of_hand(cards("3hQc"), cards("3h4cJh"))
    with pytest.raises(CardError, match="2 hole cards, not 1"):
        pr3.of_hand(cards("3h"), [])
