"""Benchmark subgames on a GPU: `python -m pokerlab.bench.on_device rivers`, or `flop`; `beside` compares with Numba.

Prints the seconds without compilation, the seconds of compilation and the peak of the device's memory. It needs only
NumPy, SciPy, Numba and JAX, and runs from a plain checkout. `--profile` lists the operations that took the most time.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from pokerlab.caches import compile_now
from pokerlab.cards.ranges import Range, parse_range
from pokerlab.rng import shuffled_deck
from pokerlab.solvers.configs import SubgameConfig
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look, Solution, solve
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.runs import problem_of
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame

FLOP: dict[str, Any] = {
    "board": "Ks7h2d", "ranges": ("30%", "40%"), "pot": 55, "stack": 975, "bets": "33, 75", "raises": "100",
    "max_raises": 3, "all_in_from": 67, "engine": "jax",
}  # fmt: skip
PROFILED = 20
Result = TypeVar("Result")


@dataclass(frozen=True)
class BenchRiver:
    """The settings of the rivers, on any board."""

    ranges: tuple[str, str] = ("60%", "60%")
    pot: int = 100
    stack: int = 200
    sizes: str = "0.33p, 0.75p, all-in"

    @property
    def target(self) -> float:
        """Half a percent of the pot, in chips."""
        return 0.005 * self.pot

    @property
    def weights(self) -> tuple[Range, Range]:
        return parse_range(self.ranges[0]), parse_range(self.ranges[1])

    def on(self, board: Sequence[int]) -> Problem:
        """The subgame on a board."""
        return make_subgame(board, self.ranges, pot=self.pot, stack=self.stack, sizes=self.sizes)

    def alone(self, board: Sequence[int]) -> Solution:
        """Solve a board in Numba on one thread."""
        return solve(SubgameCfr(self.on(board), threads=1), iterations=1000, target=self.target)


def rivers(n: int, beside: int, profile: bool) -> None:
    """Solve random rivers as a batch, and some of them one by one in Numba on one thread."""
    from pokerlab.solvers.subgames.batches import BatchCfr

    boards = [shuffled_deck(1, "bench", index=number, n_first=5) for number in range(n)]
    spot = BenchRiver()
    tree = spot.on(boards[0]).tree
    engine = BatchCfr(tree)
    print(f"{n:,} random rivers, {tree.n_decisions} decisions, {tree.n_edges} edges, {spot}; to {spot.target} chips")
    first, _ = _timed(lambda: engine.solve(boards, spot.weights, target=spot.target))
    seconds, solution = _timed(lambda: engine.solve(boards, spot.weights, target=spot.target))
    print(f"JAX, all together: {seconds:.3f} s after compiling ({n / seconds:.1f} a second)")
    print(f"  {first - seconds:.1f} s of compiling; {solution.iterations.max()} iterations at most")
    print(f"  exploitability at most {solution.exploitability.max() / spot.pot:.3%} of the pot")
    hands = [int((of >= 0).sum()) for of in solution.hands.combos]
    print(f"  {hands} hands, {engine.bytes_of_spot(solution.hands) * n / 1e9:.2f} GB estimated; {_peak()}")
    n_whole = min(n, 1024)
    preparing, (cards, _) = _timed(lambda: engine.cards(solution.spots.rows(np.arange(n_whole)), solution.hands))
    state = [engine.passes.step(cards, engine.passes.zeros(cards), 0, 16)]

    def step() -> None:
        state[0] = engine.passes.step(cards, state[0], 16, 16)

    words = f"{n_whole:,} of them, prepared in {preparing:.3f} s"
    _print_parts(words, step, lambda: engine.passes.look(cards, state[0].sums), 16)
    if profile:
        _print_profile(step)
    if beside:
        _print_alone(spot, boards[:beside], solution.value[:beside], n)


def _print_alone(spot: BenchRiver, boards: Sequence[Sequence[int]], values: Any, n: int) -> None:
    compile_now()
    spot.alone(boards[0])  # compiles
    seconds, solutions = _timed(lambda: [spot.alone(board) for board in boards])
    each = seconds / len(boards)
    gap = np.abs(np.array([solution.value for solution in solutions]) - values).max()
    print(f"Numba, one by one on one thread: {each:.3f} s a river (n = {len(boards)}), {each * n:.0f} s for {n:,}")
    print(f"  values differ by at most {gap:.3f} chips; exact ones are within {spot.target} of both")


def flop(changes: dict[str, Any], profile: bool, iterations: int) -> None:
    """Solve a flop with two sizes at a hundred big blinds, to half a percent of the pot."""
    from pokerlab.solvers.subgames.level_cfr import LevelCfr

    settings = {**FLOP, **changes}
    config = SubgameConfig(**settings, iterations=iterations).solve
    preparing, problem = _timed(lambda: problem_of(config))
    engine = LevelCfr(problem, variant(config.algorithm))
    tree = problem.tree
    print(f"{settings}: {config.algorithm}, target {config.target} chips, prepared in {preparing:.1f} s")
    hands = [last - first for first, last in engine.cells.hands_of]
    numbers = sum(int(np.prod(shape)) for street in engine.passes.shapes(engine.cards) for shape in street)
    print(f"  {tree.n_decisions} decisions, {numbers:,} numbers, {hands} hands")
    compiling, state = _timed(lambda: [engine.step(engine.init(), 1)])
    looking, _ = _timed(lambda: engine.evaluate(state[0]))
    print(f"first iteration, with compiling: {compiling:.1f} s; first measurement: {looking:.1f} s; {_peak()}")

    def step() -> None:
        state[0] = engine.step(state[0], 4)

    _print_parts("then", step, lambda: engine.evaluate(state[0]), 4)
    if profile:
        _print_profile(step)
    state.clear()
    began, ended = perf_counter(), [0.0]

    def report(look: Look) -> None:
        ended[0] = perf_counter() - began
        print(f"  {ended[0]:.2f} s: {look}, {look.exploitability / settings['pot']:.3%} of the pot", flush=True)

    solution = solve(engine, iterations=config.iterations, target=config.target, report=report)
    print(f"solved in {ended[0]:.2f} s after compiling, {solution.seconds:.2f} s in {solution.iterations} iterations")
    print(f"{perf_counter() - began - ended[0]:.1f} s to make the strategy, with compiling; {_peak()}")


RIVER: dict[str, Any] = {"board": "Ks7h2d5c8s", "ranges": ("AA, JTs", "KQ"), "pot": 100, "stack": 100, "sizes": "1p"}
TURN = {**RIVER, "board": "Ks7s2d5c", "ranges": ("QQ+, AK, 98s", "JJ+, KQ, T9s"), "stack": 200, "sizes": "0.5p, 1p"}
SMALL_FLOP = {**TURN, "board": "Ks7s2d", "ranges": ("AA, KK, QJs", "QQ, AKs, 98s"), "sizes": "1p"}
TAKEN: dict[str, Any] = {"rake": 5, "rake_cap": 4}
SMALL: dict[str, dict[str, Any]] = {
    "flop, rake and lock": {**SMALL_FLOP, **TAKEN, "lock": "first: KK check 100%"},
    "turn, rake and lock": {**TURN, **TAKEN, "lock": "first: QQ check 100%"},
    "river, rake and lock": {**RIVER, **TAKEN, "lock": "first: JTs bet 100 0%"},
}
REPORT: dict[str, Any] = {
    "ranges": ("QQ+, AKs", "22+, KQ"), "pot": 60, "stack": 100, "sizes": "1p", "rake": 5, "rake_cap": 4,
    "lock": "first: QQ-KK check 100%", "boards": 6,
}  # fmt: skip
NEAR = 0.1  #: percent of the pot to which small subgames are solved


def beside() -> None:
    """Solve small subgames, with rake and with locks, and a report, in JAX and in Numba; print both."""
    import pokerlab as pl

    for name, settings in SMALL.items():
        by_engine = [pl.solve_subgame(**settings, target_percent=NEAR, engine=each).data for each in ("jax", "numba")]
        target = NEAR / 100 * settings["pot"]
        for field in ("value", "rake"):
            jax_has, numba_has = (float(data.get(field, 0)) for data in by_engine)
            same = "within" if abs(jax_has - numba_has) <= 2 * target else "NOT within"
            print(f"{name}: {field} {jax_has:.4f} in JAX, {numba_has:.4f} in Numba: {same} twice the target {target:g}")
        print(
            f"  exploitability {by_engine[0]['exploitability']:.4f}, {by_engine[1]['exploitability']:.4f}", flush=True
        )
    for street in ("turn", "river"):
        rows = [pl.report(**REPORT, street=street, engine=each).data["rows"] for each in ("jax", "numba")]
        apart = [np.abs(np.subtract(a["expected"], b["expected"])).max() for a, b in zip(*rows, strict=True)]
        shares = [np.abs(np.subtract(a["shares"], b["shares"])).max() for a, b in zip(*rows, strict=True)]
        first = [[round(each, 4) for each in of[0]["expected"]] for of in rows]
        worst = [max(row["exploitability"] for row in of) for of in rows]
        print(
            f"report of {len(apart)} {street}s with rake and lock: expected shares differ by at most {max(apart):.4f}"
        )
        print(f"  pots, frequencies by at most {max(shares):.4f}; {rows[0][0]['board']}: {first[0]} and {first[1]}")
        print(f"  exploitability at most {worst[0]:.4f} and {worst[1]:.4f} pots", flush=True)


def _print_parts(words: str, step: Callable[[], object], look: Callable[[], object], n: int) -> None:
    look()
    steps, looks = min(_timed(step)[0] for _ in range(3)), min(_timed(look)[0] for _ in range(2))
    print(f"  {words}: an iteration {steps / n * 1e3:.2f} ms, a measurement {looks * 1e3:.1f} ms", flush=True)


def _timed(once: Callable[[], Result]) -> tuple[float, Result]:
    began = perf_counter()
    result = once()
    return perf_counter() - began, result


def _peak() -> str:
    from pokerlab.runs.cost import device_memory

    peak = device_memory("peak_bytes_in_use")
    return "no device memory" if peak is None else f"peak of the device's memory {peak / 1e9:.2f} GB"


def _print_profile(step: Callable[[], object]) -> None:
    """Print the device operations that took the most time in some iterations."""
    import jax

    profiler: Any = jax.profiler
    with tempfile.TemporaryDirectory() as folder:
        with profiler.trace(folder):
            step()
        (file,) = Path(folder).rglob("*.xplane.pb")
        planes = list(profiler.ProfileData.from_file(str(file)).planes)
    seconds, calls = Counter[str](), Counter[str]()
    for plane in (plane for plane in planes if "GPU" in plane.name):
        for event in (event for line in plane.lines if line.name.startswith("Stream") for event in line.events):
            seconds[event.name] += event.duration_ns / 1e9
            calls[event.name] += 1
    print(f"  {sum(calls.values()):,} operations, {sum(seconds.values()):.3f} s on the device")
    for name, total in seconds.most_common(PROFILED):
        print(f"  {total * 1e3:9.2f} ms {calls[name]:7,} calls  {name[:100]}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m pokerlab.bench.on_device", description="Subgames on a GPU.")
    parser.add_argument("what", choices=("rivers", "flop", "beside"))
    parser.add_argument("--spots", type=int, default=1000, help="number of rivers (default 1,000)")
    parser.add_argument(
        "--beside", type=int, default=10, help=("number of rivers to solve in Numba as well (default 10)")
    )
    parser.add_argument("--board", help="cards of the flop (default Ks7h2d)")
    parser.add_argument("--ranges", help="ranges on the flop, separated by | (default 30%% | 40%%)")
    parser.add_argument("--iterations", type=int, default=1000, help="maximum number of iterations on the flop")
    parser.add_argument("--profile", action="store_true", help="list the operations that took the most time")
    parser.add_argument("--whole", action="store_true", help=("compute products in float32 instead of in 16-bit parts"))
    given = parser.parse_args(arguments)
    import jax

    from pokerlab.solvers.subgames.level_passes import kernels

    if given.whole:
        kernels.part_type = lambda: None
    print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}", flush=True)
    if given.what == "beside":
        beside()
        return
    if given.what == "rivers":
        rivers(given.spots, given.beside, given.profile)
        return
    changes = {"board": given.board, "ranges": tuple(given.ranges.split("|")) if given.ranges else None}
    flop({name: value for name, value in changes.items() if value}, given.profile, given.iterations)


if __name__ == "__main__":
    main()
