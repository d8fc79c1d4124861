"""Noise: how little a player's actions say about its cards, learnt from the hands that it had to show.

A model says how likely an action is with every hand. Noise mixes that with its mean over the hands that the player may
hold, the same for all: at noise 1 an action says nothing about the cards, and at any noise the player's shares of
folds, calls and raises stay what they were.

When a hand is shown, each of its actions tells by one number, the *ratio*: how likely the model made the action with
that hand, over its mean. After an action with a noise of e the hand's weight has grown (e + (1 - e) ratio)-fold
against the others, so the noise that gives shown hands the largest weights is the one with the largest sum of
log(e + (1 - e) ratio). `Noise` keeps these sums over a grid of e, in every context of every player. A hand that is not
shown tells nothing: what a player does comes out as likely with any noise.

By Bayes' rule the sums answer two questions. Does the player look at its cards at all? A *blind* one has noise 1
everywhere, so all contexts speak together, and some dozens of shown actions decide. And if it looks, how large is its
noise here? The evidence of its other contexts counts in part.

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
Davidson (2002), section 3.3.3: the noise factor stands for the uncertainty about what an opponent's actions say of its
cards. It is a constant there, smeared evenly over fold, call and raise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.files import shaped

Place = tuple[int, ...]

GRID = np.linspace(0.0, 1.0, 11)
LOOKING = np.log(np.array([1, 10, 40, 60, 50, 30, 15, 8, 4, 2, 2]) / 222)
"""How likely each noise of the grid is of a stranger who looks at its cards, in logarithms."""
BLIND = 0.3  #: how likely a stranger is taken for one who does not
ELSEWHERE = 0.2  #: the weight of evidence from a player's other contexts
LEAST, MOST = 1e-6, 100.0  # what a ratio and a sum of logarithms are kept at


class Noise:
    """The evidence about every player, by name: `evidence[context.., noise of the grid]`."""

    def __init__(self, contexts: Place) -> None:
        self._shape = (*contexts, len(GRID))
        self._evidence: dict[str, Floats] = {}
        self._known: dict[tuple[str, Place], float] = {}
        self._blind: dict[str, float] = {}

    def learn(self, name: str, place: Place, ratio: float) -> None:
        """Take note of an action at `place` with a hand that was shown."""
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
        """How likely it is that a player never looks at its cards, 0 to 1."""
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
        found = [self._evidence.get(name, np.zeros(self._shape)) for name in names]
        return np.array(found).reshape(-1, *self._shape)

    def start_from(self, evidence: Mapping[str, Floats]) -> None:
        """Know this evidence, and nothing else."""
        self._evidence = {name: shaped(each, *self._shape) for name, each in evidence.items()}
        self._known.clear()
        self._blind.clear()
