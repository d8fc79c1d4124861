"""Benchmarks of subgames: solving rivers and a flop to half a percent of the pot, and iterations on the turn
and flop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.bench.benchmark import REMARKS, Work, repeated
from pokerlab.rng import shuffled_deck

if TYPE_CHECKING:
    from pokerlab.solvers.core.problem import Problem

N_RIVERS = 5
POT, STACK = 100, 300
TARGET = 0.005  # as a share of the pot
DEEP_POT, DEEP_STACK = 55, 975
PUBLISHED = (
    "published, not measured, of other trees: postflop-solver 1.21 GB and 0.5% of the pot in 21.8 s on 6 threads for "
    "its example; PioSOLVER 7.8 GB for two sizes at 100 big blinds"
)


def rivers() -> Work:
    """Solve random rivers with every hand in both ranges, including building trees, sorting hands and measuring."""
    from pokerlab.solvers.core.solve import solve
    from pokerlab.solvers.subgames.cfr import SubgameCfr
    from pokerlab.solvers.subgames.subgame import make_subgame

    boards = [shuffled_deck(1, "bench", index=number, n_first=5) for number in range(N_RIVERS)]

    def work() -> int:
        for board in boards:
            river = make_subgame(board, ("random", "random"), pot=POT, stack=STACK, sizes="0.33p, 0.75p, 1.5p")
            solution = solve(SubgameCfr(river), iterations=1000, target=TARGET * POT)
            assert solution.exploitability <= TARGET * POT
        return len(boards)

    return work


def river_batch(n: int, alone: bool = False) -> Work:
    """Solve random rivers with wide ranges, together in JAX or one by one in Numba, including preparation and
    measuring."""
    from pokerlab.bench.on_device import BenchRiver
    from pokerlab.solvers.core.solve import solve
    from pokerlab.solvers.subgames.cfr import SubgameCfr

    boards = [shuffled_deck(1, "bench", index=number, n_first=5) for number in range(n)]
    spot = BenchRiver()

    def one_by_one() -> int:
        for board in boards:
            assert solve(SubgameCfr(spot.on(board)), iterations=1000, target=spot.target).exploitability <= spot.target
        return n

    if alone:
        return one_by_one
    from pokerlab.solvers.subgames.batches import BatchCfr

    engine = BatchCfr(spot.on(boards[0]).tree)

    def together() -> int:
        solution = engine.solve(boards, spot.weights, target=spot.target)
        assert (solution.exploitability <= spot.target).all()
        return n

    return together


def report() -> Work:
    """Solve the boards of a report with narrow ranges, evaluate the solutions and compress them, in one process."""
    from pokerlab.valuing.board_reports import BoardReport, solved_board

    report = BoardReport(ranges=("20%", "25%"), pot=POT, stack=STACK, boards=N_RIVERS)
    boards = report.drawn_boards()

    def work() -> int:
        for board in boards:
            row, _ = solved_board(report, board)
            assert row["exploitability"] <= TARGET
        return len(boards)

    return work


def iterations(board: str, sizes: str, bits: int = 0) -> Work:
    """Run one iteration of a subgame on one thread, after a first one that is not timed.

    If `bits` is not 0, the tables of the compact engine for large subgames are used, with numbers of so many bits.
    """
    from pokerlab.solvers.core.solve import Engine
    from pokerlab.solvers.subgames.cfr import SubgameCfr
    from pokerlab.solvers.subgames.compact import CompactCfr
    from pokerlab.solvers.subgames.subgame import make_subgame

    subgame = make_subgame(board, ("random", "random"), pot=POT, stack=STACK, sizes=sizes)
    engine: Engine = CompactCfr(subgame, bits=bits, threads=1) if bits else SubgameCfr(subgame, threads=1)
    state = engine.step(engine.init(), 1)
    return repeated(lambda: engine.step(state, 1), 1)


def solved_flop(ranges: list[str], iterations: int = 1000) -> Work:
    """Solve a flop to half a percent of the pot on all cores, in tables of 16 bits; compilation is not timed. The
    remarks state its memory, and the memory of the same flop with two sizes and usual ranges."""
    from pokerlab.solvers.core.solve import solve
    from pokerlab.solvers.core.variants import VARIANTS
    from pokerlab.solvers.subgames.compact import CompactCfr, compact_memory
    from pokerlab.solvers.subgames.subgame import make_subgame

    def flop(bets: str, first: str, second: str) -> Problem:
        sizes = f"bet: {bets}; raise: 100%; all-in from 67%"
        return make_subgame("Ks7h2d", (first, second), pot=DEEP_POT, stack=DEEP_STACK, sizes=sizes, max_raises=3)

    small = CompactCfr(flop("75%", "AA", "KK"))
    small.evaluate(small.step(small.init(), 1))  # compiles

    def work() -> int:
        subgame = flop("75%", ranges[0], ranges[1])
        solution = solve(CompactCfr(subgame, VARIANTS["hs-dcfr+"]), iterations=iterations, target=TARGET * DEEP_POT)
        assert iterations < 1000 or solution.exploitability <= TARGET * DEEP_POT
        wide = flop("33%, 75%", "30%", "40%")
        REMARKS["subgame-flop-solved"] = [
            f"{solution.iterations} iterations, {compact_memory(subgame) / 1e6:,.0f} MB of tables "
            f"({_hands(subgame)} hands); with bets of 33 and 75%, {wide.tree.n_decisions} decisions and {_hands(wide)} "
            f"hands {compact_memory(wide) / 1e9:.1f} GB",
            PUBLISHED,
        ]
        return 1

    return work


def _hands(subgame: Problem) -> str:
    """Hands of each player, in words."""
    from pokerlab.abstraction.subgame_cells import SubgameCells

    cells = subgame.cells
    assert isinstance(cells, SubgameCells)
    return " and ".join(str(last - first) for first, last in cells.hands_of)
