"""Beliefs about an opponent's type, learned from its actions; and an action table that adapts to them.

The types are aggressive and conservative, or four: each of them tight or loose. The belief starts even. Every action
multiplies it by the likelihood of that action for each type, averaged over the winner by BPP's current chance to win. A
forgetting rate pulls the belief slightly back towards even before every action, so that it follows a change of style.

>>> model = OpponentType()
>>> aggressive = model.after(Acted(0, 4, 4), np.array([0.5, 0.0, 0.5]))  # raised before the flop after BPP's raise
>>> round(aggressive.conservative, 3)
0.393

References
----------
Taylor (2007), sections 4.2 and 4.2.1, figure 4.1 and tables 4.5 and 4.12; chapter 5 suggests loose and tight types and
bluffs. The weights of forgetting and counts, the effect of tight and loose, and the share of bluffs are ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.systems.bpp.opponent_action import (
    ACTIONS,
    AGGRESSIVE,
    BASE,
    CONSERVATIVE,
    SHAPE,
    WIN,
    Acted,
    action_table,
)

TWO_TYPES = ("aggressive", "conservative")
FOUR_TYPES = tuple(f"{style}-{hands}" for hands in ("tight", "loose") for style in TWO_TYPES)
"""Table 4.5."""
BLUFFS = 0.1
"""Assumed frequency of an opponent's bluffs: acting as if it were going to win."""


@cache
def tables_of(name: str) -> Floats:
    """`tables[type, win, round, bpp action, action]` of a printed table, of both ("combined"), or of four types.

    "beyond" gives four types that bluff.
    """
    if name == "beyond":
        tables = bluffing(four_types(), BLUFFS)
    else:
        printed = {"base": BASE, "aggressive": AGGRESSIVE, "conservative": CONSERVATIVE}
        both = (AGGRESSIVE, CONSERVATIVE) if name == "combined" else (printed[name],) * 2
        tables = np.stack([action_table(corners) for corners in both])
    tables.setflags(write=False)
    return tables


def four_types() -> Floats:
    """`tables[type, ..]` of `FOUR_TYPES`: tight types fold half of their calls, loose ones call half of their folds."""
    return np.concatenate([_loosened(tables_of("combined"), by) for by in (-0.5, 0.5)])


def _loosened(tables: Floats, by: float) -> Floats:
    """Tables in which a share `by` of folds become calls; if negative, that share of calls become folds.

    >>> table = np.array([0.4, 0.0, 0.4, 0.0, 0.2])
    >>> _loosened(table, 0.5).round(3).tolist(), _loosened(table, -0.5).round(3).tolist()
    ([0.2, 0.0, 0.6, 0.0, 0.2], [0.6, 0.0, 0.2, 0.0, 0.2])
    """
    fold, call = ACTIONS.index("Fold"), ACTIONS.index("Call")
    loose = tables.copy()
    facing = tables[..., fold] > 0
    moved = by * np.where(by > 0, tables[..., fold], np.where(facing, tables[..., call], 0.0))
    loose[..., fold] -= moved
    loose[..., call] += moved
    return loose


def bluffing(tables: Floats, often: float) -> Floats:
    """Tables of players who act as if they were going to win with the probability `often`."""
    strong = tables[:, WIN.index("Lose")][:, None]
    return np.asarray((1 - often) * tables + often * strong)


@dataclass(frozen=True)
class OpponentType:
    """Beliefs about one opponent."""

    tables: Floats = field(default_factory=lambda: tables_of("combined"))
    belief: Floats = field(default_factory=lambda: np.empty(0))  # `p[type]`; even at first
    counts: Floats = field(default_factory=lambda: np.zeros(SHAPE))  # actions seen, spread over the possible outcomes
    forgetting: float = 0.0  # share by which the belief is pulled back to even before each action
    prior: float = 0.0  # weight of a row of the tables, in actions, beside the counts; 0 ignores the counts

    def __post_init__(self) -> None:
        if not len(self.belief):
            object.__setattr__(self, "belief", np.full(len(self.tables), 1 / len(self.tables)))

    @property
    def conservative(self) -> float:
        """The probability of a conservative type (types alternate aggressive, conservative)."""
        return float(self.belief[1::2].sum())

    @property
    def loose(self) -> float:
        """The probability of a loose type, of four types."""
        return float(self.belief[2:].sum())

    def likelihood(self, acted: Acted) -> Floats:
        """`p[type, win]` of an action."""
        of_tables = self.tables[(slice(None), slice(None), *acted)]
        if not self.prior:
            return np.asarray(of_tables)
        row = (slice(None), acted.round, acted.after)
        seen, total = self.counts[(*row, acted.action)], self.counts[row].sum(axis=-1)
        return np.asarray((self.prior * of_tables + seen) / (self.prior + total))

    def of_win(self, acted: Acted) -> Floats:
        """`p[win]` of an action, averaged over types; ones if no type would act so."""
        p = self.belief @ self.likelihood(acted)
        return p if p.any() else np.ones_like(p)

    def after(self, acted: Acted, win: Floats) -> OpponentType:
        """The beliefs after an action taken when BPP's chances were `win[win / draw / lose]`."""
        believed = self.belief + self.forgetting * (1 / len(self.belief) - self.belief)
        weighed = believed * (self.tables[(slice(None), slice(None), *acted)] @ win)
        belief = weighed / weighed.sum() if weighed.sum() > 0 else believed
        counts = self.counts
        if self.prior:
            share = win * self.of_win(acted)
            counts = counts.copy()
            counts[(slice(None), *acted)] += share / share.sum() if share.sum() > 0 else 0.0
        return replace(self, belief=belief, counts=counts)
