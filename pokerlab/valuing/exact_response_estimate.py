"""Combine the values on flops into the value of a best response, with an interval if the flops are a sample.

A sample consists of flops that differ up to suits. They are drawn without replacement and weighted by how many flops
each represents. The response's preflop actions are optimised on the sample, so its value is biased upwards. The
jackknife removes most of this bias and gives the standard error. Both are reduced by the share of flops that were
measured; all flops together give the exact number.

Values of flops are skewed, and a small sample often misses the extreme ones: Student's 95% intervals from 20 and 50
flops contained the exact value of the shipped player in only 84 and 89% of samples. Half-widths for n flops are
therefore multiplied by 1 + `WIDER` / sqrt(n). In simulations of such values, 93 to 98% of these intervals contain the
truth (docs/results/trust.md).

References
----------
Shao and Tu (1995), "The Jackknife and Bootstrap", chapters 1 (bias) and 6 (samples of finite populations).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, sqrt
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, N_COMBOS
from pokerlab.estimates import Estimate, bare, exact, margin
from pokerlab.valuing.street_betting import FOLD, Shape, best_values

N_FLOPS, N_RAW_FLOPS = 1755, comb(52, 3)
WIDER = 2.0
COMBOS_IN_CLASS = np.bincount(CLASS_OF_COMBO, minlength=N_CLASSES)


@dataclass(frozen=True, eq=False)
class Preflop:
    """The preflop betting from the viewpoint of one hero."""

    shape: Shape
    folds: Floats  #: folds[leaf, class]: chips won by a fold, times the opponent hands that a hand can meet

    def value(self, exits: Floats) -> Floats:
        """The response's winnings in chips per hand. exits[..., leaf, class] are the values on the flop, averaged over
        flops."""

        def leaf(kind: str, number: int) -> Any:
            return self.folds[number] if kind == FOLD else exits[..., number, :]

        best = np.asarray(best_values(self.shape, leaf, np.maximum))
        return np.asarray(best @ COMBOS_IN_CLASS / (N_COMBOS * comb(50, 2)))


def by_class(values: Floats) -> Floats:
    """`mean[..., class]`: the mean of `values[..., combo]` over the combos of each class."""
    total = np.zeros((*values.shape[:-1], N_CLASSES))
    np.add.at(np.moveaxis(total, -1, 0), CLASS_OF_COMBO, np.moveaxis(values, -1, 0))
    return total / COMBOS_IN_CLASS


def fold_values(reach: Floats) -> Floats:
    """`sum[..., class]`: the sum of `reach[..., combo]` over the opponent hands that a hand of the class can meet."""
    by_card = np.zeros((*reach.shape[:-1], 52))
    for side in (0, 1):
        np.add.at(np.moveaxis(by_card, -1, 0), CARDS_OF_COMBO[:, side], np.moveaxis(reach, -1, 0))
    met = reach.sum(axis=-1, keepdims=True) - by_card[..., CARDS_OF_COMBO].sum(axis=-1) + reach
    return by_class(met)


def mean_exits(values: Floats, weights: Floats) -> Floats:
    """Weighted mean of values[flop, leaf, class] over flops, scaled up because two hands leave only C(48, 3) flops."""
    return np.asarray(np.tensordot(weights, values, 1) / weights.sum() * (N_RAW_FLOPS / comb(48, 3)))


def responses(preflop: tuple[Preflop, Preflop], values: Floats, weights: Floats) -> Floats:
    """Chips per hand of both heroes' best responses, given values[hero, flop, leaf, class]."""
    return np.array([one.value(mean_exits(of, weights)) for one, of in zip(preflop, values, strict=True)])


def estimates(preflop: tuple[Preflop, Preflop], values: Floats, weights: Floats) -> list[Estimate]:
    """Estimates in chips per hand: each hero's best response, and half of their sum, the exploitability."""
    n, together = values.shape[1], responses(preflop, values, weights)
    whole = np.append(together, together.mean())
    if n == N_FLOPS:
        return [exact(float(chips), units="chips_per_hand") for chips in whole]
    if n == 1:
        return [bare(float(chips), n=1, units="chips_per_hand", method="flops") for chips in whole]
    without = _without_each(preflop, values, weights)
    left, mean = 1 - n / N_FLOPS, without.mean(axis=1)
    corrected = whole - left * (n - 1) * (mean - whole)
    spread = left * (n - 1) / n * ((without - mean[:, None]) ** 2).sum(axis=1)
    half = [margin(sqrt(square), n) * (1 + WIDER / sqrt(n)) for square in spread]
    return [
        Estimate(float(chips), float(chips - h), float(chips + h), n, "chips_per_hand", "flops")
        for chips, h in zip(corrected, half, strict=True)
    ]


def _without_each(preflop: tuple[Preflop, Preflop], values: Floats, weights: Floats) -> Floats:
    """`chips[i, flop]`: the values without this flop. i is 0 or 1 for a hero's response, 2 for the exploitability."""
    scale, rest = N_RAW_FLOPS / comb(48, 3), weights.sum() - weights
    without = []
    for one, of in zip(preflop, values, strict=True):
        weighted = weights[:, None, None] * of
        without.append(one.value((weighted.sum(axis=0) - weighted) / rest[:, None, None] * scale))
    return np.array([*without, np.mean(without, axis=0)])
