"""What every solver must be: a newcomer joins by adding a line to ENGINES.

Kuhn and Leduc go through the same interface as hold'em. States are plain arrays and decide alone what follows.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from pokerlab import __version__
from pokerlab.errors import FileError
from pokerlab.games.catalog import game
from pokerlab.runs import steps as run_loop
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import Engine, solve
from pokerlab.solvers.core.variants import VARIANTS


@dataclass(frozen=True)
class Case:
    """How an engine is made, the iterations after which it must be good, and how far its evaluation may round."""

    make: Callable[[Problem], Engine]
    iterations: int = 100
    rounding: float = 1e-9


def vector(variant: str) -> Case:
    def make(problem: Problem) -> Engine:
        from pokerlab.solvers.vector.cfr import VectorCfr

        return VectorCfr(problem, VARIANTS[variant])

    return Case(make)


def dense(variant: str, dtype: str) -> Case:
    def make(problem: Problem) -> Engine:
        from pokerlab.solvers.vector.dense import DenseCfr

        return DenseCfr(problem, VARIANTS[variant], dtype)

    return Case(make, rounding=1e-9 if dtype == "float64" else 1e-5)


def sampling(kind: str, iterations: int) -> Case:
    def make(problem: Problem) -> Engine:
        from pokerlab.solvers.sampling.mccfr import MonteCarloCfr, Sampling

        return MonteCarloCfr(problem, Sampling(kind), seed=7)

    return Case(make, iterations)


ENGINES = {
    **{f"vector {name}": vector(name) for name in VARIANTS},
    "dense cfr+": dense("cfr+", "float64"),
    "chance sampling": sampling("chance", 3000),
    "external sampling": sampling("external", 20_000),
    "outcome sampling": sampling("outcome", 300_000),
}
GAMES = ("kuhn", "leduc")


@cache
def problem_of(name: str) -> Problem:
    return make_problem(game(name))


@cache
def exact_value(name: str) -> float:
    return solve_lp(problem_of(name)).value


@cache
def engine_of(engine: str, name: str) -> Engine:
    return ENGINES[engine].make(problem_of(name))


@pytest.fixture(params=ENGINES)
def case(request: pytest.FixtureRequest) -> Case:
    return ENGINES[request.param]


@pytest.fixture(params=[(engine, name) for name in GAMES for engine in ENGINES], ids=lambda each: "-".join(each))
def both(request: pytest.FixtureRequest) -> tuple[Engine, str]:
    engine, name = request.param
    return engine_of(engine, name), name


def same(one: run_loop.Arrays, other: run_loop.Arrays) -> bool:
    """Bit for bit."""
    return one.keys() == other.keys() and all(
        one[key].dtype == other[key].dtype and np.array_equal(one[key], other[key]) for key in one
    )


def test_states_are_plain_arrays_that_decide_what_follows(both):
    engine, _ = both
    assert json.loads(json.dumps(engine.about))
    state = engine.init()
    assert state["iteration"] == 0
    assert all(isinstance(array, np.ndarray) for array in state.values())
    at_once = engine.step(engine.init(), 5)
    in_two = engine.step(state, 2)
    assert in_two["iteration"] == 2
    copied = {name: np.array(array) for name, array in in_two.items()}
    assert same(engine.step(in_two, 3), at_once)
    assert same(engine.step(copied, 3), at_once)
    assert at_once["iteration"] == 5


def test_strategies_are_distributions(both):
    engine, name = both
    problem = problem_of(name)
    start = engine.strategy(engine.init())
    for found, uniform in zip(start.p, problem.uniform().p, strict=True):
        assert np.allclose(found, uniform, rtol=0, atol=1e-15), "before the first iteration all actions are alike"
    strategy = engine.strategy(engine.step(engine.init(), 7))
    for street, p in enumerate(strategy.p):
        assert p.shape == start.p[street].shape
        assert p.min() >= 0
    for decision in range(problem.tree.n_decisions):
        assert np.allclose(strategy.at(decision).sum(axis=0), 1, rtol=0, atol=1e-6)


def test_it_comes_near_the_exact_solution(request, both):
    engine, name = both
    case = ENGINES[request.node.callspec.params["both"][0]]
    problem = problem_of(name)
    first = evaluate(problem, problem.uniform())
    state = engine.step(engine.init(), case.iterations)
    found = engine.evaluate(state)
    assert found.exploitability < first.exploitability / 10
    assert found.value == pytest.approx(exact_value(name), abs=found.nash_conv)
    bounds = found.bounds
    assert bounds.low - 1e-6 <= exact_value(name) <= bounds.high + 1e-6
    plain = evaluate(problem, engine.strategy(state))
    assert found.value == pytest.approx(plain.value, abs=case.rounding)
    assert found.best_response == pytest.approx(plain.best_response, abs=case.rounding)


class Stop(BaseException):
    """Stands for whatever ends a run."""


def test_a_run_that_was_stopped_continues_with_the_same_bits(case, tmp_path):
    engine = case.make(problem_of("kuhn"))
    path = tmp_path / "run.checkpoint"

    def stop(look):
        if look.iteration == 5:
            raise Stop

    with pytest.raises(Stop):
        solve(engine, iterations=20, report=stop, checkpoint=path, checkpoint_seconds=0)
    assert path.exists()
    seen = []
    resumed = solve(case.make(problem_of("kuhn")), iterations=20, report=seen.append, checkpoint=path)
    whole = solve(case.make(problem_of("kuhn")), iterations=20)
    assert seen[0].iteration > 2, "it did not begin again"
    assert resumed.iterations == whole.iterations == 20
    assert all(np.array_equal(a, b) for a, b in zip(resumed.strategy.p, whole.strategy.p, strict=True))
    assert resumed.evaluation == whole.evaluation
    assert [(x.iteration, x.value) for x in resumed.looks] == [(x.iteration, x.value) for x in whole.looks]
    again = solve(case.make(problem_of("kuhn")), iterations=20, checkpoint=path)
    assert again.evaluation == whole.evaluation
    assert again.iterations == 20, "a finished run is not run again"


@pytest.fixture
def checkpoint(tmp_path):
    path = tmp_path / "leduc.checkpoint"
    solve(engine_of("vector cfr", "leduc"), iterations=3, checkpoint=path)
    return path


def refused(engine, path):
    """The line a checkpoint is refused with; the file must be as it was."""
    before = path.read_bytes()
    with pytest.raises(FileError) as error:
        solve(engine, iterations=10, checkpoint=path)
    assert path.read_bytes() == before, "nothing is lost"
    assert "\n" not in str(error.value)
    return str(error.value)


def test_checkpoints_of_other_runs_are_refused(checkpoint, monkeypatch):
    said = refused(engine_of("vector cfr", "kuhn"), checkpoint)
    assert "is a checkpoint of another run" in said
    said = refused(engine_of("vector dcfr", "leduc"), checkpoint)
    assert said.endswith("remove it or name another")
    assert "is a checkpoint of another run (variant was" in said
    monkeypatch.setattr(run_loop, "code_digest", lambda *modules: "0123456789ab")
    said = refused(engine_of("vector cfr", "leduc"), checkpoint)
    assert f"is a checkpoint of other code (pokerlab {__version__}, digest " in said
    assert said.endswith("0123456789ab); remove it or name another")


def test_a_checkpoint_of_another_engine_is_refused(case, checkpoint):
    engine = case.make(problem_of("leduc"))
    if engine.about != engine_of("vector cfr", "leduc").about:
        assert "is a checkpoint of another run" in refused(engine, checkpoint)


def test_truncated_files_and_files_of_another_kind_are_refused(checkpoint):
    whole = checkpoint.read_bytes()
    for length in (0, 7, 15, 60, 500, len(whole) // 2, len(whole) - 64):
        checkpoint.write_bytes(whole[:length])
        refused(engine_of("vector cfr", "leduc"), checkpoint)
    checkpoint.write_text("iteration,exploitability\n")
    assert "is not a pokerlab file" in refused(engine_of("vector cfr", "leduc"), checkpoint)


def test_a_flipped_bit_anywhere_is_refused_or_makes_no_difference(checkpoint):
    engine = engine_of("vector cfr", "leduc")
    whole = checkpoint.read_bytes()
    expected = solve(engine, iterations=3).strategy
    rng = np.random.default_rng(4)
    refusals = 0
    for at in [*range(16), *rng.integers(16, len(whole), 150)]:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << int(rng.integers(7))
        checkpoint.write_bytes(damaged)
        try:
            found = solve(engine, iterations=3, checkpoint=checkpoint).strategy
        except FileError as error:
            assert "\n" not in str(error)
            refusals += 1
        else:  # padding between arrays
            assert all(np.array_equal(a, b) for a, b in zip(found.p, expected.p, strict=True))
    assert refusals > 100


KILLED_RUN = """
import sys
from pathlib import Path
from pokerlab.games.catalog import game
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import variant
engine = VectorCfr(make_problem(game("leduc")), variant("cfr+"))
solve(engine, iterations=10**9, checkpoint=Path(sys.argv[1]), checkpoint_seconds=0)
"""


def test_a_killed_process_leaves_a_checkpoint_that_continues(tmp_path):
    path = tmp_path / "killed.checkpoint"
    process = subprocess.Popen([sys.executable, "-c", KILLED_RUN, str(path)])
    try:
        deadline = time.monotonic() + 120
        while not path.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert path.exists()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    engine = engine_of("vector cfr+", "leduc")
    seen = []
    done = solve(engine, iterations=1, checkpoint=path, report=seen.append).iterations
    assert done >= 1
    resumed = solve(engine, iterations=done + 100, checkpoint=path)
    whole = solve(engine, iterations=done + 100)
    assert all(np.array_equal(a, b) for a, b in zip(resumed.strategy.p, whole.strategy.p, strict=True))
