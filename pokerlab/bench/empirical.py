"""Benchmarks of three-player methods.

They measure matches between scripts and rule bots, which are played in compiled code; the training of a Q-learner;
predictions of a player's bets by kernel density estimates; and decisions of a copycat, which imitates a player.
"""

from __future__ import annotations

from functools import partial

from pokerlab.bench.benchmark import Work, counted, repeated

HANDS = 2000


def profiles() -> Work:
    """The first twenty matches of an empirical game between caller, raiser, rulebot and folder, 200 hands each.

    An empirical game plays each combination of three of these players (a profile) several times.
    """
    from pokerlab.empirical.empirical_games import EmpiricalPlan
    from pokerlab.players.registry import agent
    from pokerlab.systems.threeplayer.q_learning import WORTH_TURN_TABLE, build_turn_table
    from pokerlab.table.match import play_match

    build_turn_table(WORTH_TURN_TABLE)
    plan = EmpiricalPlan("limit3p", ("caller", "raiser", "rulebot", "folder"), instances=2, hands=200, seed=1)
    matches = plan.matches()[:20]

    return lambda: sum(len(play_match(match, agent).chips) for match in matches)


def learning() -> Work:
    """Hands of a Q-learner against two rule bots, including dealing and value updates."""
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


def densities() -> Work:
    """Predictions of the bets in a match of 1,000 hands, each made before its own observation is added."""
    import numpy as np

    from pokerlab.systems.threeplayer.kernel_density import running_chances

    rng = np.random.default_rng(1)
    points, amounts = rng.random((HANDS // 2, 1)), rng.integers(0, 5, HANDS // 2)
    learns = np.ones(len(points), bool)

    chances = partial(running_chances, points, amounts, learns, n_outcomes=5, weighted=False, least=0.03)
    return counted(chances, len(points))


def copycat() -> Work:
    """Preflop decisions of a copycat that has learned from 5,000 decisions."""
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

    return repeated(lambda: model.probabilities(view), 20)
