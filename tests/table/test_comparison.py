"""Candidates among others: the matches that are played, what is won in them, and paired differences."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.estimates import estimate, holm
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.runs.workers import here
from pokerlab.table.comparison import (
    Contest,
    Winnings,
    adjusted_chances,
    by_match,
    chance,
    play_contests,
    play_seatings,
    winnings_of,
    won_by_hand,
)
from pokerlab.table.match import MatchPlan, plans, play_match
from pokerlab.table.winnings import sample, winnings

HOW = {"units": "mbb_per_hand", "seed": 7, "make": "pokerlab.players.registry:agent", "runner": here}


def test_the_plans_of_a_contest_are_those_of_a_duplicate_match():
    contest = Contest("limit3p", ("caller", "raiser", "raiser"), deals=5, matches=2, first=4)
    first = MatchPlan("limit3p", contest.entrants, 5, seed=3, number=4)
    assert contest.plans(3) == plans(first, hands=10, duplicate=True)
    alone = Contest("limit3p", contest.entrants, deals=5, duplicate=False)
    assert [(plan.number, plan.seating) for plan in alone.plans(3)] == [(0, (0, 1, 2))]


def test_copies_of_a_candidate_change_places_with_the_others_only():
    contest = Contest("limit6p", ("caller", "raiser") * 3, deals=2, copies=3)
    assert [plan.seating[0] for plan in contest.plans(1)] == [0, 1]
    results = [play_match(plan, agent) for plan in contest.plans(1)]
    every = sample(results).chips[:, ::2].mean(axis=1)
    np.testing.assert_allclose(winnings_of(results, "small_bets_per_hand", copies=3).total, every / 10)


def test_a_contest_wins_what_the_match_says():
    contest = Contest("leduc", ("random", "caller"), deals=20, matches=2)
    results = [play_match(plan, agent) for plan in contest.plans(7)]
    played = play_contests({"one": contest}, **HOW)["one"]
    assert played.mean == winnings(sample(results), game("leduc"), "mbb_per_hand")[0]
    assert winnings_of(results, "mbb_per_hand", entrant=1).mean.mean == -played.mean.mean


def test_differences_are_paired_and_deals_add_up_to_sets():
    by_deal = Winnings(np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4), "mbb_per_hand", "deals")
    by_set = Winnings(np.array([1.0, 1.0]), np.array([2.0, 2.0]), "mbb_per_hand", "match sets")
    for gap, sign in ((by_deal - by_set, 1), (by_set - by_deal, -1)):
        assert gap.total.tolist() == [sign * 2.0, sign * 6.0] and gap.method == "match sets"
        assert gap.mean == estimate(gap.total, sizes=gap.hands, units="mbb_per_hand", method="match sets")
    assert (by_deal - by_deal).total.tolist() == [0.0] * 4
    with pytest.raises(PokerlabError, match="winnings of different matches"):
        by_deal - by_match([1.0, 2.0, 3.0])


def test_all_seatings_of_a_match_are_played_here():
    plan = MatchPlan("leduc", ("random", "caller"), 6, seed=2)
    hands = []
    results = play_seatings(plan, agent, on_hand=hands.append)
    assert [result.plan.seating for result in results] == [(0, 1), (1, 0)] and len(hands) == 12
    both = results[0].chips[:, 0] + results[1].chips[:, 0]
    np.testing.assert_allclose(won_by_hand(results, "mbb_per_hand"), both * 1000)


def test_chances_of_differences_are_adjusted_for_how_many_there_are():
    rng = np.random.default_rng(1)
    differences = {name: by_match(rng.normal(mean, 1.0, 30)) for name, mean in (("a", 1.0), ("b", 0.0), ("c", 0.5))}
    alone = [chance(each) for each in differences.values()]
    assert adjusted_chances(differences) == dict(zip("abc", holm(alone), strict=True))
    assert alone[0] < 0.001 < alone[1]
    assert chance(by_match([2.0, 2.0])) == 1.0
