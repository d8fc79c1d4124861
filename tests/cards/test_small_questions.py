"""A few hands are answered with NumPy alone: the same counts as compiled code, and no compiler is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pokerlab import caches
from pokerlab.agents.rulebot import mean_hs_of_hand
from pokerlab.bench.first_touch import HISTORY
from pokerlab.cards import _equity_numba, _equity_random_numba, card_keys, strength
from pokerlab.cards.card import cards
from pokerlab.cards.card_keys import all_combinations, rank_keys, sums_of
from pokerlab.cards.combos import combo_index
from pokerlab.cards.equity import AFFORDABLE_SECONDS, equity
from pokerlab.cards.equity_arrays import Deal
from pokerlab.cards.equity_exact import random_seconds
from pokerlab.cards.equity_question import make_question
from pokerlab.cards.equity_sampled import _Sampler, sampled_seconds
from pokerlab.cards.evaluate import evaluate_batch, rank_combos, tables
from pokerlab.cards.isomorphism import indexer
from pokerlab.cards.ranges import parse_player, parse_range
from pokerlab.cards.strength import strength_of_hand
from pokerlab.cards.strength_tables import strength_of
from pokerlab.errors import CardError

SMALL = [
    ["odds", "AdQc", "--board", "3h4cJh"],
    ["equity", "AhKh", "QcQd"],
    ["equity", "AhKh", "99", "--board", "2h7h9c"],
    ["equity", "AhKh", "99+, AKs"],
    ["equity", "AhKh", "QcQd", "random"],
    ["equity", "AhKh", "99+, AKs", "random", "--board", "2h7h9c"],
    ["equity", "AA", "random", "random"],
    ["equity", "AhKh", "QcQd", "99+, AKs", "random"],
]


@pytest.mark.parametrize("command", SMALL, ids=" ".join)
def test_a_first_question_imports_no_compiler(command, tmp_path):
    script = f"import sys; from pokerlab.cli import main; assert main({command!r}) == 0; print('numba' in sys.modules)"
    done = run_cold(script, tmp_path)
    assert done.stdout.splitlines()[-1] == "False"


def run_cold(script, folder):
    """Run a script in a process with an empty cache in `folder`."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment["POKERLAB_CACHE"] = str(folder)
    return subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)


def test_statistics_of_a_short_history_compile_nothing(tmp_path):
    history, cache = tmp_path / "history.log", tmp_path / "cache"
    history.write_text(HISTORY)
    stats = ["stats", str(history), "--game", "limit2p"]
    done = run_cold(f"from pokerlab.cli import main; assert main({stats!r}) == 0", cache)
    assert "Ann" in done.stdout and "Bob" in done.stdout
    assert list(cache.rglob("*.nbi")) == []


def test_a_first_replay_imports_no_compiler_and_no_large_library(tmp_path):
    """Frames with equities of a hand whose cards are known, as the page of replays asks for them."""
    hand = Path(__file__).parents[2] / "docs" / "example-hand.phh"
    script = f"""
import sys
from pathlib import Path
from pokerlab.web.replay import ending_of, hand_frames, hands_of_text
text = Path({str(hand)!r}).read_text()
[hand], _ = hands_of_text(text, ending_of(text))
print(len(hand_frames(hand)), sorted({{"duckdb", "jax", "matplotlib", "numba", "pyarrow", "scipy"}} & set(sys.modules)))
"""
    assert run_cold(script, tmp_path).stdout == "18 []\n"
    assert list(tmp_path.rglob("*.nbi")) == []


@pytest.mark.slow
def test_a_short_match_and_a_small_river_compile_nothing(tmp_path):
    match = ["match", "--agents", "rulebot,caller", "--hands", "100", "--duplicate", "--no-save"]
    river = ["solve", "subgame", "--board", "KsQh7d2c3s", "--ranges", "QQ+ | 22+, KQ", "--pot", "9", "--stack", "9"]
    script = f"from pokerlab.cli import main; assert main({match!r}) == 0 and main({river!r}) == 0"
    run_cold(script, tmp_path)
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
    ("players", "board", "dead"),
    [
        ("AhKh QcQd", "2h7h", ""),
        ("AhKh QcQd 5s5d", "2h7h9c", ""),
        ("AhKh 99,76s:0.5", "2h7h3c", ""),
        ("AhKh QcQd", "", "2c"),
        ("AhKh random", "2h7h9c", ""),
        ("random 6h5h", "2h3h4h", "Ah8h"),  # straight flushes
        ("AhKh random QcQd", "2h7hTh5h", "Kd"),
        ("AhQs random KhQd 22", "2h7hTh5h9h", ""),  # a flush on the board, higher ones in hands
        ("AcAd 99+,T9s:0.5 random", "AsAhTc9c", ""),
        ("random AdKd", "2c2d2h", ""),  # full houses beat flushes
        ("AhKh QcQd random", "", ""),
    ],
)
def test_equity_by_arrays_is_that_of_the_kernel(players, board, dead, monkeypatch):
    hands = [parse_player(text) for text in players.split()]
    plain, compiled = (
        forced(monkeypatch, left, equity, hands, cards(board), cards(dead), method="exact", threads=1)
        for left in (1e9, 0.0)
    )
    assert plain == compiled and plain.n > 900


def forced(monkeypatch, left, function, *arguments, **settings):
    """The value of a function where a process has so many seconds left for work without compiled code."""
    monkeypatch.setattr(caches, "_left", left)
    return function(*arguments, **settings)


@pytest.mark.parametrize("n_players", [1, 2, 4])
@pytest.mark.parametrize("n_board", [1, 3, 4, 5])
def test_any_deal_by_arrays_is_that_of_the_kernels(n_players, n_board):
    rng = np.random.default_rng(10 * n_players + n_board)
    for n_suits in (2, 4):  # of two suits only, flushes are frequent
        deck = rng.permutation([card for card in range(52) if card % 4 < n_suits]).astype(np.uint8)
        holes, board = deck[: 2 * n_players].reshape(-1, 2), deck[2 * n_players :][:n_board]
        gone = sum(1 << card for card in [*board.tolist(), int(deck[-1])])
        deal = Deal(holes, board, gone)
        for kernel, plain in (
            (_equity_numba.deal_outcomes, deal.outcomes()),
            (_equity_random_numba.random_outcomes, deal.random_outcomes()),
        ):
            outcomes = np.zeros((1, *plain.shape), np.int64)
            kernel(holes[None], board, np.uint64(gone), tables(), outcomes)
            assert np.array_equal(plain, outcomes[0])
            assert plain.sum() > 0


@pytest.mark.parametrize(
    ("players", "board"),
    [
        ("AhKh QcQd 99+,AKs random", ""),
        ("AA random random", "2h7h"),
        ("AA,KK AA,AKs:0.3 AKs,AQs", "Th"),  # few draws are possible
        ("AhKh QcQd", "2c3c4c5d6d"),  # nothing is drawn
        ("random random random random random random random random random", "2c"),
    ],
)
def test_a_seed_samples_the_same_deals_by_arrays_as_in_compiled_code(players, board, monkeypatch):
    hands = [parse_player(text) for text in players.split()]
    plain, compiled = (
        forced(monkeypatch, left, equity, hands, cards(board), method="sampled", samples=40_000, seed=3, threads=1)
        for left in (1e9, 0.0)
    )
    assert plain == compiled and plain.n == 40_000


@pytest.mark.parametrize("left", [1e9, 0.0])
def test_ranges_that_need_the_same_cards_are_refused_in_either_way(left, monkeypatch):
    sampler = _Sampler(make_question([parse_player("AhKh"), *[parse_player("AA")] * 2], (), ()), seed=1)
    assert sampler.by_arrays(0, 300) == (0, pytest.approx(0))
    with pytest.raises(CardError, match="too rare to be sampled"):
        forced(monkeypatch, left, equity, [parse_player("AA")] * 3, method="sampled")


def test_what_sampling_costs_counts_the_draws_that_are_not_possible():
    def seconds(*players):
        return sampled_seconds(make_question([parse_player(text) for text in players], (), ()), 1000)

    assert seconds("AA", "KK") == seconds("AA", "QQ,JJ") < seconds("AA", "AKs") / 1.5
    assert seconds("AA", "AA") > 2 * seconds("AA", "KK")  # one pair of aces in six is left
    assert seconds("AhKh", "AA", "AA") > 1e6  # two of the three aces left are never two pairs


def test_auto_samples_at_first_what_would_have_to_compile(monkeypatch):
    question = make_question([parse_player(text) for text in ("AhKh", "QcQd", "99+,AKs", "random")], (), ())
    monkeypatch.setattr(caches, "_left", 5.0)
    monkeypatch.setattr(caches, "are_compiled", lambda kernels="*": False)
    assert AFFORDABLE_SECONDS < random_seconds(question) < 5
    monkeypatch.setattr(caches, "_left", 0.0)
    assert random_seconds(question) > caches.UNCOMPILED_SECONDS
    monkeypatch.setattr(caches, "are_compiled", lambda kernels="*": True)
    assert random_seconds(question) < AFFORDABLE_SECONDS


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


@pytest.mark.parametrize(("compiled", "expected"), [(True, False), (False, True)])
def test_one_longer_question_runs_uncompiled_while_its_own_kernels_are_not_compiled(compiled, expected, monkeypatch):
    monkeypatch.setattr(caches, "_left", 1.0)
    monkeypatch.setattr(caches, "are_compiled", lambda kernels: compiled)
    assert caches.seconds_by(3.0, 0.5, "_x_numba") == (3.0 if expected else 0.5)
    assert caches.may_run_uncompiled(3.0, "_x_numba") == expected
    assert not caches.may_run_uncompiled(3.0, "_x_numba")
    assert not caches.may_run_uncompiled(3.0)


def test_all_combinations_of_a_deck():
    assert len(all_combinations(np.arange(48, dtype=np.uint8), 5)) == 1_712_304
    assert all_combinations(np.array([7, 9], np.uint8), 0).shape == (1, 0)
