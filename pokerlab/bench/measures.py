"""Benchmarks of `valuing/`: rollouts of decisions."""

from __future__ import annotations

from pokerlab.bench.benchmark import Benchmark, Work

N_ROLLOUTS = 40


def _rollouts() -> Work:
    from pokerlab.games.catalog import game
    from pokerlab.players.registry import agent
    from pokerlab.rng import stream
    from pokerlab.valuing.answers import policy_of
    from pokerlab.valuing.rollout_error import draw_decision, rollouts

    player, rules, rng = agent("formula:steady"), game("limit6p"), stream(0, "bench")
    policy = policy_of(player, rules)
    decision = draw_decision(player, policy, rules, rng)
    return lambda: len(rollouts(decision, player, policy, n=N_ROLLOUTS, rng=rng)[0])


BENCHMARKS = (
    Benchmark(
        name="rollouts",
        about="deals of limit hold'em for six, each played out by formula players after every option of a decision",
        unit="deals",
        ours=_rollouts,
    ),
)
