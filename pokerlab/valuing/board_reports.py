"""The same spot solved on many boards: its frequency, the actions and values there, by texture.

Boards are drawn without replacement, or all of them are taken; boards that are equal up to a permutation of suits that
preserves the ranges and the given cards are solved once and weighted by their number. Each board is a part of the work:
parts are spread over processes and saved as they end, with their strategies.

Boards have equal weight, whatever cards the ranges block. Chips are shares of the pot at the spot; realisation is a
player's expected value divided by its equity.

>>> report = BoardReport(ranges=("AA, QJs", "KQ, TT"), pot=100, stack=100, sizes="1p", on="Ks7s2d5d", boards=0)
>>> len(report.all_boards()), sum(board.n for board in report.all_boards())
(35, 48)
>>> first = solved_board(report, report.all_boards()[0])[0]
>>> first["board"], first["actions"], round(sum(first["expected"]), 2)
('Ks7s2d5d2c', ['check', 'bet 100'], 1.0)
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, inf
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from pokerlab.cards.board_texture import Texture, texture
from pokerlab.cards.card import cards, cards_text, check_distinct
from pokerlab.cards.combos import CARDS_OF_COMBO, live_combos
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate, exact
from pokerlab.policies.spots import Spot, spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.rng import stream
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.request import Request, setting
from pokerlab.runs.workers import Done, Outcome, Runner, Task, Tick, do_tasks
from pokerlab.solvers.configs import SubgameConfig
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.runs import expected_cost
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import DEFAULT_SIZES, make_subgame
from pokerlab.valuing.spot_values import SpotValues, spot_values

STRATEGIES = "strategies"
MOST_BOARDS = 50_000
STREETS = {"flop": 3, "turn": 4, "river": 5}


class Board(NamedTuple):
    """A board that represents `n` equivalent ones."""

    cards: tuple[int, ...]
    n: int


@dataclass(frozen=True, kw_only=True)
class BoardReport(Request):
    """A report: both ranges, the chips, the boards, the spot, and the accuracy of each board."""

    kind: ClassVar[str] = "report"
    code: ClassVar[tuple[str, ...]] = (__name__,)
    in_parts: ClassVar[bool] = True

    ranges: tuple[str, ...] = setting(separator="|")
    pot: float = setting()
    stack: float = setting()
    sizes: str = setting(DEFAULT_SIZES)
    max_raises: int | None = setting(None)
    street: Literal["flop", "turn", "river"] = setting("river", "Boards begin on it.")
    on: str = setting("", "Cards that every board begins with.")
    boards: int = setting(50, "0 takes all that can come.", identity=False, least=0)
    spot: str = setting("", "It has actions on that street alone.")
    target_percent: float = setting(0.5, "Every board is solved to it.", above=0)
    iterations: int = setting(1000, "It applies to each board.", least=1, count=True)
    seed: int = setting(7, least=0)

    @property
    def label(self) -> str:
        """The street."""
        return self.street

    def check(self) -> None:
        """Refuse impossible boards and spots."""
        if len(self.ranges) != 2:
            raise PokerlabError(f"{' | '.join(self.ranges)!r} is not two ranges with | between")
        if not (0 < self.pot < inf and 0 < self.stack < inf):
            raise PokerlabError(f"a report needs a pot and chips behind it, not {self.pot:g} and {self.stack:g}")
        if len(cards(self.on)) >= STREETS[self.street]:
            raise PokerlabError(f"{self.on} leaves no card of the {self.street} to come")
        check_distinct(board=cards(self.on))
        if "/" in self.spot:
            raise PokerlabError(f"the spot of a report is on the {self.street}, without cards: {self.spot!r}")

    def all_boards(self) -> list[Board]:
        """Every possible board, equivalent ones once."""
        given = cards(self.on)
        weights = [parse_range(text) for text in self.ranges]
        trades = [trade for trade in permutations(range(4)) if _changes_nothing(trade, given, weights)]
        left = [card for card in range(52) if card not in given]
        n_more = STREETS[self.street] - len(given)
        if comb(len(left), n_more) > MOST_BOARDS:
            raise PokerlabError(f"{comb(len(left), n_more):,} boards are too many to take all; set the number to draw")
        counts: dict[tuple[int, ...], int] = {}
        for more in combinations(left, n_more):
            least = min(tuple(sorted(_traded(card, trade) for card in more)) for trade in trades)
            counts[least] = counts.get(least, 0) + 1
        boards = [Board((*given, *reversed(more)), n) for more, n in sorted(counts.items())]
        return [board for board in boards if _can_meet(board.cards, weights)]

    def drawn_boards(self) -> list[Board]:
        """The boards of the report: all, or a sample drawn one by one with equal weights."""
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
    """One board: a row of the report in JSON values, and the strategy."""
    pot, stack = (int(chips) if float(chips).is_integer() else chips for chips in (request.pot, request.stack))
    ranges = (request.ranges[0], request.ranges[1])
    subgame = make_subgame(
        board.cards, ranges, pot=pot, stack=stack, sizes=request.sizes, max_raises=request.max_raises
    )
    solution = solve(
        SubgameCfr(subgame, threads=1), iterations=request.iterations, target=request.target_percent / 100 * pot
    )
    spot = spot_at(solution.strategy, request.spot)
    values = spot_values(spot, threads=1)
    row = {
        "board": cards_text(board.cards),
        "n": board.n,
        "texture": texture(board.cards)._asdict(),
        "reached": _reached(spot),
        "exploitability": solution.exploitability / pot,
        "iterations": solution.iterations,
    }
    return {**row, **_worth(spot, values)}, solution.strategy


def _worth(spot: Spot, values: SpotValues | None) -> dict[str, Any]:
    """The actions and values of a spot; None where the solution never reaches it."""
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
    """A worker's task: one board, with its strategy as a file."""
    request = BoardReport.from_data(argument["asked"])
    board = Board(tuple(argument["board"]), argument["n"])
    row, strategy = solved_board(request, board)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "strategy.bin"
        save_strategy(path, strategy, {"algorithm": "dcfr", "iterations": row["iterations"]}, compact=True)
        content = path.read_bytes()
    tick(1)
    return Done(row, files={f"{STRATEGIES}/{row['board']}.bin": content})


def solve_boards(
    request: BoardReport,
    run: RunDirectory | None,
    *,
    runner: Runner,
    report: Callable[[int, int], None] | None = None,
    seen: Callable[[dict[str, Any]], None] | None = None,
) -> list[dict[str, Any]]:
    """The rows of a report; boards that `run` already has are not solved again; `run` gets the strategy of every board.
    `seen` is called with each row as it comes. A runner that ends early leaves the rows of the boards it solved."""
    settings = request.identity()
    tasks = [
        Task(
            f"{__name__}:part",
            {"asked": settings, "board": list(board.cards), "n": board.n},
            key=cards_text(board.cards),
            about={"asked": settings, "n": board.n},
            name=f"the board {cards_text(board.cards)}",
        )
        for board in request.drawn_boards()
    ]

    def watched(left: Sequence[Task], tick: Tick) -> Iterator[tuple[int, Outcome]]:
        for which, outcome in runner(left, tick):
            if seen is not None and isinstance(outcome, Done):
                seen(outcome.value)
            yield which, outcome

    return [each.value for each in do_tasks(tasks, runner=watched, run=run, folder="boards", report=report)]


def report_cost(request: BoardReport, workers: int | None = None) -> Cost:
    """An estimate from one board, for the maximum number of iterations."""
    boards, at_once = request.drawn_boards(), workers or usable_cores()
    one = expected_cost(subgame_on(request, boards[0], threads=1).solve)
    return Cost(
        None if one.seconds is None else one.seconds * len(boards) / at_once,
        None if one.memory is None else one.memory * at_once,
        counts={"boards": len(boards)},
        what=f"report on {len(boards):,} boards",
    )


def subgame_on(request: BoardReport, board: Board, *, threads: int | None = None) -> SubgameConfig:
    """The subgame of a report on one of its boards."""
    names = ("ranges", "pot", "stack", "sizes", "max_raises", "iterations", "target_percent")
    settings = {name: getattr(request, name) for name in names}
    return SubgameConfig(board=cards_text(board.cards), threads=threads, **settings)


class Group(NamedTuple):
    """Boards of one texture, or all: the number of boards they represent, and means over them."""

    name: str
    boards: int  # solved
    share: float  # of all boards
    actions: dict[str, float]
    expected: Estimate  # of the actor, shares of the pot
    equity: float
    realisation: float
    reached: float


def grouped(rows: Sequence[Mapping[str, Any]], by: str = "", *, whole: bool = False) -> list[Group]:
    """Means over boards for each value of the texture `by`, the most common first; without `by`, over all. `whole`
    means that no board was left out, so that means are exact."""
    known = [row for row in rows if row["shares"] is not None]
    names = {"all boards": known}
    if by:
        words = sorted({row["texture"][by] for row in known})
        names = {word: [row for row in known if row["texture"][by] == word] for word in words}
    total = sum(row["n"] for row in known)
    groups = [_group(name, some, total, whole) for name, some in names.items() if some]
    return sorted(groups, key=lambda group: -group.share)


def _group(name: str, rows: Sequence[Mapping[str, Any]], total: int, whole: bool) -> Group:
    n = np.array([row["n"] for row in rows], float)
    actor = rows[0]["actor"]

    def mean(of: Callable[[Mapping[str, Any]], float]) -> float:
        return float(n @ np.array([of(row) for row in rows]) / n.sum())

    expected = np.array([row["expected"][actor] for row in rows])
    shares = n @ np.array([row["shares"] for row in rows]) / n.sum()
    return Group(
        name,
        boards=len(rows),
        share=float(n.sum() / total),
        actions=dict(zip(rows[0]["actions"], shares.tolist(), strict=True)),
        expected=exact(float(n @ expected / n.sum()), units="pots")
        if whole or len(rows) < 2
        else estimate(expected, units="pots", method="boards"),
        equity=mean(lambda row: row["equity"][actor]),
        realisation=mean(lambda row: row["expected"][actor]) / max(mean(lambda row: row["equity"][actor]), 1e-12),
        reached=mean(lambda row: row["reached"]),
    )


def report_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV, a line for each board."""
    actions = rows[0]["actions"] if rows else []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ["expected", "equity", "realisation"]
    heads = [f"{name} {seat}" for name in names for seat in (0, 1)]
    writer.writerow(["board", "n", *Texture._fields, "reached", *actions, *heads, "exploitability"])
    for row in rows:
        shares = row["shares"] or [""] * len(actions)
        words = [row["texture"][name] for name in Texture._fields]
        worth = [value for name in names for value in (row[name] or ["", ""])]
        writer.writerow([row["board"], row["n"], *words, row["reached"], *shares, *worth, row["exploitability"]])
    return out.getvalue()


def _can_meet(board: Sequence[int], weights: Sequence[np.ndarray]) -> bool:
    """Whether two hands of the ranges can be dealt together on a board."""
    live = live_combos(sum(1 << card for card in board))
    held = [CARDS_OF_COMBO[(each > 0) & live].astype(np.intp) for each in weights]
    by_card = [np.bincount(each.ravel(), minlength=52) for each in held]
    same = int(((weights[0] > 0) & (weights[1] > 0) & live).sum())  # pairs of one hand share both cards
    return len(held[0]) * len(held[1]) > int(by_card[0] @ by_card[1]) - same


def _traded(card: int, trade: Sequence[int]) -> int:
    return card & ~3 | trade[card & 3]


def _changes_nothing(trade: Sequence[int], given: Sequence[int], weights: Sequence[np.ndarray]) -> bool:
    """Whether permuting suits preserves the given cards and both ranges."""
    if {_traded(card, trade) for card in given} != set(given):
        return False
    pairs = CARDS_OF_COMBO.astype(np.intp)
    moved = (pairs & ~3) | np.array(trade)[pairs & 3]
    high, low = moved.max(axis=1), moved.min(axis=1)
    after = high * (high - 1) // 2 + low
    return all((each[after] == each).all() for each in weights)
