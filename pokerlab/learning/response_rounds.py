"""The loop of empirical games and learning: solve the game, learn a response to the solution, add it, and again.

A round plays what is missing of the game, takes the mixture with the smallest epsilon, and lets a Q-learner learn to
respond to it (`learning.q_learning`; each opponent is drawn from the mixture anew every hand). The response joins the
game; what a player gains who plays it, where everybody else plays the mixture, has a 95% interval. If that leaves zero
out, the next round begins; otherwise learning has found no deviation, and the loop ends.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 3 and figure 1. Schvartzman and Wellman
(2009), "Stronger CDA strategies through empirical game-theoretic analysis and reinforcement learning".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.learning.empirical_games import EmpiricalGame, EmpiricalPlan
from pokerlab.learning.game_solutions import Solution, solutions
from pokerlab.learning.q_learning import Learned, QConfig, opponents
from pokerlab.learning.symmetric_games import Floats
from pokerlab.policies.compiled_players import ValueFeatures

LEAST_CHANCE = 0.01  #: strategies that a mixture plays more rarely are left out of what is learned against

Play = Callable[[EmpiricalPlan], EmpiricalGame]
"""Plays what is missing of a game."""

Learn = Callable[[QConfig, Path], Learned]
"""Learns what is not yet learned in a directory (`q_learning.train_q`)."""


@dataclass(frozen=True, eq=False)
class Round:
    """One round: the mixture that was responded to, the response's name, what it gains there, and how it learned."""

    number: int
    solution: Solution
    response: str
    gain: Estimate
    curve: NDArray[np.float64]


@dataclass(frozen=True)
class Learning:
    """How responses are learned."""

    hands: int = 1_000_000
    features: ValueFeatures = field(default_factory=ValueFeatures)


def respond_in_rounds(
    plan: EmpiricalPlan, *, rounds: int, learning: Learning, play: Play, learn: Learn, directory: Path
) -> tuple[EmpiricalGame, list[Round]]:
    """At most `rounds` rounds from the game of `plan`; the last game has all strategies that were ever learned.

    Players are kept in `directory`, each under its round and a digest of what it was learned from, and never twice.
    """
    if rounds < 1:
        raise PokerlabError(f"a loop has one round or more, not {rounds}")
    opponents(_config(plan, dict.fromkeys(plan.strategies, 1.0), learning, 0))  # refuse before anything is played
    found, done = play(plan), list[Round]()
    for number in range(1, rounds + 1):
        solution = solutions(found.game)[0]
        against = {
            name: float(chance)
            for name, chance in zip(found.plan.strategies, solution.mixture, strict=True)
            if chance >= LEAST_CHANCE
        }
        config = _config(plan, against, learning, number)
        where = directory / f"{number}-{sha256(json.dumps(config.data(), sort_keys=True).encode()).hexdigest()[:6]}"
        learned = learn(config, where)
        response = f"q:{where}"
        found = play(replace(found.plan, strategies=(*found.plan.strategies, response)))
        gain = found.gain(padded(solution.mixture, found), len(found.plan.strategies) - 1)
        done.append(Round(number, solution, response, gain, learned.curve))
        if gain.low <= 0:
            break
    return found, done


def _config(plan: EmpiricalPlan, against: dict[str, float], learning: Learning, number: int) -> QConfig:
    game = plan.rules.name
    return QConfig(game, against, learning.hands, features=learning.features, seed=plan.seed + number)


def padded(mixture: Floats, found: EmpiricalGame) -> Floats:
    """A mixture of the first strategies of a game as one of all of them."""
    return np.pad(mixture, (0, len(found.plan.strategies) - len(mixture)))


def rounds_summary(found: EmpiricalGame, rounds: list[Round]) -> list[dict[str, Any]]:
    """Each round as JSON has it; `epsilon` is that of its mixture against all strategies that were ever learned."""
    return [
        {
            "round": each.number,
            "mixture": dict(zip(found.plan.strategies, padded(each.solution.mixture, found).tolist(), strict=True)),
            "method": each.solution.method,
            "response": each.response,
            "gain": each.gain.data(),
            "significant": each.gain.significant,
            "epsilon": found.epsilon(padded(each.solution.mixture, found)).data(),
        }
        for each in rounds
    ]
