"""Meta-solvers by name: choose the mixture of a loop's strategies against which the next response is learned.

`average`, `optimistic` and `uniform` depend only on the order of the strategies. They are fictitious play, with more
weight on later responses or the same weight on all. `optimistic` is the average with the last response counted twice,
as a prediction of the next one, which avoids most of the circling. The others solve the game of the strategies, so they
need its payoffs. `nearest` takes the solution with the smallest epsilon; `alpha-rank` plays each strategy by its
long-run share.

>>> counts("average", n_first=2, n_strategies=5).round(3).tolist()
[0.091, 0.091, 0.182, 0.273, 0.364]
>>> counts("optimistic", n_first=2, n_strategies=5).round(3).tolist()
[0.067, 0.067, 0.133, 0.2, 0.533]
>>> from pokerlab.empirical.symmetric_games import matrix_game
>>> rps = matrix_game(("rock", "paper", "scissors"), [[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
>>> meta_solution("regret-matching", rps, n_first=3).mixture.round(2).tolist()
[0.25, 0.5, 0.25]

References
----------
Lanctot et al. (2017), "A unified game-theoretic approach to multiagent reinforcement learning". Heinrich, Lanctot and
Silver (2015), "Fictitious self-play in extensive-form games". Muller et al. (2020), "A generalized training approach
for multiagent learning" (alpha-rank as a meta-solver). Rakhlin and Sridharan (2013), "Optimization, learning, and games
with predictable sequences" (optimism).
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.empirical.game_solutions import (
    MixtureSolution,
    alpha_rank,
    fictitious_play,
    regret_matching,
    replicator,
    solutions,
)
from pokerlab.empirical.symmetric_games import SymmetricGame
from pokerlab.errors import PokerlabError

RespondTo: TypeAlias = Literal[
    "nearest", "average", "optimistic", "uniform", "replicator", "regret-matching", "fictitious-play", "alpha-rank"
]
BY_ORDER = ("average", "optimistic", "uniform")  #: need no payoffs


def check_meta_solver(name: str) -> None:
    """Refuse an unknown name."""
    if name not in get_args(RespondTo):
        raise PokerlabError(f"responses are learned to a mixture by {', '.join(get_args(RespondTo))}, not {name!r}")


def count_of(name: str, n_first: int, place: int, first_count: float = 1.0) -> float:
    """Weight of a strategy by its index, before any optimism: with `average` each initial one has weight `first_count`,
    the responses 2, 3 and so on; with `uniform` every response has weight 1."""
    if place < n_first:
        return first_count
    return 1.0 if name == "uniform" else place - n_first + 2.0


def counts(name: str, *, n_first: int, n_strategies: int, first_count: float = 1.0) -> Floats:
    """Mixture of `n_strategies` with the weights of `count_of`; with `optimistic` the last response counts twice."""
    weights = np.array([count_of(name, n_first, place, first_count) for place in range(n_strategies)])
    if name == "optimistic" and n_strategies > n_first:
        weights[-1] *= 2
    return np.asarray(weights / weights.sum())


def meta_solution(name: str, game: SymmetricGame, *, n_first: int) -> MixtureSolution:
    """Mixture computed by one of the meta-solvers in `RespondTo`."""
    check_meta_solver(name)
    n = len(game.strategies)
    if name == "nearest":
        return solutions(game)[0]
    if name in BY_ORDER:
        mixture = counts(name, n_first=n_first, n_strategies=n)
    elif name == "replicator":
        mixture = replicator(game, 1 + 0.01 * np.cos(np.arange(n))).mean
    elif name == "regret-matching":
        mixture = regret_matching(game)
    elif name == "fictitious-play":
        mixture = fictitious_play(game)
    else:
        mixture = np.zeros(n)
        for profile, share in alpha_rank(game).items():
            for strategy in profile:
                mixture[strategy] += share / game.n_players
    words = {"average": "average of all strategies", "optimistic": "average, the last response twice"}.get(name, name)
    return MixtureSolution(words, mixture, game.epsilon(mixture))
