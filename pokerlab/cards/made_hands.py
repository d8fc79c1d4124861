"""Made hands and draws, named as players name them, for every combo on a flop, turn or river.

A made hand is what the combo itself contributes: 88 on K K 2 is an underpair, and a hand that plays the board is
nothing. A draw must also use a card of the combo, and hands that have a straight or better have none.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.combos import combo_index
>>> of = combo_index(*cards("JsTs"))
>>> MADE[made_hands(cards("KsQs2d"))[of]], DRAWS[draws(cards("KsQs2d"))[of]]
('nothing', 'flush and straight draw')
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.arrays import Bools, Int8s, Int64s
from pokerlab.cards.card import card_text
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, live_combos
from pokerlab.cards.evaluate import CATEGORIES, evaluate, rank_combos, rank_scores
from pokerlab.errors import CardError

MADE = (
    *("straight flush", "four of a kind", "full house", "flush", "straight", "set", "trips", "two pair", "overpair"),
    *("top pair", "underpair", "second pair", "lower pair", "ace high", "nothing"),
)
"""Made hands, best first; an underpair is a pocket pair below the highest card of the board."""
DRAWS = ("flush and straight draw", "flush draw", "open-ended", "gutshot", "backdoor flush draw", "none")
"""Draws; open-ended are straights by two ranks or more, and the back door is open on flops only."""

_HOLE_RANKS: Int64s = CARDS_OF_COMBO.astype(np.int64) >> 2
_HOLE_SUITS: Int64s = CARDS_OF_COMBO.astype(np.int64) & 3
_STRAIGHTS = [1 << 12 | 0b1111, *(0b11111 << low for low in range(9))]


def made_hands(board: Sequence[int]) -> Int8s:
    """`made[1326]`: the made hand of every combo, an index into `MADE`; -1 for combos with a card of the board."""
    _check(board)
    made = _by_own_cards(board)
    ranks = rank_combos(board)
    category = np.where(ranks >= 0, rank_scores()[np.maximum(ranks, 0)] >> 20, -1)
    for number in range(CATEGORIES.index("straight"), len(CATEGORIES)):
        made[category == number] = MADE.index(CATEGORIES[number])
    if len(board) == 5:
        made[ranks == evaluate(board)] = MADE.index("nothing")
    made[ranks < 0] = -1
    return made


def draws(board: Sequence[int]) -> Int8s:
    """`draw[1326]`: the draw of every combo, an index into `DRAWS`; -1 for combos with a card of the board."""
    _check(board)
    draw = np.full(N_COMBOS, DRAWS.index("none"), np.int8)
    if len(board) < 5:
        held = _HOLE_SUITS
        suited = np.stack(
            [np.sum(held == suit, axis=1) + sum((card & 3) == suit for card in board) for suit in range(4)]
        )
        own = np.stack([np.any(held == suit, axis=1) for suit in range(4)])
        both = held[:, 0] == held[:, 1]
        flush = ((suited == 4) & own).any(axis=0)
        straights = _straight_ranks(board)
        if len(board) == 3:
            draw[both & np.any((suited == 3) & own, axis=0)] = DRAWS.index("backdoor flush draw")
        draw[straights == 1] = DRAWS.index("gutshot")
        draw[straights > 1] = DRAWS.index("open-ended")
        draw[flush] = DRAWS.index("flush draw")
        draw[flush & (straights > 0)] = DRAWS.index("flush and straight draw")
        draw[made_hands(board) <= MADE.index("straight")] = DRAWS.index("none")
    draw[~live_combos(sum(1 << card for card in board))] = -1
    return draw


def _check(board: Sequence[int]) -> None:
    if not 3 <= len(board) <= 5:
        raise CardError(f"hands are made on 3, 4 or 5 cards, not on {' '.join(map(card_text, board)) or 'none'}")


def _by_own_cards(board: Sequence[int]) -> Int8s:
    """Made hands below a straight, from how the ranks of a combo match those of the board."""
    of_board = np.bincount([card >> 2 for card in board], minlength=13)
    high, low = _HOLE_RANKS.max(axis=1), _HOLE_RANKS.min(axis=1)
    pocket = high == low
    ranked = np.flatnonzero(of_board)[::-1]
    # for each rank, the number of higher ranks on the board
    above = np.array([(ranked > rank).sum() for rank in range(13)])
    best = np.where(of_board[high] > 0, high, low)  # the higher of the combo's ranks that pair with the board
    meets = ~pocket & ((of_board[high] > 0) | (of_board[low] > 0))
    made = np.full(N_COMBOS, MADE.index("nothing"), np.int8)
    made[high == 12] = MADE.index("ace high")
    for place, name in enumerate(("top pair", "second pair")):
        made[meets & (above[best] == place)] = MADE.index(name)
    made[meets & (above[best] > 1)] = MADE.index("lower pair")
    made[pocket] = np.where(above[high] == 0, MADE.index("overpair"), MADE.index("underpair"))[pocket]
    made[~pocket & (of_board[high] == 1) & (of_board[low] == 1)] = MADE.index("two pair")
    made[~pocket & ((of_board[high] == 2) | (of_board[low] == 2))] = MADE.index("trips")
    made[pocket & (of_board[high] == 1)] = MADE.index("set")
    return made


def _straight_ranks(board: Sequence[int]) -> Int64s:
    """`n[1326]`: number of ranks that would complete a straight using a card of the combo, and that the board alone
    lacks."""
    of_board = sum(1 << rank for rank in {card >> 2 for card in board})
    masks = of_board | 1 << _HOLE_RANKS[:, 0] | 1 << _HOLE_RANKS[:, 1]
    more = [_best(masks | 1 << rank) > _best(np.array(of_board | 1 << rank)) for rank in range(13)]
    return np.asarray(np.sum(more, axis=0))


def _best(masks: Int64s) -> Int64s:
    """The highest straight in sets of ranks, from 1; 0 for none."""
    has: list[Bools] = [masks & straight == straight for straight in _STRAIGHTS]
    return np.asarray(np.max([np.where(one, place, 0) for place, one in enumerate(has, 1)], axis=0))
