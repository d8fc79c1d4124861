"""Prize equities of matches: known stacks after the last hand, and the order in which players lost theirs."""

import json

import numpy as np
import pytest

from pokerlab.cli import main
from pokerlab.games.catalog import game
from pokerlab.table.icm import icm
from pokerlab.table.match import MatchPlan, MatchResult
from pokerlab.table.prizes import after_match, prize_equities

PRIZES = (50, 30, 20)


def means(stacks, prizes=PRIZES):
    return [value.mean for value in icm(stacks, prizes)]


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        ([[0, 0, 0]], [100 / 3] * 3),
        ([[2000, -1000, -1000], [1000, -200, -800]], means((5000, 800, 200))),  # all have chips left
        ([[2000, -2000, 0], [2000, 0, -2000]], [50, 20, 30]),  # one has all the chips
        ([[500, 1500, -2000], [-500, 500, 0]], [*means((2000, 4000), (50, 30)), 20]),
        ([[-1000, 500, 500], [-1000, 3500, -2500]], [20, 50, 30]),  # two at once: more chips, better place
        ([[4000, -2000, -2000]], [50, 25, 25]),  # two at once with the same chips
    ],
)
def test_prizes_go_by_the_order_of_going_broke_and_then_by_chips(chips, expected):
    assert after_match((2000, 2000, 2000), np.array(chips, float), PRIZES) == pytest.approx(expected)
    assert sum(expected) == pytest.approx(100)


def test_places_without_a_prize_get_nothing():
    chips = np.array([[2000.0, -2000, 0], [-1000, 0, 1000]])
    assert after_match((2000, 2000, 2000), chips, (80, 20)) == pytest.approx([80 / 2 + 20 / 2, 0, 50])


def result(number, seating, chips):
    rules = game("nolimit3p:3000,2000,1000")
    plan = MatchPlan(rules, ("a", "b", "c"), hands=len(chips), number=number, seating=seating, stacks="running")
    return MatchResult(plan, ("a", "b", "c"), np.array(chips, float))


def test_equities_of_matches_have_the_interval_of_their_units_and_a_gain_on_the_start():
    plain = [result(0, (0, 1, 2), [[1000, -2000, 1000]]), result(1, (0, 1, 2), [[0, 0, 0]])]
    first, second, third = prize_equities(plain, PRIZES)
    start = means((3000, 2000, 1000))
    after = means((4000, 2000), (50, 30))
    assert (first.start, second.start, third.start) == pytest.approx(tuple(start))
    assert first.mean.mean == pytest.approx((after[0] + start[0]) / 2)
    assert second.gain.mean == pytest.approx((20 - start[1]) / 2)
    assert third.gain.mean == pytest.approx((after[1] - start[2]) / 2)
    half = 12.706 * abs(after[0] - start[0]) / 2  # Student's t with one degree of freedom, s / sqrt(2) = |x - y| / 2
    assert (first.gain.half_width, first.gain.n, first.mean.method) == (pytest.approx(half, rel=1e-4), 2, "matches")


def test_the_seatings_of_a_match_are_one_unit_and_start_with_the_stacks_of_their_seats():
    both = [result(0, (0, 1, 2), [[0, 0, 0]]), result(0, (2, 1, 0), [[0, 0, 0]])]
    first, second, third = prize_equities(both, PRIZES)
    start = means((3000, 2000, 1000))
    assert (first.mean.n, first.mean.method) == (1, "match sets")
    assert first.mean.mean == third.mean.mean == pytest.approx((start[0] + start[2]) / 2)
    assert second.gain.mean == pytest.approx(0)


MATCH = ("match", "--game", "nolimit3p:5bb", "--agents", "random,caller,raiser", "--hands", "60", "--no-save")


def test_the_command_reports_what_the_stacks_of_its_matches_are_worth(capsys):
    assert main([*MATCH, "--running-stacks", "--prizes", "50,30,20", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    prizes, agents = data["prizes"], data["prizes"]["agents"]
    assert (prizes["paid"], prizes["method"], agents[0]["n"]) == ([50, 30, 20], "matches", 10)
    assert sum(row["mean"] for row in agents) == pytest.approx(100)
    assert [row["name"] for row in agents] == ["random", "caller", "raiser"]
    for row in agents:
        assert row["gain"]["mean"] == pytest.approx(row["mean"] - 100 / 3)
        assert row["low"] < row["mean"] < row["high"]
    assert len({round(row["mean"], 6) for row in agents}) == 3
    assert main([*MATCH, "--running-stacks", "--prizes", "50,30,20"]) == 0
    assert "prizes 50, 30, 20" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--prizes", "50,30"], "add --running-stacks"),
        (["--prizes", "50,x", "--running-stacks"], "prizes must be numbers separated by ',', not '50,x'"),
        (["--prizes", "30,50", "--running-stacks"], "none larger than the one before it"),
        (["--prizes", "4,3,2,1", "--running-stacks"], "3 players share 1 to 3 prizes, not 4"),
        (["--prizes", "5", "--running-stacks", "--game", "limit3p"], "limit3p is played without stacks"),
    ],
)
def test_prizes_that_make_no_sense_are_refused_in_one_line(options, message, capsys):
    game_at = MATCH.index("--game")
    command = MATCH if "--game" not in options else (*MATCH[:game_at], *MATCH[game_at + 2 :])
    assert main([*command, *options]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
