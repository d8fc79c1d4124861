"""The named card features of the connectionist player, for single hands and for millions of deals.

A feature is a flag, the rank of a card (1 for a deuce .. 13 for an ace, so that a deuce does not count as "off") or a
count. Board features describe only the board; private features describe the board with a player's two cards. Most are
nested: a feature whose name extends another's, as `flop/pair/rank` extends `flop/pair`, can only be on if that feature
is on. Board features of earlier streets stay on, because the order of the cards shows which draws an opponent may have
had; private features do not. On the river the action function instead uses 30 features of the unordered board.

>>> from pokerlab.cards.card import cards
>>> list(features_on(cards("7c2d")).items())
[('pre-flop/hi-rank', 6), ('pre-flop/lo-rank', 1)]
>>> [name for name in features_on(cards("AsKs"), cards("Qs7s2d")) if "flush" in name]
['flop/two-flush', 'flop/two-flush/draw']

The names, in column order, are in `feature_names`. The printed list is ambiguous in places, and its length
differs from the counts in its own table; docs/connectionist.md gives our choices and both counts.

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
from pokerlab.cards.feature_names import BOARD_FEATURES, BOARD_NAMES, PRIVATE_COLUMNS, PRIVATE_FEATURES, PRIVATE_NAMES
from pokerlab.errors import CardError
from pokerlab.runs.cost import usable_cores


class CardFeatures(NamedTuple):
    """105 features of the board, `board[.., 105]`, and 257 of each seat's hand on it, `private[.., seat, 257]`."""

    board: Int8s
    private: Int8s


def card_features(holes: ArrayLike, boards: ArrayLike) -> CardFeatures:
    """Features of `holes[deal, seat, 2]` on `boards[deal, n]`, of 0, 3, 4 or 5 cards, for every street dealt so far.

    >>> features = card_features([[[51, 50], [0, 1]]], [[47, 43, 39, 35, 31]])
    >>> features.board.shape, features.private.shape
    ((1, 105), (1, 2, 257))
    """
    from pokerlab.cards._card_features_numba import fill
    from pokerlab.cards._straight_features_numba import pair_draws

    hole, board = np.ascontiguousarray(holes, np.uint8), np.ascontiguousarray(boards, np.uint8)
    if hole.ndim != 3 or hole.shape[2:] != (2,) or board.shape not in [(len(hole), n) for n in (0, 3, 4, 5)]:
        raise CardError(
            f"hole cards are [deal, seat, 2], boards [deal, 0, 3, 4 or 5], not {hole.shape} and {board.shape}"
        )
    n_board = board.shape[1]
    board = np.pad(board, ((0, 0), (0, 5 - n_board)))
    features = CardFeatures(
        np.zeros((len(hole), len(BOARD_FEATURES)), np.int8), np.zeros((*hole.shape[:2], len(PRIVATE_FEATURES)), np.int8)
    )
    fill(hole, board, n_board, pair_draws(), features.board, features.private)
    return features


def card_features_on_all_cores(holes: Uint8s, boards: Uint8s) -> CardFeatures:
    """`card_features` of many deals, computed in parts on every core (the kernel releases the GIL)."""
    cores = usable_cores()
    parts = np.array_split(np.arange(len(holes)), min(len(holes), 4 * cores))
    with ThreadPoolExecutor(cores) as workers:
        results = list(workers.map(lambda part: card_features(holes[part], boards[part]), parts))
    return CardFeatures(*(np.concatenate(arrays) for arrays in zip(*results, strict=True)))


def features_of(hole: Sequence[int], board: Sequence[int] = ()) -> CardFeatures:
    """The features of one hand, `board[105]` and `private[257]`, on a board of 0, 3, 4 or 5 cards.

    Columns of later streets are zero.
    """
    if len(hole) != 2 or len(board) not in (0, 3, 4, 5):
        raise CardError(f"features are of 2 cards and a board of 0, 3, 4 or 5, not of {len(hole)} and {len(board)}")
    check_distinct(hole=hole, board=board)
    features = card_features([[hole]], np.array([board], np.uint8).reshape(1, -1))
    return CardFeatures(features.board[0], features.private[0, 0])


def features_on(hole: Sequence[int], board: Sequence[int] = ()) -> dict[str, int]:
    """Features that are on for a player to act: those of the board so far, then the private ones of this street.

    On the river both the ordered board features of every street and the unordered ones are included.
    """
    features = features_of(hole, board)
    private = PRIVATE_COLUMNS[{0: 0, 3: 1, 4: 2, 5: 3}[len(board)]]
    shown = [
        *zip(BOARD_NAMES, features.board.tolist(), strict=True),
        *zip(PRIVATE_NAMES[private], features.private[private].tolist(), strict=True),
    ]
    return {name: value for name, value in shown if value}
