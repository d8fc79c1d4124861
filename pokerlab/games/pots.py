"""Main and side pots, and the net chips of each seat.

>>> [(pot.amount, pot.seats) for pot in side_pots((100, 250, 250, 30), folded=0b1000)]
[(330, (0, 1, 2)), (300, (1, 2))]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pokerlab.games.actions import Chips
from pokerlab.games.rules import OddChips, Rules


class Pot(NamedTuple):
    """Chips, and the seats that can win them."""

    amount: Chips
    seats: tuple[int, ...]


def side_pots(spent: Sequence[Chips], folded: int, dead: Chips = 0) -> list[Pot]:
    """The main pot, then side pots in order; an unmatched bet is a last pot of its own with one seat.

    `dead` chips, not part of `spent`, join the main pot.
    """
    remaining = [seat for seat in range(len(spent)) if not folded >> seat & 1]
    if min([spent[seat] for seat in remaining]) == max(spent):  # the usual case: all remaining seats spent the same
        return [Pot(sum(spent) + dead, tuple(remaining))]
    pots: list[Pot] = []
    below: Chips = 0
    levels = {chips for seat, chips in enumerate(spent) if not folded >> seat & 1}
    for level in sorted(levels):
        amount = sum(min(chips, level) - min(chips, below) for chips in spent) + (0 if pots else dead)
        seats = tuple(seat for seat, chips in enumerate(spent) if chips >= level and not folded >> seat & 1)
        below = level
        if amount:
            pots.append(Pot(amount, seats))
    extra = sum(max(chips - below, 0) for chips in spent)  # a folded seat spent more than any remaining one
    if extra:
        pots[-1:] = [Pot(extra + (pots[-1].amount if pots else 0), seats)]
    return pots


def pots_of(rules: Rules, spent: Sequence[Chips], folded: int) -> list[Pot]:
    """`side_pots` of a hand's chips, with antes dead in the main pot if the rules say so."""
    if not rules.antes_are_dead:
        return side_pots(spent, folded)
    antes = [min(ante, stack) for ante, stack in zip(rules.antes, rules.stacks, strict=True)]
    live = [chips - ante for chips, ante in zip(spent, antes, strict=True)]
    return side_pots(live, folded, sum(antes))


def payoffs(rules: Rules, spent: Sequence[Chips], folded: int, strength_of_seat: Sequence[int]) -> tuple[Chips, ...]:
    """Net chips by seat. `strength_of_seat` is read only for pots with more than one seat; higher wins."""
    net: list[Chips] = [-chips for chips in spent]
    for pot in pots_of(rules, spent, folded):
        best = max(strength_of_seat[seat] for seat in pot.seats) if len(pot.seats) > 1 else None
        winners = [seat for seat in pot.seats if best is None or strength_of_seat[seat] == best]
        for seat, share in zip(winners, shares(pot.amount, len(winners), rules.odd_chips, rules.chip), strict=True):
            net[seat] += share
    return tuple(net)


def shares(amount: Chips, n: int, odd_chips: OddChips, chip: Chips = 1) -> Sequence[Chips]:
    """`amount` divided among `n` winners, exactly or in whole chips, in seat order from the left of the button.

    >>> shares(11, 3, "split"), shares(11, 3, "first seat"), shares(11, 3, "seat by seat")
    ([Fraction(11, 3), Fraction(11, 3), Fraction(11, 3)], [5, 3, 3], [4, 4, 3])
    """
    if n == 1:
        return [amount]
    if isinstance(amount, float):
        return [amount / n] * n
    if odd_chips == "split":
        exact = Fraction(amount) / n
        share = exact.numerator if exact.denominator == 1 else exact
        return [share] * n
    part = amount // (n * chip) * chip
    odd = amount - n * part
    if odd_chips == "first seat":
        return [part + odd] + [part] * (n - 1)
    return [part + min(chip, max(odd - i * chip, 0)) for i in range(n)]
