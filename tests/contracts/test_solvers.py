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
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec

import numpy as np
import pytest

from pokerlab import __version__
from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Lossless
from pokerlab.errors import FileError
from pokerlab.games.catalog import game
from pokerlab.runs import steps as run_loop
from pokerlab.runs.steps import Arrays, Watch, take_steps
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree, build_sized_tree, sides
from pokerlab.solvers.core.best_response import Evaluation, evaluate
from pokerlab.solvers.core.problem import Problem, make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import Engine, solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.sampling.mccfr import MonteCarloCfr, Sampling
from pokerlab.solvers.sampling.public_chance import PublicChanceCfr
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.small_river import SmallRiverCfr
from pokerlab.solvers.subgames.subgame import make_subgame, subgame_rules
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.solvers.vector.counter import CounterCfr
from pokerlab.solvers.vector.multiplayer import EnumeratedCfr, evaluate_many
from pokerlab.systems.bets.subgame_bets import SubgameBets


@dataclass(frozen=True)
class Case:
    """How an engine is made for each of its problems, and what may be asked of it."""

    make: Callable[[str, int], Engine]  # of the name of a problem, on so many threads
    problems: tuple[str, ...] = ("kuhn", "leduc")
    iterations: int = 100  # after which exploitability is a tenth of what it was
    rounding: float = 1e-9  # how far its evaluation may be from the plain one of its strategy; nan: not comparable
    threads: bool = False  # whether it can use several


@cache
def problem_of(name: str) -> Problem:
    return make_problem(game(name))


@cache
def exact_value(name: str) -> float:
    return solve_lp(problem_of(name)).value


def sampled(sampling: Sampling, iterations: int, **settings: object) -> Case:
    def make(name: str, threads: int) -> Engine:
        return MonteCarloCfr(problem_of(name), sampling, seed=7, threads=threads)

    return Case(make, iterations=iterations, **settings)


# --- bet sizes -------------------------------------------------------------------------------------------------------

SIZED = {"about the pot": Range(0.8, 1.5), "about half": Range(0.4, 0.7)}
BETS = BetsSettings(n=20, variant=replace(VARIANTS["cfr+"], alternating=False))
NOLIMIT = game("leduc-nolimit")
ONE_RAISE = replace(NOLIMIT, streets=tuple(replace(street, max_raises=1) for street in NOLIMIT.streets))


def leduc_bets(name: str) -> tuple[SizedTree, Lossless]:
    return build_sized_tree(ONE_RAISE, sides("all-in | fcpa", ([SIZED[name]], []))), Lossless(ONE_RAISE)


def bets(name: str, threads: int) -> Bets:
    tree, cells = leduc_bets(name)
    return Bets(tree, cells, deals_of(cells.pairs), BETS, iterations=300)


def dense_bets(name: str, threads: int) -> Engine:
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

    return DenseBets(*leduc_bets(name), BETS, iterations=300, dtype="float64")


def board_bets(name: str, threads: int) -> Engine:
    from pokerlab.solvers.bet_sizing.dense_bets import BoardBets

    return BoardBets(*leduc_bets(name), BETS, iterations=300, boards_per_iteration=6, dtype="float64")


def subgame_bets(name: str, threads: int) -> SubgameBets:
    rules = subgame_rules(BOARDS["river"], RANGES, pot=100, stack=600)
    tree = build_sized_tree(rules, sides("all-in | fcpa", ([SIZED[name]], [])), alpha=0)
    settings = replace(BETS, variant=VARIANTS["dcfr"])
    return SubgameBets(tree, cells_for(rules), settings, iterations=300, threads=threads)


# --- subgames --------------------------------------------------------------------------------------------------------

RANGES = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")
BOARDS = {"river": "Ks7h2d5c8s", "turn": "Ks7h2d5c"}


def subgame(name: str, threads: int) -> SubgameCfr:
    return SubgameCfr(make_subgame(BOARDS[name], RANGES, pot=100, stack=150, sizes="1p"), threads=threads)


RIVERS = {"river": BOARDS["river"], "another river": "Td7h2d5c3s"}


def small_river(name: str, threads: int) -> SmallRiverCfr:
    return SmallRiverCfr(make_subgame(RIVERS[name], RANGES, pot=100, stack=150, sizes="1p"))


# --- what needs JAX --------------------------------------------------------------------------------------------------


def dense(name: str, threads: int) -> Engine:
    from pokerlab.solvers.vector.dense import DenseCfr

    return DenseCfr(problem_of(name), VARIANTS["cfr+"], "float64")


def boards(name: str, threads: int) -> Engine:
    from pokerlab.solvers.sampling.board_cfr import BoardCfr

    return BoardCfr(problem_of(name), VARIANTS["lcfr"], boards_per_iteration=6, seed=7, dtype="float64")


IN_JAX = {
    "dense": Case(dense),
    "boards": Case(boards, iterations=600),
    "dense bets": Case(dense_bets, tuple(SIZED), 300, np.nan),
    "board bets": Case(board_bets, tuple(SIZED), 600, np.nan),
}

ENGINES = {
    **{
        f"vector {name}": Case(lambda game, _, name=name: VectorCfr(problem_of(game), VARIANTS[name]))
        for name in VARIANTS
    },
    "enumerated": Case(lambda game, _: EnumeratedCfr(problem_of(game), VARIANTS["cfr+"]), ("kuhn", "kuhn3p", "leduc")),
    "counter": Case(
        lambda game, _: CounterCfr(problem_of(game), problem_of(game).uniform(), p=0.3), iterations=300, rounding=np.nan
    ),
    "chance sampling": sampled(Sampling("chance"), 3000),
    "external sampling": sampled(Sampling("external"), 20_000, problems=("kuhn", "leduc", "kuhn3p")),
    "outcome sampling": sampled(Sampling("outcome"), 300_000),
    "several deals": sampled(Sampling("external", deals_per_iteration=8), 3000, threads=True),
    "public chance": Case(lambda game, _: PublicChanceCfr(problem_of(game), seed=7), iterations=5000),
    "subgame": Case(subgame, tuple(BOARDS), 200, 1e-3, threads=True),
    "small river": Case(small_river, tuple(RIVERS), 200, 1e-3),
    "bets": Case(bets, tuple(SIZED), 300),
    "subgame bets": Case(subgame_bets, tuple(SIZED), 300, 1e-3, threads=True),
    **(IN_JAX if find_spec("jax") else {}),
}


@cache
def engine_of(engine: str, problem: str, threads: int = 1) -> Engine:
    return ENGINES[engine].make(problem, threads)


of_each = pytest.mark.parametrize(
    ("name", "problem"), [(name, problem) for name, case in ENGINES.items() for problem in case.problems]
)


def same(one: Arrays, other: Arrays) -> bool:
    """Bit for bit."""
    return one.keys() == other.keys() and all(
        one[key].dtype == other[key].dtype and np.array_equal(one[key], other[key]) for key in one
    )


def evaluated(engine: Engine, state: Arrays) -> Evaluation:
    """What an engine says of its strategy; what is said of it where an engine leaves that to others."""
    return engine.evaluate(state) if hasattr(engine, "evaluate") else plainly_evaluated(engine, state)


def plainly_evaluated(engine: Engine, state: Arrays) -> Evaluation:
    strategy = engine.strategy(state)
    problem = Problem(strategy.tree, strategy.cells)
    return evaluate(problem, strategy) if strategy.tree.rules.n_seats == 2 else evaluate_many(problem, strategy)


@of_each
def test_states_are_plain_arrays_that_decide_what_follows(name, problem):
    engine = engine_of(name, problem)
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
    assert same(ENGINES[name].make(problem, 1).step(engine.init(), 5), at_once), "made again, it does the same"


@pytest.mark.parametrize("name", [name for name, case in ENGINES.items() if case.threads])
def test_any_number_of_threads_gives_the_same_bits(name):
    problem = ENGINES[name].problems[-1]
    one, two = (engine_of(name, problem, threads) for threads in (1, 2))
    assert same(one.step(one.init(), 20), two.step(two.init(), 20))
    assert one.about == two.about


@of_each
def test_strategies_are_distributions(name, problem):
    engine = engine_of(name, problem)
    start, later = (engine.strategy(engine.step(engine.init(), n)) for n in (0, 7))
    even = 1 / np.diff(start.tree.first_edge)[start.tree.edge_decision]
    for edges, at_first, p in zip(start.tree.edges_on, start.p, later.p, strict=True):
        assert np.allclose(at_first, even[edges, None], rtol=0, atol=1e-7), "before the first iteration all are alike"
        assert p.shape == at_first.shape
        assert p.size == 0 or p.min() >= 0
    for decision in range(later.tree.n_decisions):
        assert np.allclose(later.at(decision).sum(axis=0), 1, rtol=0, atol=1e-6)


@of_each
def test_it_comes_near_a_solution(name, problem):
    engine, case = engine_of(name, problem), ENGINES[name]
    first, state = evaluated(engine, engine.init()), engine.step(engine.init(), case.iterations)
    found = evaluated(engine, state)
    assert np.isfinite([found.value, *found.best_response]).all()
    assert -1e-6 < found.exploitability < first.exploitability / 10
    if len(found.best_response) == 2:
        low, high = found.bounds.low, found.bounds.high
        assert low - 1e-6 <= found.value <= high + 1e-6
        if problem in ("kuhn", "leduc") and name != "counter":
            assert low - 1e-6 <= exact_value(problem) <= high + 1e-6
    if case.rounding == case.rounding:
        plain = plainly_evaluated(engine, state)
        assert found.value == pytest.approx(plain.value, abs=case.rounding)
        assert found.best_response == pytest.approx(plain.best_response, abs=case.rounding)


@pytest.mark.parametrize("name", ENGINES)
def test_a_run_that_was_stopped_continues_with_the_same_bits(name, tmp_path):
    case, path = ENGINES[name], tmp_path / "run.checkpoint"
    first, other = case.problems[:2]
    seen = []
    with pytest.raises(KeyboardInterrupt):
        take_steps(
            case.make(first, 1),
            iterations=200,
            watch=Watch(path, seen.append, lambda: len(seen) > 2),
            checkpoint_seconds=0,
        )
    assert 0 < seen[-1] < 200
    assert "is a checkpoint of another run" in refused(case.make(other, 1), path)
    resumed = take_steps(case.make(first, 1), iterations=200, watch=Watch(path))
    engine = engine_of(name, first)
    assert same(resumed, engine.step(engine.init(), 200))
    assert json.loads(json.dumps(engine.about)) == dict(engine.about)


class Stop(BaseException):
    """Stands for whatever ends a run."""


def test_a_solve_that_was_stopped_ends_as_if_it_had_not(tmp_path):
    engine, path = engine_of("vector cfr+", "leduc"), tmp_path / "run.checkpoint"

    def stop(look):
        if look.iteration == 5:
            raise Stop

    with pytest.raises(Stop):
        solve(engine, iterations=20, report=stop, watch=Watch(path), checkpoint_seconds=0)
    seen = []
    resumed = solve(engine, iterations=20, report=seen.append, watch=Watch(path))
    whole = solve(engine, iterations=20)
    assert seen[0].iteration > 2, "it did not begin again"
    assert resumed.iterations == whole.iterations == 20
    assert all(np.array_equal(a, b) for a, b in zip(resumed.strategy.p, whole.strategy.p, strict=True))
    assert resumed.evaluation == whole.evaluation
    assert [(x.iteration, x.value) for x in resumed.looks] == [(x.iteration, x.value) for x in whole.looks]
    again = solve(engine, iterations=20, watch=Watch(path))
    assert again.evaluation == whole.evaluation
    assert again.iterations == 20, "a finished run is not run again"


@pytest.fixture
def checkpoint(tmp_path):
    path = tmp_path / "leduc.checkpoint"
    solve(engine_of("vector cfr", "leduc"), iterations=3, watch=Watch(path))
    return path


def refused(engine, path):
    """The line a checkpoint is refused with; the file must be as it was."""
    before = path.read_bytes()
    with pytest.raises(FileError) as error:
        take_steps(engine, iterations=10, watch=Watch(path))
    assert path.read_bytes() == before, "nothing is lost"
    assert "\n" not in str(error.value)
    return str(error.value)


def test_checkpoints_of_other_runs_are_refused(checkpoint, monkeypatch):
    said = refused(engine_of("vector cfr", "kuhn"), checkpoint)
    assert "is a checkpoint of another run" in said
    said = refused(engine_of("vector dcfr", "leduc"), checkpoint)
    assert said.endswith("remove it to start again, or name another")
    assert "is a checkpoint of another run (variant was" in said
    monkeypatch.setattr(run_loop, "code_digest", lambda *modules: "0123456789ab")
    said = refused(engine_of("vector cfr", "leduc"), checkpoint)
    assert f"is a checkpoint of other code (pokerlab {__version__}, digest " in said
    assert said.endswith("0123456789ab); remove it to start again, or name another")


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "vector cfr"])
def test_a_checkpoint_of_another_engine_is_refused(name, checkpoint):
    problems = ENGINES[name].problems
    engine = engine_of(name, "leduc" if "leduc" in problems else problems[0])
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
            found = solve(engine, iterations=3, watch=Watch(checkpoint)).strategy
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
from pokerlab.runs.steps import Watch
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import variant
engine = VectorCfr(make_problem(game("leduc")), variant("cfr+"))
solve(engine, iterations=10**9, watch=Watch(Path(sys.argv[1])), checkpoint_seconds=0)
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
    done = solve(engine, iterations=1, watch=Watch(path), report=seen.append).iterations
    assert done >= 1
    resumed = solve(engine, iterations=done + 100, watch=Watch(path))
    whole = solve(engine, iterations=done + 100)
    assert all(np.array_equal(a, b) for a, b in zip(resumed.strategy.p, whole.strategy.p, strict=True))
