"""The names and columns of the card features (`card_features` describes them), from `data/card_features.csv`.

>>> PRIVATE_FEATURES[1]
Feature(name='pre-flop/pocket-pair/rank', kind='rank', most=13, printed=True, orders=False)
>>> BOARD_NAMES[UNORDERED_RIVER][-1]
'river-unordered/two-gaps'
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats32

STREETS = ("pre-flop", "flop", "turn", "river")
UNORDERED = "river-unordered"


class Feature(NamedTuple):
    """A feature's full name (street, then path), its kind (flag, rank or count), its maximum, whether the published
    list has it, and whether it was added so that features order hands."""

    name: str
    kind: str
    most: int
    printed: bool
    orders: bool = False


def _features(of: str) -> tuple[tuple[Feature, ...], dict[str, slice]]:
    """The features of a `board` or a `hand` in column order, and the columns of each street, from the shipped list."""
    with (Path(__file__).parent / "data" / "card_features.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["of"] == of]
    features = tuple(
        Feature(
            f"{r['street']}/{r['path']}", r["kind"], int(r["most"]), r["published"] == "yes", r["published"] == "order"
        )
        for r in rows
    )
    streets = [row["street"] for row in rows]
    return features, {s: slice(streets.index(s), streets.index(s) + streets.count(s)) for s in streets}


BOARD_FEATURES, _board_columns = _features("board")
PRIVATE_FEATURES, _private_columns = _features("hand")
BOARD_NAMES = tuple(feature.name for feature in BOARD_FEATURES)
PRIVATE_NAMES = tuple(feature.name for feature in PRIVATE_FEATURES)

BOARD_COLUMNS: tuple[slice, ...] = (slice(0, 0), *(_board_columns[street] for street in STREETS[1:]))
"""The columns of the features that a street adds, by street; a board has those of its street and earlier ones."""
UNORDERED_RIVER: slice = _board_columns[UNORDERED]
"""The columns of the 30 features that the action function uses instead on the river."""
PRIVATE_COLUMNS: tuple[slice, ...] = tuple(_private_columns[street] for street in STREETS)


def _parts(columns: slice) -> tuple[slice, slice]:
    """The columns of a street that the first feature set had, and those added since to order hands."""
    added = sum(feature.orders for feature in PRIVATE_FEATURES[columns])
    return slice(columns.start, columns.stop - added), slice(columns.stop - added, columns.stop)


FIRST_COLUMNS, ORDER_COLUMNS = zip(*map(_parts, PRIVATE_COLUMNS), strict=True)
"""The parts of `PRIVATE_COLUMNS` by street; weights of before 2026-11-19 have the first parts alone."""

BOARD_SCALE: Floats32 = np.array([feature.most for feature in BOARD_FEATURES], np.float32)
PRIVATE_SCALE: Floats32 = np.array([feature.most for feature in PRIVATE_FEATURES], np.float32)
"""The divisors that scale the columns to 0 .. 1."""
