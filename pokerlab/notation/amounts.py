"""Amounts of chips in files: exact numbers from decimal text, and back.

>>> amount("1,250"), amount("0.50"), amount_text(amount("1259450.25"))
(1250, Fraction(1, 2), '1259450.25')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import inf, isinf

from pokerlab.errors import ParseError, PokerlabError
from pokerlab.games.actions import Chips

DECIMAL = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
"""A regular expression for the amounts that `amount` reads, without exponents."""

_AMOUNT = re.compile(rf"({DECIMAL})([eE][+-]?\d{{1,2}})?", re.ASCII)
MAX_DIGITS = 30


def amount(text: str) -> int | Fraction:
    """Parse an exact number; whole numbers become `int`."""
    if len(text) <= MAX_DIGITS and text.isascii() and text.isdigit():
        return int(text)
    if len(text) > MAX_DIGITS or not _AMOUNT.fullmatch(text):
        raise ParseError("expected an amount of chips", text=text)
    exact = Fraction(text.replace(",", ""))
    return exact.numerator if exact.denominator == 1 else exact


def amount_text(chips: Chips) -> str:
    """Format `chips` exactly in decimal digits; raises an error if the decimals do not end."""
    if isinstance(chips, float):
        if isinf(chips):
            return "inf" if chips > 0 else "-inf"
        chips = Fraction(repr(chips))
    if chips == int(chips):
        return str(int(chips))
    exact = Fraction(chips)
    for places in range(1, MAX_DIGITS):
        scaled = exact * 10**places
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
            return f"{'-' if exact < 0 else ''}{digits[:-places]}.{digits[-places:]}"
    raise PokerlabError(f"{exact} chips cannot be written exactly in decimals")


def chip_of(amounts: Iterable[Chips]) -> int | Fraction:
    """The largest unit of which all `amounts` are multiples: 1, a cent (1/100), or a smaller power of ten.

    >>> chip_of([100, inf]), chip_of([Fraction(1, 4), 2]), chip_of([Fraction(1, 1000)])
    (1, Fraction(1, 100), Fraction(1, 1000))
    """
    finite = [Fraction(chips) for chips in amounts if chips != inf]
    for places in (0, *range(2, MAX_DIGITS)):
        if all((chips * 10**places).denominator == 1 for chips in finite):
            return Fraction(1, 10**places) if places else 1
    raise PokerlabError("amounts must be exact in decimals")
