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
    """Main pot, followed by side pots in order; an unmatched bet forms a last pot with one seat.

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
    """`side_pots` of a hand's chips; antes are dead money in the main pot if the rules say so."""
    if not rules.antes_are_dead:
        return side_pots(spent, folded)
    antes = [min(ante, stack) for ante, stack in zip(rules.antes, rules.stacks, strict=True)]
    live = [chips - ante for chips, ante in zip(spent, antes, strict=True)]
    return side_pots(live, folded, sum(antes))


def rake_of(rules: Rules, spent: Sequence[Chips]) -> Chips:
    """Chips that the house takes from a pot for two: a percentage of the matched chips, at most the cap, not rounded.

    An unmatched bet is returned before the rake is taken.
    """
    if not rules.rake:
        return 0
    taken = Fraction(rules.rake) * 2 * min(spent) / 100
    if rules.rake_cap is not None and taken > rules.rake_cap:
        return rules.rake_cap
    return taken.numerator if isinstance(taken, Fraction) and taken.denominator == 1 else taken


def payoffs(rules: Rules, spent: Sequence[Chips], folded: int, strength_of_seat: Sequence[int]) -> tuple[Chips, ...]:
    """Net chips by seat, minus rake. `strength_of_seat` is used only for pots with more than one seat; the
    higher wins."""
    net: list[Chips] = [-chips for chips in spent]
    if folded.bit_count() == len(spent) - 1:  # the only seat left wins all pots
        net[(~folded & folded + 1).bit_length() - 1] += sum(spent) - (rake_of(rules, spent) if rules.rake else 0)
        return tuple(net)
    if not folded and spent.count(spent[0]) == len(spent) and not rules.antes_are_dead:
        pots = [Pot(sum(spent), tuple(range(len(spent))))]  # the usual showdown
    else:
        pots = pots_of(rules, spent, folded)
    if rules.rake:
        pots[0] = Pot(pots[0].amount - rake_of(rules, spent), pots[0].seats)
    for amount, seats in pots:
        best = max([strength_of_seat[seat] for seat in seats])
        winners = [seat for seat in seats if strength_of_seat[seat] == best or len(seats) == 1]
        for seat, share in zip(winners, shares(amount, len(winners), rules.odd_chips, rules.chip), strict=True):
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
        if type(amount) is int and amount % n == 0:
            return [amount // n] * n
        exact = Fraction(amount) / n
        share = exact.numerator if exact.denominator == 1 else exact
        return [share] * n
    part = amount // (n * chip) * chip
    odd = amount - n * part
    if odd_chips == "first seat":
        return [part + odd] + [part] * (n - 1)
    return [part + min(chip, max(odd - i * chip, 0)) for i in range(n)]
