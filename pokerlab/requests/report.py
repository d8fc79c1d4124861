"""Solve the same spot on many boards, and report the results by board texture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, drawing, setting
from pokerlab.valuing.board_groups import board_order, check_order, grouped, report_csv
from pokerlab.valuing.board_reports import STRATEGIES, BoardReport, empty_spot, report_cost, solve_boards
from pokerlab.valuing.library_check import kept_equity

if TYPE_CHECKING:
    from pokerlab.valuing.board_groups import Group

SORT_HELP = "Also list the boards, the highest first: by ev, equity, realisation, n, or an action such as check."


@dataclass(frozen=True, kw_only=True)
class ReportBoards(BoardReport):
    """Solve the same spot on many boards, and report actions, EV and equity by board texture.

    The report also has how often the spot is reached, and equity realisation (EV relative to equity). Every board is
    solved separately and saved with its strategy. Stop it at any moment: the same command, or the same with more
    boards, resumes it.

    For example:

        pokerlab report --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300 --boards 20
        pokerlab report --ranges "30% | 40%" --pot 60 --stack 200 --on Ks7h2d --street turn --boards 0 --csv turns.csv
        pokerlab report --ranges "30% | 40%" --pot 60 --stack 200 --spot check --picture river.svg
        pokerlab report --ranges "20% | 25%" --pot 55 --stack 975 --library 23 --bets 33 --max-raises 2 --dry-run
        pokerlab report --ranges "QQ+, AKs | 99+, AQs" --pot 60 --stack 60 --library 23 --bets 50 --sort ev
    """

    sort: str = setting("", SORT_HELP, identity=False)
    csv: Path | None = setting(None, "One row per board.", identity=False, written="file")
    picture: Path | None = drawing("It shows the actions by board texture.")

    def cost(self, *, workers: int | None = None) -> Cost:
        return report_cost(self, workers)

    def compute(self, place: Place) -> Answer:
        from pokerlab.cards.board_texture import Texture

        actions = empty_spot(self).names()
        if self.sort:
            check_order(self.sort, actions)
        runner = place.runner
        if self.engine == "jax":
            from pokerlab.valuing.board_batches import in_batches

            runner = in_batches(self)
        rows = solve_boards(self, place.directory, runner=runner, report=place.report("boards"), seen=place.part)
        groups = {by: grouped(rows, by, of=self.source) for by in ("", *Texture._fields)}
        listed = {
            by: [{**g._asdict(), "expected": g.expected.data()} for g in members] for by, members in groups.items()
        }
        settings = {name: value for name, value in self.data().items() if name not in ("csv", "picture", "sort")}
        boards = [_boards_table(board_order(rows, self.sort))] if self.sort else []
        return Answer(
            f"{self.street} of {self.ranges[0]} against {self.ranges[1]}, {len(rows):,} boards",
            (_table(groups), *boards) if groups[""] else (),
            (*self._lines(groups, rows), *_where(place.path)),
            {**settings, "rows": rows, "units": "pots", "groups": listed},
            result=rows,
            files=self._files(groups, rows),
        )

    def _files(self, groups: Mapping[str, Sequence[Group]], rows: Sequence[Mapping[str, Any]]) -> tuple[Path, ...]:
        if self.csv is not None:
            self.csv.parent.mkdir(parents=True, exist_ok=True)
            self.csv.write_text(report_csv(rows))
        if self.picture is not None:
            from pokerlab.pictures.board_reports import save_board_report

            title = f"{self.street} of {self.ranges[0]} against {self.ranges[1]}"
            shares = {by: [(group.name, group.actions) for group in some] for by, some in groups.items()}
            save_board_report(shares, self.picture, title=title)
        return tuple(path for path in (self.csv, self.picture) if path is not None)

    def _lines(self, groups: Mapping[str, Sequence[Group]], rows: Sequence[Mapping[str, Any]]) -> list[str]:
        if not groups[""]:
            return ["the solutions never reach this spot"]
        reached = groups[""][0].reached
        worst = max(row["exploitability"] for row in rows)
        interval = ", with its 95% interval over boards" if self.source == "drawn" else ""
        return [
            *([f"the spot is reached {reached:.1%} of the time"] if reached < 1 else []),
            f"the least exact board is solved to {worst:.2%} of the pot; EV in pots{interval}",
            *(self._equity_line(rows) if self.source == "library" and not self.spot else []),
        ]

    def _equity_line(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        here, everywhere = kept_equity(self.ranges, rows)
        return [f"equity of {self.ranges[0]}: {here:.2%} over these flops, {everywhere:.2%} over all flops"]


def _where(path: Path | None) -> list[str]:
    return [] if path is None else [f"inspect a board: pokerlab show {path / STRATEGIES / 'BOARD.bin'}"]


def _table(groups: Mapping[str, Sequence[Group]]) -> AnswerTable:
    actions = list(groups[""][0].actions)
    rows: list[tuple[Cell, ...]] = []
    for group in (group for some in groups.values() for group in some):
        shares = (f"{group.actions[action]:.0%}" for action in actions)
        worth = group.expected, f"{group.equity:.0%}", f"{group.realisation:.0%}"
        rows.append((group.name, group.boards, f"{group.share:.0%}", *worth, *shares))
    does = (action.removeprefix("raise ") for action in actions)
    return AnswerTable(("boards", "n", "share", "EV", "equity", "realised", *does), tuple(rows))


def _boards_table(rows: Sequence[Mapping[str, Any]]) -> AnswerTable:
    """Table with a row for each board and the values of both players."""
    lines = []
    for row in rows:
        shares = (f"{share:.0%}" for share in row["shares"])
        worth = (f"{value:.1%}" for name in ("expected", "equity") for value in row[name])
        lines.append((row["board"], row["n"], *worth, *shares))
    does = (action.removeprefix("raise ") for action in rows[0]["actions"])
    columns = ("board", "n", "EV 0", "EV 1", "equity 0", "equity 1", *does)
    return AnswerTable(columns, tuple(lines), note="n: boards that it stands for; EV and equity in shares of the pot")
