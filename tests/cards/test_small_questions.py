"""A few hands are answered with NumPy alone: the same counts as compiled code, and no compiler is imported."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from pokerlab import caches
from pokerlab.agents.rulebot import mean_hs_of_hand
from pokerlab.cards import card_keys, equity_exact, strength
from pokerlab.cards.card import cards
from pokerlab.cards.card_keys import all_combinations, rank_keys, sums_of
from pokerlab.cards.combos import combo_index
from pokerlab.cards.equity import equity
from pokerlab.cards.evaluate import evaluate_batch, rank_combos, tables
from pokerlab.cards.isomorphism import indexer
from pokerlab.cards.ranges import parse_range
from pokerlab.cards.strength import strength_of_hand
from pokerlab.cards.strength_tables import strength_of
from pokerlab.errors import CardError

SMALL = [
    ["odds", "AdQc", "--board", "3h4cJh"],
    ["equity", "AhKh", "QcQd"],
    ["equity", "AhKh", "99", "--board", "2h7h9c"],
]


@pytest.mark.parametrize("command", SMALL, ids=" ".join)
def test_a_first_question_imports_no_compiler(command):
    script = f"import sys; from pokerlab.cli import main; assert main({command!r}) == 0; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.slow
def test_a_short_match_and_a_small_river_compile_nothing(tmp_path):
    match = ["match", "--agents", "rulebot,caller", "--hands", "100", "--duplicate", "--no-save"]
    river = ["solve", "subgame", "--board", "KsQh7d2c3s", "--ranges", "QQ+ | 22+, KQ", "--pot", "9", "--stack", "9"]
    script = f"from pokerlab.cli import main; assert main({match!r}) == 0 and main({river!r}) == 0"
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment["POKERLAB_CACHE"] = str(tmp_path)
    subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)
    assert list(tmp_path.rglob("*.nbi")) == []


def test_ranks_by_arrays_are_those_of_the_kernel():
    deck = np.tile(np.arange(52, dtype=np.uint8), (20_000, 1))
    for n in (5, 6, 7):
        hands = np.random.default_rng(n).permuted(deck, axis=1)[:, :n]
        assert np.array_equal(rank_keys(*sums_of(hands), tables()), evaluate_batch(hands))


@pytest.mark.parametrize("board", ["3h4cJh", "3h4cJhQs", "3h4cJhQs2d"])
def test_ranks_of_all_combos_by_arrays_are_those_of_the_kernel(board, monkeypatch):
    monkeypatch.setattr(caches, "_left", 1.0)
    plain = rank_combos(cards(board))
    monkeypatch.setattr(caches, "_left", 0.0)
    assert np.array_equal(plain, rank_combos(cards(board)))


@pytest.mark.parametrize("board", ["3h4cJh", "3h4cJhQs", "3h4cJhQs2d", "2c3c4c"])
@pytest.mark.parametrize("vs", [None, "99+, AJ+, KQs:0.5"])
def test_strength_by_arrays_is_that_of_the_kernel(board, vs):
    weights = None if vs is None else parse_range(vs)
    for n_to_come in range(6 - len(cards(board))):
        settings = {"weights": weights, "n_to_come": n_to_come}
        plain, compiled = (
            strength_of_hand(cards("AdQc"), cards(board), by_arrays=by_arrays, **settings)
            for by_arrays in (True, False)
        )
        assert compiled.table.sum() > 10
        assert np.array_equal(plain.table, compiled.table)
        assert plain.mean_hs_squared == pytest.approx(compiled.mean_hs_squared, rel=1e-12)


@pytest.mark.parametrize(
    ("hands", "board"),
    [(["AhKh", "QcQd"], "2h7h"), (["AhKh", "QcQd", "5s5d"], "2h7h9c"), (["AhKh", "99, 76s:0.5"], "2h7h3c")],
)
def test_equity_by_arrays_is_that_of_the_kernel(hands, board, monkeypatch):
    players = [cards(hand) if len(hand) == 4 else parse_range(hand) for hand in hands]
    monkeypatch.setattr(equity_exact, "may_use_arrays", lambda n: True)
    plain = equity(players, cards(board), method="exact", threads=1)
    monkeypatch.setattr(equity_exact, "may_use_arrays", lambda n: False)
    compiled = equity(players, cards(board), method="exact", threads=1)
    assert plain == compiled and plain.n > 900


@pytest.mark.parametrize("board", ["2c3c4c", "3h4cJh", "3h4cJhQh", "3h4cJhQs2d"])
@pytest.mark.parametrize("hole", ["", "AdQc"])
@pytest.mark.parametrize("merge", [True, False])
def test_run_outs_by_arrays_are_those_of_the_kernel(board, hole, merge, monkeypatch):
    for n_to_come in range(6 - len(cards(board))):
        monkeypatch.setattr(caches, "_left", 1.0)
        plain = strength._runouts(cards(board), cards(hole), n_to_come, merge)
        monkeypatch.setattr(caches, "_left", 0.0)
        compiled = strength._runouts(cards(board), cards(hole), n_to_come, merge)
        assert all(np.array_equal(x, y) for x, y in zip(plain, compiled, strict=True))


@pytest.mark.parametrize("rounds", [(2,), (2, 3), (2, 3, 1, 1), (2, 5), (4,)])
def test_indices_by_arrays_are_those_of_the_kernel(rounds, monkeypatch):
    deck = np.tile(np.arange(52), (2_000, 1))
    hands = np.random.default_rng(1).permuted(deck, axis=1)[:, : sum(rounds)]
    plain = indexer(*rounds).index_many(hands)
    monkeypatch.setattr(caches, "_left", 0.0)
    assert np.array_equal(plain, indexer(*rounds).index_many(hands))
    assert len(set(plain.tolist())) > 100


@pytest.mark.parametrize("hand", [[0, 0, 5], [52, 1, 2], [-1, 1, 2]])
def test_cards_that_are_none_are_refused_by_arrays_too(hand, monkeypatch):
    monkeypatch.setattr(caches, "_left", 1.0)
    with pytest.raises(CardError):
        indexer(3).index_many([[7, 8, 9], hand])


@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
def test_a_rule_bot_sees_the_same_strength_however_it_was_computed(n_board, monkeypatch):
    for seed in range(8):
        deal = tuple(np.random.default_rng(seed).permutation(52)[: 2 + n_board].tolist())
        hole, board = deal[:2], deal[2:]
        monkeypatch.setattr(caches, "_left", 1.0)
        plain = mean_hs_of_hand.__wrapped__(hole, board)
        assert plain == strength_of(board).mean_hs[combo_index(*hole)]
        monkeypatch.setattr(caches, "_left", 0.0)
        assert mean_hs_of_hand.__wrapped__(hole, board) == plain


def test_a_process_that_asks_often_turns_to_compiled_code(monkeypatch):
    monkeypatch.setattr(caches, "_left", 1.0)
    assert [caches.may_run_uncompiled(0.3) for _ in range(5)] == [True, True, True, False, False]
    assert not card_keys.may_use_arrays(card_keys.MOST_HANDS)
    monkeypatch.setattr(caches, "_left", 1e9)
    assert card_keys.may_use_arrays(card_keys.MOST_HANDS)
    assert not card_keys.may_use_arrays(card_keys.MOST_HANDS + 1)


def test_all_combinations_of_a_deck():
    assert len(all_combinations(np.arange(48, dtype=np.uint8), 5)) == 1_712_304
    assert all_combinations(np.array([7, 9], np.uint8), 0).shape == (1, 0)
