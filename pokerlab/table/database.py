"""Questions to hands, answered by DuckDB: any SQL over three tables, from files of hands and from imported hands.

- `hands`: one row a hand, as `records` writes them;
- `player_hands`: one row for each seat of each hand, as `player_hands` computes them;
- `player_streets`: the same by street, where the seat acted: `street`, `checks`, `bets`, `calls`, `raises`, `folds` ..

Each has `filename`, the file the hand came from.

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

from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.table.player_hands import OnProblem, player_file, players_table
from pokerlab.table.records import DERIVED_SUFFIX, SUFFIX, hands_table, provenance, read_hands
from pokerlab.table.tally import MAX_STREETS, PER_STREET

if TYPE_CHECKING:
    import pyarrow as pa

_ACTIONS = ("checks", "bets", "calls", "raises", "folds")
_WHO = "filename, match, number, seat, n_seats, name, position, game, holdem"


class Answer(NamedTuple):
    """Rows, and what their columns are called."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Database:
    """An in-memory DuckDB over hands; nothing is written except the rows kept beside files of hands.

    `on_problem` is told of hands and files that had to be left out; without it, and if it is the only file, one that
    cannot be read is an error.
    `report` counts files.
    """

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
        hands, rows = self._read(files, on_problem, report)
        for name, histories in (imported or {}).items():
            rows.append(self._table(name, players_table(histories, {}, _in_file(on_problem, name))))
            hands.append(self._table(name, hands_table(histories)))
        if not rows:
            raise PokerlabError("no hands to ask about")
        self._view("hands", hands)
        self._view("player_hands", rows)
        self._view("player_streets", [_street(number) for number in range(MAX_STREETS)])

    def ask(self, sql: str) -> Answer:
        """The answer to a query; a query DuckDB refuses is a `PokerlabError` in its words."""
        try:
            found = self._connection.execute(sql)
            columns = tuple(column[0] for column in found.description or ())
            return Answer(columns, found.fetchall())
        except self._duckdb.Error as error:
            raise PokerlabError(f"SQL: {str(error).splitlines()[0]}") from error

    def arrays(self, sql: str) -> dict[str, Any]:
        """The answer as NumPy arrays by column."""
        return dict(self._connection.execute(sql).fetchnumpy())

    def close(self) -> None:
        """Let go of the memory."""
        self._connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(
        self, files: Sequence[Path], on_problem: OnProblem | None, report: Callable[[int, int], None] | None
    ) -> tuple[list[str], list[str]]:
        """The queries that give the hands of `files` and the rows of their players."""
        rows: list[str] = []
        kept: list[Path] = []
        read: list[Path] = []
        for done, file in enumerate(files):
            if report is not None:
                report(done, len(files))
            try:
                kept.append(player_file(file, on_problem))
            except FileError as error:
                if on_problem is None or len(files) == 1:
                    raise
                on_problem(str(error))
                continue
            except OSError:  # nothing can be written there
                table = players_table(read_hands(file), provenance(file).about, _in_file(on_problem, str(file)))
                rows.append(self._table(str(file), table))
            read.append(file)
        hands = [_parquet(read)] if read else []
        rows += [_parquet(kept, f"replace(filename, '{DERIVED_SUFFIX}', '{SUFFIX}')")] if kept else []
        return hands, rows

    def _table(self, filename: str, table: pa.Table) -> str:
        name = f"imported_{len(self._connection.execute('SHOW TABLES').fetchall())}"
        self._connection.register(name, table)
        return f"SELECT *, {_quoted(filename)} AS filename FROM {name}"

    def _view(self, name: str, parts: Sequence[str]) -> None:
        self._connection.execute(f"CREATE VIEW {name} AS " + " UNION ALL BY NAME ".join(parts))


def _in_file(on_problem: OnProblem | None, name: str) -> OnProblem | None:
    return None if on_problem is None else lambda problem: on_problem(f"{name}: {problem}")


def _parquet(files: Sequence[Path], filename: str = "filename") -> str:
    listed = ", ".join(_quoted(str(file)) for file in files)
    return f"SELECT * REPLACE ({filename} AS filename) FROM read_parquet([{listed}], filename = true)"


def _street(number: int) -> str:
    counts = ", ".join(f"{name}_{number} AS {name}" for name in PER_STREET)
    acted = " + ".join(f"{name}_{number}" for name in _ACTIONS)
    return f"SELECT {_WHO}, {number} AS street, {counts} FROM player_hands WHERE {acted} > 0"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
