"""The measurement of re-solved rivers, on two of them."""

import pytest

from pokerlab.experiments.equilibrium.resolving import run
from pokerlab.experiments.experiment import Config

SETTINGS = {"rivers": 2, "expected": [0.0, 1.0], "iterations": 60, "blueprint": "limit2p"}


@pytest.mark.slow
def test_re_solving_lowers_what_a_best_response_wins_and_unsafe_solving_concedes():
    table = run(Config(SETTINGS, seed=1))
    (left, left_rows), (_, less), (_, beyond) = table.sections.items()
    assert left == "exploitability, mbb a river"
    rows = {name: number.mean for name, number in left_rows.rows.items()}
    assert rows["expected=1"] < rows["expected=0"] < rows["limit2p"]
    assert less.rows["expected=0"].mean == pytest.approx(rows["limit2p"] - rows["expected=0"])
    assert beyond.rows["expected=1"].mean > 10 * beyond.rows["expected=0"].mean >= 0
    assert all(number.n == 2 for number in less.rows.values())
