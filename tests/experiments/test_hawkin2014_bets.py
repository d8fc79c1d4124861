"""Bet-sizing experiments: the small ones run, the large ones are well formed."""

from __future__ import annotations

import pytest

from pokerlab.experiments import hawkin2014_leduc as leduc
from pokerlab.experiments import hawkin2014_table_4_1 as kuhn
from pokerlab.experiments.experiment import Config, no_report
from pokerlab.experiments.hawkin2014_curves import CURVES, PAIRS, section
from pokerlab.experiments.registry import EXPERIMENTS, experiment


def test_table_4_1_in_small() -> None:
    found = kuhn.run(Config({"n": 100, "iterations": 40_000, "sampled_iterations": 20_000}, seed=7), no_report)
    for row, published in kuhn.EXPERIMENT.published[kuhn.SIZES].items():
        assert found[kuhn.SIZES][row].value == pytest.approx(published.value, rel=0.05)
    for row, published in kuhn.EXPERIMENT.published[kuhn.CURVE].items():
        assert found[kuhn.CURVE][row].value == pytest.approx(published.value, abs=1e-9)
    assert found[kuhn.LEADS]["[0.5, 2]"].value > 1  # trapped, and
    assert all(number.value < 0.45 for number in found[kuhn.ESCAPED].values())  # not with several ranges
    assert found[kuhn.BLOCKING]["0.050"].value > found[kuhn.BLOCKING]["0.414"].value
    assert found[kuhn.TWO_SIZES]["0.02 and 0.414"].value > 0


def test_leduc_in_small() -> None:
    part = {**leduc.RE_BETS, "runs": 2, "iterations": 1500, "game": leduc.BLINDS, "player": 1}
    assert leduc.done(part)["gains"]["2"] > 3
    assert leduc.fcpa(leduc.TWO_BETS, 0) == pytest.approx(-0.0713722547, abs=1e-9)
    assert leduc.fcpa(leduc.BLINDS, 1) == pytest.approx(0.0286432656, abs=1e-9)  # the big blind's
    assert leduc.fcpa(leduc.SMALL_FIRST, 1) == pytest.approx(0.0467, abs=5e-5)


def test_curves_have_ten_printed_runs_for_each_player() -> None:
    for curve in CURVES.values():
        assert [len(points) for points in curve.printed] == [10, 10]
    figures = [experiment(name) for name in EXPERIMENTS if name.startswith("hawkin2014-figure-")]
    assert len(figures) == 10
    several = experiment("hawkin2014-figure-6-5").published
    assert several[section("two ranges", 0)]["run 10"].value == 20.34
    assert several[PAIRS]["three ranges, player two"].value == 30_797_090
