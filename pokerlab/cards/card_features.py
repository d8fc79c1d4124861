"""The card features of the connectionist player: every one named, for single hands and for millions of deals.

A feature is a flag, the rank of a card (1 for a deuce .. 13 for an ace, so that a deuce is not "off") or a count. Board
features say what everyone sees, private ones what a player's own two cards make of it. Most are nested: a feature whose
name continues another's, as `flop/pair/rank` does `flop/pair`, can only be on where that one is. Board features of
earlier streets are kept, because the order of the cards tells what an opponent may have waited for; private ones are
not. On the river the action function has 30 features of the board without its order instead.

>>> from pokerlab.cards.card import cards
>>> list(features_on(cards("7c2d")).items())
[('pre-flop/hi-rank', 6), ('pre-flop/lo-rank', 1)]
>>> [name for name in features_on(cards("AsKs"), cards("Qs7s2d")) if "flush" in name]
['flop/two-flush', 'flop/two-flush/draw']

The printed list leaves some things open, and its features are not as many as its own table counts;
docs/connectionist.md has what was chosen, and both counts.

References
----------
Sweeney (2012), section 4.3.2 and appendix 9.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import Int8s, Uint8s
from pokerlab.cards.card import check_distinct
from pokerlab.cards.feature_names import (
    BOARD_COLUMNS,
    BOARD_FEATURES,
    BOARD_NAMES,
    BOARD_SCALE,
    PRIVATE_COLUMNS,
    PRIVATE_FEATURES,
    PRIVATE_NAMES,
    PRIVATE_SCALE,
    UNORDERED_RIVER,
)
from pokerlab.errors import CardError
from pokerlab.runs.cost import usable_cores

__all__ = [
    "BOARD_COLUMNS",
    "BOARD_FEATURES",
    "BOARD_NAMES",
    "BOARD_SCALE",
    "PRIVATE_COLUMNS",
    "PRIVATE_FEATURES",
    "PRIVATE_NAMES",
    "PRIVATE_SCALE",
    "UNORDERED_RIVER",
    "CardFeatures",
    "card_features",
    "features_of",
    "features_on",
]


class CardFeatures(NamedTuple):
    """`board[.., 105]` and `private[.., seat, 241]`, as whole numbers."""

    board: Int8s
    private: Int8s


def card_features(holes: ArrayLike, boards: ArrayLike) -> CardFeatures:
    """The features of `holes[deal, seat, 2]` on `boards[deal, n]`, of 0, 3, 4 or 5 cards, on every street that is out.

    >>> found = card_features([[[51, 50], [0, 1]]], [[47, 43, 39, 35, 31]])
    >>> found.board.shape, found.private.shape
    ((1, 105), (1, 2, 241))
    """
    from pokerlab.cards._card_features_numba import fill
    from pokerlab.cards._straight_features_numba import pair_draws

    hole, board = np.ascontiguousarray(holes, np.uint8), np.ascontiguousarray(boards, np.uint8)
    if hole.ndim != 3 or hole.shape[2:] != (2,) or board.shape not in [(len(hole), n) for n in (0, 3, 4, 5)]:
        raise CardError(f"hole cards are [deal, seat, 2] and boards [deal, 5], not {hole.shape} and {board.shape}")
    n_board = board.shape[1]
    board = np.pad(board, ((0, 0), (0, 5 - n_board)))
    found = CardFeatures(
        np.zeros((len(hole), len(BOARD_FEATURES)), np.int8),
        np.zeros((*hole.shape[:2], len(PRIVATE_FEATURES)), np.int8),
    )
    fill(hole, board, n_board, pair_draws(), found.board, found.private)
    return found


def card_features_on_all_cores(holes: Uint8s, boards: Uint8s) -> CardFeatures:
    """What `card_features` says of many deals, in parts on every core; its kernel lets go of Python's lock."""
    cores = usable_cores()
    parts = np.array_split(np.arange(len(holes)), min(len(holes), 4 * cores))
    with ThreadPoolExecutor(cores) as workers:
        found = list(workers.map(lambda part: card_features(holes[part], boards[part]), parts))
    return CardFeatures(*(np.concatenate(each) for each in zip(*found, strict=True)))


def features_of(hole: Sequence[int], board: Sequence[int] = ()) -> CardFeatures:
    """The features of one hand, `board[105]` and `private[241]`, on a board of 0, 3, 4 or 5 cards.

    Only streets that are out have columns other than zero.
    """
    from pokerlab.cards._card_features_numba import fill
    from pokerlab.cards._straight_features_numba import pair_draws

    if len(hole) != 2 or len(board) not in (0, 3, 4, 5):
        raise CardError(f"features are of 2 cards and a board of 0, 3, 4 or 5, not of {len(hole)} and {len(board)}")
    check_distinct(hole=hole, board=board)
    found = CardFeatures(np.zeros((1, len(BOARD_FEATURES)), np.int8), np.zeros((1, 1, len(PRIVATE_FEATURES)), np.int8))
    boards = np.zeros((1, 5), np.uint8)
    boards[0, : len(board)] = board
    holes = np.array(hole, np.uint8).reshape(1, 1, 2)
    fill(holes, boards, len(board), pair_draws(), found.board, found.private)
    return CardFeatures(found.board[0], found.private[0, 0])


def features_on(hole: Sequence[int], board: Sequence[int] = ()) -> dict[str, int]:
    """The features that are on for a player to act: of the board so far, then of its own cards on this street.

    On the river the board's are both those of every street and those without order.
    """
    found = features_of(hole, board)
    private = PRIVATE_COLUMNS[{0: 0, 3: 1, 4: 2, 5: 3}[len(board)]]
    shown = [
        *zip(BOARD_NAMES, found.board.tolist(), strict=True),
        *zip(PRIVATE_NAMES[private], found.private[private].tolist(), strict=True),
    ]
    return {name: value for name, value in shown if value}
