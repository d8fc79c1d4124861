"""Numbers and how sure they are: known values, coverage by simulation, words."""

from math import isnan, sqrt

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.estimates import (
    ENOUGH_ALIKE,
    Estimate,
    bare,
    bounds,
    estimate,
    exact,
    mean_of_sums,
    ratio_of_sums,
    share,
    share_of_sums,
)
from pokerlab.rng import stream


def estimated(values, sizes=None):
    return estimate(np.asarray(values, float), sizes=sizes, units="mbb_per_hand", method="hands")


def test_the_textbook_interval():
    # n = 5, s = sqrt(2.5), t(4, 0.975) = 2.7764 (any table of Student's t)
    found = estimated([1, 2, 3, 4, 5])
    assert found.mean == 3
    assert found.half_width == pytest.approx(2.776445 * sqrt(2.5) / sqrt(5), rel=1e-6)
    assert found.n == 5


def test_the_ratio_estimate_by_hand():
    # 11 / 4; residuals -0.75 and 0.75; t(1, 0.975) = 12.7062
    found = estimated([2, 9], np.array([1.0, 3.0]))
    assert found.mean == 2.75
    assert found.half_width == pytest.approx(12.7062 * sqrt(2 * 1.125) / 4, rel=1e-5)


def test_units_of_one_size_give_the_same_as_the_plain_mean():
    values = stream(1, "values").normal(size=30)
    plain, ratio = estimated(values), estimated(values * 7, np.full(30, 7.0))
    assert (ratio.mean, ratio.low, ratio.high) == pytest.approx((plain.mean, plain.low, plain.high))


def test_one_unit_has_no_interval_and_none_no_mean():
    found = estimated([4.0])
    assert found.mean == 4 and isnan(found.low) and not found.significant
    assert str(found) == "+4.0 mbb/hand, no interval (n = 1 hands)"
    with pytest.raises(PokerlabError, match="no hands were played"):
        estimated([])


def test_coverage_of_independent_hands():
    rng = stream(5, "coverage")
    inside = 0
    for values in rng.exponential(size=(4000, 100)):  # skewed, as pots are
        found = estimated(values)
        inside += found.low <= 1 <= found.high
    assert 0.93 < inside / 4000 < 0.96


def test_coverage_when_hands_of_a_match_depend_on_each_other():
    """Matches are the units then; hands would claim far too much."""
    rng = stream(6, "clusters")
    lengths = np.array([50.0] * 11 + [20.0])
    by_match, by_hand = 0, 0
    for _ in range(2000):
        level = rng.normal(size=12)
        hands = [mean + rng.normal(size=int(n)) for mean, n in zip(level, lengths, strict=True)]
        found = estimated([match.sum() for match in hands], lengths)
        by_match += found.low <= 0 <= found.high
        found = estimated(np.concatenate(hands))
        by_hand += found.low <= 0 <= found.high
    assert 0.93 < by_match / 2000 < 0.97
    assert by_hand / 2000 < 0.5


def test_words():
    unsure = Estimate(2.0, -1.0, 5.0, 30, "mbb_per_hand", "deals")
    sure = Estimate(-2.0, -3.0, -1.0, 30, "mbb_per_hand", "deals")
    assert str(unsure) == "+2.0 ± 3.0 mbb/hand, not significant (n = 30 deals)"
    assert str(sure) == "-2.0 ± 1.0 mbb/hand (n = 30 deals)"


def test_kinds_say_how_sure_a_number_is():
    assert (exact(2.0).kind, exact(2.0).half_width, exact(2.0).n) == ("exact", 0.0, None)
    between = bounds(-3.0, 1.0, units="chips_per_hand")
    assert (between.kind, between.mean, between.half_width, between.significant) == ("bounds", -1.0, 2.0, False)
    assert (bare(5.0, n=7).kind, bare(5.0, n=7).n) == ("interval", 7) and isnan(bare(5.0).low)
    assert str(between) == "-3.000 to +1.000 chips/hand"
    assert str(bare(5.0, units="bb_per_100")) == "+5.0 bb/100, no interval"


def test_scaling_by_a_negative_number_swaps_the_ends():
    found = Estimate(2.0, 1.0, 5.0, 30, "chips_per_hand", "deals").scaled(-10.0, "mbb_per_hand")
    assert found == Estimate(-20.0, -50.0, -10.0, 30, "mbb_per_hand", "deals")


def test_wilsons_interval_solves_its_equation():
    for done, chances in ((0, 12), (7, 20), (2.5, 6), (30, 30)):
        found = share(done, chances)
        assert found.mean == done / chances
        for end in {found.low, found.high} - {0.0, 1.0}:
            assert abs(found.mean - end) == pytest.approx(1.959963984540054 * sqrt(end * (1 - end) / chances))
    assert (share(0, 12).low, share(12, 12).high) == (0.0, 1.0)
    assert isnan(share(0, 0).mean) and isnan(share(0, 0).low)


@pytest.mark.parametrize("hands", [5, 12, 300])
def test_intervals_of_shares_and_ratios_hold_their_95_percent(hands):
    """In few hands too, although bets and calls vary together, and so do the chances of one hand."""
    rng = np.random.default_rng(1)
    ratios, shares = [], []
    for _ in range(600):
        calls = rng.poisson(0.8, hands)
        bets = rng.poisson(0.5 + calls)
        ratios.append(ratio_of_sums(bets.sum(), calls.sum(), _products(bets, calls), hands=hands))
        chances = 1 + calls
        taken = rng.binomial(chances, rng.beta(1.0, 1.0, hands))
        shares.append(share_of_sums(taken.sum(), chances.sum(), _products(taken, chances), n=hands))
    for truth, found in ((1.3 / 0.8, ratios), (0.5, shares)):
        known = [each for each in found if not isnan(each.low)]
        inside = sum(each.low < truth < each.high for each in known)
        assert len(known) > 100 and 0.9 < inside / len(known) < 0.995


def test_a_hand_of_many_chances_is_not_many_hands():
    """Ten hands in which four chances were all taken or all left are worth nine chances, not forty."""
    done = np.array([4.0] * 3 + [0.0] * 7)
    found = share_of_sums(12, 40, _products(done, np.full(10, 4.0)), n=10)
    assert (found.low, found.high) == pytest.approx((share(2.7, 9).low, share(2.7, 9).high))
    never = share_of_sums(0, 40, (0.0, 0.0, 160.0), n=10)
    assert (never.low, never.high) == (0.0, share(0, 10).high)


def _products(done, chances):
    return float(done @ done), float(done @ chances), float(chances @ chances)


def test_few_units_that_came_out_alike_have_no_interval():
    """Two hands that both won a blind do not show that every hand will."""
    few = estimated([0.1] * (ENOUGH_ALIKE - 1))
    assert few.mean == pytest.approx(0.1) and isnan(few.low) and not few.significant
    assert estimated([0.1] * ENOUGH_ALIKE).half_width < 1e-9
    assert isnan(mean_of_sums(3.0, 3, 0.0).low) and mean_of_sums(30.0, 30, 0.0).low == 1.0
    always = ratio_of_sums(4, 4, (4, 4, 4), hands=4)  # a bet and a call in every hand
    assert always.mean == 1 and 0.3 < always.low < 0.5 and 2 < always.high < 3.5
    assert ratio_of_sums(0, 9, (0, 0, 9), hands=9).high == pytest.approx(share(0, 9).high / (1 - share(0, 9).high))


def test_intervals_of_next_to_nothing():
    assert isnan(mean_of_sums(0, 0, None).mean)
    assert mean_of_sums(5.0, 1, None).mean == 5 and isnan(mean_of_sums(5.0, 1, None).low)
    assert ratio_of_sums(3, 2, (9, 6, 4), hands=1).mean == 1.5
