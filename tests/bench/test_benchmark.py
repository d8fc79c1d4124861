"""Benchmarks: what is counted, what is left out, and what a missing peer does. No speed is asserted."""

import inspect
import os
import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from pokerlab import bench
from pokerlab.bench import Benchmark, Figure, benchmarks, cards, first_touch, measure, pinned, run_benchmark
from pokerlab.cli import application
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.notation.formats import read_hands


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


def test_a_cold_benchmark_runs_once_with_its_compilation(clock):
    result = run_benchmark(Benchmark("x", "about x", "things", worker(clock, [60.0, 2.0]), cold=True))
    assert result.ours == Figure(10 / 60, 1)


def test_first_commands_parse_and_their_history_is_of_three_hands(tmp_path):
    for command in first_touch.FIRST_COMMANDS[2:]:
        words = shlex.split(command.arguments)
        application(words[0]).parse_args(words, print_error=False, exit_on_error=False)
    (tmp_path / "history.log").write_text(first_touch.HISTORY)
    assert len(read_hands(tmp_path / "history.log", game("limit2p")).hands) == 3


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


def test_every_contender_of_the_table_is_a_function_that_takes_its_arguments():
    rows = tomllib.loads(Path(bench.__file__).with_name("benchmarks.toml").read_text())
    for row in rows.values():
        for contender in (row["ours"], *row.get("peers", {}).values()):
            arguments = {"run": contender} if isinstance(contender, str) else dict(contender)
            module, function = arguments.pop("run").split(".")
            takes = inspect.signature(getattr(import_module(f"pokerlab.bench.{module}"), function))
            assert takes.bind(**arguments).arguments == arguments  # `bind` refuses one that is missing or unknown


def test_random_hands_have_seven_different_cards():
    hands = cards.random_hands(1000)
    assert hands.shape == (1000, 7)
    assert hands.max() == 51
    assert all(len(set(hand)) == 7 for hand in hands.tolist())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning:eval7", "ignore::DeprecationWarning:pyparsing")
@pytest.mark.parametrize(
    "name", ["evaluate", "evaluate-one", "equity", "equity-flop", "potential", "potential-board", "card-features"]
)
def test_every_contender_of_cards_runs(name):
    (benchmark,) = benchmarks([name])
    assert benchmark.ours()() >= 1
    if benchmark.name != "potential":  # a million evaluations one by one
        assert all(prepare()() >= 1 for prepare in benchmark.peers.values())
