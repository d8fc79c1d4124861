"""Values of small games that are known, and how fast the CFR family comes to them.

The curves are figures this project set out from, not a publication; `tests/oracles` has OpenSpiel's trajectories.
"""

from __future__ import annotations

import pytest

from pokerlab.games.catalog import game
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.vector.cfr import VectorCfr

CURVES = {
    "cfr": (9.6e-2, 1.2e-2, 2.0e-3),
    "cfr+": (1.3e-2, 2.5e-4, 8.3e-6),
    "dcfr": (7.8e-3, 1.9e-4, 4.1e-6),
    "pcfr+": (2.0e-2, 7.1e-4, 1.3e-5),
}
"""Exploitability (NashConv / 2, chips) after 100, 1,000 and 10,000 alternating iterations."""


@pytest.fixture(scope="module")
def leduc():
    return make_problem(game("leduc"))


def test_uniform(leduc):
    assert evaluate(leduc, leduc.uniform()).nash_conv == pytest.approx(4.747222, abs=5e-7)


@pytest.mark.parametrize("name", CURVES)
def test_leduc_converges_as_it_did(leduc, name):
    """Within a factor of two."""
    engine = VectorCfr(leduc, VARIANTS[name])
    state = engine.init()
    for n, expected in zip((100, 1_000, 10_000), CURVES[name], strict=True):
        state = engine.step(state, n - int(state["iteration"]))
        found = engine.evaluate(state)
        assert expected / 2 < found.exploitability < expected * 2
        assert found.value == pytest.approx(-0.085606424078, abs=found.nash_conv)


def test_kuhn_and_leduc_to_many_digits(leduc):
    """-1/18 (Kuhn 1950), and -0.085606424078 for Leduc, which the linear program finds too."""
    for problem, value in ((make_problem(game("kuhn")), -1 / 18), (leduc, -0.085606424078)):
        engine = VectorCfr(problem, VARIANTS["pdcfr+"])
        found = engine.evaluate(engine.step(engine.init(), 20_000))
        assert found.exploitability < 1e-7
        assert found.value == pytest.approx(value, abs=1e-9)
