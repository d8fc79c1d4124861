"""Convert chips to the units of winnings."""

from __future__ import annotations

from pokerlab.errors import PokerlabError, name_hint
from pokerlab.estimates import UNITS
from pokerlab.games.rules import Rules


def units_per_chip(rules: Rules, units: str) -> float:
    """Value of one chip per hand in `units`.

    >>> from pokerlab.games.catalog import game
    >>> [units_per_chip(game("limit2p"), units) for units in UNITS]
    [100.0, 0.1, 0.2, 10.0]
    """
    if units == "mbb_per_hand":
        return 1000 / float(rules.big_blind)
    if units == "bb_per_100":
        return 100 / float(rules.big_blind)
    if units == "small_bets_per_hand":
        if rules.limits != "limit":
            raise PokerlabError(f"{rules.name} has no small bet; use mbb_per_hand or bb_per_100")
        return 1 / float(rules.streets[0].raise_size)
    if units == "small_blinds_per_hand":
        blinds = [blind for blind in rules.blinds if blind]
        if not blinds:
            raise PokerlabError(f"{rules.name} has no blinds; use mbb_per_hand")
        return 1 / float(min(blinds))
    raise PokerlabError(f"no units are called {units!r}; {name_hint(units, UNITS)}")
