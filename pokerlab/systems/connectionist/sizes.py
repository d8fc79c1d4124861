"""The raise sizes of the connectionist player in no-limit hold'em: a finite set of distributions.

A player chooses one of them, like a fold or a call, and samples the amount from it. Three are log-uniform around half
the pot, the pot and twice the pot (measured after a call), within a factor of the square root of two; the fourth is
all-in. Every raise belongs to one of them: smaller raises count as half the pot, larger ones short of all-in as twice
the pot. The distributions do not overlap, so any raise identifies its distribution. As evidence about an actor's cards,
a raise has the likelihood with which each card-type chooses that distribution. At a table the player raises to the
middle of a range, so that its policy has finitely many actions.

`_decide_jax` has the same functions for lanes.

>>> from pokerlab.games.catalog import game
>>> start = Betting.start(game("nolimit2p"))
>>> [(span.first, span.centre, span.last) for span in spans(start) if span]
[(200, 200, 239), (240, 300, 379), (380, 500, 659), (20000, 20000, 20000)]
>>> [size_of(start, to) for to in (200, 239, 240, 5000, 20000)]
[0, 0, 1, 2, 3]

References
----------
Sweeney (2012), section 7.4, which sketches the method and leaves the distributions open.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pokerlab.games.actions import Chips
from pokerlab.games.betting import Betting


class Spread(NamedTuple):
    """Log-uniform amounts from `low` to `high`, in hundredths of the pot after a call."""

    low: int
    centre: int
    high: int


SPREADS = (Spread(35, 50, 70), Spread(70, 100, 140), Spread(140, 200, 280))
N_SIZES = len(SPREADS) + 1
"""Number of raise sizes; all-in comes last."""
ALL_IN_SIZE = N_SIZES - 1
SIZE_NAMES = ("half the pot", "the pot", "twice the pot", "all-in")


class Span(NamedTuple):
    """The raises that one distribution can give at a decision, as street totals in chips."""

    first: Chips
    centre: Chips
    last: Chips


def spans(betting: Betting) -> tuple[Span | None, ...]:
    """For each distribution, the range of its raises as street totals; None if it contains no legal raise."""
    legal = betting.legal()
    if legal.raise_min is None or legal.raise_max is None:
        return (None,) * N_SIZES
    pot, level, most = betting.pot + legal.call, betting.max_bet, legal.raise_max
    sized: list[Span | None] = []
    for number, (low, centre, high) in enumerate(SPREADS):
        covered = max(legal.raise_min, level + _part(low, pot)) if number else legal.raise_min
        upto: Chips = math.ceil(most) - 1
        if number < len(SPREADS) - 1:
            upto = min(upto, level + _part(high, pot) - 1)
        targets = (level + _part(low, pot), level + math.floor(centre * pot / 100), level + _part(high, pot) - 1)
        sized.append(Span(*(min(max(to, covered), upto) for to in targets)) if covered <= upto else None)
    return (*sized, Span(most, most, most))


def size_of(betting: Betting, to: Chips) -> int:
    """Index of the distribution to which a legal raise to a street total belongs."""
    legal = betting.legal()
    if to == legal.raise_max:
        return ALL_IN_SIZE
    by, pot = to - betting.max_bet, betting.pot + legal.call
    return sum(100 * by >= low * pot for low, _, _ in SPREADS[1:])


def _part(hundredths: int, pot: Chips) -> int:
    """A fraction of the pot, rounded up to whole chips."""
    return math.ceil(hundredths * pot / 100)
