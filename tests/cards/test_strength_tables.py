"""The strength tables: what ships agrees with what is computed, and a build survives interruption and damage."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards import strength_tables
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CLASS_OF_COMBO, class_index, combo_index, live_combos
from pokerlab.cards.isomorphism import canonical_boards, indexer
from pokerlab.cards.strength import strength_of_board, strength_of_hand
from pokerlab.cards.strength_tables import COLUMNS, build_table, flop_strength, preflop_strength, strength_of
from pokerlab.errors import CardError, FileError

HALF_A_UNIT = 1 / 131070 + 1e-12


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def few_turns(monkeypatch):
    """A turn table of the canonical boards alone that hold three aces, in parts of 12 boards."""
    boards, multiplicity = canonical_boards(4)
    few = ((boards >= 48).sum(axis=1) == 3).nonzero()[0]

    class FewHands:
        """The hands on those boards, numbered in the order of their full index."""

        def __init__(self, full):
            live = [(combo, board) for board in boards[few] for combo in range(1326) if _is_live(combo, board)]
            hands = [[*strength_tables.CARDS_OF_COMBO[combo], *board] for combo, board in live]
            self.kept, self.full = np.unique(full.index_many(hands)), full
            self.size, self.cards_per_round = len(self.kept), full.cards_per_round

        def index_many(self, hands):
            return np.searchsorted(self.kept, self.full.index_many(hands))

    rows = FewHands(indexer(2, 4))
    monkeypatch.setattr(strength_tables, "canonical_boards", lambda n: (boards[few], multiplicity[few]))
    monkeypatch.setattr(strength_tables, "indexer", lambda *rounds: rows)
    monkeypatch.setitem(strength_tables._BOARDS_PER_PART, "turn", 12)
    return boards[few]


def _is_live(combo, board):
    return bool(live_combos(sum(1 << int(c) for c in board))[combo])


def test_flop_table_agrees_with_computation_to_half_a_unit():
    """All hands of boards of each kind (rainbow, two-tone, monotone; paired or not), relabelled at random."""
    rng = np.random.default_rng(7)
    boards, _ = canonical_boards(3)
    for at in [0, 1754, *rng.integers(0, 1755, 10)]:
        relabel = rng.permutation(4)
        board = [int(c) & ~3 | int(relabel[c & 3]) for c in boards[at]]
        looked_up, computed = strength_of(board), strength_of_board(board)
        for column in COLUMNS:
            expected = getattr(computed, column)
            assert getattr(looked_up, column) == pytest.approx(expected, abs=HALF_A_UNIT, rel=0, nan_ok=True), column


def test_flop_table_agrees_with_one_hand_at_a_time():
    rng = np.random.default_rng(8)
    for hand in indexer(2, 3).unindex_many(rng.integers(0, indexer(2, 3).size, 60)).tolist():
        looked_up, computed = flop_strength(hand[:2], hand[2:]), strength_of_hand(hand[:2], hand[2:])
        for column in COLUMNS:
            assert getattr(looked_up, column) == pytest.approx(float(getattr(computed, column)), abs=HALF_A_UNIT, rel=0)


def test_preflop_expected_strength_is_the_known_equity():
    """AA 85.20%, KK 82.40%, AKs 67.04%, 32o 32.30%: all-in equities against a random hand, as widely tabulated."""
    mean, squared = preflop_strength()
    known = {"AA": 0.8520, "KK": 0.8240, "AKs": 0.6704, "32o": 0.3230}
    assert {text: round(float(mean[class_index(text)]), 4) for text in known} == known
    assert (squared > mean**2).all() and (squared < mean).all()
    # Over all 1326 combos every pair of hands shares one win, so the mean is one half.
    assert mean[CLASS_OF_COMBO].mean() == pytest.approx(0.5, abs=1e-12)


def test_preflop_is_the_mean_over_flops():
    """E[HS] and E[HS^2] before the flop from the flop table: each flop by its multiplicity."""
    flop = indexer(2, 3)
    every = np.arange(flop.size)
    hands, times = flop.unindex_many(every), flop.multiplicities(every)
    low, high = np.sort(hands[:, :2].astype(np.int64), axis=1).T
    of_hand = CLASS_OF_COMBO[high * (high - 1) // 2 + low]
    table = strength_tables._flop_table()
    total = np.bincount(of_hand, times, 169)
    for column, expected in zip((1, 2), preflop_strength(), strict=True):
        mean = np.bincount(of_hand, times * (table[:, column] / strength_tables.SCALE), 169) / total
        assert mean == pytest.approx(expected, abs=2e-6)  # rounding errors of the table average out


def test_strength_of_every_street():
    preflop = strength_of([])
    assert preflop.hs[combo_index(*cards("AsAh"))] == preflop_strength()[0][class_index("AA")]
    assert np.isnan(preflop.ppot).all() and not np.isnan(preflop.mean_hs_squared).any()
    river = cards("3h4cJhQs2d")
    assert np.array_equal(strength_of(river).hs, strength_of_board(river).hs, equal_nan=True)


def test_without_a_turn_table_the_answer_is_computed(empty_cache):
    board = cards("3h4cJhQs")
    for column in COLUMNS:
        expected = getattr(strength_of_board(board), column)
        assert getattr(strength_of(board), column) == pytest.approx(expected, abs=HALF_A_UNIT, rel=0, nan_ok=True)


def test_turn_table_agrees_with_computation(empty_cache, few_turns):
    calls = []
    build_table("turn", workers=2, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (len(few_turns), len(few_turns)) and calls == sorted(calls)
    assert [file.name for file in empty_cache.iterdir()] == ["strength_turn.bin"]  # no parts are left behind
    for board in few_turns[::9].tolist():
        looked_up, computed = strength_of(board), strength_of_board(board)
        assert any((looked_up.hs != computed.hs).tolist())  # it was looked up: rounded
        for one, other in zip(looked_up, strength_tables._computed(board), strict=True):
            assert np.array_equal(one, other, equal_nan=True)  # no decision depends on whether the table was built
        for column in COLUMNS:
            expected = getattr(computed, column)
            assert getattr(looked_up, column) == pytest.approx(expected, abs=HALF_A_UNIT, rel=0, nan_ok=True)


@pytest.mark.slow
def test_a_build_cut_short_goes_on_and_ends_the_same(empty_cache, few_turns, monkeypatch):
    whole = build_table("turn", empty_cache / "whole.bin", workers=1).read_bytes()
    path, computed = empty_cache / "cut.bin", []

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_table("turn", path, workers=1, progress=stop)
    parts = sorted((empty_cache / "cut.bin.parts").glob("*.bin"))
    assert parts and not path.exists()
    damaged = bytearray(parts[0].read_bytes())
    damaged[-100] ^= 1
    parts[0].write_bytes(damaged)
    part = strength_tables._part
    monkeypatch.setattr(strength_tables, "_part", lambda boards: computed.append(len(boards)) or part(boards))
    build_table("turn", path, workers=2)
    assert path.read_bytes() == whole
    assert sum(computed) == len(few_turns) - 12 * (len(parts) - 1)  # the damaged part again, the good ones not


def test_a_damaged_table_is_refused(empty_cache, few_turns):
    path = build_table("turn", workers=1)
    damaged = bytearray(path.read_bytes())
    damaged[-100] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(FileError, match="checksum"):
        strength_of(few_turns[0].tolist())


def test_bad_input_is_one_clear_line():
    with pytest.raises(CardError, match="2 hole cards and 3 on the board, not 2 and 4"):
        flop_strength(cards("AdQc"), cards("3h4cJh2d"))
    with pytest.raises(CardError, match="3h is both in hole and in board"):
        flop_strength(cards("3hQc"), cards("3h4cJh"))
    with pytest.raises(CardError, match="3, 4 or 5 cards, not 2"):
        strength_of(cards("3h4c"))
