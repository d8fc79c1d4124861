"""Income rates printed by Davidson (2002), section 3.2, Table 3.1."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.experiments.poki.income_rates import CLASSES, IR, IR_10, PRINTED, RATES, rank_correlation
from pokerlab.policies.income_rates import income_table

PUBLISHED = dict(zip(PRINTED[IR_10], zip(IR, RATES, strict=True), strict=True))
ITERATED = RATES


def test_the_table_is_the_printed_one():
    """27 hands, first and last as printed, in the order of their iterated rates."""
    assert len(PUBLISHED) == 27
    assert PUBLISHED["AA"] == (2112, 2920)
    assert PUBLISHED["66"] == (304, 40)
    assert sum(ir for ir, _ in PUBLISHED.values()) == 20108
    assert ITERATED.sum() == 18450
    assert (np.diff(ITERATED) <= 0).all()


@pytest.mark.parametrize("hand", PUBLISHED)
def test_ir_10_is_within_two_percent(hand):
    ours = 1000 * income_table("rollout", 10).mean[CLASSES[list(PUBLISHED).index(hand)]]
    assert ours == pytest.approx(PUBLISHED[hand][0], rel=0.02)


def test_every_iterated_hand_is_profitable_and_few_others_are():
    profitable = income_table("iterated", 10).profitable
    assert profitable[CLASSES].all()
    assert profitable.sum() == 38


def test_iterated_rates_agree_in_rank_and_nearly_in_size():
    ours = 1000 * income_table("iterated", 10).mean[CLASSES]
    assert rank_correlation(ours, ITERATED) == pytest.approx(0.955, abs=0.001)
    assert np.sqrt(np.mean((ours - ITERATED) ** 2)) == pytest.approx(88, abs=1)
    assert ours[0] == pytest.approx(2920, rel=0.03)  # aces
