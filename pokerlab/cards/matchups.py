"""Every hold'em hand all-in against every other before the flop: exact, computed once and shipped.

A matchup's *edge* is the first hand's probability of winning minus that of losing, over all 1,712,304 boards.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.combos import combo_index
>>> aces, kings = combo_index(*cards("AsAh")), combo_index(*cards("KsKh"))
>>> edge_against(kings)[aces].round(4), edge_against(aces)[kings].round(4)
(np.float64(0.6527), np.float64(-0.6527))

The table ships as `data/matchups.bin`; the request `{"kind": "matchups"}` computes it again.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from pathlib import Path

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import Floats, Int32s
from pokerlab.caches import compiled
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, live_combos
from pokerlab.cards.evaluate import tables
from pokerlab.cards.isomorphism import indexer
from pokerlab.files import read_arrays, write_arrays

kernels = compiled("pokerlab.cards._equity_numba")
SHIPPED = Path(__file__).parent / "data" / "matchups.bin"
KIND = "pre-flop matchups"
N_BOARDS = comb(48, 5)


@lru_cache(maxsize=N_COMBOS)
def edge_against(combo: int) -> Floats:
    """Return `edge[other]`: before the flop, the probability that `other` beats `combo`, minus that of the reverse.

    It is 0 for combos that share a card with `combo`.
    """
    cards = CARDS_OF_COMBO[combo]
    live = np.flatnonzero(live_combos(sum(1 << int(card) for card in cards)))
    pairs = np.hstack([CARDS_OF_COMBO[live], np.tile(cards, (len(live), 1))])
    edge = np.zeros(N_COMBOS)
    edge[live] = _table()[indexer(2, 2).index_many(pairs)] / N_BOARDS
    edge.setflags(write=False)
    return edge


@lru_cache(maxsize=1)
def _table() -> Int32s:
    """`edge[matchup]`: wins minus losses; matchups are numbered as two rounds of two cards (`isomorphism`)."""
    return np.asarray(read_arrays(SHIPPED, KIND)[1]["edge"])


def build(path: Path) -> None:
    """Compute the table; only one of each matchup and its mirror image is counted."""
    index = indexer(2, 2)
    deals = index.unindex_many(np.arange(index.size)).astype(np.uint8).reshape(-1, 2, 2)
    mirror = index.index_many(deals[:, ::-1].reshape(-1, 4).astype(np.int8))
    mine = np.flatnonzero(np.arange(index.size) <= mirror)
    # no cards besides the two hands are removed from the deck
    no_board, nothing_else = np.empty(0, np.uint8), np.uint64(0)
    edge = np.zeros(index.size, np.int32)
    for part in np.array_split(mine, 200):
        outcomes = np.zeros((len(part), 2, 2), np.int64)
        kernels.deal_outcomes(deals[part], no_board, nothing_else, tables(), outcomes)
        edge[part] = outcomes[:, 0, 0] - outcomes[:, 1, 0]
    edge[mirror[mine]] = -edge[mine]
    about = {"command": "python -m pokerlab.run, kind matchups", "version": __version__, "unit": f"1/{N_BOARDS}"}
    write_arrays(path, KIND, about, {"edge": edge})
