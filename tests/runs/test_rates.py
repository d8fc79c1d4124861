"""Rates of earlier runs: which rate an estimate goes by."""

import numpy as np
import pytest
from numba import njit

from pokerlab.caches import WouldCompileError, compiling_nothing
from pokerlab.runs import steps
from pokerlab.runs.cost import Cost, in_turn
from pokerlab.runs.rates import Rate, expected_rate, store_rate, stored_rates
from pokerlab.runs.steps import Watch, take_steps


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "cache"))


@njit
def doubled(x):
    return 2 * x


def test_a_trial_that_would_compile_gives_way_to_the_usual_rate():
    def trial():
        return float(doubled(2))

    expected = {"trial": trial, "usual": lambda: 7.0}
    assert expected_rate("doubling", {}, **expected) == Rate(7.0, "usual")
    assert doubled(2) == 4  # now it is compiled
    assert expected_rate("doubling", {}, **expected) == Rate(4.0, "tried")
    store_rate("doubling", {}, units=10, seconds=0.5)  # too short to tell
    assert expected_rate("doubling", {}, **expected) == Rate(4.0, "tried")
    store_rate("doubling", {}, units=10, seconds=5.0)
    assert expected_rate("doubling", {}, **expected) == Rate(0.5, "stored")
    assert expected_rate("doubling", {"seats": 3}, trial=None, usual=lambda: None) == Rate(None, "usual")


def test_a_refused_kernel_compiles_later():
    tripled = njit(lambda x: 3 * x)
    with pytest.raises(WouldCompileError), compiling_nothing():
        tripled(2)
    assert not tripled.signatures
    assert tripled(2) == 6


class Counting:
    def __init__(self):
        self.about = {"what": "numbers"}

    def init(self):
        return {"iteration": np.array(0)}

    def step(self, arrays, n):
        return {"iteration": arrays["iteration"] + n}


def test_steps_keep_their_rate_if_they_are_a_run_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr(steps, "RATED_SECONDS", 0.0)
    take_steps(Counting(), iterations=3, rate=("counting", {"upto": 3}))
    assert stored_rates("counting", {"upto": 3}) is None
    take_steps(Counting(), iterations=3, watch=Watch(tmp_path / "checkpoint.bin"), rate=("counting", {"upto": 3}))
    assert 0 < stored_rates("counting", {"upto": 3})["seconds"] < 1
    assert stored_rates("counting", {"upto": 4}) is None


def test_a_cost_says_where_its_rate_comes_from():
    tried, usual = Cost(8.0, rate="tried"), Cost(2.0, rate="usual")
    assert str(tried) == "about 8 s"
    assert str(usual) == "about 2 s (at a usual rate: none was measured here yet)"
    assert str(Cost(2.0, rate="stored")) == "about 2 s (at the rate of the last such run here)"
    assert in_turn([tried, usual]).rate == "usual" and in_turn([tried, tried]).rate == "tried"
    assert usual.data()["rate"] == "usual" and "rate" not in Cost(1.0).data()
