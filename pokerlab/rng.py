"""Many named, independent random streams from one seed.

A stream is Philox 4x64-10 (Salmon et al., 2011, "Parallel random numbers: as easy as 1, 2, 3"), keyed by a hash of
(seed, labels). The counter's most significant word is `index`, usually the hand number, so that any hand can be dealt
separately, in any order, on any machine. `_rng_numba` computes the same words inside compiled code.

>>> float(stream(7, "cards", index=3).random()) == float(stream(7, "cards", index=3).random())
True
>>> bool(stream(7, "cards").integers(52) == stream(7, "agent", "caller").integers(52))
False

References
----------
Salmon, Moraes, Dror and Shaw (2011), SC '11, doi:10.1145/2063384.2063405.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import repeat

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
    """A stream with a single generator that can be moved to any index, a hundred times faster than creating a new
    generator.

    >>> indexed = IndexedStream(7, "agent")
    >>> all(indexed.at(i).random() == stream(7, "agent", index=i).random() for i in (5, 3, 5))
    True
    """

    def __init__(self, seed: int, *labels: str | int) -> None:
        self._generator = stream(seed, *labels)
        self._start = self._generator.bit_generator.state
        self._key: list[int] = self._start["state"]["key"].tolist()
        self._find_memory()

    def _find_memory(self) -> None:
        self._memory = philox_memory(self._generator.bit_generator) if _layout_is_known() else None

    def __getstate__(self) -> dict[str, object]:
        """All fields except the memory view, which belongs to this process."""
        return {name: value for name, value in self.__dict__.items() if name != "_memory"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._find_memory()

    def at(self, index: int) -> np.random.Generator:
        """The generator, moved to the start of `index`; earlier draws make no difference."""
        if self._memory is None:
            self._start["state"]["counter"][3] = index
            self._generator.bit_generator.state = self._start
        else:
            begin_philox(self._memory, self._key, index)
        return self._generator


def philox_memory(generator: np.random.BitGenerator) -> memoryview:
    """Memory of a Philox generator as 64-bit words: addresses of its counter and its key; how much of its buffer is
    used (2); the buffer; a spare half of a word, if there is one (7); the key (8, 9); the counter (10 .. 13).

    Writing these words takes a fifth of the time of setting the generator's `state`, which a dealer would do for every
    player and hand.
    """
    return memoryview((ctypes.c_char * (8 * 14)).from_address(generator.ctypes.state_address)).cast("B").cast("Q")


def begin_philox(memory: memoryview, key: Sequence[int], index: int) -> None:
    """Move the Philox generator whose memory is `memory` to the first number for `index`."""
    memory[2] = 4  # the buffer is used up
    memory[7] = 0
    memory[8], memory[9] = key
    memory[10] = memory[11] = memory[12] = 0
    memory[13] = index


@cache
def _layout_is_known() -> bool:
    """Whether this NumPy stores the state of Philox in the order that `philox_memory` assumes."""
    first, other = (np.random.Philox(key=[1, 2], counter=[0, 0, 0, index]) for index in (2**40 + 7, 3))
    memory, address = philox_memory(other), other.ctypes.state_address
    np.random.Generator(other).integers(9, size=3, dtype=np.uint32)
    if [*memory[:3], *memory[8:]] != [address + 80, address + 64, 2, 1, 2, 1, 0, 0, 3]:
        return False
    begin_philox(memory, (1, 2), 2**40 + 7)
    return bool((first.random_raw(9) == other.random_raw(9)).all())


MOST_AHEAD = 1024
"""Decks that a `Shuffler` makes at a time."""


class Shuffler:
    """Shuffled decks from one stream; any deck can be dealt separately.

    A deck is a Fisher-Yates shuffle from the front. Each place uses one random word of the stream (see `bounded`), so
    the first n cards do not depend on how many are dealt. `_rng_numba` deals the same decks inside compiled code.
    Decks that are dealt one after another are made many at a time.

    >>> shuffler = Shuffler(7, "cards")
    >>> shuffler.deal(3, tuple(range(52)), 5) == shuffler.deal(3, tuple(range(52)), 9)[:5]
    True
    """

    def __init__(self, seed: int, *labels: str | int, n_decks: int | None = None) -> None:
        self.key = stream_key(seed, *labels)
        self._words = np.random.Philox(key=self.key)
        self._start = self._words.state
        self._n_decks = n_decks  # if known, no decks beyond these are made
        self._next = -1  # the number of the deck that follows the last one
        self._of: tuple[tuple[int, ...], int] = (), 0  # (cards, number dealt) of the last deck
        self._ahead: list[tuple[int, ...]] = []  # the decks from `_next` on, in reverse

    def deal(self, index: int, cards: tuple[int, ...], n: int, *, skip: int = 0) -> tuple[int, ...]:
        """The first `n` cards of deck number `index`; the first `skip` words are not used."""
        if index != self._next or skip or self._of != (cards, n):
            self._ahead, self._next, self._of = [], index + 1, (cards, n)
            return self._deal_one(index, cards, n, skip)
        if not self._ahead:
            n_ahead = MOST_AHEAD if self._n_decks is None else min(MOST_AHEAD, self._n_decks - index)
            self._ahead = list(decks(self.key, index, max(n_ahead, 1), cards=cards, n_dealt=n))[::-1]
        self._next += 1
        return self._ahead.pop()

    def _deal_one(self, index: int, cards: tuple[int, ...], n: int, skip: int) -> tuple[int, ...]:
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


_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def multiply(a: np.uint64 | Uint64s, x: Uint64s) -> tuple[Uint64s, Uint64s]:
    """Upper and lower 64 bits of products of 64-bit numbers."""
    a_high, a_low, x_high, x_low = a >> _HALF, a & _LOW, x >> _HALF, x & _LOW
    middle = a_high * x_low + (a_low * x_low >> _HALF)
    return a_high * x_high + (middle >> _HALF) + (a_low * x_high + (middle & _LOW) >> _HALF), a * x


def words_of_streams(key: Uint64s, first: int, n: int, n_words: int) -> Uint64s:
    """`words[stream, word]` of the `n` streams with `key` from index `first` on: Philox in NumPy, with the same words
    as `np.random.Philox`."""
    shape = (n, -(-n_words // 4))
    c0, c3 = np.empty(shape, np.uint64), np.empty(shape, np.uint64)
    c0[:], c3.T[:] = np.arange(1, shape[1] + 1), np.arange(first, first + n, dtype=np.uint64)
    c1 = c2 = np.zeros(shape, np.uint64)
    keys = key.copy()
    for _ in range(10):
        (high_0, low_0), (high_2, low_2) = multiply(_MULTIPLIER[0], c0), multiply(_MULTIPLIER[1], c2)
        c0, c1, c2, c3 = high_2 ^ c1 ^ keys[0], low_2, high_0 ^ c3 ^ keys[1], low_0
        keys += _KEY_STEP
    return np.stack([c0, c1, c2, c3], axis=2).reshape(n, -1)[:, :n_words]


_MULTIPLIER = np.array([0xD2E7470EE14C6C93, 0xCA5A826395121157], np.uint64)
_KEY_STEP = np.array([0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B], np.uint64)


def decks(key: Uint64s, first: int, n: int, *, cards: tuple[int, ...], n_dealt: int) -> Iterator[tuple[int, ...]]:
    """Yield the first `n_dealt` cards of `n` decks from number `first` on, the same as `Shuffler.deal` deals one by
    one."""
    words, places = words_of_streams(key, first, n, n_dealt), np.arange(n_dealt, dtype=np.uint64)
    others = (places + multiply(np.uint64(len(cards)) - places, words)[0]).astype(np.intp).T
    shuffled = np.repeat(np.array(cards, np.uint8)[:, None], n, axis=1)
    columns = np.arange(n)
    for place, other in enumerate(others):
        chosen = shuffled[other, columns]
        shuffled[other, columns] = shuffled[place]
        shuffled[place] = chosen
    return zip(*shuffled[:n_dealt].tolist(), strict=True) if n_dealt else repeat((), n)


def bounded(word: int, n: int) -> int:
    """An integer 0 .. n - 1 from one 64-bit word: the upper half of `word * n`.

    No word is ever rejected, so that draw number i always uses word number i. In return a probability differs from 1 /
    n by less than 2**-64: for one card of 52, by less than one part in 2**58.

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
