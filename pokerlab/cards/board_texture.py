"""Board texture: high card, pairs, suits and straights, described the way players group boards.

>>> from pokerlab.cards.card import cards
>>> texture(cards("Ks7h2d"))
Texture(high='K high', pairs='unpaired', suits='rainbow', straights='no straight')
>>> texture(cards("8s8d7s6sAh"))
Texture(high='A high', pairs='a pair', suits='three of a suit', straights='straight possible')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from pokerlab.cards.card import RANKS

SUITS = {1: "rainbow", 2: "two of a suit", 3: "three of a suit"}
PAIRS = {(1, 1): "unpaired", (2, 1): "a pair", (2, 2): "two pairs", (3, 1): "three of a kind"}


class Texture(NamedTuple):
    """Texture of a board in four descriptions."""

    high: str
    pairs: str
    suits: str
    straights: str


def texture(board: Sequence[int]) -> Texture:
    """The texture of three to five cards."""
    ranks, suits = Counter(card >> 2 for card in board), Counter(card & 3 for card in board)
    most = [*sorted(ranks.values(), reverse=True), 1]
    low = {*ranks, *([-1] if 12 in ranks else [])}  # an ace also counts as the rank below the deuce
    # two more cards can make a straight
    straight = any(len(low & set(range(first, first + 5))) >= 3 for first in range(-1, 9))
    return Texture(
        high=f"{RANKS[max(ranks)]} high",
        pairs=PAIRS.get((most[0], most[1]), "more than that"),
        suits=SUITS.get(max(suits.values()), "four of a suit"),
        straights="straight possible" if straight else "no straight",
    )
