"""Empirical games: exact and estimated payoffs, intervals, and growing without playing anything twice."""

from itertools import permutations

import numpy as np
import pytest
from oracles.enumeration import player_values

from pokerlab.agents.scripted import SCRIPTS
from pokerlab.empirical import empirical_games
from pokerlab.empirical.empirical_games import (
    EmpiricalGame,
    EmpiricalPlan,
    empirical_game,
    instance_keys,
    play_empirical,
)
from pokerlab.empirical.game_solutions import solutions
from pokerlab.empirical.response_rounds import empirical_summary
from pokerlab.empirical.symmetric_games import game_of_profiles, profiles_of
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import here
from pokerlab.solvers.core.problem import make_problem
from pokerlab.table.match import MatchResult
from pokerlab.valuing.tabulate import situations

MAKE = "pokerlab.players.registry:agent"
KUHN = ("caller", "raiser", "folder")


def play(plan, run=None, runner=here):
    return play_empirical(plan, make=MAKE, runner=runner, units="mbb_per_hand", run=run)


def exact_kuhn3p(names):
    """Three-player Kuhn with exact payoffs: the mean over all seatings."""
    problem = make_problem(game("kuhn3p"))
    tree, payoffs = problem.tree, {}
    for profile in profiles_of(len(names), 3):
        won = {s: [] for s in profile}
        for seating in permutations(profile):
            rows = np.empty((tree.n_edges, 4))
            for decision in range(tree.n_decisions):
                legal, offered = situations(tree)[decision].legal(), tree.actions(decision)
                script = SCRIPTS[names[seating[tree.actor[decision]]]](legal)
                rows[list(tree.edges(decision))] = [[action in script] * 4 for action in offered]
            values = player_values(problem, Strategy(tree, problem.cells, (rows,)))
            for s, value in zip(seating, values, strict=True):
                won[s].append(value)
        payoffs[profile] = {s: float(np.mean(values)) for s, values in won.items()}
    return payoffs


def test_three_player_kuhn_with_exact_payoffs():
    payoffs = exact_kuhn3p(KUHN)
    assert payoffs[(0, 0, 0)] == {0: pytest.approx(0.0)}
    assert sum(payoffs[(0, 1, 2)].values()) == pytest.approx(0.0)
    assert payoffs[(1, 2, 2)] == {1: pytest.approx(2.0), 2: pytest.approx(-1.0)}  # it takes both antes
    kuhn = game_of_profiles(KUHN, 3, payoffs)
    # Raisers among themselves pay two each and share by the cards; nobody who folds or waits does better than nothing.
    assert kuhn.profile_epsilon((1, 1, 1)) == pytest.approx(max(0.0, *kuhn.gains((1, 1, 1)).values()))
    best = solutions(kuhn)[0]
    assert best.epsilon < 1e-6
    assert kuhn.worth(best.mixture).max() == pytest.approx(best.mixture @ kuhn.worth(best.mixture), abs=1e-6)


@pytest.mark.slow
def test_sampled_payoffs_agree_with_exact_ones():
    found = play(EmpiricalPlan("kuhn3p", KUHN, instances=20, hands=200, seed=3))
    exact, misses = exact_kuhn3p(KUHN), 0
    for profile, payoffs in exact.items():
        for strategy, chips in payoffs.items():
            estimate = found.payoff(profile, strategy)
            misses += not estimate.low - 1e-6 <= 1000 * chips <= estimate.high + 1e-6
    assert misses <= 2  # of 18 intervals at 95%
    known = game_of_profiles(KUHN, 3, exact)
    epsilons = [(found.profile_epsilon(profile), 1000 * known.profile_epsilon(profile)) for profile in known.profiles]
    assert sum(epsilon.low - 1e-6 <= truth <= epsilon.high + 1e-6 for epsilon, truth in epsilons) >= len(epsilons) - 2


def made(plan, chips):
    """The game of made-up results: `chips(plan, rng)[hand, entrant]`."""
    rng = np.random.default_rng(1)
    results = [MatchResult(match, match.entrants, chips(match, rng), False) for match in plan.matches()]
    return empirical_game(plan, results, units="mbb_per_hand")


def test_bootstrap_intervals_are_about_as_wide_as_normal_ones():
    plan = EmpiricalPlan("kuhn", ("caller", "raiser"), instances=100, hands=1)

    def chips(match, rng):
        won = rng.normal(1.0 if match.entrants == ("caller", "raiser") else 0.0, 1.0)
        return np.array([[won, -won]])

    found = made(plan, chips)
    epsilon = found.profile_epsilon((1, 1))  # a caller among raisers wins a chip
    assert epsilon.mean == pytest.approx(found.payoff((0, 1), 0).mean)
    assert epsilon.half_width == pytest.approx(found.payoff((0, 1), 0).half_width, rel=0.1)
    assert found.gain([0.0, 1.0], 0).mean == pytest.approx(epsilon.mean)
    assert found.profile_epsilon((0, 0)).mean == 0.0


@pytest.mark.parametrize(
    "instances", [10, pytest.param(30, marks=pytest.mark.slow), pytest.param(200, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("gains", [(3.0, -5.0, -5.0), pytest.param((1.0, 1.0, -5.0), marks=pytest.mark.slow)])
def test_intervals_of_epsilon_cover_it(instances, gains, monkeypatch):
    """One best deviation, or two alike: the largest of several means is too large, and few vary too little."""
    monkeypatch.setattr(empirical_games, "REDRAWN", 400)
    names, rng = ("caller", "raiser", "folder", "random"), np.random.default_rng(3)
    covered, n = 0, 400
    for seed in range(n):
        plan = EmpiricalPlan("leduc", names, instances, hands=100, seed=seed)
        means = {profile: np.zeros(len(set(profile))) for profile in plan.profiles}
        means |= {(0, other): np.array([0.0, gain]) for other, gain in enumerate(gains, 1)}
        won = {profile: mean + 2 * rng.normal(size=(instances, len(mean))) for profile, mean in means.items()}
        epsilon = EmpiricalGame(plan, won, "mbb_per_hand").profile_epsilon((0, 0))
        covered += epsilon.low <= max(gains) <= epsilon.high
    assert 0.93 - 0.022 <= covered / n <= 0.97 + 0.017  # two standard errors of 400 games beyond 0.93 and 0.97


def test_copies_of_a_strategy_share_what_they_win_and_order_of_naming_is_nothing():
    def chips(match, rng):
        return np.array([[10.0 * (name == "raiser") - 5 for name in match.entrants]])

    for names in (("raiser", "caller"), ("caller", "raiser")):
        plan = EmpiricalPlan("kuhn3p", names, instances=2, hands=1)
        found = made(plan, chips)
        raiser = names.index("raiser")
        profile = tuple(sorted((raiser, raiser, 1 - raiser)))
        assert found.payoff(profile, raiser).mean == 5000.0
        assert set(instance_keys(plan.matches())) == set(
            instance_keys(EmpiricalPlan("kuhn3p", names[::-1], instances=2, hands=1).matches())
        )


def test_a_game_grows_and_nothing_is_played_twice(tmp_path):
    played = []

    def runner(tasks, tick):
        played.append(len(tasks))
        yield from here(tasks, tick)

    def grow(names, instances):
        with open_run(tmp_path / "run", "egta", {}) as run:
            return play(EmpiricalPlan("leduc", names, instances, hands=20, seed=1), run, runner)

    first = grow(("caller", "raiser"), 2)
    grow(("caller", "raiser"), 3)
    third = grow(("folder", "caller", "raiser"), 3)
    again = grow(("caller", "raiser"), 2)
    assert played == [6, 3, 9, 0]
    assert again.won[(0, 1)].tolist() == first.won[(0, 1)].tolist() == third.won[(1, 2)][:2].tolist()


def test_a_run_that_was_killed_loses_the_instance_under_way_and_nothing_else(tmp_path):
    plan = EmpiricalPlan("leduc", ("caller", "random"), instances=3, hands=20, seed=1)

    def killed(tasks, tick):
        for which, outcome in here(tasks, tick):
            yield which, outcome
            if which == 4:
                raise KeyboardInterrupt

    with open_run(tmp_path / "run", "egta", {}) as run, pytest.raises(KeyboardInterrupt):
        play(plan, run, killed)
    assert len(list((tmp_path / "run" / "matches").iterdir())) == 5
    with open_run(tmp_path / "run", "egta", {}) as run:
        found = play(plan, run)
    whole = play(plan)
    assert all(found.won[profile].tolist() == whole.won[profile].tolist() for profile in plan.profiles)


@pytest.mark.parametrize(
    ("plan", "line"),
    [
        ({"strategies": ("caller",)}, "caller alone makes no game"),
        ({"strategies": ("caller", "caller")}, "caller is named twice"),
        ({"strategies": ("caller", "acpc://here:1")}, "one program"),
        ({"instances": 1}, "two instances or more"),
        ({"hands": 0}, "at least one hand"),
    ],
)
def test_what_is_refused(plan, line):
    with pytest.raises(PokerlabError, match=line):
        EmpiricalPlan(**{"game": "leduc", "strategies": ("caller", "raiser"), **plan})


def test_the_summary_has_the_most_stable_first():
    found = empirical_summary(play(EmpiricalPlan("leduc", KUHN, instances=3, hands=50, seed=1)))
    epsilons = [row["epsilon"]["mean"] for row in found["profiles"]]
    assert epsilons == sorted(epsilons) and len(epsilons) == 6
    assert found["equilibrium"]["epsilon"]["mean"] == min(each["epsilon"]["mean"] for each in found["solutions"])
    assert sum(each["share"] for each in found["alpha_rank"]) == pytest.approx(1.0)
