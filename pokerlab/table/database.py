"""Query hands with DuckDB: any SQL over three tables, from recorded and from imported hands.

- `hands`: one row per hand, as written by `records`;
- `player_hands`: one row for each seat of each hand, as computed by the module `player_hands`;
- `player_streets`: the same by street, for streets on which the seat acted: `street`, `checks`, `bets`, `calls`,
  `raises`, `folds` ..

Each table has a column `filename`, the file that the hand came from.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("ann", "bob"))
>>> with Database(imported={"a log": [hand]}) as database:
...     database.ask("SELECT name, net, checks_1 FROM player_hands").rows
[('ann', 1.0, 1), ('bob', -1.0, 1)]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.table.player_hands import HandSource, OnProblem, file_sources, player_file, players_table
from pokerlab.table.records import hands_table, is_hands
from pokerlab.table.tally import MAX_STREETS, PER_STREET

if TYPE_CHECKING:
    import pyarrow as pa

_ACTIONS = ("checks", "bets", "calls", "raises", "folds")
_WHO = "filename, match, number, seat, n_seats, name, position, game, holdem"


class QueryRows(NamedTuple):
    """Rows with the names of their columns."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Database:
    """An in-memory DuckDB over hands; the only files written are tables of rows next to the files of hands.
    `on_problem` receives the problems of hands and files that are left out; without it they are errors. It is always an
    error if no file can be read. `report` counts files."""

    def __init__(
        self,
        files: Sequence[Path] = (),
        imported: Mapping[str, Sequence[HandHistory]] | None = None,
        on_problem: OnProblem | None = None,
        report: Callable[[int, int], None] | None = None,
    ) -> None:
        import duckdb

        self._duckdb = duckdb
        self._connection = duckdb.connect(":memory:")
        self._connection.execute("SET threads = 1")  # sums of floats in one order, so that they are always the same
        self._connection.execute("SET enable_progress_bar = false")
        problems: list[str] = []
        hands, rows = self._read(files, problems.append, report)
        for name, histories in (imported or {}).items():
            rows.append(self._table(players_table([HandSource(name, None, histories)], problems.append), "file"))
            hands.append(self._table(hands_table(histories), _quoted(name)))
        if not rows or not hands:
            raise PokerlabError(problems[0] if problems else "there are no hands to query")
        for problem in problems:
            if on_problem is None:
                raise PokerlabError(problem)
            on_problem(problem)
        self._view("hands", hands)
        self._view("player_hands", rows)
        self._view("player_streets", [_street(number) for number in range(MAX_STREETS)])

    def ask(self, sql: str) -> QueryRows:
        """Run a query and return its rows; raises `PokerlabError` with DuckDB's message if the query is invalid."""
        try:
            result = self._connection.execute(sql)
            columns = tuple(column[0] for column in result.description or ())
            return QueryRows(columns, result.fetchall())
        except self._duckdb.Error as error:
            raise PokerlabError(f"SQL: {str(error).splitlines()[0]}") from error

    def arrays(self, sql: str) -> dict[str, Any]:
        """Run a query and return its result as NumPy arrays by column."""
        return dict(self._connection.execute(sql).fetchnumpy())

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(
        self, files: Sequence[Path], on_problem: OnProblem, report: Callable[[int, int], None] | None
    ) -> tuple[list[str], list[str]]:
        """Queries that select the hands of `files`, and queries that select the rows of their players."""
        folders: dict[Path, list[Path]] = {}
        for file in files:
            folders.setdefault(file.parent, []).append(file)
        rows, done = [], 0
        for folder, group in folders.items():
            if report is not None:
                report(done, len(files))
            done += len(group)
            filename = _quoted(f"{folder}/") + " || file"
            try:
                rows.append(_parquet([player_file(group, on_problem)], filename))
            except OSError:  # the folder is not writable
                rows.append(self._table(players_table(file_sources(group)[0], on_problem), filename))
        readable = [file for file in files if is_hands(file)]
        return ([_parquet(readable, "filename")] if readable else []), rows

    def _table(self, table: pa.Table, filename: str) -> str:
        name = f"imported_{len(self._connection.execute('SHOW TABLES').fetchall())}"
        self._connection.register(name, table)
        return f"SELECT *, {filename} AS filename FROM {name}"

    def _view(self, name: str, parts: Sequence[str]) -> None:
        self._connection.execute(f"CREATE VIEW {name} AS " + " UNION ALL BY NAME ".join(parts))


def _parquet(files: Sequence[Path], filename: str) -> str:
    listed = ", ".join(_quoted(str(file)) for file in files)
    return f"SELECT * REPLACE ({filename} AS filename) FROM read_parquet([{listed}], filename = true)"


def _street(number: int) -> str:
    counts = ", ".join(f"{name}_{number} AS {name}" for name in PER_STREET)
    acted = " + ".join(f"{name}_{number}" for name in _ACTIONS)
    return f"SELECT {_WHO}, {number} AS street, {counts} FROM player_hands WHERE {acted} > 0"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
