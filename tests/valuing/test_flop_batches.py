"""Flops of a pot all at once in JAX give the values of flops solved one by one."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import N_CLASSES, class_index
from pokerlab.valuing.flop_gains import FlopTree, solved_flop

pytest.importorskip("jax")

WEIGHTS = np.zeros((2, N_CLASSES))
for player, held in enumerate(({"AA": 1, "77": 1, "JTs": 0.5}, {"KK": 1, "88": 0.7, "98s": 1})):
    for name, share in held.items():
        WEIGHTS[player, class_index(name)] = share


@pytest.mark.slow
def test_flops_at_once_equal_flops_one_by_one():
    from pokerlab.valuing.flop_batches import solved_flops

    tree = FlopTree(iterations=12, target_percent=0.001)
    flops = [cards("AhKd7c"), cards("8s6s2s")]
    for flop, found in zip(flops, solved_flops(flops, WEIGHTS, chips=20.5, behind=45, tree=tree), strict=True):
        alone = solved_flop(flop, WEIGHTS, chips=20.5, behind=45, tree=tree)
        assert found.met == pytest.approx(alone.met)
        assert found.equity == pytest.approx(alone.equity, abs=1e-4)
        held = found.met > 0
        assert found.value[held] / found.met[held] == pytest.approx(alone.value[held] / alone.met[held], abs=0.02)
        assert found.exploitability == pytest.approx(alone.exploitability, rel=0.2)  # it has tables of 16 bits
