"""Many named, independent random streams from one seed.

A stream is Philox 4x64-10 (Salmon et al., 2011, "Parallel random numbers: as easy as 1, 2, 3"), keyed by a hash of
(seed, labels). The counter's most significant word is `index`, usually the hand number, so that any hand can be dealt
alone, in any order, on any machine. `_rng_numba` computes the same words inside compiled code.

>>> float(stream(7, "cards", index=3).random()) == float(stream(7, "cards", index=3).random())
True
>>> bool(stream(7, "cards").integers(52) == stream(7, "agent", "caller").integers(52))
False

References
----------
Salmon, Moraes, Dror and Shaw (2011), SC '11, doi:10.1145/2063384.2063405.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from pokerlab.arrays import Uint64s


def stream_key(seed: int, *labels: str | int) -> Uint64s:
    """The 128-bit Philox key of (seed, labels), as two 64-bit words; ("ab",) is not ("a", "b")."""
    text = "\x1f".join([str(int(seed)), *(str(label) for label in labels)])
    digest = hashlib.blake2b(text.encode(), digest_size=16, person=b"pokerlab").digest()
    return np.frombuffer(digest, dtype="<u8").astype(np.uint64)


def stream(seed: int, *labels: str | int, index: int = 0) -> np.random.Generator:
    """A NumPy generator for (seed, labels), starting at `index`; other labels or indices give independent streams."""
    counter = np.array([0, 0, 0, index], dtype=np.uint64)  # an untyped list would round large indices to a double
    return np.random.Generator(np.random.Philox(key=stream_key(seed, *labels), counter=counter))


class IndexedStream:
    """A stream whose one generator can be moved to any index, ten times faster than creating a new generator.

    >>> indexed = IndexedStream(7, "agent")
    >>> bool(indexed.at(3).random() == stream(7, "agent", index=3).random())
    True
    """

    def __init__(self, seed: int, *labels: str | int) -> None:
        self._generator = stream(seed, *labels)
        self._start = self._generator.bit_generator.state

    def at(self, index: int) -> np.random.Generator:
        """The generator, moved to the start of `index`; earlier draws make no difference."""
        self._start["state"]["counter"][3] = index
        self._generator.bit_generator.state = self._start
        return self._generator


class Shuffler:
    """Shuffled decks from one stream; any deck can be dealt alone.

    A Fisher-Yates shuffle from the front, using one `bounded` word of the stream for each place, so that the first n
    cards do not depend on how many are dealt. `_rng_numba` deals the same decks inside compiled code.

    >>> shuffler = Shuffler(7, "cards")
    >>> shuffler.deal(3, tuple(range(52)), 5) == shuffler.deal(3, tuple(range(52)), 9)[:5]
    True
    """

    def __init__(self, seed: int, *labels: str | int) -> None:
        self.key = stream_key(seed, *labels)
        self._words = np.random.Philox(key=self.key)
        self._start = self._words.state

    def deal(self, index: int, cards: tuple[int, ...], n: int, *, skip: int = 0) -> tuple[int, ...]:
        """The first `n` cards of deck number `index`; the first `skip` words are not used."""
        deck, left = list(cards), len(cards)
        for place, word in enumerate(self.words(index, skip + n)[skip:]):
            other = place + bounded(word, left - place)
            deck[place], deck[other] = deck[other], deck[place]
        return tuple(deck[:n])

    def words(self, index: int, n: int) -> list[int]:
        """The first `n` 64-bit words of deck number `index`."""
        self._start["state"]["counter"][3] = index
        self._words.state = self._start
        words: list[int] = self._words.random_raw(n).tolist()
        return words


def bounded(word: int, n: int) -> int:
    """An integer 0 .. n - 1 from one 64-bit word: the upper half of `word * n`.

    No word is ever rejected, so that draw number i always uses word number i. As a result, a probability differs from
    1 / n by less than 2**-64: for one card of 52, by less than one part in 2**58.

    >>> bounded(0, 52), bounded(2**63, 52), bounded(2**64 - 1, 52)
    (0, 26, 51)
    """
    return word * n >> 64


def shuffled_deck(
    seed: int, *labels: str | int, index: int = 0, cards: Iterable[int] = range(52), n_first: int | None = None
) -> tuple[int, ...]:
    """The cards in random order: deck number `index` of the stream (seed, labels).

    >>> shuffled_deck(7, "cards", index=3, n_first=5) == shuffled_deck(7, "cards", index=3)[:5]
    True
    """
    deck = tuple(cards)
    return Shuffler(seed, *labels).deal(index, deck, len(deck) if n_first is None else n_first)
