"""Playing until the interval is narrow: when it stops, what it says, and what it refuses."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.rng import stream
from pokerlab.table.match import MatchPlan, MatchResult, plans
from pokerlab.valuing.stopping import DEVIATIONS, MOST, NARROW, Stopping, expected_units, play_until, target_of

PLANS = plans(MatchPlan("limit2p", ("a", "b"), hands=50), hands=20_000, duplicate=True)


def results_of(some, deviation, *, learned=False):
    """Made-up results of plans: chips that depend on the plan alone."""
    made = []
    for plan in some:
        won = deviation * stream(5, "made up", plan.number, *plan.seating).standard_normal((plan.hands, 1))
        made.append(MatchResult(plan, plan.entrants, np.hstack([won, -won]), learned))
    return made


def played(stopping, deviation, **how):
    results, rounds = [], []

    def play(first, upto):
        rounds.append((first, upto))
        results.extend(results_of(stopping.plans[first:upto], deviation, **how))
        return {"raw": results}

    return play_until(stopping, play), results, rounds


def test_it_stops_at_the_first_look_that_is_narrow_and_not_before():
    stopping = Stopping(PLANS, 500.0, "mbb_per_hand", duplicate=True)
    stopped, results, rounds = played(stopping, 50.0)  # 5 big blinds a hand, 3.5 a deal
    assert (stopped.why, stopped.n_looks) == (NARROW, len(rounds))
    assert stopped.half_width <= 500 < stopping.widest(results[: rounds[-1][0]])
    assert [first for first, _ in rounds] == [0, *(upto for _, upto in rounds[:-1])]  # in order, nothing twice
    n_deals = len(results) * 50 // 2
    assert 450 <= n_deals <= 800  # 539 for a deviation of 3,536 mbb and pots of 24 big blinds


def test_it_stops_at_the_maximum():
    stopped, results, _ = played(Stopping(PLANS, 20.0, "mbb_per_hand", duplicate=True), 50.0)
    assert stopped.why == MOST and len(results) == len(PLANS)
    assert 20 < stopped.half_width < 100


def test_matches_are_the_units_of_players_that_learn():
    stopping = Stopping(PLANS, 500.0, "mbb_per_hand", duplicate=True)
    _, alone, _ = played(stopping, 50.0)
    _, learning, _ = played(stopping, 50.0, learned=True)
    assert stopping.intervals(learning)[0].n == len(learning) // 2
    assert len(learning) >= len(alone)


def test_three_players_need_every_difference():
    three = plans(MatchPlan("limit3p", ("a", "b", "c"), hands=50), hands=500, duplicate=False)
    won = stream(5, "three").standard_normal((500, 3)) * np.array([50.0, 50.0, 0.0])
    results = [MatchResult(plan, plan.entrants, won[i * 50 : i * 50 + 50]) for i, plan in enumerate(three)]
    stopping = Stopping(three, 500.0, "mbb_per_hand")
    widths = [number.half_width for number in stopping.intervals(results)]
    assert len(widths) == 3 and stopping.widest(results) == max(widths)
    assert widths[0] > 1.3 * widths[1]  # a less b varies more than a less c
    assert isnan(stopping.widest([replace(results[0], plan=replace(three[0], hands=9), chips=won[:9])]))


def test_it_says_what_to_expect():
    expected = expected_units(game("limit2p"), "raw", duplicate=True, half_width=500.0, units="mbb_per_hand")
    stopping = Stopping(PLANS, 500.0, "mbb_per_hand", duplicate=True)
    assert stopping.expected_deals == pytest.approx(expected, abs=1)
    assert stopping.expectation.startswith("±500 mbb/hand by chips of duplicate deals usually takes about 190 deals")
    assert stopping.expectation.endswith("deals in 2 seatings; at most 20,000 deals will be played")
    assert sum(plan.hands for plan in stopping.expected_plans) == pytest.approx(2 * expected, abs=200)
    too_narrow = Stopping(PLANS, 1.0, "mbb_per_hand", duplicate=True)
    assert "the 20,000 deals that may be played usually give ±" in too_narrow.expectation
    assert too_narrow.expected_plans == PLANS
    unknown = Stopping(plans(MatchPlan("rhode-island", ("a", "b")), hands=500, duplicate=False), 1.0, "mbb_per_hand")
    assert unknown.expectation.endswith("how many deals of rhode-island that takes is not known; at most 500 deals")


def test_aivat_is_expected_where_it_applies():
    def way(name, **how):
        entrants = tuple("abc")[: game(name).n_seats]
        return Stopping([MatchPlan(name, entrants)], 1.0, "mbb_per_hand", **how).way

    assert (way("limit2p"), way("limit2p", aivat=True), way("limit3p", aivat=True)) == ("raw", "AIVAT", "all-in")


def test_usual_deviations_fall_with_the_luck_that_is_removed():
    for usual in DEVIATIONS.values():
        assert usual["raw, duplicate"] < usual["raw"]
        if "AIVAT" in usual:
            assert usual["AIVAT"] < usual["raw"] and usual["AIVAT, duplicate"] < usual["raw, duplicate"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("narrow", "until cannot be 'narrow'; write a half-width above 0, such as 100mbb"),
        ("0mbb", "until cannot be '0mbb'"),
        ("-5", "until cannot be '-5'"),
        ("5 apples", "until has no unit 'apples'"),
        ("1 small bets/hand", "nolimit2p has no small bet"),
    ],
)
def test_targets_that_are_none_are_refused(text, message):
    with pytest.raises(PokerlabError, match=message):
        target_of(text, "mbb_per_hand", game("nolimit2p"))
