"""Ratings from match results: how good each agent seems, and how sure that is, whoever met whom.

Every set of matches at one table counts as one game, whose ranks are the chips won over all seatings; the amounts do
not count. The model is Plackett and Luce's with Bayesian updates (Weng and Lin 2011), as the library `openskill` has
it. An agent's rating is normal with mean `mu` and standard deviation `sigma`; it starts at 25 with 25/3.

References
----------
Weng and Lin (2011), "A Bayesian Approximation Method for Online Ranking", JMLR 12, algorithm 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.table.match import MatchResult
from pokerlab.table.tournament import TournamentResult


@dataclass(frozen=True)
class Rating:
    """A rating and its standard deviation; `n` counts the games behind it."""

    mu: float
    sigma: float
    n: int


def ratings(result: TournamentResult) -> tuple[Rating, ...]:
    """The rating of every agent, its games taken in the order of the plan."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rating_of = {name: model.rating(name=name) for name in result.names}
    games = dict.fromkeys(result.names, 0)
    for seatings in _match_sets(result):
        names = seatings[0].plan.entrants
        scores = np.sum([match.chips.sum(axis=0) for match in seatings], axis=0)
        rated = model.rate([[rating_of[name]] for name in names], scores=scores.round(6).tolist())
        for name, (rating,) in zip(names, rated, strict=True):
            rating_of[name] = rating
            games[name] += 1
    return tuple(Rating(rating_of[name].mu, rating_of[name].sigma, games[name]) for name in result.names)


def _match_sets(result: TournamentResult) -> list[list[MatchResult]]:
    """The matches of each table and number together, in the order of the plan."""
    sets: dict[tuple[int, tuple[str, ...]], list[MatchResult]] = {}
    for match in result.results:
        sets.setdefault((match.plan.number, match.plan.entrants), []).append(match)
    return list(sets.values())
