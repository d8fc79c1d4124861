"""The 1326 combos (two-card hands) and the 169 classes (hands up to suits).

`combo_index(a, b)` numbers unordered pairs with high card `h` and low card `l` as `h * (h - 1) / 2 + l`, so combos of a
sorted deck are in colexicographic order. Classes are cells of the 13x13 grid as players draw it, row-major with the ace
first: `class = 13 * row + column`, pairs on the diagonal, suited above it, off-suit below.

>>> combo_index(51, 50), combo_text(1325), class_text(0), class_text(1), class_text(13)
(1325, 'AsAh', 'AA', 'AKs', 'AKo')
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Bools, Indices, Int8s, Int64s, Uint8s, Uint64s
from pokerlab.cards.card import RANKS, cards_text
from pokerlab.errors import ParseError

N_COMBOS = 1326
N_CLASSES = 169

_HIGH, _LOW = np.tril_indices(52, -1)

CARDS_OF_COMBO: Int8s = np.stack([_HIGH, _LOW], axis=1).astype(np.int8)
"""`CARDS_OF_COMBO[combo] = (high card, low card)`."""
CARDS_OF_COMBO.setflags(write=False)

MASK_OF_COMBO: Uint64s = (np.uint64(1) << _HIGH.astype(np.uint64)) | (np.uint64(1) << _LOW.astype(np.uint64))
"""Bit `card` is set for each of the combo's two cards."""
MASK_OF_COMBO.setflags(write=False)


def combo_index(a: int, b: int) -> int:
    """Index of the combo of two different cards, in either order."""
    high, low = (a, b) if a > b else (b, a)
    return high * (high - 1) // 2 + low


def combo_indices(cards: Uint8s) -> Int64s:
    """Return the numbers of the combos that consist of the pairs of cards `cards[..., 2]`, in either order."""
    high, low = cards.max(axis=-1).astype(np.int64), cards.min(axis=-1)
    return np.asarray(high * (high - 1) // 2 + low)


def combo_text(combo: int) -> str:
    """Both cards, high card first."""
    return cards_text(CARDS_OF_COMBO[combo])


def class_of_cards(a: int, b: int) -> int:
    """Class of two cards."""
    high, low = 12 - max(a >> 2, b >> 2), 12 - min(a >> 2, b >> 2)  # rows and columns count down from the ace
    return 13 * high + low if (a & 3) == (b & 3) else 13 * low + high


CLASS_OF_COMBO: Uint8s = np.array([class_of_cards(int(h), int(m)) for h, m in CARDS_OF_COMBO], dtype=np.uint8)
"""`CLASS_OF_COMBO[combo]` is the combo's class."""
CLASS_OF_COMBO.setflags(write=False)

COMBOS_OF_CLASS: tuple[Indices, ...] = tuple(np.flatnonzero(c == CLASS_OF_COMBO) for c in range(N_CLASSES))
"""The 6, 4 or 12 combos of each class."""


def class_text(hand_class: int) -> str:
    """A class as text: `AA`, `AKs` or `AKo`."""
    row, column = divmod(hand_class, 13)
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if column > row else "o")


_CLASS = {class_text(c): c for c in range(N_CLASSES)}


def class_index(text: str) -> int:
    """Index of the class written `AA`, `AKs` or `AKo`."""
    try:
        return _CLASS[text]
    except KeyError:
        raise ParseError("not one of the 169 classes (AA, AKs, AKo ..)", text=text) from None


def live_combos(dead_mask: int) -> Bools:
    """Return, for each combo, whether it holds no dead card. Bit number `card` of `dead_mask` is set for dead cards."""
    return np.asarray((MASK_OF_COMBO & np.uint64(dead_mask)) == 0)
