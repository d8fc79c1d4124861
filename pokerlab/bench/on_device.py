"""Subgames on a GPU: `python -m pokerlab.bench.on_device rivers`, or `flop`.

Prints seconds after compiling, seconds of compiling and the peak of the device's memory. It needs only NumPy, SciPy,
Numba and JAX, and runs from a plain checkout. `--profile` lists the operations that took most of the time.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pokerlab.caches import compile_now
from pokerlab.cards.ranges import parse_range
from pokerlab.rng import shuffled_deck
from pokerlab.solvers.configs import SubgameConfig
from pokerlab.solvers.core.solve import Look, solve
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.runs import problem_of
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame

RIVERS = {"ranges": ("60%", "60%"), "pot": 100, "stack": 200, "sizes": "0.33p, 0.75p, all-in"}
FLOP = {
    "board": "Ks7h2d", "ranges": ("30%", "40%"), "pot": 55, "stack": 975, "bets": "33, 75", "raises": "100",
    "max_raises": 3, "all_in_from": 67, "engine": "jax",
}  # fmt: skip
TARGET = 0.005  # of the pot
PROFILED = 20


def rivers(n: int, beside: int, profile: bool) -> None:
    """Random rivers as a batch, and some of them one by one in Numba on one thread."""
    from pokerlab.solvers.subgames.batches import BatchCfr

    boards = [shuffled_deck(1, "bench", index=number, n_first=5) for number in range(n)]
    make: Callable[..., Any] = make_subgame
    tree = make(boards[0], **RIVERS).tree
    weights = tuple(map(parse_range, RIVERS["ranges"]))  # type: ignore[arg-type]
    target, engine = TARGET * float(RIVERS["pot"]), BatchCfr(tree)  # type: ignore[arg-type]
    print(f"{n:,} random rivers, {tree.n_decisions} decisions, {tree.n_edges} edges, {RIVERS}; to {target} chips")
    solve_all = lambda: engine.solve(boards, weights, target=target)  # type: ignore[arg-type]  # noqa: E731
    (first, _), (seconds, solution) = _timed(solve_all), _timed(solve_all)
    print(f"JAX, all together: {seconds:.3f} s after compiling ({n / seconds:.1f} rivers/s), compiling {first - seconds:.1f} s")
    done, worst = solution.iterations, solution.exploitability.max()
    print(f"  {done.max()} iterations, exploitability at most {worst / RIVERS['pot']:.3%} of the pot")  # type: ignore[operator]
    hands = [int((of >= 0).sum()) for of in solution.hands.combos]
    print(f"  {hands} hands, {engine.bytes_of_spot(solution.hands) * n / 1e9:.2f} GB estimated; {_peak()}")
    n_whole = min(n, 1024)
    prepare, (cards, _) = _timed(lambda: engine.cards(solution.spots.rows(np.arange(n_whole)), solution.hands))
    state = [engine.passes.step(cards, engine.passes.zeros(cards), 0, 16)]

    def step() -> None:
        state[0] = engine.passes.step(cards, state[0], 16, 16)

    look = lambda: engine.passes.look(cards, state[0].sums)  # noqa: E731
    _parts(f"{n_whole:,} of them: preparing {prepare:.3f} s", step, look, 16)
    if profile:
        _profile(step)
    if beside:
        compile_now()
        _solve_alone(boards[0], target)  # compiles
        times = [_timed(lambda b=board: _solve_alone(b, target))[0] for board in boards[:beside]]  # type: ignore[misc]
        each = float(np.mean(times))
        print(f"Numba, one by one on one thread: {each:.3f} s a river (n = {beside}), {each * n:.0f} s for {n:,}")
        values = [_solve_alone(board, target).value for board in boards[:beside]]
        gap = np.abs(np.array(values) - solution.value[:beside]).max()
        print(f"  values differ by at most {gap:.3f} chips; each is within {target} of its equilibrium")


def _solve_alone(board: Sequence[int], target: float) -> Any:
    make: Callable[..., Any] = make_subgame
    return solve(SubgameCfr(make(board, **RIVERS), threads=1), iterations=1000, target=target)


def flop(changes: dict[str, Any], profile: bool, iterations: int) -> None:
    """A flop with two sizes at a hundred big blinds, to half a percent of the pot."""
    from pokerlab.solvers.subgames.level_cfr import LevelCfr

    config = SubgameConfig(**{**FLOP, **changes, "iterations": iterations}).solve
    preparing, problem = _timed(lambda: problem_of(config))
    engine = LevelCfr(problem, variant(config.algorithm))
    tree, cells = problem.tree, problem.cells
    print(f"{changes or FLOP}: {config.algorithm}, target {config.target} chips, prepared in {preparing:.1f} s")
    print(f"  {tree.n_decisions} decisions, {tree.counts(cells.n_cells)[1]:,} numbers, hands {engine.cells.hands_of}")
    compiling, state = _timed(lambda: [engine.step(engine.init(), 1)])
    looking, _ = _timed(lambda: engine.evaluate(state[0]))
    print(f"first iteration, with compiling: {compiling:.1f} s; first measurement: {looking:.1f} s; {_peak()}")

    def step() -> None:
        state[0] = engine.step(state[0], 4)

    _parts("then", step, lambda: engine.evaluate(state[0]), 4)
    if profile:
        _profile(step)
    state.clear()
    began, ended = perf_counter(), [0.0]

    def report(look: Look) -> None:
        ended[0] = perf_counter() - began
        print(f"  {ended[0]:.2f} s: {look}, {look.exploitability / config.rules.antes[0] / 2:.3%} of the pot")

    solution = solve(engine, iterations=config.iterations, target=config.target, report=report)
    print(f"solved in {ended[0]:.2f} s after compiling, {solution.seconds:.2f} s of them {solution.iterations} iterations")
    print(f"{perf_counter() - began - ended[0]:.1f} s to make the strategy, with compiling; {_peak()}")


def _parts(words: str, step: Callable[[], Any], look: Callable[[], Any], n: int) -> None:
    look()
    steps, looks = min(_timed(step)[0] for _ in range(3)), min(_timed(look)[0] for _ in range(2))
    print(f"  {words}; an iteration {steps / n * 1e3:.2f} ms, a measurement {looks * 1e3:.1f} ms")


def _timed(once: Callable[[], Any]) -> tuple[float, Any]:
    began = perf_counter()
    result = once()
    return perf_counter() - began, result


def _peak() -> str:
    from pokerlab.solvers.subgames.level_passes import device_memory

    peak = device_memory("peak_bytes_in_use")
    return "no device memory" if peak is None else f"peak of the device's memory {peak / 1e9:.2f} GB"


def _profile(step: Callable[[], Any]) -> None:
    """Print the operations of the device that took most of the time of some iterations."""
    import jax

    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            step()
        (file,) = Path(folder).rglob("*.xplane.pb")
        planes = list(jax.profiler.ProfileData.from_file(str(file)).planes)
    seconds, calls = Counter[str](), Counter[str]()
    for plane in (plane for plane in planes if "GPU" in plane.name):
        for event in (event for line in plane.lines if line.name.startswith("Stream") for event in line.events):
            seconds[event.name] += event.duration_ns / 1e9
            calls[event.name] += 1
    print(f"  {sum(calls.values()):,} operations, {sum(seconds.values()):.3f} s on the device")
    for name, total in seconds.most_common(PROFILED):
        print(f"  {total * 1e3:9.2f} ms {calls[name]:7,} calls  {name[:100]}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m pokerlab.bench.on_device", description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("rivers", "flop"))
    parser.add_argument("--spots", type=int, default=1000, help="number of rivers (default 1,000)")
    parser.add_argument("--beside", type=int, default=10, help="rivers solved in Numba as well (default 10)")
    parser.add_argument("--board", help="instead of Ks7h2d")
    parser.add_argument("--ranges", help="of the flop, with | between")
    parser.add_argument("--iterations", type=int, default=1000, help="most iterations of the flop")
    parser.add_argument("--profile", action="store_true", help="list the operations that took most of the time")
    parser.add_argument("--whole", action="store_true", help="products in float32, not in parts of 16 bits")
    given = parser.parse_args(arguments)
    import jax

    from pokerlab.solvers.subgames.level_passes import kernels

    if given.whole:
        kernels.part_type = lambda: None

    print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}")
    if given.what == "rivers":
        rivers(given.spots, given.beside, given.profile)
        return
    changes = {"board": given.board} if given.board else {}
    changes |= {"ranges": tuple(given.ranges.split("|"))} if given.ranges else {}
    flop(changes, given.profile, given.iterations)


if __name__ == "__main__":
    main()
