"""Benchmarks: what is counted, what is left out, and what a missing peer does. No speed is asserted."""

import os

import pytest

from pokerlab import bench
from pokerlab.bench import Benchmark, benchmarks, cards, measure, pinned, run_benchmark
from pokerlab.errors import PokerlabError


class Clock:
    """A clock that only work moves."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr("pokerlab.bench.benchmark.perf_counter", made)
    return made


def worker(clock, durations, units=10):
    """A contender whose n-th call takes the n-th duration (then the last), for `units` units a call."""

    def prepare():
        clock.now += 1000  # imports and tables do not count
        left = list(durations)

        def work():
            clock.now += left.pop(0) if len(left) > 1 else left[0]
            return units

        return work

    return prepare


def test_warm_up_is_left_out_and_the_best_round_counts(clock):
    figure = measure(worker(clock, [60.0, 2.0, 1.0, 4.0]))  # compilation, then rounds of one call each
    assert figure.per_second == 10.0
    assert figure.seconds == 0.1


def test_quick_work_is_repeated_to_fill_a_round(clock):
    figure = measure(worker(clock, [0.001]))
    assert figure.per_second == pytest.approx(10_000)
    assert figure.rounds == 5
    assert clock.now == pytest.approx(1000 + 0.002 + 4 * 0.2)


def test_slow_work_is_not_waited_for_five_times(clock):
    assert measure(worker(clock, [5.0])).rounds == 1


def test_ratio_and_a_peer_that_is_not_installed(clock):
    def missing():
        raise ImportError

    peers = {"slow": worker(clock, [2.0]), "missing": missing}
    result = run_benchmark(Benchmark("x", "about x", "things", worker(clock, [0.5]), peers))
    assert result.ratio("slow") == 4.0
    assert result.peers["missing"] is None
    assert result.ratio("missing") is None


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system cannot pin")
def test_pinned_to_one_core_and_back():
    before = os.sched_getaffinity(0)
    with pinned() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before


def test_benchmarks_by_name():
    assert [each.name for each in benchmarks(["evaluate"])] == ["evaluate"]
    names = [each.name for each in benchmarks()]
    assert len(names) == len(set(names))
    with pytest.raises(PokerlabError, match="no benchmark is called 'nope'; `pokerlab bench"):
        benchmarks(["nope"])
    assert bench.MODULES


def test_random_hands_have_seven_different_cards():
    hands = cards.random_hands(1000)
    assert hands.shape == (1000, 7)
    assert hands.max() == 51
    assert all(len(set(hand)) == 7 for hand in hands.tolist())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning:eval7", "ignore::DeprecationWarning:pyparsing")
@pytest.mark.parametrize("benchmark", cards.BENCHMARKS, ids=lambda each: each.name)
def test_every_contender_runs(benchmark):
    assert benchmark.ours()() >= 1
    if benchmark.name != "potential":  # a million evaluations one by one
        assert all(prepare()() >= 1 for prepare in benchmark.peers.values())
