"""Which units of a comparison are independent, and what entrants win."""

import numpy as np
import pytest

from pokerlab.games.catalog import game
from pokerlab.table.match import MatchPlan, MatchResult, plans, unique_names
from pokerlab.table.winnings import MIN_SETS, difference, sample, winnings


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
