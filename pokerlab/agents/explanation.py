"""What an agent says of itself when asked why it acts as it does: an `Explainer` gives one.

>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> said = Explanation((FOLD, CALL), np.array([0.25, 0.75]), {"ehs": 0.4}, {}, ("It likes its hand.",))
>>> said.chance_of(CALL), said.chance_of(RaiseTo(20))
(0.75, 0.0)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pokerlab.games.actions import Action
from pokerlab.games.views import View
from pokerlab.models.bayesian_network import BayesianNetwork, Evidence

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NetworkBeliefs:
    """A Bayesian network at one decision: what it was shown, and `p[state]` of every node."""

    network: BayesianNetwork
    evidence: Evidence
    beliefs: Mapping[str, Floats]


@dataclass(frozen=True)
class Explanation:
    """Why an agent would act as it would at one decision."""

    actions: tuple[Action, ...]  # those it considers
    p: Floats  # `p[action]`: how often it takes each
    numbers: Mapping[str, float]  # what it computed, by name
    weights: Mapping[int, Floats]  # by opponent's seat: `weights[combo]` it believes, the largest of all hands being 1
    words: tuple[str, ...]  # the reason, in sentences
    network: NetworkBeliefs | None = None  # of an agent that thinks in one

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
