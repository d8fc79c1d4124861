"""Noise: how little a player's actions say about its cards, learnt from the hands that it had to show.

A model says how likely an action is with every hand. Noise mixes that with its mean over the hands that the player may
hold, the same for all: at noise 1 an action says nothing about the cards, and at any noise the player's shares of
folds, calls and raises stay what they were.

When a hand is shown, each of its actions tells by one number, the *ratio*: how likely the model made the action with
that hand, over its mean. After an action with a noise of e the hand's weight has grown (e + (1 - e) ratio)-fold
against the others, so the noise that gives shown hands the largest weights is the one with the largest sum of
log(e + (1 - e) ratio). `Noise` keeps these sums over a grid of e, in every context of every player, and answers with
the mean of e by Bayes' rule; the evidence of a player's other contexts counts in part. A hand that is not shown tells
nothing: what a player does comes out as likely with any noise.

>>> noise = Noise((1,))
>>> for _ in range(20):
...     noise.learn("ann", (0,), 1.8)  # shown after a raise: hands with which it was to be expected
...     noise.learn("bob", (0,), 0.1)  # ... with which it was not
>>> noise.of("ann", (0,)) < 0.2 < 0.6 < noise.of("a stranger", (0,)) < 0.9 < noise.of("bob", (0,))
True

References
----------
Davidson (2002), section 3.3.3: the noise factor stands for the uncertainty about what an opponent's actions say of its
cards. It is a constant there, smeared evenly over fold, call and raise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pokerlab.files import shaped

Floats = NDArray[np.float64]
Place = tuple[int, ...]

GRID = np.linspace(0.0, 1.0, 11)
BEFOREHAND = np.log(np.array([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15]) / 30)
"""How likely each noise of the grid is of a stranger, in logarithms: half of it, that cards do not matter at all."""
TRUSTING = np.log(np.array([20, 100, 50, 20, 10, 5, 3, 2, 2, 2, 30]) / 244)
"""The same for one who takes strangers more at their word: a noise of 0.3 on average instead of 0.8."""
ELSEWHERE = 0.2  #: the weight of evidence from a player's other contexts
LEAST = 1e-6


class Noise:
    """The evidence about every player, by name: `evidence[context.., noise of the grid]`."""

    def __init__(self, contexts: Place, beforehand: Floats = BEFOREHAND) -> None:
        self._beforehand = beforehand
        self._shape = (*contexts, len(GRID))
        self._evidence: dict[str, Floats] = {}
        self._known: dict[tuple[str, Place], float] = {}

    def learn(self, name: str, place: Place, ratio: float) -> None:
        """Take note of an action at `place` with a hand that was shown."""
        evidence = self._evidence.setdefault(name, np.zeros(self._shape))
        evidence[place] += np.log(np.maximum(GRID + (1 - GRID) * ratio, LEAST))
        self._known.clear()

    def of(self, name: str, place: Place) -> float:
        """The noise of a player's actions in a context, 0 to 1."""
        key = (name, place)
        if key not in self._known:
            self._known[key] = self._expected(key)
        return self._known[key]

    def _expected(self, key: tuple[str, Place]) -> float:
        name, place = key
        evidence = self._evidence.get(name, np.zeros(self._shape))
        everywhere = evidence.reshape(-1, len(GRID)).sum(axis=0)
        score = self._beforehand + ELSEWHERE * everywhere + (1 - ELSEWHERE) * evidence[place]
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
