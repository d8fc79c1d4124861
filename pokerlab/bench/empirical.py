"""Benchmarks of three players: compiled hands, hands that a Q-learner learns from, predictions of betting densities."""

from __future__ import annotations

from pokerlab.bench.benchmark import Benchmark, Work

HANDS = 2000


def _profiles() -> Work:
    """An instance of every profile of caller, raiser, rulebot and folder."""
    from pokerlab.empirical.empirical_games import EmpiricalPlan
    from pokerlab.players.registry import agent
    from pokerlab.systems.threeplayer.q_learning import WORTH_TURN_TABLE, build_turn_table
    from pokerlab.table.match import play_match

    build_turn_table(WORTH_TURN_TABLE)
    plan = EmpiricalPlan("limit3p", ("caller", "raiser", "rulebot", "folder"), instances=2, hands=200, seed=1)
    matches = plan.matches()[:20]

    def work() -> int:
        for match in matches:
            play_match(match, agent)
        return sum(match.hands for match in matches)

    return work


def _learning() -> Work:
    """Hands against two rule bots, from the cards to the values."""
    from pokerlab.players.registry import agent
    from pokerlab.systems.threeplayer.q_learning import (
        HANDS_A_STEP,
        WORTH_TURN_TABLE,
        QConfig,
        QLearning,
        build_turn_table,
    )

    build_turn_table(WORTH_TURN_TABLE)
    engine = QLearning(QConfig(hands=1_000_000), agent)
    arrays = engine.init()

    def work() -> int:
        nonlocal arrays
        if int(arrays["iteration"]) * HANDS_A_STEP + HANDS > engine.config.hands:
            arrays = engine.init()
        arrays = engine.step(arrays, HANDS // HANDS_A_STEP)
        return HANDS

    return work


def _densities() -> Work:
    """Predictions of the bets of a match of 1,000 hands, each before its point is added."""
    import numpy as np

    from pokerlab.systems.threeplayer.kernel_density import running_chances

    rng = np.random.default_rng(1)
    points, amounts = rng.random((HANDS // 2, 1)), rng.integers(0, 5, HANDS // 2)
    learns = np.ones(len(points), bool)

    def work() -> int:
        running_chances(points, amounts, learns, n_outcomes=5, weighted=False, least=0.03)
        return len(points)

    return work


def _copycat() -> Work:
    """Decisions of a copycat before the flop, with 5,000 decisions learned from."""
    import numpy as np

    from pokerlab.games.catalog import game
    from pokerlab.games.state import State
    from pokerlab.systems.threeplayer.betting_densities import BettingDensities, Point
    from pokerlab.systems.threeplayer.copycat import SETTINGS

    rng = np.random.default_rng(1)
    densities = BettingDensities(SETTINGS)
    densities.learn("x", [Point(3, int(rng.integers(3)), float(rng.random()), 0.0) for _ in range(5000)])
    model, start = densities.model_of("x"), State.start(game("limit3p"), tuple(range(52)))
    view = start.view(2, 0, ("a", "b", "c"))

    def work() -> int:
        for _ in range(20):
            model.probabilities(view)
        return 20

    return work


BENCHMARKS = (
    Benchmark(
        name="empirical-game",
        about="hands of three-player limit hold'em over all profiles of caller, raiser, rulebot and folder",
        unit="hands",
        ours=_profiles,
        note="the table of the turn is built first, outside the clock",
    ),
    Benchmark(
        name="q-learning",
        about="hands that a Q-learner learns from against two rule bots, with the strengths of all cards",
        unit="hands",
        ours=_learning,
        note="the table of the turn is built first, outside the clock",
    ),
    Benchmark(
        name="betting-densities",
        about="bets predicted by kernel densities over a match of 1,000 hands, each before its point is added",
        unit="predictions",
        ours=_densities,
    ),
    Benchmark(
        name="copycat",
        about="decisions of a copycat that has learned from 5,000",
        unit="decisions",
        ours=_copycat,
    ),
)
