"""Benchmarks of learning environments: steps per second, each with an observation and a mask. All players choose
offered actions at random. RLCard's hands are shorter, since its players may fold when there is nothing to call."""

from __future__ import annotations

import random
import warnings
from typing import Any

from pokerlab.bench.benchmark import Work, repeated

STEPS = 1000


def _offered(mask: Any) -> int:
    return int(random.choice(mask.nonzero()[0]))


def gymnasium(game: str) -> Work:
    from pokerlab.adapters.gymnasium import PokerEnv

    env = PokerEnv(game, "random")
    _, info = env.reset(seed=7)

    def step() -> None:
        nonlocal info
        _, _, over, _, info = env.step(_offered(info["action_mask"]))
        if over:
            _, info = env.reset()

    return repeated(step, STEPS)


def rlcard_steps(game: str) -> Work:
    """Make a benchmark of RLCard's environment: both players act at random, and only the actions of one of them, the
    learner, are counted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about the gym it was written for
        import rlcard

        env = rlcard.make(game)
    state, player = env.reset()

    def work() -> int:
        nonlocal state, player
        steps = 0
        while steps < STEPS:
            steps += player == 0
            state, player = env.step(random.choice(list(state["legal_actions"])))
            if env.is_over():
                env.get_payoffs()
                state, player = env.reset()
        return STEPS

    return work


def pettingzoo(*, ours: bool) -> Work:
    env = _ours_aec() if ours else _pettingzoo()
    env.reset(seed=7)

    def work() -> int:
        steps = 0
        while steps < STEPS:
            env.reset()
            for _ in env.agent_iter():
                seen, _, over, _, _ = env.last()
                env.step(None if over else _offered(seen["action_mask"]))
                steps += not over
        return steps

    return work


def _ours_aec() -> Any:
    from pokerlab.adapters.pettingzoo import PokerAEC

    return PokerAEC("limit2p")


def _pettingzoo() -> Any:
    """PettingZoo's `texas_holdem_v4` without rendering, which needs pygame."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic.rlcard_envs.rlcard_base import RLCardBase

        env: Any = type("TexasHoldem", (RLCardBase,), {"render_mode": None})("limit-holdem", 2, (72,))
    return env
