"""Every kind of 95% interval holds about 95 times in 100, and tournaments of equals have seldom anything significant.

Few samples here, more with `-m thorough`; `pokerlab verify intervals` simulates as many as it is asked for
(docs/results/trust.md)."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.estimates import estimate
from pokerlab.games.catalog import game
from pokerlab.rng import stream
from pokerlab.table.match import MatchPlan, MatchResult
from pokerlab.table.ratings import ratings
from pokerlab.table.winnings import sample, winnings
from pokerlab.verify import intervals
from pokerlab.verify.intervals import KINDS, NUMBERS, SEQUENCES, SLOW, check, equals

SURER = {("no-limit hands", 10): 1.0, ("no-limit deals", 10): 1.0, ("no-limit deals", 30): 1.0}
"""Kinds whose intervals of so few units hold more often than 97 times in 100, and why: docs/results/trust.md."""
SURER |= {("epsilons", n): 1.0 for n in (10, 30, 200)} | {("tournament", n): 1.0 for n in (10, 30, 200)}


@pytest.fixture(scope="module", autouse=True)
def smaller_populations():
    """Fewer real deals to draw from; samples of 10 to 1,000 do not notice."""
    populations = (intervals._population, intervals._no_limit_matches)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intervals, "POPULATION", 4000)
        patch.setattr(intervals, "NO_LIMIT", 1000)
        for population in populations:
            population.cache_clear()
        yield
    for population in populations:
        population.cache_clear()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in SLOW])
@pytest.mark.parametrize("n", [10, 30])
@pytest.mark.slow
def test_intervals_hold(kind, n):
    found = check(kind, n, times=300, seed=3)
    assert 0.915 <= found.held.mean <= SURER.get((kind, n), 0.985)  # 300 samples: 0.95 ± 0.025
    assert found.none < 0.06  # ten deals may all come out alike


@pytest.mark.parametrize("kind", sorted(SLOW))
def test_intervals_of_many_numbers_hold(kind):
    found = check(kind, 10, times=60, seed=3)
    assert 0.91 <= found.held.mean <= SURER.get((kind, 10), 0.99)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", NUMBERS)
@pytest.mark.thorough
def test_intervals_hold_in_many_samples(kind, n):
    """1,000 samples, 250 of slow kinds: 0.93 to 0.97, and the two standard errors of so many."""
    found = check(kind, n, times=250 if kind in SLOW else 1000, seed=11)
    error = 0.028 if kind in SLOW else 0.014
    assert 0.93 - error <= found.held.mean <= SURER.get((kind, n), 0.97 + error)


def test_a_few_no_limit_deals_are_judged_by_the_pots_that_were_played_for():
    """Two players who part in one deal of twenty, for a hundred big blinds; most samples of 30 have few such deals."""
    random, rules, held, plain = stream(5, "parting"), game("nolimit2p"), 0, 0
    for _ in range(400):
        pots = 10_000 * random.integers(-1, 2, size=30)
        parted = np.where(random.random(30) < 0.05, pots, 0)
        matches = []
        for seating, chips in (((0, 1), pots), ((1, 0), parted - pots)):
            plan = MatchPlan(rules, ("a", "b"), hands=30, seating=seating)
            matches.append(MatchResult(plan, ("a", "b"), np.stack([chips, -chips], axis=1).astype(float)))
        units = sample(matches)
        assert units.unseen == 5000 if np.abs(pots).any() else 0
        held += (won := winnings(units, rules, "mbb_per_hand")[0]).low <= 0 <= won.high
        mine = estimate(units.chips[:, 0])
        plain += mine.low <= 0 <= mine.high
    assert held == 400 and plain < 400


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(SEQUENCES))
def test_confidence_sequences_hold_at_all_looks_together(kind, monkeypatch):
    monkeypatch.setattr(intervals, "NO_LIMIT", 600)
    found = check(kind, 1000, times=400, seed=3)
    assert found.held.mean >= 0.95 and found.none == 0


def test_ordinary_intervals_do_not_hold_when_looked_at_often():
    values, truth, wrong = intervals._population(1), float(intervals._population(1).mean()), 0
    random = stream(3, "looks")
    for _ in range(200):
        won = random.choice(values, 1000)
        n = range(1, 1001)
        means = won.cumsum() / n
        errors = ((won**2).cumsum() / n - means**2).clip(0) ** 0.5 / np.sqrt(n)
        wrong += bool((np.abs(means - truth) > 1.96 * errors)[49:].any())
    assert wrong / 200 > 0.2  # looks from the 50th hand on


def test_equals_are_told_apart_in_few_tournaments():
    """Forty deals in ten sets, as when a third of them had some cell or rating that seemed significant."""
    random, n, cells, rated = stream(5, "equals"), 80, 0, 0
    for _ in range(n):
        result = equals(random, 10)
        cells += any(result.cell(*pair).significant for pair in combinations(range(6), 2))
        rated += any(rating.significant for rating in ratings(result))
    assert cells / n <= 0.1
    assert rated / n <= 0.1
