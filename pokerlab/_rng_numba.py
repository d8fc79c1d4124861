"""Philox 4x64-10 in compiled code; gives the same words as `rng.stream` does through NumPy.

A stream's state is an array of nine uint64, which a kernel or a thread can own: the key (0, 1), the block number (2),
the stream's index (3), the four words of the block (4..7) and how many of them were used (8). `begin` fills it; the
other functions modify it in place. As in NumPy, the block number is increased before it is used, so the first block is
number 1, and a stream that has just begun has no words left. Skipping words only increases the number of used ones,
possibly beyond four; a block of which no word is used is never computed.

References
----------
Salmon, Moraes, Dror and Shaw (2011), SC '11, doi:10.1145/2063384.2063405.
"""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from pokerlab.arrays import Int64s, Uint8s, Uint64s

STATE_WORDS = 9

_MULTIPLIER = (np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157))
_KEY_STEP = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B))


@intrinsic
def multiply_high(typing_context, a, b):
    """Upper 64 bits of the 128-bit product of two uint64: one machine instruction, but no operator in Python."""

    def emit(context, builder, signature, arguments):
        wide = ir.IntType(128)
        left, right = (builder.zext(argument, wide) for argument in arguments)
        return builder.trunc(builder.lshr(builder.mul(left, right), ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), emit


@njit(cache=True, inline="always")  # otherwise the compiler emits a call, which takes twice the time
def philox(block, index, key_0, key_1):
    """The four words of one block, for the counter (block, 0, 0, index)."""
    c0, c1, c2, c3 = block, np.uint64(0), np.uint64(0), index
    for _ in range(10):
        high_0, low_0 = multiply_high(_MULTIPLIER[0], c0), _MULTIPLIER[0] * c0
        high_2, low_2 = multiply_high(_MULTIPLIER[1], c2), _MULTIPLIER[1] * c2
        c0, c1, c2, c3 = high_2 ^ c1 ^ key_0, low_2, high_0 ^ c3 ^ key_1, low_0
        key_0 += _KEY_STEP[0]
        key_1 += _KEY_STEP[1]
    return c0, c1, c2, c3


@njit(cache=True)
def begin(state: Uint64s, key: Uint64s, index: int) -> None:
    """Set `state` to the beginning of the stream with `key` (`rng.stream_key`) and `index`."""
    state[0] = key[0]
    state[1] = key[1]
    state[2] = 0
    state[3] = index
    state[8] = 4


@njit(cache=True, inline="always")
def next_word(state):
    """The stream's next 64 bits."""
    used = state[8]
    if used >= np.uint64(4):
        state[2] += used >> np.uint64(2)
        state[4], state[5], state[6], state[7] = philox(state[2], state[3], state[0], state[1])
        used &= np.uint64(3)
    state[8] = used + np.uint64(1)
    return state[np.uint64(4) + used]


@njit(cache=True, inline="always")
def skip_word(state):
    """Skip the stream's next 64 bits."""
    state[8] += np.uint64(1)


@njit(cache=True)
def next_double(state: Uint64s):
    """A double in [0, 1) from the upper 53 bits of one word, as NumPy's `Generator.random` makes it."""
    return np.float64(next_word(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, inline="always")
def next_below(state, n):
    """An integer 0 .. n - 1 (uint64) from one word, as made by `rng.bounded`."""
    return multiply_high(next_word(state), np.uint64(n))


@njit(cache=True)
def shuffle(state: Uint64s, cards: Int64s | Uint8s, n_first: int) -> None:
    """Shuffle the first `n_first` places of `cards` in place, using one word of the stream for each."""
    n_cards = np.uint64(len(cards))
    for i in range(np.uint64(n_first)):
        j = i + next_below(state, n_cards - i)
        cards[i], cards[j] = cards[j], cards[i]
