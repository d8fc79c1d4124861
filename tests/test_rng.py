"""Streams are repeatable and independent, and compiled code draws the same words as NumPy."""

from __future__ import annotations

import pickle
from itertools import permutations

import numpy as np
import pytest

from pokerlab import _rng_numba as kernels
from pokerlab import rng
from pokerlab.rng import IndexedStream, Shuffler, bounded, shuffled_deck, stream, stream_key


def begun(seed: int, *labels: str | int, index: int = 0) -> np.ndarray:
    state = np.zeros(kernels.STATE_WORDS, dtype=np.uint64)
    kernels.begin(state, stream_key(seed, *labels), np.uint64(index))
    return state


def test_a_stream_is_named_by_seed_labels_and_index() -> None:
    names = [
        (7, ("a", "b"), 0),
        (7, ("ab",), 0),
        (7, ("a", "b"), 1),
        (8, ("a", "b"), 0),
        (7, ("b", "a"), 0),
        (7, (), 0),
    ]
    words = {stream(seed, *labels, index=index).bit_generator.random_raw() for seed, labels, index in names}
    assert len(words) == len(names)
    assert stream(7, "a", 1).random() == stream(7, "a", "1").random()


def test_a_stream_never_changes() -> None:
    """Results in files and docs rest on these words: a change of them is a change of every seed's meaning."""
    assert stream_key(2026, "cards").tolist() == [14984942226933511714, 16151158864111753906]
    assert stream(2026, "cards", index=5).bit_generator.random_raw(2).tolist() == [
        16118311645569132434,
        2157990288452374426,
    ]
    assert shuffled_deck(2026, "cards", index=5, n_first=7) == (45, 6, 37, 43, 42, 36, 34)


@pytest.mark.parametrize("index", [0, 1, 12345, 2**63 + 5])
def test_compiled_words_are_numpys(index: int) -> None:
    state = begun(3, "cards", "x", index=index)
    expected = stream(3, "cards", "x", index=index).bit_generator.random_raw(23).tolist()
    assert [int(kernels.next_word(state)) for _ in range(23)] == expected


def test_compiled_doubles_are_numpys() -> None:
    state = begun(11)
    assert [kernels.next_double(state) for _ in range(10)] == stream(11).random(10).tolist()


@pytest.mark.parametrize("known", [True, False])
def test_a_moved_generator_draws_what_a_new_one_draws(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rng, "_layout_is_known", lambda: known)  # of NumPy's generator: the fast way and the other
    indexed = IndexedStream(7, "agent", 1)
    copy = pickle.loads(pickle.dumps(indexed))
    for index in (5, 3, 5, 0, 2**40, 2**63 + 1):
        for moved in (indexed, copy):
            drawn, new = (
                each.integers(9, size=5, dtype=np.uint32)
                for each in (moved.at(index), stream(7, "agent", 1, index=index))
            )
            assert drawn.tolist() == new.tolist()  # five halves of a word: one is left over for the next draw
            assert moved.at(index).random(6).tolist() == stream(7, "agent", 1, index=index).random(6).tolist()


def test_this_numpys_generators_are_moved_the_fast_way() -> None:
    assert rng._layout_is_known()


@pytest.mark.parametrize("n", [0, 1, 9, 52])
def test_decks_dealt_in_order_are_those_dealt_alone(n: int) -> None:
    cards = tuple(range(52))
    in_order, first = Shuffler(7, "cards", n_decks=2600), 2**41
    alone = [Shuffler(7, "cards").deal(index, cards, n) for index in range(40)]
    assert [in_order.deal(index, cards, n) for index in range(40)] == alone
    assert in_order.deal(3, cards, n) == alone[3]  # back again
    assert in_order.deal(4, cards[:30], min(n, 30)) == Shuffler(7, "cards").deal(4, cards[:30], min(n, 30))
    assert [in_order.deal(first + i, cards, n) for i in range(3)] == [
        Shuffler(7, "cards").deal(first + i, cards, n) for i in range(3)
    ]


def test_multiply_high_is_the_upper_half_of_the_product() -> None:
    state = begun(4)
    for word in stream(4).bit_generator.random_raw(40).tolist():
        assert int(kernels.next_below(state, 52)) == bounded(word, 52) == word * 52 // 2**64
    assert [bounded(word, 3) for word in (0, 2**64 // 3, 2**64 // 3 + 1, 2**64 - 1)] == [0, 0, 1, 2]


@pytest.mark.parametrize("n_first", [52, 9, 1, 0])
def test_compiled_and_plain_shuffles_agree(n_first: int) -> None:
    for index in range(20):
        deck = np.arange(52, dtype=np.uint8)
        kernels.shuffle(begun(6, "deal", index=index), deck, n_first)
        assert tuple(deck[:n_first].tolist()) == shuffled_deck(6, "deal", index=index, n_first=n_first)
        assert sorted(deck.tolist()) == list(range(52))


def test_every_order_is_as_likely_as_another() -> None:
    n = 24_000
    count = dict.fromkeys(permutations((10, 20, 30, 40)), 0)
    for index in range(n):
        count[shuffled_deck(1, "four cards", index=index, cards=(10, 20, 30, 40))] += 1
    chi_squared = sum((seen - n / 24) ** 2 / (n / 24) for seen in count.values())
    assert chi_squared < 49.7  # 23 degrees of freedom: exceeded once in a thousand seeds


def test_skipped_words_are_passed_over() -> None:
    words = stream(7, "skip", index=4).bit_generator.random_raw(40).tolist()
    state, at, found = begun(7, "skip", index=4), 0, []
    for n in (0, 1, 3, 4, 5, 0, 9, 2):
        for _ in range(n):
            kernels.skip_word(state)
        at += n + 1
        found.append((int(kernels.next_word(state)), words[at - 1]))
    assert all(ours == theirs for ours, theirs in found)
