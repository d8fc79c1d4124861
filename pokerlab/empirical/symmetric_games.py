"""Symmetric games of n players: values of strategies against any others, and distances from equilibrium.

A profile is a multiset of n strategies, since seats do not matter. `payoff[s, o]` is the payoff of strategy s against
the n - 1 others in the multiset `opponents[o]`. A mixture has a probability for each strategy, the same for all
players.

>>> rps = matrix_game(("rock", "paper", "scissors"), [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
>>> rps.profiles[:3]
((0, 0), (0, 1), (0, 2))
>>> rps.profile_epsilon((0, 0)), rps.epsilon(np.full(3, 1 / 3))
(1.0, 0.0)

References
----------
Wellman (2006), "Methods for empirical game-theoretic analysis". Cheng, Reeves, Vorobeychik and Wellman (2004), "Notes
on equilibria in symmetric games".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import Floats, Int64s
from pokerlab.errors import PokerlabError

Profile: TypeAlias = tuple[int, ...]  #: the strategies of all players by their number, ascending


def profiles_of(n_strategies: int, n_players: int) -> tuple[Profile, ...]:
    """Every multiset of `n_players` strategies.

    >>> len(profiles_of(4, 3)), profiles_of(2, 2)
    (20, ((0, 0), (0, 1), (1, 1)))
    """
    return tuple(combinations_with_replacement(range(n_strategies), n_players))


@dataclass(frozen=True, eq=False)
class SymmetricGame:
    """A symmetric game; `payoff[s, o]` is the payoff of strategy s if the other players have the strategies
    `opponents[o]`."""

    strategies: tuple[str, ...]
    n_players: int
    payoff: Floats

    def __post_init__(self) -> None:
        shape = (len(self.strategies), len(self.opponents))
        if self.payoff.shape != shape:
            raise PokerlabError(f"payoffs of this game have the shape {shape}, not {self.payoff.shape}")

    @cached_property
    def opponents(self) -> tuple[Profile, ...]:
        """Every multiset of strategies that the other players can have."""
        return profiles_of(len(self.strategies), self.n_players - 1)

    @cached_property
    def profiles(self) -> tuple[Profile, ...]:
        """Every multiset of strategies that all players can have."""
        return profiles_of(len(self.strategies), self.n_players)

    @cached_property
    def _counts(self) -> Int64s:
        """Return `n[opponents, strategy]`: how many of the opponents play each strategy."""
        return np.array([[o.count(s) for s in range(len(self.strategies))] for o in self.opponents], dtype=np.int64)

    @cached_property
    def _orders(self) -> Floats:
        """Number of orders in which each multiset of the others can be drawn."""
        return np.array([factorial(self.n_players - 1) / prod(map(factorial, row)) for row in self._counts.tolist()])

    @cached_property
    def _place(self) -> dict[Profile, int]:
        return {o: place for place, o in enumerate(self.opponents)}

    def chances(self, mixture: ArrayLike) -> Floats:
        """Probability of each multiset of the others if each of them draws from `mixture`."""
        return np.asarray(self._orders * np.prod(np.asarray(mixture, np.float64) ** self._counts, axis=1))

    def worth(self, mixture: ArrayLike) -> Floats:
        """Value of every strategy if all others play `mixture`."""
        return np.asarray(self.payoff @ self.chances(mixture))

    def epsilon(self, mixture: ArrayLike) -> float:
        """The largest gain of one player who plays a single strategy instead of `mixture`, which all other players
        play."""
        worth = self.worth(mixture)
        return float(max(worth.max() - np.asarray(mixture, np.float64) @ worth, 0.0))

    def others(self, profile: Profile, strategy: int) -> int:
        """Index in `opponents` of the multiset that remains after removing one player of `strategy` from `profile`."""
        left = list(profile)
        left.remove(strategy)
        return self._place[tuple(left)]

    def gains(self, profile: Profile) -> dict[tuple[int, int], float]:
        """Return {(from, to): gain} for a player of each strategy in `profile` who changes to each of the other
        strategies."""
        gains: dict[tuple[int, int], float] = {}
        for own in sorted(set(profile)):
            column = self.payoff[:, self.others(profile, own)]
            gains |= {(own, to): float(column[to] - column[own]) for to in range(len(column)) if to != own}
        return gains

    def profile_epsilon(self, profile: Profile) -> float:
        """The largest gain of one player of a pure profile by playing another strategy."""
        return max(0.0, *self.gains(profile).values())


def matrix_game(strategies: Sequence[str], matrix: ArrayLike) -> SymmetricGame:
    """The game of two players in which `matrix[row, column]` is the payoff of row against column."""
    return SymmetricGame(tuple(strategies), 2, np.asarray(matrix, dtype=np.float64))


def game_of_profiles(
    strategies: Sequence[str], n_players: int, payoffs: Mapping[Profile, Mapping[int, float]]
) -> SymmetricGame:
    """The game in which `payoffs[profile][strategy]` is the payoff of each player of that strategy in that profile.

    >>> game_of_profiles(("a", "b"), 2, {(0, 0): {0: 1.0}, (0, 1): {0: 5.0, 1: 2.0}})
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: the profile b, b has no instances
    """
    columns = profiles_of(len(strategies), n_players - 1)
    payoff = np.empty((len(strategies), len(columns)))
    for place, others in enumerate(columns):
        for own in range(len(strategies)):
            profile = tuple(sorted((*others, own)))
            if own not in payoffs.get(profile, {}):
                raise PokerlabError(f"the profile {', '.join(strategies[s] for s in profile)} has no instances")
            payoff[own, place] = payoffs[profile][own]
    return SymmetricGame(tuple(strategies), n_players, payoff)
