"""Noise: how little a player's actions reveal about its cards, learned from the hands it had to show.

A model gives an action's probability with every hand. Noise mixes these with their mean over the player's possible
hands: at noise 1 an action reveals nothing about the cards; the shares of folds, calls and raises never change.

Each action of a shown hand gives one number, the *ratio*: the model's probability of the action with that hand, divided
by its mean. An action with noise e multiplies the hand's weight by e + (1 - e) ratio relative to the others, so the
noise that gives shown hands the largest weights maximizes the sum of log(e + (1 - e) ratio). `Noise` stores these sums
over a grid of e, for every context of every player. Hands that are not shown give no evidence: the probability of the
actions is the same with any noise.

By Bayes' rule the sums answer two questions. Does the player look at its cards at all? A *blind* one has noise 1 in all
contexts, so their evidence is pooled, and some dozens of shown actions decide. And if it looks, how large is its noise
in this context? Evidence from its other contexts counts in part.

>>> noise = Noise((1,))
>>> for _ in range(20):
...     noise.learn("ann", (0,), 1.8)  # shown after a raise: hands with which it was to be expected
...     noise.learn("bob", (0,), 0.1)  # ... with which it was not
>>> noise.of("ann", (0,)) < 0.25 < 0.5 < noise.of("a stranger", (0,)) < 0.6 < 0.99 < noise.of("bob", (0,))
True
>>> noise.blind("ann") < 0.001 < noise.blind("a stranger") < noise.blind("bob")
True

References
----------
Davidson (2002), section 3.3.3: the noise factor is the uncertainty about what an opponent's actions reveal about its
cards. It is a constant there, spread evenly over fold, call and raise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.files import shaped

Place = tuple[int, ...]

GRID = np.linspace(0.0, 1.0, 11)
LOOKING = np.log(np.array([1, 10, 40, 60, 50, 30, 15, 8, 4, 2, 2]) / 222)
"""Log prior of each noise of the grid for a stranger who looks at its cards."""
BLIND = 0.3  #: prior probability that a stranger ignores its cards
ELSEWHERE = 0.2  #: the weight of evidence from a player's other contexts
LEAST, MOST = 1e-6, 100.0  # bounds of a ratio (below) and of a sum of logarithms (above)


class Noise:
    """Estimates of every player's noise by context, learned from shown hands."""

    def __init__(self, contexts: Place) -> None:
        self._shape = (*contexts, len(GRID))
        self._evidence: dict[str, Floats] = {}
        self._known: dict[tuple[str, Place], float] = {}
        self._blind: dict[str, float] = {}

    def learn(self, name: str, place: Place, ratio: float) -> None:
        """Record an action at `place` with a hand that was shown."""
        evidence = self._evidence.setdefault(name, np.zeros(self._shape))
        evidence[place] += np.log(np.maximum(GRID + (1 - GRID) * ratio, LEAST))
        self._known.clear()
        self._blind.clear()

    def of(self, name: str, place: Place) -> float:
        """The noise of a player's actions in a context, 0 to 1."""
        key = (name, place)
        if key not in self._known:
            blind = self.blind(name)
            self._known[key] = blind + (1 - blind) * self._of_looking(name, place)
        return self._known[key]

    def blind(self, name: str) -> float:
        """Probability that a player never looks at its cards."""
        if name not in self._blind:
            evidence = self._evidence.get(name, np.zeros(self._shape)).reshape(-1, len(GRID))
            looks = np.log((1 - BLIND) / BLIND) + np.logaddexp.reduce(LOOKING + evidence, axis=1).sum()
            self._blind[name] = float(1 / (1 + np.exp(min(looks, MOST))))
        return self._blind[name]

    def _of_looking(self, name: str, place: Place) -> float:
        """The noise in a context, if the player looks at its cards."""
        evidence = self._evidence.get(name, np.zeros(self._shape))
        everywhere = evidence.reshape(-1, len(GRID)).sum(axis=0)
        score = LOOKING + ELSEWHERE * everywhere + (1 - ELSEWHERE) * evidence[place]
        p = np.exp(score - score.max())
        return float(p @ GRID / p.sum())

    def evidence_of(self, names: Sequence[str]) -> Floats:
        """`evidence[name, context.., noise of the grid]`, zeros for strangers."""
        evidence = [self._evidence.get(name, np.zeros(self._shape)) for name in names]
        return np.array(evidence).reshape(-1, *self._shape)

    def start_from(self, evidence: Mapping[str, Floats]) -> None:
        """Replace the evidence."""
        self._evidence = {name: shaped(sums, *self._shape) for name, sums in evidence.items()}
        self._known.clear()
        self._blind.clear()
