"""Sentences about results: which intervals lie above zero, and how far two numbers are apart.

>>> rows = {"caller": Estimate(2.0, 1.0, 3.0, 9), "poki": Estimate(0.5, -0.5, 1.5, 9)}
>>> signs(rows)
Signs(above=['caller'], below=[], unsure=['poki'])
>>> apart(*rows.values())
('1.500 ± 1.414', '')
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import NamedTuple

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Rows


class Signs(NamedTuple):
    """Rows by where their intervals lie: above zero, below it, or around it."""

    above: list[str]
    below: list[str]
    unsure: list[str]


def signs(rows: Rows) -> Signs:
    """The names of rows by where their intervals lie."""
    above = [row for row, number in rows.items() if number.low > 0]
    below = [row for row, number in rows.items() if number.high < 0]
    return Signs(above, below, [row for row in rows if row not in (*above, *below)])


def listed(names: Iterable[str], none: str = "nobody") -> str:
    """Names separated by commas; 'nobody' for none.

    >>> listed(["a", "b"]), listed([])
    ('a, b', 'nobody')
    """
    return ", ".join(names) or none


def apart(one: Estimate, other: Estimate) -> tuple[str, str]:
    """(difference of two independent numbers, words to append if it is not significant)."""
    gap, half = one.mean - other.mean, hypot(one.half_width, other.half_width)
    return f"{gap:.3f} ± {half:.3f}", "" if abs(gap) > half else ", which is not significant"
