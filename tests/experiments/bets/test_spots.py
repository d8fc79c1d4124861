"""One bet size for random rivers, turns and flops, in small."""

from __future__ import annotations

import pytest

from pokerlab.experiments.bets import spots as spots
from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment


@pytest.mark.slow
def test_the_size_found_for_a_river_is_as_good_as_the_grid_up_to_what_values_are_exact_to() -> None:
    found = [spots.done({"seed": 7, "index": index, "board": 5, "within": 0.1}) for index in (1, 4)]
    for each in found:
        assert each["value"] > each["best_value"] - 0.2  # each value is within 0.1% of the pot
        assert each["value"] >= each["first_value"] and each["best_value"] > each["without"]
    table = spots.summary(found, spots.DRAWN[5].grid)
    kept = table["checked against usual sizes: share of the value added by the best size, %"]
    assert kept["mean"].n == 2 and kept["least"].mean > 90
    assert spots.random_spot(7, 0, 4).player == 0 and spots.random_spot(7, 1, 4).before == ("c",)


def test_both_streets_are_asked_the_same() -> None:
    river, turn = experiment("hawkin2014-river"), experiment("hawkin2014-turn")
    assert (river.full["board"], turn.full["board"]) == (5, 4)
    assert river.full["spots"] >= 300 and turn.full["spots"] >= 100
    assert all(spots.DRAWN[board].grid >= 24 for board in (4, 5))
    flop = experiment("hawkin2014-flop")
    assert flop.full["board"] == 3 and flop.full["spots"] >= 5 and spots.DRAWN[3].grid >= 16
    assert set(river.full) == set(turn.full) == set(flop.full)
    ranges = experiment("hawkin2014-flop-ranges")
    assert len(ranges.full["flops"]) >= 5 and ranges.full["grid"] >= 16


@pytest.mark.slow
def test_a_size_found_in_jax_is_as_good_as_the_grid() -> None:
    pytest.importorskip("jax")
    from pokerlab.experiments.bets import real_flops

    config = Config({"flops": ["Ks7h2d5c8s"], **RIVER}, seed=9)
    found = real_flops.run(config)
    values, sizes = (found[f"Ks7h2d5c8s: {what}"] for what in ("value above half of the pot, %", "size in pots"))
    assert values["the size found"].mean > values["best of the grid"].mean - 2 * RIVER["within"]
    assert values["the size found"].mean > values["check and all-in only"].mean + 1
    assert sizes["found"].mean == pytest.approx(0.61, abs=0.15)


RIVER = {"ranges": ["AA, JTs", "KQ, 77"], "stack": 200, "player": 0, "within": 0.2, "grid": 6}
