"""Ranges for the page on which they are painted: turn text into the weight of every hand class, and into the shortest
text.

When the user paints a hand, the page adds an item to the text. Later items override earlier ones.

>>> painted = range_data("QQ+, AKs, KK:0.5, QQ:0")
>>> painted["text"], painted["combos"], painted["weights"][:2], painted["weights"][14]
('AA, AKs, KK:0.5', 13.0, [1.0, 1.0], 0.5)
>>> range_data("AA, AA:0")["text"], range_data("KK+", "KsKhKd")["dead"]
('', ['KK'])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.cards.card import cards
from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES, N_COMBOS, class_text, live_combos
from pokerlab.cards.ranges import parse_range, range_text
from pokerlab.errors import ParseError


def range_data(text: str, board: str = "") -> dict[str, Any]:
    """Data of a range for the page. A range without hands has an empty text; it cannot be solved.

    `weights[class]` is the mean over the combos of a class. `dead` are the classes of which the board leaves no combo;
    `combos` is the total weight of the remaining combos.
    """
    weights = _weights(text)
    dead = cards(board) if board.strip() else ()
    live = live_combos(sum(1 << card for card in dead))
    left = np.bincount(CLASS_OF_COMBO, weights=live, minlength=N_CLASSES)
    total = np.bincount(CLASS_OF_COMBO, weights=weights, minlength=N_CLASSES)
    return {
        "text": range_text(weights) if weights.any() else "",
        "weights": np.round(total / np.bincount(CLASS_OF_COMBO), 4).tolist(),
        "combos": round(float(weights[live].sum()), 2),
        "share": round(float(weights[live].sum() / live.sum()), 4),
        "dead": [class_text(number) for number in np.flatnonzero(left == 0).tolist()],
    }


def _weights(text: str) -> np.ndarray:
    if not text.strip(" ,\n"):
        return np.zeros(N_COMBOS)
    text = ", ".join(part.strip() for part in text.replace("\n", ",").split(",") if part.strip())
    try:
        return parse_range(text)
    except ParseError as error:
        if "every weight is zero" in error.problem:
            return np.zeros(N_COMBOS)
        raise
