"""Tables with stakes in a currency. Bets are whole chips, so a chip is a cent; saved hands have amounts in dollars or
euros.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), (RaiseTo(250), FOLD), ("ann", "bob"))
>>> in_dollars = paid(hand, "$")
>>> [str(chips) for chips in (*in_dollars.payoffs, *in_dollars.rules.blinds)], money_of(in_dollars)
(['-1', '1', '1', '1/2'], {'symbol': '$', 'chips': 1})
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from pokerlab.games.actions import Chips, Kind, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.table.session_rows import currency_of

CODES = {"$": "USD", "€": "EUR", "£": "GBP"}
CENTS = 100
"""Chips in one unit of the currency."""


def _units(chips: Chips) -> Chips:
    if chips == inf:
        return chips
    units = Fraction(chips) / CENTS
    return units.numerator if units.denominator == 1 else units


def paid(hand: HandHistory, symbol: str) -> HandHistory:
    """Convert a hand that was played in cents to amounts in the currency, as in imported hands. The symbol '' leaves
    chips."""
    if not symbol:
        return hand
    rules = hand.rules
    theirs = replace(
        rules,
        blinds=tuple(map(_units, rules.blinds)),
        antes=tuple(map(_units, rules.antes)),
        stacks=tuple(map(_units, rules.stacks)),
        min_bet=_units(rules.smallest_bet),
        streets=tuple(replace(street, raise_size=_units(street.raise_size)) for street in rules.streets),
        whole_chips=False,
        chip=Fraction(rules.chip) / CENTS,
    )
    actions = tuple(RaiseTo(_units(action.to)) if action.kind == Kind.RAISE else action for action in hand.actions)
    recorded = None if hand.recorded is None else tuple(map(_units, hand.recorded))
    tags = {**hand.tags, "currency": CODES[symbol], "currency_symbol": symbol}
    return replace(hand, rules=theirs, actions=actions, recorded=recorded, tags=tags)


def money_of(hand: HandHistory) -> dict[str, Any] | None:
    """Data for a page: the currency of a hand, and how many chips make one unit of it. None for a hand played in
    chips."""
    symbol = currency_of(hand)
    return {"symbol": symbol, "chips": 1} if symbol else None
