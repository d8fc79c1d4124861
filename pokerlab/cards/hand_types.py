"""The hand types of the Bayesian players: coarse names for the 7,462 ranks, and for partial hands.

There are 28 sub-types, worst first. Each of five resolutions, named after the year of the player that used it, merges
some of them to 9, 17, 25, 25 and 15 types. The last network itself has 16 (`2007-network`), separating a pair of queens
from one of nines to jacks. "Low" is up to eights and "medium" nines to jacks, except that two pair with queens on top
is also medium.

>>> from pokerlab.cards.card import cards
>>> [type_name("2007-network", cards(text)) for text in ("AsKd Ah7h2c", "QsQd", "2h3h4h5h6h 6d6c")]
['PairA', 'PairHi', 'StraightFlush']
>>> partial_hand(cards("AsKs"), cards("7s2s2c"))
PartialHand(tuple='PairLow', suit='draw', sequence='none')

References
----------
Taylor (2007), table 3.2, figure 3.5 and section 3.7. The probabilities of table 3.2 are shares of the 7,462 ranks, not
the probabilities of being dealt them. The types of partial hands are not printed; those here are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Int64s
from pokerlab.cards import _hand_types_numba as kernels
from pokerlab.cards.card import check_distinct
from pokerlab.cards.evaluate import HIGH_CARD, N_RANKS, PAIR, TWO_PAIR, evaluate, rank_scores
from pokerlab.errors import CardError

_RANK_WORDS = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")
_PAIRS = tuple("Pair of " + ("Sixes" if word == "Six" else f"{word}s") for word in _RANK_WORDS)
_BUSTED = tuple(f"Busted {word}" for word in ("Low", "Medium", "Queen", "King", "Ace"))
_TWO_PAIRS = tuple(f"Two Pair {word}" for word in ("Low", "Medium", "Kings", "Aces"))
_MADE = ("Three of a Kind", "Straight", "Flush", "Full House", "Four of a Kind", "Straight Flush")

SUBTYPES = (*_BUSTED, *_PAIRS, *_TWO_PAIRS, *_MADE)
"""The 28 rows of table 3.2."""


@dataclass(frozen=True)
class Resolution:
    """A resolution: names of the types, worst first, and `type_of_subtype[28]`."""

    names: tuple[str, ...]
    type_of_subtype: Int64s

    def __len__(self) -> int:
        return len(self.names)

    @property
    def type_of_rank(self) -> Int64s:
        """Return, for each of the 7,462 ranks, the index of its type."""
        return self.type_of_subtype[subtype_of_rank()]


def _resolution(**sizes: int) -> Resolution:
    """Make a resolution from its types in order, each with the number of sub-types that it merges."""
    names = tuple(name.replace("_", " ") for name in sizes)
    joined = np.repeat(np.arange(len(sizes)), list(sizes.values()))
    assert len(joined) == len(SUBTYPES)
    joined.setflags(write=False)
    return Resolution(names, joined)


_SPLIT_BUSTED = {name.replace(" ", "_"): 1 for name in _BUSTED}
_EVERY_PAIR = {name.replace(" ", "_"): 1 for name in _PAIRS}
_STRONG = {name.replace(" ", "_"): 1 for name in _MADE}
_TWO_PAIR_TYPES = {"TwoPairLow": 1, "TwoPairMed": 1, "TwoPairK": 1, "TwoPairA": 1}
_STRONG_2007 = {"Triple": 1, "Straight": 1, "Flush": 1, "FullHouse": 1, "FourKind": 1, "StraightFlush": 1}

RESOLUTIONS: dict[str, Resolution] = {
    "1993": _resolution(Busted=5, Pair=13, Two_Pair=4, **_STRONG),
    "1999": _resolution(
        **_SPLIT_BUSTED,
        Pair_Low=7,
        Pair_Medium=3,
        Pair_of_Queens=1,
        Pair_of_Kings=1,
        Pair_of_Aces=1,
        Two_Pair=4,
        **_STRONG,
    ),
    "2000": _resolution(**_SPLIT_BUSTED, **_EVERY_PAIR, Two_Pair=4, **_STRONG),
    "2003": _resolution(**_SPLIT_BUSTED, **_EVERY_PAIR, Two_Pair=4, **_STRONG),
    "2007": _resolution(Busted=5, PairLow=7, PairMed=4, PairK=1, PairA=1, **_TWO_PAIR_TYPES, **_STRONG_2007),
    "2007-network": _resolution(
        Busted=5, PairLow=7, PairMed=3, PairHi=1, PairK=1, PairA=1, **_TWO_PAIR_TYPES, **_STRONG_2007
    ),
}
"""By year; `2007` is the column of table 3.2, `2007-network` the sixteen types of figure 3.5."""


@cache
def subtype_of_rank() -> Int64s:
    """Return, for each of the 7,462 ranks, its sub-type (one of 28)."""
    category, first = rank_scores() >> 20, rank_scores() >> 16 & 15
    subtype = category + (len(SUBTYPES) - 9)  # three of a kind and better: one each, in order
    subtype = np.where(category == HIGH_CARD, kernels.BUSTED_OF_RANK[first], subtype)
    subtype = np.where(category == PAIR, kernels.PAIR + first, subtype)
    subtype = np.where(category == TWO_PAIR, kernels.TWO_PAIR + kernels.TWO_PAIR_OF_RANK[first], subtype)
    assert subtype.shape == (N_RANKS,)
    subtype.setflags(write=False)
    return subtype


def subtype_of(cards: Sequence[int]) -> int:
    """Sub-type of the best hand in 1 to 7 cards; with fewer than five cards there are no straights or flushes.

    >>> SUBTYPES[subtype_of([51, 47])], SUBTYPES[subtype_of([51, 50, 49])]
    ('Busted Ace', 'Three of a Kind')
    """
    if len(cards) >= 5:
        return int(subtype_of_rank()[evaluate(cards)])
    if not cards:
        raise CardError("a hand has 1 to 7 cards, not 0")
    check_distinct(hand=cards)
    return _tuple_of(cards)


def type_name(resolution: str, cards: Sequence[int]) -> str:
    """Name of the type of 1 to 7 cards at a resolution."""
    if resolution not in RESOLUTIONS:
        raise CardError(f"no resolution {resolution!r}; available: {', '.join(RESOLUTIONS)}")
    types = RESOLUTIONS[resolution]
    return types.names[int(types.type_of_subtype[subtype_of(cards)])]


# --- partial hands ----------------------------------------------------------------------------------------------------

TUPLES = (
    *_BUSTED,
    *(name for name in RESOLUTIONS["2007-network"].names[1:] if "Straight" not in name and name != "Flush"),
)
"""Types of a partial hand by rank alone: high cards in five steps, and the tuples of the sixteen types."""
BOARD_TUPLES = ("Nothing", "Pair", "TwoPair", "Triple", "FullHouse")
"""Types of a board by rank alone; the last includes four of a kind."""
LEVELS = ("none", "draw", "made")
"""Progress towards a flush or a straight. A draw lacks one card while one is to come; two hole cards alone have a draw
if they are suited, or can be part of the same straight."""
BOARD_LEVELS = ("none", "three", "four")
"""Cards of a flush or straight on a board: two hole cards can complete three, one or none can complete four or five."""

HAND_STATES = tuple(f"{t}, suit {s}, sequence {q}" for t in TUPLES for s in LEVELS for q in LEVELS)
BOARD_STATES = tuple(f"{t}, suit {s}, sequence {q}" for t in BOARD_TUPLES for s in BOARD_LEVELS for q in BOARD_LEVELS)
"""States of a node for a partial hand or a board: `(tuple * 3 + suit) * 3 + sequence`."""


def _tuple_places() -> Int64s:
    """The index in `TUPLES` for each sub-type; -1 for straights and flushes, which are not tuples."""
    types = RESOLUTIONS["2007-network"]
    names = [
        name if name in _BUSTED else types.names[types.type_of_subtype[place]] for place, name in enumerate(SUBTYPES)
    ]
    return np.array([TUPLES.index(name) if name in TUPLES else -1 for name in names])


TUPLE_OF_SUBTYPE = _tuple_places()
BOARD_TUPLE_OF_SUBTYPE = np.repeat([0, 1, 2, 3, -1, 4, -1], [5, 13, 4, 1, 2, 2, 1])


class PartialHand(NamedTuple):
    """A partial hand: its cards by rank, and the progress towards a flush and a straight."""

    tuple: str
    suit: str
    sequence: str


def partial_hand(hole: Sequence[int], board: Sequence[int]) -> PartialHand:
    """The partial hand of two hole cards with a board of 0, 3, 4 or 5."""
    cards = (*hole, *board)
    if len(hole) != 2 or len(board) not in (0, 3, 4, 5):
        raise CardError(f"a partial hand is 2 cards and a board of 0, 3, 4 or 5, not {len(hole)} and {len(board)}")
    check_distinct(hole=hole, board=board)
    place = TUPLE_OF_SUBTYPE[_tuple_of(cards)]
    return PartialHand(TUPLES[place], *(LEVELS[_level(most, len(cards))] for most in _most(cards)))


def partial_board(board: Sequence[int]) -> PartialHand:
    """Partial hand that a board of 3, 4 or 5 cards gives to every player.

    >>> from pokerlab.cards.card import cards
    >>> partial_board(cards("Ah7h2h"))
    PartialHand(tuple='Nothing', suit='three', sequence='none')
    """
    if len(board) not in (3, 4, 5):
        raise CardError(f"a board has 3, 4 or 5 cards, not {len(board)}")
    check_distinct(board=board)
    place = BOARD_TUPLE_OF_SUBTYPE[_tuple_of(board)]
    return PartialHand(BOARD_TUPLES[place], *(BOARD_LEVELS[min(max(most - 2, 0), 2)] for most in _most(board)))


def hand_state(hole: Sequence[int], board: Sequence[int]) -> int:
    """The index of a partial hand in `HAND_STATES`."""
    partial = partial_hand(hole, board)
    return (TUPLES.index(partial.tuple) * 3 + LEVELS.index(partial.suit)) * 3 + LEVELS.index(partial.sequence)


def board_state(board: Sequence[int]) -> int:
    """The index of a board in `BOARD_STATES`; 0 before the flop."""
    if not board:
        return 0
    partial = partial_board(board)
    suit, sequence = (BOARD_LEVELS.index(level) for level in partial[1:])
    return (BOARD_TUPLES.index(partial.tuple) * 3 + suit) * 3 + sequence


def _tuple_of(cards: Sequence[int]) -> int:
    """Sub-type of some cards by their ranks alone."""
    ranks = [card >> 2 for card in cards]
    held = {rank: ranks.count(rank) for rank in ranks}
    pairs = sorted(rank for rank, n in held.items() if n == 2)
    triples = sum(n == 3 for n in held.values())
    if 4 in held.values():
        return kernels.FOUR
    if triples:
        return kernels.FULL_HOUSE if pairs or triples > 1 else kernels.TRIPLE
    if len(pairs) > 1:
        return int(kernels.TWO_PAIR + kernels.TWO_PAIR_OF_RANK[pairs[-1]])
    return kernels.PAIR + pairs[0] if pairs else int(kernels.BUSTED_OF_RANK[max(ranks)])


def _most(cards: Sequence[int]) -> tuple[int, int]:
    """Return how close some cards are to a flush and to a straight.

    The first number is how many cards have the most common suit. The second is the largest number of different ranks
    of the cards that belong to one straight.
    """
    suits = [card & 3 for card in cards]
    ranks = {card >> 2 for card in cards}
    straights = [{12, 0, 1, 2, 3}, *(set(range(low, low + 5)) for low in range(9))]
    return max(suits.count(suit) for suit in suits), max(len(ranks & straight) for straight in straights)


def _level(most: int, n_cards: int) -> int:
    """Index into `LEVELS`, given the number of cards towards a flush or straight and the number of cards seen (2, 5, 6
    or 7)."""
    if most >= 5:
        return 2
    return int(most == 2 if n_cards == 2 else most == 4 and n_cards < 7)
