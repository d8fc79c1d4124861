"""Solve many boards of a report at once with JAX (`solvers.subgames.batches`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pokerlab.cards.ranges import parse_range
from pokerlab.runs.workers import Outcome, Runner, Task, Tick
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.runs import problem_of
from pokerlab.solvers.subgames.batches import BatchCfr
from pokerlab.valuing.board_reports import Board, BoardReport, board_row, saved_board, subgame_on

AT_ONCE = {"river": 1000, "turn": 50}
"""By street, the maximum number of boards in a batch. Each batch is saved when it is solved."""


def in_batches(request: BoardReport) -> Runner:
    """Make a runner that solves the boards of a report in batches."""

    def run(tasks: Sequence[Task], tick: Tick) -> Iterator[tuple[int, Outcome]]:
        boards = [Board(tuple(task.argument["board"]), task.argument["n"]) for task in tasks]
        if not boards:
            return
        config = subgame_on(request, boards[0]).solve
        assert config.target is not None
        engine = BatchCfr(problem_of(config).tree, variant(config.algorithm))
        ranges = parse_range(request.ranges[0]), parse_range(request.ranges[1])
        n_batches = -(-len(boards) // AT_ONCE[request.street])
        size = -(-len(boards) // n_batches)  # equal sizes, so that JAX compiles only once
        for first in range(0, len(boards), size):
            some = boards[first : first + size]
            solution = engine.solve(
                [board.cards for board in some],
                ranges,
                target=config.target,
                iterations=config.iterations,
                lock=request.lock,
            )
            for i, board in enumerate(some):
                strategy = solution.strategy(i)
                row = board_row(
                    request, board, strategy, float(solution.exploitability[i]), int(solution.iterations[i])
                )
                tick(1)
                yield first + i, saved_board(request, board, row, strategy)

    return run
