"""What an agent says of itself when asked why it acts as it does: an `Explainer` gives one.

>>> import numpy as np
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> said = Explanation((FOLD, CALL), np.array([0.25, 0.75]), {"ehs": 0.4}, {}, ("It likes its hand.",))
>>> said.chance_of(CALL), said.chance_of(RaiseTo(20))
(0.75, 0.0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pokerlab.arrays import Floats
from pokerlab.games.actions import Action
from pokerlab.games.views import View


@dataclass(frozen=True)
class Explanation:
    """Why an agent would act as it would at one decision."""

    actions: tuple[Action, ...]  # those it considers
    p: Floats  # `p[action]`: how often it takes each
    numbers: Mapping[str, float]  # what it computed, by name
    weights: Mapping[int, Floats]  # by opponent's seat: `weights[combo]` it believes, the largest of all hands being 1
    words: tuple[str, ...]  # the reason, in sentences
    network: object | None = None  # `systems.bpp.bayesian_network.NetworkBeliefs`, of an agent that thinks in one

    def chance_of(self, action: Action) -> float:
        """How often it does what `action` does; raises of any size count as the one it considers."""
        return float(sum(share for a, share in zip(self.actions, self.p, strict=True) if a.kind == action.kind))


@runtime_checkable
class Explainer(Protocol):
    """An agent that says why it acts as it does, and what it believes of the others."""

    def explain(self, view: View) -> Explanation:
        """Why it would act as it would here."""
        ...

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """`weights[combo]` by seat of every opponent left."""
        ...


def percent(share: float) -> str:
    """`62%`, with a digit more where rounding would claim certainty.

    >>> percent(0.618), percent(0.998), percent(1)
    ('62%', '99.8%', '100%')
    """
    whole = f"{share:.0%}"
    return f"{share:.1%}" if whole in ("0%", "100%") and 0 < share < 1 else whole


def percents(shares: Sequence[float]) -> list[str]:
    """Shares of one whole in percent, so rounded that they sum to 100; tenths where one of them would vanish.

    >>> percents([1 / 3, 1 / 3, 1 / 3]), percents([0.007, 0.007, 0.986])
    (['34%', '33%', '33%'], ['0.7%', '0.7%', '98.6%'])
    """
    digits = int(any(0 < share < 0.01 for share in shares))
    scaled = [share / sum(shares) * 100 * 10**digits for share in shares]
    floors = [int(part) for part in scaled]
    largest = sorted(range(len(scaled)), key=lambda i: floors[i] - scaled[i])
    for i in largest[: 100 * 10**digits - sum(floors)]:
        floors[i] += 1
    return [f"{part / 10**digits:.{digits}f}%" for part in floors]
