"""Number hands up to a relabelling of the suits, without gaps, and recover hands from numbers.

An `Indexer` is made for a number of cards in each round. The order of cards within a round does not matter. Two hands
have the same index exactly if some relabelling of the suits turns one into the other. Rounds (2,), (2, 3), (2, 3, 1)
and (2, 3, 1, 1) number hold'em hands street by street; (2, 4) and (2, 5) ignore the order of the board; (3,), (4,) and
(5,) number boards alone.

>>> [f"{Indexer(rounds).size:,}" for rounds in [(2,), (2, 3), (2, 3, 1), (2, 3, 1, 1)]]
['169', '1,286,792', '55,190,538', '2,428,287,420']
>>> [f"{Indexer(rounds).size:,}" for rounds in [(2, 4), (2, 5), (3,), (4,), (5,)]]
['13,960,050', '123,156,254', '1,755', '16,432', '134,459']

References
----------
Waugh (2013), "A fast and optimal hand isomorphism algorithm", AAAI workshop on computer poker. The counts by streets
are those of its table; the order of the indices is our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import AnyArray, Int8s, Int64s
from pokerlab.caches import compiled, may_run_uncompiled
from pokerlab.cards.card import check_distinct
from pokerlab.errors import CardError

kernels = compiled("pokerlab.cards._isomorphism_numba")
_CHOOSE = np.array([[comb(n, k) for k in range(14)] for n in range(15)], dtype=np.int64)
_POPCOUNT = np.array([n.bit_count() for n in range(1 << 13)], dtype=np.uint8)
_CODE_SHIFT = 40  # a suit's key is code << 40 | rank, as in the kernels
_MOST_CODES = 160  # config_of_codes has the cube of this many entries


class Indexer:
    """Numbers the hands that have `cards_per_round` cards in each round: 0 .. `size` - 1.

    >>> from pokerlab.cards.card import cards, cards_text
    >>> flop = Indexer((2, 3))
    >>> flop.index(cards("AdQc3h4cJh")) == flop.index(cards("QhAc4hJs3s"))
    True
    >>> cards_text(flop.unindex(flop.index(cards("AdQc3h4cJh"))))
    'AhQsJd4s3d'
    """

    def __init__(self, cards_per_round: Sequence[int]) -> None:
        rounds = tuple(int(n) for n in cards_per_round)
        if not rounds or min(rounds) < 1 or sum(rounds) > 13 or prod(n + 1 for n in rounds) > _MOST_CODES:
            raise CardError(
                f"cannot index rounds of {rounds} cards: each needs one card or more, all together at most 13"
            )
        self.cards_per_round = rounds
        self.n_cards = sum(rounds)
        self._n_in_round = np.array(rounds, dtype=np.int64)
        # a code's digits are the numbers of a suit's cards in each round
        counts = list(np.ndindex(*(n + 1 for n in rounds)))
        self._size_of_code = np.array([_rank_sets(c) for c in counts], dtype=np.int64)
        self._codes_of_config = np.array(list(_configurations(counts, rounds)), dtype=np.int64)
        self._config_of_codes = np.full((len(counts),) * 3, -1, dtype=np.int32)
        for config, codes in enumerate(self._codes_of_config):
            self._config_of_codes[codes[0], codes[1], codes[2]] = config
        sizes, self._scale_of_config, self._left_of_config = _layout(self._codes_of_config, self._size_of_code)
        self._offset = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])

    @property
    def size(self) -> int:
        """The number of indices."""
        return int(self._offset[-1])

    @property
    def kernel_arrays(self) -> tuple[AnyArray, ...]:
        """Arguments of the kernel `index_hands` other than the hands and the output, for kernels that call it."""
        return (
            self._n_in_round, _CHOOSE, _POPCOUNT,
            self._scale_of_config, self._left_of_config, self._config_of_codes, self._offset,
        )  # fmt: skip

    def index(self, cards: Sequence[int]) -> int:
        """The index of one hand, its rounds concatenated."""
        check_distinct(hand=cards)
        return int(self.index_many([list(cards)])[0])

    def unindex(self, index: int) -> tuple[int, ...]:
        """The canonical hand of an index, rounds concatenated, high cards first within a round."""
        return tuple(int(c) for c in self.unindex_many([index])[0])

    def index_many(self, cards: ArrayLike) -> Int64s:
        """Return the index of each hand, given its cards `cards[hand, position]`."""
        hands = np.asarray(cards)
        if hands.ndim != 2 or hands.shape[1] != self.n_cards or hands.dtype.kind not in "iu":
            raise CardError(
                f"expected hands of {self.n_cards} cards ({self.cards_per_round} by rounds), not {hands.shape}"
            )
        if may_run_uncompiled(1e-4 + 1e-6 * len(hands)):
            out = self._index_by_arrays(hands.astype(np.int64))
        else:
            out = np.empty(len(hands), dtype=np.int64)
            arguments: list[Any] = [np.ascontiguousarray(hands, dtype=np.int64), *self.kernel_arrays, out]
            kernels.index_hands(*arguments)
        if len(out) and out.min() < 0:
            first = int(np.argmin(out))
            check_distinct(hand=hands[first].tolist())
        return out

    def _index_by_arrays(self, hands: Int64s) -> Int64s:
        """NumPy twin of the kernel `index_hands`, whose module explains the order of the index."""
        ordered = np.sort(hands, axis=1)
        wrong = (ordered[:, 0] < 0) | (ordered[:, -1] > 51) | (np.diff(ordered) == 0).any(axis=1)
        used, code, rank = np.zeros((3, len(hands), 4), dtype=np.int64)
        scale = np.ones_like(rank)
        for cards in np.split(np.where(wrong[:, None], 0, hands), np.cumsum(self._n_in_round)[:-1], axis=1):
            suit, bit = cards & 3, 1 << (cards >> 2)
            of_suit = suit[:, :, None] == np.arange(4)  # axes: hand, card, suit
            fresh = (of_suit * bit[:, :, None]).sum(axis=1)
            used_before, fresh_of_card, scale_of_card = (
                np.take_along_axis(by_suit, suit, axis=1) for by_suit in (used, fresh, scale)
            )
            place = _POPCOUNT[fresh_of_card & (bit - 1)] + 1
            part = scale_of_card * _CHOOSE[_POPCOUNT[~used_before & (bit - 1)], place]
            rank += (of_suit * part[:, :, None]).sum(axis=1)
            n = _POPCOUNT[fresh]
            code = code * (cards.shape[1] + 1) + n
            scale = scale * _CHOOSE[13 - _POPCOUNT[used], n]
            used |= fresh
        keys = np.sort(code << _CODE_SHIFT | rank, axis=1)[:, ::-1]
        code, rank = keys >> _CODE_SHIFT, keys & ((1 << _CODE_SHIFT) - 1)
        config = self._config_of_codes[code[:, 0], code[:, 1], code[:, 2]]
        runs = _multisets(rank, self._left_of_config[config])
        index = self._offset[config] + (self._scale_of_config[config] * runs).sum(axis=1)
        return np.where(wrong, -1, index)

    def unindex_many(self, indices: ArrayLike) -> Int8s:
        """Return the canonical hand of each index, as `cards[hand, position]`."""
        checked = self._checked(indices)
        out = np.empty((checked.size, self.n_cards), dtype=np.int8)
        kernels.unindex_hands(
            checked, self._n_in_round, _CHOOSE, self._size_of_code, self._codes_of_config, self._offset, out
        )
        return out

    def multiplicities(self, indices: ArrayLike) -> Int64s:
        """Number of different hands that share each index, from 1 to 24.

        >>> Indexer((3,)).multiplicities(range(1755)).sum() == 52 * 51 * 50 // 6
        np.True_
        """
        checked = self._checked(indices)
        out = np.empty(checked.size, dtype=np.int64)
        kernels.count_relabellings(checked, self._size_of_code, self._codes_of_config, self._offset, out)
        return out

    def _checked(self, indices: ArrayLike) -> Int64s:
        flat = np.atleast_1d(np.asarray(indices, dtype=np.int64))
        if flat.ndim != 1 or (flat.size and (flat.min() < 0 or flat.max() >= self.size)):
            raise CardError(f"indices of {self.cards_per_round}-card hands are 0..{self.size - 1}")
        return flat


@lru_cache(maxsize=16)
def indexer(*cards_per_round: int) -> Indexer:
    """The shared `Indexer` of these rounds."""
    return Indexer(cards_per_round)


def canonical_boards(n_cards: int) -> tuple[Int8s, Int64s]:
    """Return (`board[k, position]`, `multiplicity[k]`): one board of each class, and the number of boards in the class.

    >>> boards, multiplicity = canonical_boards(4)
    >>> boards.shape, multiplicity.sum()
    ((16432, 4), np.int64(270725))
    """
    every = np.arange(indexer(n_cards).size)
    return indexer(n_cards).unindex_many(every), indexer(n_cards).multiplicities(every)


def _multisets(n: Int64s, k: Int64s) -> Int64s:
    """Number of multisets of `k` (1..4) elements out of `n`."""
    two = n * (n + 1) // 2
    three = two * (n + 2) // 3
    return np.choose(k - 1, [n, two, three, three * (n + 3) // 4])


def _rank_sets(counts: tuple[int, ...]) -> int:
    """Number of ways in which a suit can have `counts[round]` cards."""
    left, ways = 13, 1
    for n in counts:
        ways *= comb(left, n)
        left -= n
    return ways


def _configurations(counts: list[tuple[int, ...]], rounds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every way to divide the rounds' cards among four suits, as four codes, highest first."""
    code_of = {c: code for code, c in enumerate(counts)}

    def extend(chosen: tuple[int, ...], left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == 3:
            last = code_of[left]
            if last <= chosen[-1]:
                yield (*chosen, last)
            return
        highest = chosen[-1] if chosen else len(counts) - 1
        for code in range(highest + 1):
            if all(have >= n for have, n in zip(left, counts[code], strict=True)):
                yield from extend((*chosen, code), tuple(h - n for h, n in zip(left, counts[code], strict=True)))

    return extend((), rounds)


def _layout(codes_of_config: Int64s, size_of_code: Int64s) -> tuple[list[int], Int64s, Int64s]:
    """Return (size[config], scale[config, suit], left[config, suit]).

    Runs of equal codes are multisets of suits: `left` counts the suits of the run from this one on, and `scale` is the
    number of indices that the runs before it take up.
    """
    sizes, scale, left = [], np.zeros_like(codes_of_config), np.zeros_like(codes_of_config)
    for config, codes in enumerate(codes_of_config.tolist()):
        total = 1
        for suit in range(4):
            if suit and codes[suit] != codes[suit - 1]:
                run = codes.count(codes[suit - 1])
                total *= comb(int(size_of_code[codes[suit - 1]]) + run - 1, run)
            scale[config, suit] = total
            left[config, suit] = codes[suit:].count(codes[suit])
        run = codes.count(codes[3])
        sizes.append(total * comb(int(size_of_code[codes[3]]) + run - 1, run))
    return sizes, scale, left
