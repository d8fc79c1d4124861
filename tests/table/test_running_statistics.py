"""Statistics kept up hand by hand: the same as those computed from all hands at once."""

import pytest

from pokerlab.players.registry import agent
from pokerlab.table.database import Database
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.running_statistics import RunningStatistics
from pokerlab.table.statistics import STATISTICS, summaries

KEYS = tuple(statistic.key for statistic in STATISTICS if statistic.kind != "mean")


def test_they_are_those_of_the_whole_file():
    hands = []
    plan = MatchPlan("limit3p", ("random", "caller", "raiser"), hands=60, seed=7)
    play_match(plan, agent, on_hand=hands.append)
    hands += [hand.seen_by() for hand in hands[:20]]
    running = RunningStatistics(KEYS)
    for hand in hands:
        running.add(hand)
    with Database(imported={"a match": hands}) as database:
        for summary in summaries(database):
            found = running.of(summary.group["agent"])
            assert running.hands[summary.group["agent"]] == summary.hands == 80
            for key, value, chances in ((each.statistic.key, each.value, each.chances) for each in found):
                measure = summary.measures[key]
                assert chances == pytest.approx(measure.denominator), key
                assert value is None or value == pytest.approx(measure.value.mean), key
            assert sum(each.value is not None for each in found) > 10
