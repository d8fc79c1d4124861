"""`Rules` and `Betting` as arrays for compiled kernels; their indices are named in `_betting_numba`.

>>> from pokerlab.games.catalog import game
>>> int(rules_array(game("leduc"))[0])
2
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from pokerlab.arrays import Int64s
from pokerlab.games.actions import Chips
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules


def rules_array(rules: Rules) -> Int64s:
    """Convert rules to `r[RULES_LENGTH]`; amounts must be integers, infinite ones become `UNLIMITED`."""
    from pokerlab.games import _betting_numba as kernel

    r = np.zeros(kernel.RULES_LENGTH, np.int64)
    scalars: dict[int, Chips] = {
        kernel.N_SEATS: rules.n_seats,
        kernel.LIMITS: ("limit", "no-limit", "pot-limit").index(rules.limits),
        kernel.SMALLEST_BET: rules.smallest_bet,
        kernel.REOPENS: rules.short_all_in_reopens,
        kernel.UNCALLABLE: rules.uncallable_raises,
        kernel.UNCAPPED: rules.uncapped_heads_up,
        kernel.FULL_BLIND: rules.call_full_blind,
        kernel.RESPONDERS: sum(1 << seat for seat in rules.responders),
        kernel.LAST_STREET: len(rules.streets) - 1,
    }
    lists: dict[int, Sequence[Chips | None]] = {
        kernel.RAISE_SIZE: [street.raise_size for street in rules.streets],
        kernel.FULL_BETS: rules.full_bets,
        kernel.MAX_RAISES: [street.max_raises for street in rules.streets],
        kernel.FIRST: [street.first for street in rules.streets],
        kernel.STACKS: rules.stacks,
    }
    for place, value in scalars.items():
        r[place] = int(value)
    for start, values in lists.items():
        for i, amount in enumerate(values):
            r[start + i] = kernel.UNLIMITED if amount is None or amount == inf else int(amount)
    return r


def betting_array(betting: Betting) -> Int64s:
    """Convert a betting state to `b[LENGTH]`; fractions of chips are dropped."""
    from pokerlab.games import _betting_numba as kernel

    b = np.zeros(kernel.LENGTH, np.int64)
    names = ("street", "actor", "max_bet", "folded", "all_in", "waiting", "acted", "n_raises", "full_raise", "min_to")
    for name in names:
        b[getattr(kernel, name.upper())] = int(getattr(betting, name))
    for seat, (bet, spent) in enumerate(zip(betting.bets, betting.spent, strict=True)):
        b[kernel.BETS + seat], b[kernel.SPENT + seat] = int(bet), int(spent)
    return b
