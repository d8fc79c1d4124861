"""Check how well the flops of a library represent all flops: compare the equity of two ranges on both.

>>> rows = [{"board": "Ks7h2d", "n": 1, "equity": [0.6, 0.4]}, {"board": "AsAhAd", "n": 3, "equity": [0.5, 0.5]}]
>>> here, everywhere = kept_equity(("AA, 55", "KK"), rows)
>>> round(here, 4), round(everywhere, 4)
(0.525, 0.5073)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, live_combos
from pokerlab.cards.matchups import edge_against
from pokerlab.cards.ranges import parse_range


def kept_equity(ranges: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Return the first range's equity over the boards of a report's `rows` (each weighted by the pairs of hands that
    can be dealt with it), and its equity over all flops."""
    first, second = (parse_range(text) for text in ranges)
    weights = [row["n"] * float(first @ met(first, second, cards(row["board"]))) for row in rows]
    here = float(np.dot(weights, [row["equity"][0] for row in rows]) / np.sum(weights))
    pairs = met(first, second, ())
    edge = sum(weight * float(first @ edge_against(int(combo))) for combo, weight in _held(second))
    return here, 0.5 + 0.5 * edge / float(first @ pairs)


def met(first: Floats, second: Floats, board: Sequence[int]) -> Floats:
    """`weight[combo]`: for each hand of the first range, the total weight of the second range's hands that can be dealt
    with it."""
    live = live_combos(sum(1 << card for card in board))
    held = np.where(live, second, 0.0)
    by_card = np.zeros(52)
    for column in CARDS_OF_COMBO.T:
        np.add.at(by_card, column, held)
    total = held.sum() - by_card[CARDS_OF_COMBO].sum(axis=1) + held
    return np.asarray(np.where(live & (first > 0), total, 0.0))


def _held(weights: Floats) -> list[tuple[int, float]]:
    return [(int(combo), float(weights[combo])) for combo in np.flatnonzero(weights)]
