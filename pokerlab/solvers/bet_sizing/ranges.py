"""Ranges [low, high] of a bet size, in fractions of the pot, and how they move between runs.

A bet of size `s` is `s` times the pot after calling; when it is called, the pot becomes `1 + 2 s` times as large. This
factor is the *growth* of `s`. After a run a range is centred on the size found in it, with either the same width or the
same ratio of growths.

References
----------
Hawkin (2014), section 5.7 (algorithms 2 and 4), section 6.3 (equations 6.1 to 6.12), Table 6.1. Algorithms 5 and 6
print the ratio as H/L; equation 6.7 is what their numbers follow.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from pokerlab.errors import RulesError

ALPHA = 0.01  #: minimum distance of a range from the smallest bet and from all-in (Hawkin 2014, section 5.7, note 5)


class Range(NamedTuple):
    """The sizes that a sized bet may have, from `low` to `high`, in fractions of the pot."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"[{self.low:.4g}, {self.high:.4g}]"

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def ratio(self) -> float:
        """Growth of `high` divided by the growth of `low` (equation 6.3)."""
        return growth(self.high) / growth(self.low)


def growth(size: float) -> float:
    """Factor by which a called bet enlarges the pot (equation 6.1)."""
    return 1 + 2 * size


def parse_range(text: str) -> Range:
    """Parse a range such as `0.71-0.94`.

    >>> parse_range("0.5-0.69").width.__round__(2)
    0.19
    >>> parse_range("0.9-0.5")
    Traceback (most recent call last):
    pokerlab.errors.RulesError: the range 0.9-0.5 begins above its end; write the smaller size first
    """
    low, dash, high = text.strip().partition("-")
    try:
        parsed = Range(float(low), float(high))
    except ValueError:
        dash = ""
        parsed = Range(0, 0)
    if not dash:
        raise RulesError(f"{text.strip()!r} is not a range of bet sizes; write two pot fractions, such as 0.71-0.94")
    return checked(parsed)


def checked(range_: Range) -> Range:
    """Return the range if it is legal; otherwise raise `RulesError`."""
    low, high = range_
    if not (math.isfinite(low) and math.isfinite(high) and low >= 0):
        raise RulesError(f"a range of bet sizes needs two pot fractions of 0 or more, not {low:g}-{high:g}")
    if low > high:
        raise RulesError(f"the range {low:g}-{high:g} begins above its end; write the smaller size first")
    if low == high:
        raise RulesError(f"the range {low:g}-{high:g} has no width; a fixed size belongs to the sizes, as {low:g}p")
    return range_


def of_width(size: float, width: float) -> Range:
    """Range of `width` centred on `size` (algorithm 2).

    >>> str(of_width(0.8, 0.2))
    '[0.7, 0.9]'
    """
    return Range(size - width / 2, size + width / 2)


def of_ratio(size: float, ratio: float) -> Range:
    """Range around `size`, such that the growths of its ends have the given ratio (equation 6.12).

    >>> range_ = of_ratio(1.5, Range(0.71, 0.94).ratio)
    >>> range_.ratio.__round__(3), str(range_)
    (1.19, '[1.326, 1.674]')
    """
    return of_width(size, growth(size) * (ratio - 1) / (ratio + 1))


def fitted(range_: Range, smallest: float, all_in: float, alpha: float = ALPHA) -> Range | None:
    """Move or shrink the range to fit the legal sizes; None if less than half of its width would be left.

    `smallest` and `all_in` are the smallest and the largest legal bet, in fractions of the pot. This is AdjustRange
    (algorithm 4).

    >>> str(fitted(Range(0.2, 0.4), 0.33, 5.0)), str(fitted(Range(0.8, 1.0), 0.33, 0.95))
    ('[0.34, 0.54]', '[0.74, 0.94]')
    >>> fitted(Range(0.8, 1.0), 0.33, 0.4) is None
    True
    """
    low, high = range_
    least, most = smallest + alpha, all_in - alpha
    if low < least:
        low, high = least, least + range_.width
    if high > most:
        low, high = max(most - range_.width, least), most
    return Range(low, high) if high - low >= range_.width / 2 else None


DEFAULT_RANGES = {
    1: (Range(0.71, 0.94),),
    2: (Range(0.5, 0.69), Range(1.08, 1.38)),
    3: (Range(0.5, 0.69), Range(1.08, 1.38), Range(1.95, 2.42)),
}
"""Table 6.1: the default ranges for stacks of 200 big blinds, by how many ranges a decision has."""


def default_ranges(number: int) -> tuple[str, ...]:
    """The default ranges of Table 6.1 as text."""
    if number not in DEFAULT_RANGES:
        raise RulesError(f"there are no default ranges for {number}; give 1, 2 or 3, or the ranges themselves")
    return tuple(f"{low}-{high}" for low, high in DEFAULT_RANGES[number])


def ranges_called(text: str) -> tuple[str, ...]:
    """Parse several ranges: a number of default ranges, or ranges separated by commas.

    >>> ranges_called("2"), ranges_called("0.3-0.6, 1-1.5")
    (('0.5-0.69', '1.08-1.38'), ('0.3-0.6', '1-1.5'))
    """
    if re.fullmatch(r"\s*\d{1,9}\s*", text):
        return default_ranges(int(text.strip()))  # `strip` removes more kinds of blanks than `int` accepts
    return tuple(part.strip() for part in text.split(","))
