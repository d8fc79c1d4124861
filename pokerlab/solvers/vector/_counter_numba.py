# mypy: ignore-errors
"""Kernel of `counter.CounterCfr`: CFR against an opponent that is partly bound to a model. Terms are those of
`_cfr_numba`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from pokerlab.arrays import Floats
from pokerlab.solvers.vector._cfr_numba import backward, endings, forward, refresh


class Bound(NamedTuple):
    """The model that the opponent is bound to, for each (edge, cell)."""

    model: Floats
    sure: Floats  # probability that it is bound at each decision; 0 at the hero's decisions
    fixed: Floats  # probability that the model's actions lead through each edge


@njit(cache=True)
def iterate(n, t, hero, p, settings, game, bound, tables, scratch):
    """Run `n` iterations, beginning with iteration `t` + 1. Modifies the tables.

    The opponent plays the model for a whole hand with probability `p`. In other hands it plays the model at each single
    decision with probability `sure`.
    """
    model, sure, fixed = bound
    strategy, reach = tables.strategy, scratch.reach
    mixed = np.empty(len(strategy))
    for _ in range(n):
        t += 1
        for player in range(2):
            for x in range(len(strategy)):
                mixed[x] = sure[x] * model[x] + (1.0 - sure[x]) * strategy[x]
            forward(player, game, mixed, scratch)
            if player == hero:
                for x in range(len(reach)):
                    reach[x] = p * fixed[x] + (1.0 - p) * reach[x]
            endings(player, game, scratch)
            backward(player, t, settings, game, model, sure, tables, scratch)
            refresh(player, t, settings, game, tables)
