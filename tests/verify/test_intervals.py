"""Every kind of 95% interval holds about 95 times in 100, and tournaments of equals have seldom anything significant.

Few samples here; `pokerlab verify intervals` simulates more (docs/results/trust.md)."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.rng import stream
from pokerlab.table.ratings import ratings
from pokerlab.verify import intervals
from pokerlab.verify.intervals import KINDS, SEQUENCES, SLOW, check, equals


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in SLOW])
@pytest.mark.parametrize("n", [10, 30])
@pytest.mark.slow
def test_intervals_hold(kind, n):
    found = check(kind, n, times=300, seed=3)
    assert 0.915 <= found.held.mean <= 0.985  # 300 samples: 0.95 ± 0.025
    assert found.none < 0.06  # ten deals may all come out alike


@pytest.mark.parametrize("kind", sorted(SLOW))
def test_intervals_of_many_numbers_hold(kind):
    found = check(kind, 10, times=60, seed=3)
    assert found.held.mean >= 0.91


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
