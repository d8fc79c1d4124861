"""Blinds and antes as PokerStars posts them, by seat."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pokerlab.errors import ParseError
from pokerlab.games.actions import Chips


def usual_small_blind(big: Chips, blinds: Sequence[Chips] = ()) -> Chips:
    """The small blind for the big blind `big`: the smaller one among `blinds` if there is one, otherwise half of `big`.

    >>> usual_small_blind(25, (10, 25, 0)), usual_small_blind(25)
    (10, Fraction(25, 2))
    """
    posted = [blind for blind in blinds if 0 < blind < big]
    half = Fraction(big) / 2
    return min(posted) if posted else half.numerator if half.denominator == 1 else half


class Posts:
    """Collects forced bets, read line by line. `blinds` and `antes` are the full amounts owed, by seat.

    >>> posts = Posts(stacks=(500, 30, 500), small=25, big=50)
    >>> posts.add(0, "small blind", 25)
    >>> posts.add(1, "big blind", 30, all_in=True)
    >>> posts.add(2, "small & big blinds", 75)
    >>> posts.settle()
    >>> posts.blinds, posts.antes, posts.opener
    ([25, 50, 50], [0, 0, 25], 2)
    """

    def __init__(self, stacks: Sequence[Chips], small: Chips, big: Chips) -> None:
        self.stacks, self.small, self.big = stacks, small, big
        self.blinds: list[Chips] = [0] * len(stacks)
        self.antes: list[Chips] = [0] * len(stacks)
        self.ante: Chips = 0  # the largest ante posted; every seat that posted one owes this much
        self.short_antes: set[int] = set()
        self.big_blinds: list[int] = []
        self.straddles: list[int] = []

    def add(self, seat: int, what: str, posted: Chips, *, all_in: bool = False) -> None:
        """Add one post. An all-in may be less than the amount owed."""
        if what == "the ante":
            self.antes[seat] += posted
            self.ante = max(self.ante, posted)
            if all_in:
                self.short_antes.add(seat)
        elif what.startswith("dead"):
            self.antes[seat] += posted
        elif what == "small & big blinds":
            self.blinds[seat] = min(posted, self.big)
            # of a small and a big blind posted together, the small one is dead money
            self.antes[seat] += posted - self.blinds[seat]
        elif what in ("small blind", "big blind", "straddle"):
            full = {"small blind": self.small, "big blind": self.big}.get(what, posted)
            blind = max(full, posted) if all_in else posted
            # if one player posts two blinds, the smaller is dead money
            self.antes[seat] += min(self.blinds[seat], blind)
            self.blinds[seat] = max(self.blinds[seat], blind)
            if what != "small blind":
                (self.straddles if what == "straddle" else self.big_blinds).append(seat)
        else:
            raise ParseError("expected a small blind, big blind, ante or straddle", text=what)

    def settle(self) -> None:
        """After the last post, fill in the amounts owed by players who could not pay them."""
        for seat in self.short_antes:
            self.antes[seat] = self.ante
        n = len(self.stacks)
        small_seat, big_seat = (1, 0) if n == 2 else (0, 1)
        if not self.big_blinds and self._spent_by_ante(big_seat):
            self.blinds[big_seat] = self.big
            self.big_blinds.append(big_seat)
        if self.big_blinds and min(self.big_blinds) == big_seat and self._spent_by_ante(small_seat):
            self.blinds[small_seat] = self.small

    def _spent_by_ante(self, seat: int) -> bool:
        """Whether an ante took the whole stack of a seat that posted no blind."""
        return not self.blinds[seat] and 0 < self.stacks[seat] <= self.antes[seat]

    @property
    def opener(self) -> int:
        """The first seat to act: after the last straddle, or after the first big blind left of the button."""
        last = max(self.straddles) if self.straddles else min(self.big_blinds) if self.big_blinds else -1
        return (last + 1) % len(self.stacks)
