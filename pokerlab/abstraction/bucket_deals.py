"""Deals of hold'em as cells, for sampling solvers.

Deal number i of a seed is always the same, however many deals are drawn at a time.

>>> from pokerlab.abstraction.bucket_files import buckets
>>> deals = BucketDeals(buckets("pr5"), 2, seed=7)
>>> deals.about["buckets"], deals.about["players"], deals.hand_cards.shape
('pr5', 2, (1326, 2))

`deals.deal(first=1000, n=2)` gives `cells[2, 2, 4]` and `rank[2, 2]`. For `prN` the first call computes tables (half a
minute of processor time) and saves them in the cache directory.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.abstraction import _bucket_deals_numba as kernels
from pokerlab.abstraction._buckets_numba import Lookup
from pokerlab.abstraction._deals_numba import deal_places
from pokerlab.abstraction.bucket_files import with_tables
from pokerlab.abstraction.buckets import Buckets
from pokerlab.arrays import Int32s, Uint8s
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS
from pokerlab.errors import RulesError
from pokerlab.rng import stream_key

LABEL = "bucket deals"
MOST_PLAYERS = 10


class BucketDeals:
    """Deals for 2 to 10 players, and boards with all hands at once, in the cells of `buckets`.

    Additional `labels` select another stream of the same seed.
    """

    def __init__(self, buckets: Buckets, n_players: int, seed: int, *labels: str) -> None:
        if not 2 <= n_players <= MOST_PLAYERS:
            raise RulesError(f"deals of hold'em are for 2 to {MOST_PLAYERS} players, not {n_players}")
        self.buckets, self.n_players, self.seed = buckets, n_players, int(seed)
        self.key = stream_key(self.seed, LABEL, *labels)

    @property
    def about(self) -> dict[str, Any]:
        """The settings that determine the deals, as JSON values."""
        return {
            "source": LABEL, "buckets": self.buckets.name, "recipe": dict(self.buckets.recipe),
            "players": self.n_players, "seed": self.seed,
        }  # fmt: skip

    @cached_property
    def lookup(self) -> Lookup:
        """The arrays that the kernels read; also for kernels in other modules that deal."""
        return with_tables(self.buckets).lookup()

    @property
    def hand_cards(self) -> Int32s:
        """`hand_cards[hand, 2]`: hands are the 1326 combos."""
        return CARDS_OF_COMBO.astype(np.int32)

    def deal(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        """Deals number `first` ..: `cells[deal, player, street]` and `rank[deal, player]` (river, higher is better).

        The first five cards of a deck are the board; each player gets two of the next.
        """
        dealt = deal_places(self.key, first, n, 52, 5 + 2 * self.n_players)
        return self.of_dealt(np.roll(dealt, -5, axis=1))

    def of_dealt(self, dealt: Uint8s) -> tuple[Int32s, Int32s]:
        """`cells[deal, player, street]` and `rank[deal, player]` of `dealt[deal, card]`: hands by seat, the board."""
        cells = np.empty((len(dealt), self.n_players, 4), np.int32)
        rank = np.empty((len(dealt), self.n_players), np.int32)
        kernels.cells_of_deals(dealt, self.lookup, cells, rank)
        return cells, rank

    def boards(self, first: int, n: int) -> tuple[Int32s, Int32s]:
        """Boards number `first` ..: `cells[board, street, combo]` and `rank[board, combo]`, -1 if blocked."""
        cells, rank = np.empty((n, 4, N_COMBOS), np.int32), np.empty((n, N_COMBOS), np.int32)
        kernels.cells_of_boards(deal_places(self.key, first, n, 52, 5), self.lookup, cells, rank)
        return cells, rank
