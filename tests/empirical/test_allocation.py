"""Further instances go where the solution depends on them."""

import numpy as np
import pytest

from pokerlab.empirical.empirical_games import (
    EmpiricalGame,
    EmpiricalPlan,
    play_empirical,
    play_where_it_matters,
    uncertain_profiles,
)
from pokerlab.errors import PokerlabError
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import here

PLAN = EmpiricalPlan("kuhn", ("caller", "raiser", "folder"), instances=10, hands=10, seed=3)
TRUE = {(0, 0): (0.0,), (0, 1): (-1.0, 1.0), (0, 2): (1.0, -1.0), (1, 1): (0.0,), (1, 2): (2.0, -2.0), (2, 2): (0.0,)}
NOISE = {(0, 0): 0.0, (0, 1): 1.0, (0, 2): 9.0, (1, 1): 0.0, (1, 2): 0.3, (2, 2): 9.0}


def noisy(plan):
    """A game in which the raiser is in equilibrium, and one profile matters that is not known well."""
    won = {}
    for profile, payoffs in TRUE.items():
        n = plan.instances * (1 + plan.more.count(profile))
        noise = np.random.default_rng(sum(profile) + 1).normal(0, NOISE[profile], n)
        signs = [1.0, -1.0][: len(payoffs)] if len(payoffs) > 1 else [0.0]
        won[profile] = np.array(payoffs) + noise[:, None] * signs
    return EmpiricalGame(plan, won, "mbb_per_hand")


@pytest.mark.slow
def test_only_profiles_around_the_solution_are_played_on():
    found = noisy(PLAN)
    raiser = np.array([0.0, 1.0, 0.0])
    assert uncertain_profiles(found, raiser, 1) == [(0, 1)]  # a caller who leaves it: nearer than the folder, and noisy
    more = play_where_it_matters(PLAN, blocks=6, play=noisy)
    assert len(more.plan.more) == 6 and (0, 2) not in more.plan.more and (2, 2) not in more.plan.more
    assert len(more.won[0, 1]) > len(more.won[0, 2]) == 10
    width = {}
    for name, game in (("before", found), ("after", more)):
        gain = game.gain(raiser, 0)
        width[name] = gain.high - gain.low
        assert gain.low <= -1.0 <= gain.high
    assert width["after"] < width["before"]


@pytest.mark.slow
def test_more_instances_are_kept_and_not_played_twice(tmp_path):
    plan = EmpiricalPlan("leduc", ("caller", "raiser"), instances=3, hands=20, seed=3)

    def play(each):
        with open_run(tmp_path / "run", "egta", {}) as run:
            make = "pokerlab.players.registry:agent"
            return play_empirical(each, make=make, runner=here, units="mbb_per_hand", run=run)

    found = play_where_it_matters(plan, blocks=2, play=play)
    assert sum(len(won) for won in found.won.values()) == 3 * (3 + 2)
    assert len(list((tmp_path / "run" / "matches").iterdir())) == 3 * (3 + 2)
    assert {match.number for match in found.plan.matches()} >= {0, 1, 2, 3, 4, 5}
    first = found.plan.more[0]
    rows = found.won[first]
    assert found.payoff(first, first[0]).n == len(rows) and not np.array_equal(rows[:3], rows[3:6])
    again = play_where_it_matters(plan, blocks=2, play=play)
    assert again.plan == found.plan and np.array_equal(again.game.payoff, found.game.payoff)


def test_blocks_are_counted():
    with pytest.raises(PokerlabError, match="cannot be -1"):
        play_where_it_matters(PLAN, blocks=-1, play=noisy)
