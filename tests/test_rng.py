"""Streams are repeatable and independent, and compiled code draws the same words as NumPy."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from pokerlab import _rng_numba as kernels
from pokerlab.rng import bounded, shuffled_deck, stream, stream_key


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
