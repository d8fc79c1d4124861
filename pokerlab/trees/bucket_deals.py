"""Deals of hold'em as cells: what a sampling solver needs of cards, and nothing else.

Deal number i of a seed is always the same, whoever asks for it and in whatever portions.

>>> from pokerlab.trees.bucket_files import buckets
>>> deals = BucketDeals(buckets("pr5"), 2, seed=7)
>>> deals.about["buckets"], deals.about["players"], deals.hand_cards.shape
('pr5', 2, (1326, 2))

`deals.deal(first=1000, n=2)` gives `cells[2, 2, 4]` and `rank[2, 2]`. For `prN` the first call makes tables, half a
minute of processor time, and keeps them in the cache directory.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS
from pokerlab.errors import RulesError
from pokerlab.rng import stream_key
from pokerlab.trees import _bucket_deals_numba as kernels
from pokerlab.trees._buckets_numba import Lookup
from pokerlab.trees.bucket_files import with_tables
from pokerlab.trees.buckets import Buckets

LABEL = "bucket deals"
MOST_PLAYERS = 10


class BucketDeals:
    """Deals for 2 to 10 players, and boards with all hands at once, in the cells of `buckets`."""

    def __init__(self, buckets: Buckets, n_players: int, seed: int) -> None:
        if not 2 <= n_players <= MOST_PLAYERS:
            raise RulesError(f"hold'em is dealt to 2 to {MOST_PLAYERS} players here, not {n_players}")
        self.buckets, self.n_players, self.seed = buckets, n_players, int(seed)
        self.key = stream_key(self.seed, LABEL)

    @property
    def about(self) -> dict[str, Any]:
        """What decides the deals, as plain JSON values."""
        return {
            "source": LABEL, "buckets": self.buckets.name, "recipe": dict(self.buckets.recipe),
            "players": self.n_players, "seed": self.seed,
        }  # fmt: skip

    @cached_property
    def lookup(self) -> Lookup:
        """What the kernels read; for kernels elsewhere that deal by themselves."""
        return with_tables(self.buckets).lookup()

    @property
    def hand_cards(self) -> NDArray[np.int32]:
        """`hand_cards[hand, 2]`: hands are the 1326 combos."""
        return CARDS_OF_COMBO.astype(np.int32)

    def deal(self, first: int, n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Deals number `first` ..: `cells[deal, player, street]` and `rank[deal, player]` (river, higher is better)."""
        cells = np.empty((n, self.n_players, 4), dtype=np.int32)
        rank = np.empty((n, self.n_players), dtype=np.int32)
        kernels.deal(self.key, np.int64(first), np.int64(self.n_players), self.lookup, cells, rank)
        return cells, rank

    def boards(self, first: int, n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Boards number `first` ..: `cells[board, street, combo]` and `rank[board, combo]`, -1 where blocked."""
        cells = np.empty((n, 4, N_COMBOS), dtype=np.int32)
        rank = np.empty((n, N_COMBOS), dtype=np.int32)
        kernels.deal_boards(self.key, np.int64(first), self.lookup, cells, rank)
        return cells, rank


def sample_deals(
    buckets: Buckets, n_deals: int, n_players: int, *, seed: int, first_deal: int = 0
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """`cells[deal, player, street]` and `rank[deal, player]` of some deals."""
    return BucketDeals(buckets, n_players, seed).deal(first_deal, n_deals)
