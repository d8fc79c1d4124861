"""Confidence sequences: the interval is that of the mixture, tuned where it should be, and wider for several."""

from math import inf, isinf, log, sqrt

import pytest

from pokerlab.table.confidence_sequences import FIRST_LOOK, ConfidenceSequence, _best


def log_evidence(t, n, g):
    """The logarithm of the likelihood ratio against a mean that is t standard errors away, as the docstring has it."""
    grown = (1 + t**2 / (n - 1)) / (1 + t**2 / ((n - 1) * (1 + n * g)))
    return -log(1 + n * g) / 2 + n / 2 * log(grown)


@pytest.mark.parametrize("expected", [100, 3000])
@pytest.mark.parametrize("among", [1, 3])
@pytest.mark.parametrize("n", [120, 1000, 50_000])
def test_the_ends_are_where_the_evidence_reaches_its_bound(expected, among, n):
    multiple = ConfidenceSequence(expected).multiple(n, among=among)
    g = _best(0.05 / among) / expected
    assert log_evidence(multiple, n, g) == pytest.approx(log(among / 0.05))
    assert log_evidence(0.99 * multiple, n, g) < log(among / 0.05)


def test_for_many_units_it_is_the_asymptotic_confidence_sequence():
    """Waudby-Smith et al. (2024), theorem 2.2: sqrt(2 (n r + 1) / (n^2 r) log(sqrt(n r + 1) / alpha)), r = rho^2."""
    n, expected = 10**6, 300_000
    r = _best(0.05) / expected
    published = sqrt(2 * (n * r + 1) / (n**2 * r) * log(sqrt(n * r + 1) / 0.05))
    assert ConfidenceSequence(expected).multiple(n) / sqrt(n) == pytest.approx(published, rel=1e-5)


def test_it_is_narrowest_where_it_is_expected_to_end():
    n = 20_000
    tuned = ConfidenceSequence(n).multiple(n)
    assert tuned == pytest.approx(3.035, abs=0.001)  # 1.55 times the 1.96 of a fixed number
    assert all(ConfidenceSequence(n * factor).multiple(n) > tuned for factor in (0.3, 0.8, 1.25, 3))


def test_there_is_no_interval_before_the_first_look_nor_while_everything_is_possible():
    sequence = ConfidenceSequence(100)
    assert isinf(sequence(1.0, FIRST_LOOK - 1)) and isinf(sequence(0.0, FIRST_LOOK - 1))
    assert ConfidenceSequence(100_000).multiple(20) == inf
    assert sequence(2.0, 500) == 2 * sequence.multiple(500) and sequence(0.0, 500) == 0


def test_units_for_a_half_width_give_it():
    sequence = ConfidenceSequence(4000)
    n = sequence.units_for(5200.0, 250.0)
    assert sequence(5200.0 / sqrt(n), round(n)) == pytest.approx(250.0, rel=0.01)
    assert sequence.units_for(5200.0, 250.0, among=3) > 1.2 * n
