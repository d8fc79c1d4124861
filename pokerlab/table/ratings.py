"""Ratings from match results on Elo's scale, with intervals; agents need not all have played each other.

Every set of matches at one table counts as one game, ranked by the chips won over all seatings; the amounts do not
matter. The model is that of Plackett and Luce (for two players, Bradley and Terry): an agent with rating r comes first
among others with a probability proportional to 10 ** (r / 400), and the rest are ranked in the same way. Ratings
maximise the posterior density under a normal prior (mean 0, standard deviation `PRIOR`), without which an agent that
always wins would have an infinite rating. They are relative to the average of the field, which is 0. The order of the
games does not matter.

Different tables are dealt the same cards, so games with the same match number are not independent. The unit of the
intervals is therefore a *round*: one match number at all tables. Widths follow from the spread of the rounds' scores
(the "sandwich" estimator), with Student's quantile, and are at least `LEAST` times those from the posterior's
curvature, since an agent that wins every round shows no spread.

>>> rounds = [{((0, 1), (0, 1)): 1}] * 30 + [{((0, 1), (1, 0)): 1}] * 10
>>> [(round(rating.mean), round(rating.high - rating.mean)) for rating in fit_ratings(2, rounds)]
[(94, 64), (-94, 64)]

References
----------
Bradley and Terry (1952), Biometrika 39; Plackett (1975), Applied Statistics 24(2). Breslow (1974), Biometrics 30, for
the treatment of ties. Liang and Zeger (1986), Biometrika 73, for the variance of dependent games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Z95, Estimate, bare, margin
from pokerlab.table.match import MatchResult
from pokerlab.table.tournament import TournamentResult

PRIOR = 400.0  #: Elo points: before any game an agent is within ±784 of the average with probability 0.95

LEAST = 0.75  #: with 1 (the posterior's full width) intervals of equally good agents would cover 98 times in 100

_POINTS = 400 / log(10)  # Elo points in a natural unit of log-odds

Outcome: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]  #: (agents of a game, their ranks from 0, equal for ties)


def ratings(result: TournamentResult) -> tuple[Estimate, ...]:
    """The rating of every agent of a tournament, in Elo points."""
    rated = fit_ratings(len(result.names), match_rounds(result))
    return tuple(rating.among(result.n_compared) for rating in rated)


def match_rounds(result: TournamentResult) -> list[Counter[Outcome]]:
    """Outcomes of all tables, by match number."""
    rounds: dict[int, Counter[Outcome]] = {}
    for matches in _match_sets(result):
        rounds.setdefault(matches[0].plan.number, Counter())[_outcome(result, matches)] += 1
    return list(rounds.values())


def fit_ratings(n_agents: int, rounds: Sequence[Mapping[Outcome, int]]) -> tuple[Estimate, ...]:
    """The ratings that best explain how often each outcome occurred in independent rounds of games."""
    games: Counter[Outcome] = Counter()
    for played in rounds:
        games.update(played)
    theta = np.zeros(n_agents)
    for _ in range(100):
        slope, curvature = _posterior(theta, games)
        step = np.linalg.solve(curvature, slope)
        theta += step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))  # shorten long steps, which overshoot
        if np.abs(step).max() < 1e-10:
            break
    centred = np.eye(n_agents) - 1 / n_agents  # games reveal only differences of ratings
    middle, n = centred @ theta * _POINTS, len(rounds)
    if n < 2:
        return tuple(bare(float(mean), n=n, units="Elo", method="rounds") for mean in middle)
    inverse = centred @ np.linalg.inv(_posterior(theta, games)[1])
    prior = _posterior(theta, {})[0]
    score = {outcome: _posterior(theta, {outcome: 1})[0] - prior for outcome in games}
    scores = np.array([sum(times * score[outcome] for outcome, times in played.items()) for played in rounds])
    spread = (scores - scores.mean(axis=0)) @ inverse.T
    by_rounds = margin(1.0, n) * np.sqrt((spread**2).sum(axis=0) * n / (n - 1))
    half = _POINTS * np.maximum(by_rounds, LEAST * Z95 * np.sqrt(np.diag(inverse @ centred).clip(0)))
    return tuple(
        Estimate(float(middle[i]), float(middle[i] - half[i]), float(middle[i] + half[i]), n, "Elo", "rounds")
        for i in range(n_agents)
    )


def _posterior(theta: Floats, games: Mapping[Outcome, int]) -> tuple[Floats, Floats]:
    """Gradient and negative Hessian of the log posterior at `theta`."""
    precision = (_POINTS / PRIOR) ** 2
    slope, curvature = -precision * theta, precision * np.eye(len(theta))
    for (agents, ranks), times in games.items():
        places, order = np.array(agents), np.array(ranks)
        for rank in sorted(set(ranks)):
            left, first = places[order >= rank], places[order == rank]
            if len(left) < 2:
                continue
            # Breslow: agents tied for a place each take it once from all that were left; the last one has no choice.
            weight = times * ((len(first) - 1) / len(first) if len(first) == len(left) else 1.0)
            share = np.exp(theta[left] - theta[left].max())
            share /= share.sum()
            slope[first] += weight
            slope[left] -= weight * len(first) * share
            spread = np.diag(share) - np.outer(share, share)
            curvature[np.ix_(left, left)] += weight * len(first) * spread
    return slope, curvature


def _match_sets(result: TournamentResult) -> list[list[MatchResult]]:
    """The matches grouped by table and match number: all seatings of the same deals."""
    sets: dict[tuple[int, tuple[str, ...]], list[MatchResult]] = {}
    for match in result.results:
        sets.setdefault((match.plan.number, match.plan.entrants), []).append(match)
    return list(sets.values())


def _outcome(result: TournamentResult, seatings: list[MatchResult]) -> Outcome:
    entrants = seatings[0].plan.entrants
    won = np.sum([match.chips.sum(axis=0) for match in seatings], axis=0).round(6)
    ranks = (won[None, :] > won[:, None]).sum(axis=1)  # number of agents that did better
    return tuple(result.names.index(name) for name in entrants), tuple(ranks.tolist())
