"""An agent's explanation of its decision, and the protocol `Explainer` of agents that can give one.

>>> import numpy as np
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> reasons = Explanation((FOLD, CALL), np.array([0.25, 0.75]), {"ehs": 0.4}, {}, ("It likes its hand.",))
>>> reasons.chance_of(CALL), reasons.chance_of(RaiseTo(20))
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
    """Reasons for an agent's choice at one decision."""

    actions: tuple[Action, ...]  # the actions that the agent considers
    p: Floats  # p[action]: their probabilities
    numbers: Mapping[str, float]  # what it computed, by name
    weights: Mapping[int, Floats]  # opponent's seat -> weights[combo], scaled so that the largest is 1
    words: tuple[str, ...]  # its reasons, in sentences
    network: object | None = None  # of agents with a Bayesian network: `systems.bpp.bayesian_network.NetworkBeliefs`

    def chance_of(self, action: Action) -> float:
        """Probability of `action`; a raise of any size counts as the raise that the agent considers."""
        return float(sum(share for a, share in zip(self.actions, self.p, strict=True) if a.kind == action.kind))


@runtime_checkable
class Explainer(Protocol):
    """An agent that can explain its actions and its beliefs about the other players."""

    def explain(self, view: View) -> Explanation:
        """Explain the action that the agent would choose in this view."""
        ...

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """`weights[combo]` of each remaining opponent, by seat."""
        ...


def percent(share: float) -> str:
    """A share as text such as `62%`, with one more digit if rounding would give 0% or 100%.

    >>> percent(0.618), percent(0.998), percent(1)
    ('62%', '99.8%', '100%')
    """
    whole = f"{share:.0%}"
    return f"{share:.1%}" if whole in ("0%", "100%") and 0 < share < 1 else whole


def percents(shares: Sequence[float]) -> list[str]:
    """Shares of a whole as percentages that are rounded to add up to 100; with tenths if one share would be rounded to
    0.

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
