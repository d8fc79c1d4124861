"""Numbering of the hands that a seat may hold, which are the rows of arrays over whole ranges.

Hole cards are numbered in colexicographic order, the higher card first. Two hole cards from a full deck are the 1326
combos, numbered as in `cards.combos`; in Leduc a hand is a single card.

>>> from pokerlab.games.catalog import game
>>> leduc, holdem = hands_of(game("leduc")), hands_of(game("limit2p"))
>>> len(leduc), leduc.number((47,)), len(holdem), holdem.number((50, 51))
(6, 3, 1326, 1325)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from pokerlab.arrays import Bools, Uint8s, Uint64s
from pokerlab.games.rules import Rules


@dataclass(frozen=True, eq=False)
class Hands:
    """All hands that a deck can deal to a seat: `holes[hand, i]` is the i-th hole card."""

    holes: Uint8s

    def __len__(self) -> int:
        return len(self.holes)

    @cached_property
    def masks(self) -> Uint64s:
        """Return a bit mask for each hand, in which bit number `card` is set for each of its cards."""
        return np.asarray(np.bitwise_or.reduce(np.uint64(1) << self.holes.astype(np.uint64), axis=1))

    def number(self, hole: Sequence[int]) -> int:
        """Number of a hand; its cards may be in any order."""
        return self._number[frozenset(hole)]

    @cached_property
    def _number(self) -> dict[frozenset[int], int]:
        return {frozenset(hole): number for number, hole in enumerate(self.holes.tolist())}

    def live(self, dead: Sequence[int]) -> Bools:
        """Return, for each hand, whether it holds none of the cards `dead`."""
        return np.asarray((self.masks & np.uint64(sum(1 << card for card in dead))) == 0)


def hands_of(rules: Rules, street: int = 0) -> Hands:
    """The hands that a seat can have on a street of a game; only face-down cards count."""
    return _hands(rules.deck, len(rules.dealt_by[street][0][0]))


@lru_cache(maxsize=64)
def _hands(deck: tuple[int, ...], n_hole: int) -> Hands:
    holes = sorted(hole[::-1] for hole in combinations(sorted(deck), n_hole))
    return Hands(np.array(holes, np.uint8).reshape(len(holes), n_hole))
