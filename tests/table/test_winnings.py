"""Which units of a comparison are independent, and what entrants win."""

import numpy as np
import pytest

from pokerlab.games.catalog import game
from pokerlab.table.match import MatchPlan, MatchResult, plans, unique_names
from pokerlab.table.winnings import ENOUGH_SETS, difference, match_length, sample, winnings
from pokerlab.valuing.summary import match_summary


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
    found = sample(results_of(ENOUGH_SETS, duplicate=True, learned=True))
    assert found.method == "match sets"
    assert found.hands.tolist() == [4.0] * ENOUGH_SETS
    assert found.chips[:, 0].tolist() == [4 * (i + 0.5) for i in range(ENOUGH_SETS)]
    assert sample(results_of(ENOUGH_SETS, duplicate=False, learned=True)).method == "matches"


def test_few_matches_of_learners_are_the_units_too_and_one_has_no_interval():
    found = sample(results_of(2, duplicate=True, learned=True))
    assert (len(found), found.method) == (2, "match sets")
    assert winnings(found, game("limit2p"), "mbb_per_hand")[0].half_width == pytest.approx(12.706 * 50, rel=1e-4)
    alone = winnings(sample(results_of(1, duplicate=True, learned=True)), game("limit2p"), "mbb_per_hand")[0]
    assert np.isnan(alone.low) and not alone.significant
    assert "no interval (n = 1 match, whose hands depend on each other" in str(alone)


@pytest.mark.parametrize("hands", [10, 95, 1000, 12_345])
def test_matches_of_learners_are_short_enough_to_be_many(hands):
    first = MatchPlan("limit2p", ("a", "b"), hands=match_length(hands, depend=True))
    assert len(plans(first, hands=hands, duplicate=False)) >= ENOUGH_SETS


def test_running_stacks_make_hands_depend_and_unplayed_hands_count_as_zero():
    found = sample(results_of(ENOUGH_SETS, duplicate=False, stacks="running", missing=1))
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


def test_differences_of_three_players_hold_together():
    """Each of the three is as wide as it takes for all of them to hold 95 times in 100."""
    plan = MatchPlan("kuhn3p", ("a", "b", "c"), hands=6)
    chips = np.array([[1, -1, 0], [2, -1, -1], [0, 1, -1], [1, 0, -1], [2, -2, 0], [1, 1, -2]], dtype=float)
    results = [MatchResult(plan, plan.entrants, chips)]
    first = match_summary(results, units="mbb_per_hand")["differences"][0]
    alone = difference(sample(results), 0, 1, rules=plan.rules, units="mbb_per_hand")
    assert first["mean"] == alone.mean
    assert (first["high"] - first["mean"]) / alone.half_width == pytest.approx(3.5341 / 2.5706, rel=1e-4)  # t of 5
