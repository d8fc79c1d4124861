"""Benchmarks of subgames: rivers from nothing to half a percent of the pot, iterations on the turn and on the flop."""

from __future__ import annotations

from pokerlab.bench.benchmark import Work, repeated
from pokerlab.rng import shuffled_deck

N_RIVERS = 5
POT, STACK = 100, 300
TARGET = 0.005  # of the pot


def rivers() -> Work:
    """Random rivers with every hand in both ranges; building trees, sorting hands and measuring are included."""
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
    """Random rivers with wide ranges, together in JAX or one by one in Numba; preparing and measuring are included."""
    from pokerlab.bench.on_device import River
    from pokerlab.solvers.core.solve import solve
    from pokerlab.solvers.subgames.cfr import SubgameCfr

    boards = [shuffled_deck(1, "bench", index=number, n_first=5) for number in range(n)]
    spot = River()

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


def iterations(board: str, sizes: str, bits: int = 0) -> Work:
    """One iteration of a subgame after the first, on one thread; `bits` selects compact tables, for large subgames."""
    from pokerlab.solvers.core.solve import Engine
    from pokerlab.solvers.subgames.cfr import SubgameCfr
    from pokerlab.solvers.subgames.compact import CompactCfr
    from pokerlab.solvers.subgames.subgame import make_subgame

    subgame = make_subgame(board, ("random", "random"), pot=POT, stack=STACK, sizes=sizes)
    engine: Engine = CompactCfr(subgame, bits=bits, threads=1) if bits else SubgameCfr(subgame, threads=1)
    state = engine.step(engine.init(), 1)
    return repeated(lambda: engine.step(state, 1), 1)
