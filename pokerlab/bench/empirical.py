"""Benchmarks of empirical games: hands between compiled players, and hands that a Q-learner learns from."""

from __future__ import annotations

from pokerlab.bench.benchmark import Benchmark, Work

HANDS = 2000


def _profiles() -> Work:
    """An instance of every profile of caller, raiser, rulebot and folder."""
    from pokerlab.agents.registry import agent
    from pokerlab.learning.empirical_games import EmpiricalPlan
    from pokerlab.learning.q_learning import WORTH_TURN_TABLE, build_turn_table
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
    from pokerlab.learning.q_learning import HANDS_A_STEP, WORTH_TURN_TABLE, QConfig, QLearning, build_turn_table

    build_turn_table(WORTH_TURN_TABLE)
    engine = QLearning(QConfig(hands=1_000_000))
    arrays = engine.init()

    def work() -> int:
        nonlocal arrays
        if int(arrays["iteration"]) * HANDS_A_STEP + HANDS > engine.config.hands:
            arrays = engine.init()
        arrays = engine.step(arrays, HANDS // HANDS_A_STEP)
        return HANDS

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
)
