"""Benchmarks of subgames: rivers from nothing to half a percent of the pot, iterations on the turn and on the flop."""

from __future__ import annotations

from functools import partial

from pokerlab.bench.benchmark import Benchmark, Work, repeated
from pokerlab.rng import shuffled_deck

N_RIVERS = 5
POT, STACK = 100, 300
TARGET = 0.005  # of the pot
THREE_SIZES, TWO_SIZES, ONE_SIZE = "0.33p, 0.75p, 1.5p", "0.5p, 1p", "1p"


def _rivers() -> Work:
    """Random boards, every hand for both; building the tree, sorting hands and measurements are included."""
    from pokerlab.solvers.core.solve import solve
    from pokerlab.solvers.subgames.cfr import SubgameCfr
    from pokerlab.solvers.subgames.subgame import make_subgame

    boards = [shuffled_deck(1, "bench", index=number, n_first=5) for number in range(N_RIVERS)]

    def work() -> int:
        for board in boards:
            river = make_subgame(board, ("random", "random"), pot=POT, stack=STACK, sizes=THREE_SIZES)
            solution = solve(SubgameCfr(river), iterations=1000, target=TARGET * POT)
            assert solution.exploitability <= TARGET * POT
        return len(boards)

    return work


def _report() -> Work:
    """Boards of a report with narrow ranges: solved, valued and packed, in one process."""
    from pokerlab.valuing.board_reports import BoardReport, solved_board

    report = BoardReport(ranges=("20%", "25%"), pot=POT, stack=STACK, boards=N_RIVERS)
    boards = report.drawn_boards()

    def work() -> int:
        for board in boards:
            row, _ = solved_board(report, board)
            assert row["exploitability"] <= TARGET
        return len(boards)

    return work


def _iterations(board: str, sizes: str) -> Work:
    """One iteration of a subgame after the first, on one thread."""
    from pokerlab.solvers.subgames.cfr import SubgameCfr
    from pokerlab.solvers.subgames.subgame import make_subgame

    subgame = make_subgame(board, ("random", "random"), pot=POT, stack=STACK, sizes=sizes)
    engine = SubgameCfr(subgame, threads=1)
    state = engine.step(engine.init(), 1)
    return repeated(lambda: engine.step(state, 1), 1)


BENCHMARKS = (
    Benchmark(
        name="subgame-river",
        about="random rivers, all hands, three bet sizes, three pots behind: solved to 0.5% of the pot (NashConv / 2)",
        unit="subgames",
        ours=_rivers,
        note="trees, measurements and the sorting of hands included",
    ),
    Benchmark(
        name="board-report",
        about="rivers of a report: 20% of hands against 25%, the usual sizes, solved to 0.5% of the pot on one thread",
        unit="boards",
        ours=_report,
    ),
    Benchmark(
        name="subgame-turn",
        about="iterations of a turn subgame: all hands, 48 rivers, two bet sizes, three pots behind",
        unit="iterations",
        ours=partial(_iterations, "Ks7h2d5c", TWO_SIZES),
    ),
    Benchmark(
        name="subgame-flop",
        about="iterations of a flop subgame: all hands, 2,352 run-outs, one bet size, three pots behind",
        unit="iterations",
        ours=partial(_iterations, "Ks7h2d", ONE_SIZE),
    ),
)
