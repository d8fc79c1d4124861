"""Whether an opponent is conservative or aggressive, learnt from its actions; and a table that follows its actions.

The belief starts even. Every action multiplies it by how likely each type is to act so, whoever will win weighed by
BPP's chance to win at that moment. With a forgetting rate the belief is pulled back a little towards even before every
action, so that a change of style is followed.

>>> model = OpponentType()
>>> aggressive = model.after(Acted(0, 4, 4), np.array([0.5, 0.0, 0.5]))  # raised before the flop after BPP's raise
>>> round(aggressive.conservative, 3)
0.393

References
----------
Taylor (2007), sections 4.2 and 4.2.1, figure 4.1 and table 4.12. How forgetting and the counts are weighed is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pokerlab.models.opponent_action import (
    AGGRESSIVE,
    BASE,
    CONSERVATIVE,
    SHAPE,
    Acted,
    action_table,
)

Floats = NDArray[np.float64]


@cache
def tables_of(name: str) -> Floats:
    """`tables[type, win, round, bpp action, action]`: aggressive then conservative; one printed table alone twice."""
    printed = {"base": BASE, "aggressive": AGGRESSIVE, "conservative": CONSERVATIVE}
    both = (AGGRESSIVE, CONSERVATIVE) if name == "combined" else (printed[name],) * 2
    tables = np.stack([action_table(corners) for corners in both])
    tables.setflags(write=False)
    return tables


@dataclass(frozen=True)
class OpponentType:
    """What is believed of one opponent."""

    tables: Floats = field(default_factory=lambda: tables_of("combined"))
    conservative: float = 0.5
    counts: Floats = field(default_factory=lambda: np.zeros(SHAPE))  # actions seen, spread over who may win
    forgetting: float = 0.0  # how far the belief is pulled back to even before each action
    prior: float = 0.0  # how many actions a row of the tables weighs beside the counts; 0: the counts are not used

    @property
    def belief(self) -> Floats:
        """`p[type]`: aggressive, conservative."""
        return np.array([1 - self.conservative, self.conservative])

    def likelihood(self, acted: Acted) -> Floats:
        """`p[type, win]` of an action."""
        of_tables = self.tables[(slice(None), slice(None), *acted)]
        if not self.prior:
            return np.asarray(of_tables)
        row = (slice(None), acted.round, acted.after)
        seen, total = self.counts[(*row, acted.action)], self.counts[row].sum(axis=-1)
        return np.asarray((self.prior * of_tables + seen) / (self.prior + total))

    def of_win(self, acted: Acted) -> Floats:
        """`p[win]` of an action, whatever the type; ones where it says nothing because nobody would act so."""
        found = self.belief @ self.likelihood(acted)
        return found if found.any() else np.ones_like(found)

    def after(self, acted: Acted, win: Floats) -> OpponentType:
        """What is believed after an action that was taken when BPP's chances `win[win / draw / lose]` were these."""
        believed = self.conservative + self.forgetting * (0.5 - self.conservative)
        by_type = self.tables[(slice(None), slice(None), *acted)] @ win
        both = by_type * (1 - believed, believed)
        conservative = float(both[1] / both.sum()) if both.sum() > 0 else believed
        counts = self.counts
        if self.prior:
            share = win * self.of_win(acted)
            counts = counts.copy()
            counts[(slice(None), *acted)] += share / share.sum() if share.sum() > 0 else 0.0
        return replace(self, conservative=conservative, counts=counts)
