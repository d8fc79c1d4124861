"""Solve the same spot on many boards: its frequency, actions and values, by board texture.

Boards are drawn without replacement, or all are used, or those of a library of representative flops. If exchanging
suits changes neither the ranges nor the given cards, boards that differ only by such an exchange are solved once and
weighted by their number. Each board is a separate part of the work. Parts are spread over processes, and saved with
their strategies when they are finished (strategies on flops lack the rivers, see `solvers.subgames.compact`).

Boards have equal weight, even if the ranges make some less likely. Chips are shares of the pot at the spot. Realisation
is a player's expected value divided by its equity.

>>> report = BoardReport(ranges=("AA, QJs", "KQ, TT"), pot=100, stack=100, sizes="1p", on="Ks7s2d5d", boards=0)
>>> len(report.all_boards()), sum(board.n for board in report.all_boards())
(35, 48)
>>> first = solved_board(report, report.all_boards()[0])[0]
>>> first["board"], first["actions"], round(sum(first["expected"]), 2)
('Ks7s2d5d2c', ['check', 'bet 100'], 1.0)
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from math import comb, inf
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from pokerlab.abstraction.board_rows import RELABELLED, RELABELLED_CARD
from pokerlab.cards.board_texture import texture
from pokerlab.cards.card import cards, cards_text, check_distinct
from pokerlab.cards.combos import CARDS_OF_COMBO, live_combos
from pokerlab.cards.flop_libraries import flop_library
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.policies.spots import Spot, spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.rng import stream
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.request import setting
from pokerlab.runs.workers import Done, Outcome, Runner, Task, Tick, do_tasks
from pokerlab.solvers.configs import OfferedBets, SolveConfig, SubgameConfig
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.cost import expected_cost
from pokerlab.solvers.memory import is_compact
from pokerlab.solvers.runs import engine_of, problem_of
from pokerlab.solvers.subgames.compact import CompactCfr
from pokerlab.solvers.subgames.locking import check_for_all_boards
from pokerlab.valuing.board_groups import Source
from pokerlab.valuing.spot_values import SpotValues, spot_values

STRATEGIES = "strategies"
MOST_BOARDS = 50_000
STREETS = {"flop": 3, "turn": 4, "river": 5}
STORED_BYTES = 5
"""Bytes per probability in the file of a flop: two values of 16 bits, and a byte that is compressed."""
USUAL = 50
"""Typical number of iterations to a target of 1% of the pot; half the target takes about twice as many."""


class Board(NamedTuple):
    """A board that represents `n` equivalent boards."""

    cards: tuple[int, ...]
    n: int


@dataclass(frozen=True, kw_only=True)
class BoardReport(OfferedBets):
    """Configuration of a report: both ranges, chips, boards, spot, and accuracy of each board."""

    kind: ClassVar[str] = "report"
    code: ClassVar[tuple[str, ...]] = (__name__,)
    in_parts: ClassVar[bool] = True

    stack: float = setting()
    rake: float = setting(0.0, "It is taken from every pot, since the flop has been dealt.", least=0)
    rake_cap: float | None = setting(None, least=0)
    lock: str = setting("", "On every board, so with neither cards nor suits.")
    engine: Literal["numba", "jax"] = setting(
        "numba", "jax solves turns or rivers many at once; it is for a GPU.", identity=False
    )
    street: Literal["flop", "turn", "river"] = setting("river", "Boards are solved from this street on.")
    on: str = setting("", "Cards with which every board begins.")
    boards: int = setting(50, "0 takes all possible boards.", identity=False, least=0)
    library: Literal[23, 49, 95, 184] | None = setting(
        None, "Number of flops that represent all flops, instead of random boards: 23, 49, 95 or 184.", identity=False
    )
    spot: str = setting("", "It may contain only actions on --street, without cards.")
    target_percent: float = setting(0.5, "For each board.", above=0)
    iterations: int = setting(1000, "For each board.", least=1, count=True)
    seed: int = setting(7, least=0)

    @property
    def label(self) -> str:
        """Short label: the street."""
        return self.street

    @property
    def source(self) -> Source:
        """Source of the boards: a library, all boards, or random draws."""
        return "library" if self.library is not None else "all" if self.boards == 0 else "drawn"

    def check(self) -> None:
        """Raise an error if the boards or the spot are impossible."""
        super().check()
        if not (0 < self.pot < inf and 0 < self.stack < inf):
            raise PokerlabError(f"a report needs a pot and chips behind it, not {self.pot:g} and {self.stack:g}")
        if len(cards(self.on)) >= STREETS[self.street]:
            raise PokerlabError(f"{self.on} already has the cards of the {self.street}")
        check_distinct(board=cards(self.on))
        if "/" in self.spot:
            raise PokerlabError(f"the spot of a report is on the {self.street}, without cards: {self.spot!r}")
        if self.library is not None:
            self._check_library()
        if self.engine == "jax" and self.street == "flop":
            raise PokerlabError("the engine jax solves turns and rivers of a report, not flops; numba solves all")
        any_board = {"board": "2c3d4h5s6c"[: 2 * STREETS[self.street]], "ranges": ("33", "44"), "lock": ""}
        SubgameConfig(**{**_shared(self), **any_board})
        check_for_all_boards(self.lock)

    def _check_library(self) -> None:
        if self.street == "turn" or self.on:
            raise PokerlabError("a library has flops, not turns, and no cards that all of them begin with")
        object.__setattr__(self, "street", "flop")  # replaces the default
        for text in self.ranges:
            weights = parse_range(text)
            if not all((weights[relabelled] == weights).all() for relabelled in RELABELLED):
                raise PokerlabError(f"a library represents all flops for ranges that treat suits alike, not {text!r}")

    def all_boards(self) -> list[Board]:
        """Every possible board; of equivalent boards only one."""
        given = cards(self.on)
        weights = [parse_range(text) for text in self.ranges]
        trades = [t for t in range(len(RELABELLED)) if _changes_nothing(t, given, weights)]
        left = [card for card in range(52) if card not in given]
        n_more = STREETS[self.street] - len(given)
        if comb(len(left), n_more) > MOST_BOARDS:
            raise PokerlabError(f"{comb(len(left), n_more):,} boards are too many to take all; set the number to draw")
        counts: dict[tuple[int, ...], int] = {}
        for more in combinations(left, n_more):
            least = min(tuple(sorted(RELABELLED_CARD[trade, list(more)].tolist())) for trade in trades)
            counts[least] = counts.get(least, 0) + 1
        boards = [Board((*given, *reversed(more)), n) for more, n in sorted(counts.items())]
        return [board for board in boards if _can_meet(board.cards, weights)]

    def drawn_boards(self) -> list[Board]:
        """The boards of the report: a library, all boards, or a random sample with equal weights."""
        if self.library is not None:
            weights = [parse_range(text) for text in self.ranges]
            flops = [Board(flop, n) for flop, n in flop_library(self.library).items()]
            return [flop for flop in flops if _can_meet(flop.cards, weights)]
        if self.boards == 0:
            if every := self.all_boards():
                return every
            raise PokerlabError("no board leaves both players a hand")
        given, n = cards(self.on), STREETS[self.street]
        weights = [parse_range(text) for text in self.ranges]
        left, drawn = [card for card in range(52) if card not in given], dict[tuple[int, ...], Board]()
        for index in range(20 * self.boards + 100):
            more = stream(self.seed, f"boards of {n}", index=index).permutation(left)[: n - len(given)].tolist()
            board = (*given, *sorted(more, reverse=True))
            if _can_meet(board, weights):
                drawn.setdefault(board, Board(board, 1))
            if len(drawn) == self.boards:
                return list(drawn.values())
        raise PokerlabError(
            f"{self.boards} boards that leave both players a hand were requested; there are only {len(drawn)}"
        )


def solved_board(request: BoardReport, board: Board) -> tuple[dict[str, Any], Strategy]:
    """Solve one board. Return (its row of the report as JSON values, its strategy); a flop's strategy lacks the
    rivers."""
    config = subgame_on(request, board, threads=1).solve
    problem = problem_of(config)
    engine = None
    if is_compact(config, problem):
        engine = CompactCfr(problem, variant(config.algorithm), bits=config.bits, threads=1, most_kept=0)
    solution = solve(engine or engine_of(config, problem), iterations=config.iterations, target=config.target)
    return board_row(request, board, solution.strategy, solution.exploitability, solution.iterations), solution.strategy


def board_row(
    request: BoardReport, board: Board, strategy: Strategy, exploitability: float, iterations: int
) -> dict[str, Any]:
    """Report row of a solved board, as JSON values."""
    spot = spot_at(strategy, request.spot)
    values = spot_values(spot, threads=1)
    row = {
        "board": cards_text(board.cards),
        "n": board.n,
        "texture": texture(board.cards)._asdict(),
        "reached": _reached(spot),
        "exploitability": exploitability / float(sum(strategy.tree.rules.antes)),
        "iterations": iterations,
    }
    return {**row, **_worth(spot, values)}


def empty_spot(request: BoardReport) -> Spot:
    """The report's spot on its first board, before any solving; raises an error if there is no such spot."""
    game = problem_of(subgame_on(request, request.drawn_boards()[0]).solve)
    return spot_at(Strategy(game.tree, game.cells, ()), request.spot)


def _worth(spot: Spot, values: SpotValues | None) -> dict[str, Any]:
    """Actions and values at a spot, as JSON values; None if the solution never reaches it."""
    decision = {"actor": spot.actor, "actions": list(spot.names()), "words": list(spot.words)}
    if values is None:
        return decision | dict.fromkeys(("shares", "expected", "equity", "realisation"))
    expected = [chips / spot.pot for chips in values.expected]
    equity = list(values.overall_equity)
    return {
        **decision,
        "shares": values.frequency.tolist(),
        "expected": expected,
        "equity": equity,
        "realisation": [e / share if share > 0 else None for e, share in zip(expected, equity, strict=True)],
    }


def _reached(spot: Spot) -> float:
    """The probability of reaching the spot: the product of the frequencies of the actions that lead there."""
    tree, reached = spot.strategy.tree, 1.0
    for edge in tree.path(spot.decision):
        before = Spot(spot.strategy, int(tree.edge_decision[edge]), spot.board)
        values = spot_values(before, threads=1)
        reached *= 0.0 if values is None else float(values.frequency[before.actions.index(tree.action(edge))])
    return reached


def part(argument: Mapping[str, Any], tick: Tick) -> Done:
    """Task of a worker: solve one board and return its row; the strategy is saved as a file."""
    request = BoardReport.from_data(argument["asked"])
    board = Board(tuple(argument["board"]), argument["n"])
    done = saved_board(request, board, *solved_board(request, board))
    tick(1)
    return done


def saved_board(request: BoardReport, board: Board, row: Mapping[str, Any], strategy: Strategy) -> Done:
    """Result of a board's task: its row, and its strategy as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "strategy.bin"
        made = {"algorithm": subgame_on(request, board).algorithm, "iterations": row["iterations"]}
        pot = float(sum(strategy.tree.rules.antes))
        save_strategy(path, strategy, {**made, "exploitability": pot * row["exploitability"]}, compact=True)
        content = path.read_bytes()
    return Done(row, files={f"{STRATEGIES}/{row['board']}.bin": content})


def solve_boards(
    request: BoardReport,
    run: RunDirectory | None,
    *,
    runner: Runner,
    report: Callable[[int, int], None] | None = None,
    seen: Callable[[dict[str, Any]], None] | None = None,
) -> list[dict[str, Any]]:
    """Return the rows of a report. `run` saves every board's row and strategy; boards saved there are not solved again.

    `seen` is called with each finished row. If the runner stops early, the rows finished so far are returned.
    """
    settings = request.identity()
    tasks = [
        Task(
            f"{__name__}:part",
            {"asked": settings, "board": list(board.cards), "n": board.n},
            key=cards_text(board.cards),
            about={"asked": settings},
            name=f"the board {cards_text(board.cards)}",
        )
        for board in request.drawn_boards()
    ]
    weights = {task.key: task.argument["n"] for task in tasks}  # the same board has another weight in another library

    def watched(left: Sequence[Task], tick: Tick) -> Iterator[tuple[int, Outcome]]:
        for which, outcome in runner(left, tick):
            if seen is not None and isinstance(outcome, Done):
                seen(outcome.value)
            yield which, outcome

    done = do_tasks(tasks, runner=watched, run=run, folder="boards", report=report)
    return [{**each.value, "n": weights[each.value["board"]]} for each in done]


def report_cost(request: BoardReport, workers: int | None = None) -> Cost:
    """Estimate the cost from one board and the number of iterations that boards usually need."""
    boards, at_once = request.drawn_boards(), workers or usable_cores()
    usual = min(request.iterations, round(USUAL / request.target_percent))
    config = subgame_on(request, boards[0], threads=1).solve
    one = expected_cost(replace(config, iterations=usual))
    return Cost(
        None if one.seconds is None else one.seconds * len(boards) / min(at_once, len(boards)),
        None if one.memory is None else one.memory * min(at_once, len(boards)),
        None if (stored := _stored(config)) is None else stored * len(boards),
        counts={"boards": len(boards), "iterations": usual, "decisions": one.counts["decisions"]},
        what=f"report on {len(boards):,} boards, about {usual:,} iterations each",
        rate=one.rate,
    )


def _stored(config: SolveConfig) -> int | None:
    """Approximate size in bytes of a flop's strategy and values without its rivers; None for turns and rivers."""
    game = problem_of(config)
    if not is_compact(config, game):
        return None
    kept = zip(game.tree.edges_on[:-1], game.cells.n_cells[:-1], strict=True)
    return STORED_BYTES * sum(len(edges) * n for edges, n in kept)


def subgame_on(request: BoardReport, board: Board, *, threads: int | None = None) -> SubgameConfig:
    """Configuration of the subgame on one of the report's boards."""
    return SubgameConfig(board=cards_text(board.cards), threads=threads, **_shared(request))


def _shared(request: BoardReport) -> dict[str, Any]:
    """Settings that a report and a subgame have in common."""
    own = {each.name for each in fields(SubgameConfig)} & {each.name for each in fields(request)}
    return {name: getattr(request, name) for name in own}


def _can_meet(board: Sequence[int], weights: Sequence[np.ndarray]) -> bool:
    """Whether both players can hold a hand of their range on a board."""
    live = live_combos(sum(1 << card for card in board))
    held = [CARDS_OF_COMBO[(each > 0) & live].astype(np.intp) for each in weights]
    by_card = [np.bincount(each.ravel(), minlength=52) for each in held]
    same = int(((weights[0] > 0) & (weights[1] > 0) & live).sum())  # a hand paired with itself shares both cards
    return len(held[0]) * len(held[1]) > int(by_card[0] @ by_card[1]) - same


def _changes_nothing(trade: int, given: Sequence[int], weights: Sequence[np.ndarray]) -> bool:
    """Whether exchanging suits (`trade` is an index of `RELABELLED`) preserves the given cards and both ranges."""
    same = set(RELABELLED_CARD[trade, list(given)].tolist()) == set(given)
    return same and all((each[RELABELLED[trade]] == each).all() for each in weights)
