"""Intervals: known values, coverage by simulation, and which units are independent."""

from math import isnan, sqrt

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.rng import stream
from pokerlab.table.estimate import (
    MIN_SETS,
    Estimate,
    difference,
    estimate,
    sample,
    units_per_chip,
    verdict,
    winnings,
)
from pokerlab.table.match import MatchPlan, MatchResult, plans, unique_names


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


def results_of(n_matches, *, duplicate, learned=False, hands=4, stacks="reset", missing=0):
    """Made-up results: entrant 0 wins (match + 1) chips a hand in its first seating, and 1 chip less in the second."""
    todo = plans(
        MatchPlan("limit2p", ("a", "b"), hands=hands, stacks=stacks), hands=n_matches * hands, duplicate=duplicate
    )
    results = []
    for plan in todo:
        won = np.full(plan.hands - missing, plan.number + 1.0 - (plan.seating == (1, 0)))
        results.append(MatchResult(plan, unique_names(plan.entrants), np.stack([won, -won], axis=1), learned))
    return results


def test_hands_are_the_units_of_single_play():
    found = sample(results_of(3, duplicate=False))
    assert found.chips[:, 0].tolist() == [1.0] * 4 + [2.0] * 4 + [3.0] * 4
    assert (len(found), found.method) == (12, "hands")


def test_deals_are_the_units_of_duplicate_play():
    found = sample(results_of(3, duplicate=True))
    assert found.chips[:, 0].tolist() == [0.5] * 4 + [1.5] * 4 + [2.5] * 4
    assert (len(found), found.method) == (12, "deals, 2 seatings each")


def test_match_sets_are_the_units_of_players_that_learn():
    found = sample(results_of(MIN_SETS, duplicate=True, learned=True))
    assert found.method == "match sets"
    assert found.hands.tolist() == [4.0] * MIN_SETS
    assert found.chips[:, 0].tolist() == [4 * (i + 0.5) for i in range(MIN_SETS)]
    assert sample(results_of(MIN_SETS, duplicate=False, learned=True)).method == "matches"


def test_too_few_matches_of_learners_fall_back_on_deals_and_say_so():
    found = sample(results_of(MIN_SETS - 1, duplicate=True, learned=True))
    assert len(found) == 4 * (MIN_SETS - 1)
    assert found.method.startswith("deals, 2 seatings each; hands of a match depend on each other")
    assert "too narrow" in found.method


def test_running_stacks_make_hands_depend_and_unplayed_hands_count_as_zero():
    found = sample(results_of(MIN_SETS, duplicate=False, stacks="running", missing=1))
    assert found.method == "matches"
    assert found.chips[:3, 0].tolist() == [3.0, 6.0, 9.0]
    assert found.hands[0] == 4


def test_winnings_and_paired_difference_in_units():
    found = sample(results_of(2, duplicate=False))
    first, second = winnings(found, game("limit2p"), "mbb_per_hand")
    assert (first.mean, second.mean) == (150, -150)
    gap = difference(found, 0, 1, rules=game("limit2p"), units="bb_per_100")
    assert gap.mean == 30
    assert gap.half_width == pytest.approx(2 * first.half_width / 10)


@pytest.mark.parametrize(
    ("name", "units", "value"),
    [
        ("limit2p", "mbb_per_hand", 100),
        ("nolimit6p", "bb_per_100", 1),
        ("leduc", "small_bets_per_hand", 0.5),
        ("limit3p", "small_blinds_per_hand", 0.2),
        ("rhode-island", "mbb_per_hand", 200),
    ],
)
def test_units(name, units, value):
    assert units_per_chip(game(name), units) == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "units", "says"),
    [
        ("nolimit2p", "small_bets_per_hand", "nolimit2p has no small bet"),
        ("rhode-island", "small_blinds_per_hand", "rhode-island has no blinds"),
        ("limit2p", "euros", "no units are called 'euros'; known: mbb_per_hand"),
    ],
)
def test_units_a_game_does_not_have(name, units, says):
    with pytest.raises(PokerlabError, match=says):
        units_per_chip(game(name), units)


def test_words():
    unsure = Estimate(2.0, -1.0, 5.0, 30, "mbb_per_hand", "deals")
    sure = Estimate(-2.0, -3.0, -1.0, 30, "mbb_per_hand", "deals")
    assert str(unsure) == "+2.0 ± 3.0 mbb/hand, not significant (n = 30 deals)"
    assert str(sure) == "-2.0 ± 1.0 mbb/hand (n = 30 deals)"
    assert verdict("a", "b", unsure) == "a and b: no significant difference (+2.0 ± 3.0 mbb/hand)"
    assert verdict("a", "b", sure) == "b does better than a by 2.0 ± 1.0 mbb/hand"
    assert verdict("a", "b", estimated([5.0])) == "a and b: +5.0 mbb/hand, too little to judge"
