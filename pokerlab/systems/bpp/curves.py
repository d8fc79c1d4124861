"""Betting curves: probabilities of fold, call and raise as a function of the chance to win; and the utility node.

The two curves are logistic. A player stays in when its chance is above the pot odds, and raises when it is above
`raise_at`; `width` makes the change gradual, and so hard to predict. Both are shifted together: to the left (negative)
for an aggressive player, to the right for a conservative one. The player never folds when it can check.

>>> Curves().triple(0.5, odds=0.25, may_fold=True, may_raise=True).round(3).tolist()
[0.007, 0.911, 0.083]
>>> Curves(shift=0.2).triple(0.5, odds=0.25, may_fold=False, may_raise=True).round(3).tolist()
[0.0, 0.998, 0.002]

References
----------
Taylor (2007), section 4.2.1, on shifting the curves; Carlton's formulas (2000) are not printed there, and these are
ours. Section 3.5 for the utility node.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.systems.bpp.decision_network import winnings


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x)) if x > -700 else 0.0


@dataclass(frozen=True)
class Curves:
    """Fold, call or raise by the chance to win."""

    raise_at: float = 0.62  # raises half the time with this chance
    width: float = 0.05
    shift: float = 0.0

    def triple(self, chance: float, *, odds: float, may_fold: bool, may_raise: bool) -> Floats:
        """`p[fold, call, raise]` with a chance to win, where a call pays from the chance `odds` on."""
        stays = _logistic((chance - odds - self.shift) / self.width) if may_fold else 1.0
        raises = _logistic((chance - self.raise_at - self.shift) / self.width) if may_raise else 0.0
        return np.array([1 - stays, stays * (1 - raises), stays * raises])


@dataclass(frozen=True)
class Utility:
    """A decision by expected winnings: the better an action, the higher its probability.

    Winnings are those of `systems.bpp.decision_network`, compared in units of `unit` times the pot.
    """

    unit: float = 0.1
    shift: float = 0.0

    def triple(self, chance: float, *, odds: float, may_fold: bool, may_raise: bool) -> Floats:
        """`p[fold, call, raise]`; a raise is assumed to cost twice the call, or half the pot if the call is free."""
        call = odds / (1 - odds)  # in pots
        seen = chance - self.shift
        expected = np.array([seen, 1 - seen]) @ winnings(call=call, risk=2 * call if call else 0.5)
        weights = np.exp((expected - expected.max()) / self.unit) * np.array([may_fold, True, may_raise])
        return np.asarray(weights / weights.sum())
