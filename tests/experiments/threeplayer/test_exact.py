"""The loop and CFR on small three-player games: numbers that fall, and the closed form's values."""

import pytest

from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment
from pokerlab.experiments.threeplayer.exact import KUHN_VALUES, distance


def test_both_ways_fall_towards_an_equilibrium_and_cfr_meets_the_closed_form():
    settings = {
        "kuhn3p": {"loop": 200, "optimistic loop": 1000, "cfr+": 1000},
        "leduc3p": {"loop": 3, "optimistic loop": 3, "cfr+": 20},
    }
    found = experiment("threeplayer-exact").run(Config(settings, seed=7))
    kuhn = {row: number.mean for row, number in found["kuhn3p: NashConv, chips a hand"].items()}
    assert kuhn["loop, round 1"] == pytest.approx(2.0625) and kuhn["loop, round 200"] < 0.06
    assert kuhn["optimistic loop, round 200"] < 0.4 * kuhn["loop, round 200"]
    assert found[KUHN_VALUES]["optimistic loop, round 1000"].mean == pytest.approx(-1 / 48, abs=1e-3)
    assert kuhn["CFR+, iteration 1000"] < 1e-4
    leduc = {row: number.mean for row, number in found["leduc3p: NashConv, chips a hand"].items()}
    assert leduc["loop, round 1"] == pytest.approx(12.611221340388006) and leduc["CFR+, iteration 20"] < 1
    assert found[KUHN_VALUES]["CFR+, iteration 1000"].mean == pytest.approx(-1 / 48, abs=1e-4)
    assert "CFR+, iteration 1000: the values of all seats differ by at most" in found.notes[2]


def test_the_distance_from_the_family():
    assert distance([-0.5 / 24, -1 / 48, 1 / 24]) == pytest.approx(0.0, abs=1e-12)
    assert distance([-0.5 / 24 - 0.01, -1 / 48, 1 / 24]) > 0.004
