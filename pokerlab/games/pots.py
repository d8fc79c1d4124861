"""Main and side pots, and what each seat wins or loses.

>>> [(pot.amount, pot.seats) for pot in side_pots((100, 250, 250, 30), folded=0b1000)]
[(330, (0, 1, 2)), (300, (1, 2))]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pokerlab.games.actions import Chips
from pokerlab.games.rules import Rules


class Pot(NamedTuple):
    """Chips, and the seats that can win them."""

    amount: Chips
    seats: tuple[int, ...]


def side_pots(spent: Sequence[Chips], folded: int) -> list[Pot]:
    """Pots from the main one outwards; a bet nobody matched is a last pot of its own with one seat."""
    pots: list[Pot] = []
    below: Chips = 0
    for level in sorted({chips for seat, chips in enumerate(spent) if chips and not folded >> seat & 1}):
        amount = sum(min(chips, level) - min(chips, below) for chips in spent)
        seats = tuple(seat for seat, chips in enumerate(spent) if chips >= level and not folded >> seat & 1)
        pots.append(Pot(amount, seats))
        below = level
    extra = sum(max(chips - below, 0) for chips in spent)  # a folded seat spent more than anyone left
    if extra:
        pots[-1] = Pot(pots[-1].amount + extra, pots[-1].seats)
    return pots


def payoffs(rules: Rules, spent: Sequence[Chips], folded: int, strength_of_seat: Sequence[int]) -> tuple[Chips, ...]:
    """Net chips by seat. `strength_of_seat` is read only for pots with more than one seat; higher wins."""
    net: list[Chips] = [-chips for chips in spent]
    for pot in side_pots(spent, folded):
        best = max((strength_of_seat[seat] for seat in pot.seats), default=0) if len(pot.seats) > 1 else None
        winners = [seat for seat in pot.seats if best is None or strength_of_seat[seat] == best]
        for seat, share in zip(winners, shares(pot.amount, len(winners), rules.odd_chips == "first seat"), strict=True):
            net[seat] += share
    return tuple(net)


def shares(amount: Chips, n: int, whole: bool) -> list[Chips]:
    """`amount` in `n` equal parts: exactly, or `whole` with odd chips to the first (left of the button)."""
    if n == 1:
        return [amount]
    if isinstance(amount, float):
        return [amount / n] * n
    if not whole:
        exact = Fraction(amount) / n
        return [exact.numerator if exact.denominator == 1 else exact] * n
    part, odd = divmod(amount, n)
    return [part + min(1, max(odd - i, 0)) for i in range(n)]
