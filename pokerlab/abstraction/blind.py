"""The cards as seen by a player that ignores them: a single cell on every street.

Scripted agents are strategies over this cell. Compiled code plays them like any other strategy, in games whose
showdowns compare hands of five to seven cards.

>>> from pokerlab.games.catalog import game
>>> blind = Blind(game("limit2p"))
>>> blind.n_cells, blind.of_hand((0, 1), ())
((1, 1, 1, 1), 0)
>>> blind.of_dealt(np.array([[51, 47, 0, 5, 43, 39, 35, 10, 15]], np.uint8))[1]  # a royal flush against queen high
array([[7461,  433]], dtype=int32)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pokerlab.abstraction._deals_numba import deal_places
from pokerlab.arrays import Int32s, Uint8s
from pokerlab.cards.evaluate import evaluate_batch
from pokerlab.errors import RulesError
from pokerlab.games.rules import Rules
from pokerlab.rng import stream_key


class Blind:
    """One cell on each street. Deals come from the random stream (`seed`, "deals", `*labels`)."""

    name, pairs = "blind", None

    def __init__(self, rules: Rules, seed: int = 0, *labels: str) -> None:
        self.rules, self.seed, self._labels = rules, seed, labels
        self._n_hole = rules.streets[0].n_hole
        n_cards = self._n_hole + sum(street.n_board for street in rules.streets)
        alike = rules.ranking == "high" and rules.n_dealt == rules.n_seats * self._n_hole + n_cards - self._n_hole
        if not alike or not 5 <= n_cards <= 7:
            raise RulesError(f"{rules.name}: a showdown must compare hands of five to seven cards")

    @property
    def n_cells(self) -> tuple[int, ...]:
        return (1,) * len(self.rules.streets)

    def of_hand(self, hole: Sequence[int], board: Sequence[int]) -> int:
        return 0

    def label(self, street: int, cell: int) -> str:
        return "any hand"

    @property
    def about(self) -> dict[str, Any]:
        return {"cards": self.name, "seed": self.seed}

    def deal(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        """Deals from number `first` on: `cells[deal, player, street]`, all 0, and `rank[deal, player]`."""
        key = stream_key(self.seed, "deals", *self._labels)
        return self.of_dealt(deal_places(key, first, n, len(self.rules.deck), self.rules.n_dealt))

    def of_dealt(self, dealt: Uint8s) -> tuple[Int32s, Int32s]:
        """Return `cells` and `rank` for `dealt[deal, i]`, given as indices of the deck: hands by seat, then the
        board."""
        n_seats, n_hole = self.rules.n_seats, self._n_hole
        cards = np.array(self.rules.deck, np.uint8)[dealt]
        board = cards[:, n_seats * n_hole :]
        hands = [np.hstack([cards[:, seat * n_hole : (seat + 1) * n_hole], board]) for seat in range(n_seats)]
        cells = np.zeros((len(dealt), n_seats, len(self.n_cells)), np.int32)
        return cells, np.stack([evaluate_batch(hand) for hand in hands], axis=1)
