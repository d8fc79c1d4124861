"""Reports over many boards for the study pages: requests computed in the background, saved and opened again."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pokerlab.answers import Answer
from pokerlab.cards.board_texture import Texture
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy
from pokerlab.requests.report import ReportBoards
from pokerlab.rng import stream
from pokerlab.runs.queue import Followed, Queue, Submission
from pokerlab.runs.request import RESULT
from pokerlab.solvers.memory import check_size
from pokerlab.valuing.board_groups import Group, grouped, report_csv
from pokerlab.valuing.board_reports import STRATEGIES, solve_boards, subgame_on
from pokerlab.web.spot_data import plain_numbers
from pokerlab.web.study import ASKED, MOST_MEMORY, SIZES, digest_of, question, save_question, saved_questions

KEYS = {"ranges", "pot", "stack", *SIZES, "target_percent", "street", "on", "boards", "library", "spot", "seed"}
OF_BOARD = ("ranges", "pot", "stack", *sorted(SIZES), "target_percent")
"""Settings of a report that are also settings of the solve of each board."""
MOST_BOARDS = 200
EARLIER_RESULT = "report.json"
"""File in which earlier versions saved the rows of a report."""


@dataclass
class Report(Followed):
    """A report and its progress."""

    name: str
    asked: Mapping[str, Any]
    request: ReportBoards
    total: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    work: Submission | None = None

    def take(self, answer: Answer) -> bool:
        """Store the rows of the finished report."""
        self.rows = list(answer.result)
        return True

    def data(self) -> dict[str, Any]:
        """Data for the page: the rows of the report, and means of groups of boards by texture."""
        of = self.request.source if len(self.rows) == self.total else "drawn"
        groups = {by: [_group_data(group) for group in grouped(self.rows, by, of=of)] for by in ("", *Texture._fields)}
        return {
            "name": self.name,
            "asked": dict(self.asked),
            "total": self.total,
            "running": self.running,
            "wrong": self.wrong,
            "rows": plain_numbers(self.rows),
            "groups": plain_numbers(groups),
        }


def _group_data(group: Group) -> dict[str, Any]:
    expected = group.expected
    interval = None if expected.kind == "exact" else expected.half_width
    return {**group._asdict(), "actions": list(group.actions.values()), "expected": expected.mean, "interval": interval}


class Reports:
    """All reports requested from pages. One runs at a time."""

    def __init__(self, folder: Path, *, workers: int | None = None) -> None:
        self._folder = folder
        self._reports: dict[str, Report] = {}
        self._queue = Queue("report", workers=workers)
        self._lock = threading.Lock()

    def begin(self, asked: Any) -> Report:
        """Start or resume a report in the background."""
        report = self._of(asked)
        with self._lock:
            before = self._reports.get(report.name)
            if before is not None and before.running:
                return before
            out = self._folder / report.name / "run"
            report.work = self._queue.submit([report.request], out, finished=report.take, part=report.rows.append)
            self._reports[report.name] = report
        save_question(self._folder / report.name, report.asked)
        return report

    def _of(self, asked: Any) -> Report:
        asked = question(asked, "a report", KEYS)
        config = ReportBoards.from_data(asked)
        if config.street == "flop" and config.library is None:
            raise PokerlabError("a page reports on the flops of a library; for others use `pokerlab report`")
        boards = config.drawn_boards() if config.boards <= MOST_BOARDS else ()
        if not 0 < len(boards) <= MOST_BOARDS:
            many = len(boards) or config.boards
            raise PokerlabError(
                f"a page reports on 1 to {MOST_BOARDS} boards, not {many}; for more use `pokerlab report`"
            )
        one = subgame_on(config, boards[0]).solve
        check_size(one, MOST_MEMORY, f"a board of a page's report may use {MOST_MEMORY / 1e9:g} GB")
        which = config.boards if config.library is None else f"library of {config.library}"
        return Report(digest_of(config.identity(), which), asked, config, len(boards))

    def report(self, name: str) -> Report:
        """A report by its name, from memory or from its directory."""
        report, folder = self._reports.get(name), self._folder / name
        if report is None and name.isalnum() and (folder / ASKED).is_file():
            # earlier versions named it differently
            report = replace(self._of(json.loads((folder / ASKED).read_text())), name=name)
            report.rows = _saved_rows(report.request, folder / "run")
            self._reports[name] = report
        if report is None:
            raise PokerlabError(f"there is no report called {name[:20]!r}")
        return report

    def saved(self) -> list[dict[str, Any]]:
        """The twenty most recent reports, latest first."""
        return saved_questions(self._folder)

    def csv(self, name: str) -> str:
        """The rows of a report as CSV."""
        return report_csv(self.report(name).rows)

    def board(self, name: str, board: str) -> tuple[dict[str, Any], Path]:
        """A solved board of a report: return (the question that it answers, its strategy file)."""
        report = self.report(name)
        if board not in {row["board"] for row in report.rows}:
            raise PokerlabError(f"the report has no solved board {board[:10]!r}")
        asked = {key: report.asked[key] for key in OF_BOARD if key in report.asked}
        return {"board": board, **asked}, self._folder / name / "run" / STRATEGIES / f"{board}.bin"

    def strategy(self, name: str, *, seed: int, number: int) -> Strategy:
        """The solution of a random board of the report, for practice hand `number`."""
        rows = self.report(name).rows
        if not rows:
            raise PokerlabError("no board is solved yet")
        row = rows[int(stream(seed, "practice boards", index=number).integers(len(rows)))]
        return load_strategy(self._folder / name / "run" / STRATEGIES / f"{row['board']}.bin").strategy


def _saved_rows(request: ReportBoards, out: Path) -> list[dict[str, Any]]:
    """The rows of a report; of a stopped one, those of the boards solved so far."""
    for file in (out / RESULT, out / EARLIER_RESULT):
        if file.is_file():
            rows: list[dict[str, Any]] = json.loads(file.read_text())["rows"]
            return rows
    with request.opened(out) as run:
        return solve_boards(request, run, runner=lambda tasks, tick: iter(()))
