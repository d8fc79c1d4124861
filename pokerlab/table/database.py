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

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pokerlab.errors import PokerlabError
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
    """An in-memory DuckDB over hands; nothing is written except the rows kept beside files of hands."""

    def __init__(
        self,
        files: Sequence[Path] = (),
        imported: Mapping[str, Sequence[HandHistory]] | None = None,
        on_problem: OnProblem | None = None,
    ) -> None:
        import duckdb

        self._duckdb = duckdb
        self._connection = duckdb.connect(":memory:")
        self._connection.execute("SET threads = 1")  # sums of floats in one order, so that they are always the same
        rows: list[str] = []
        kept: list[Path] = []
        for file in files:
            try:
                kept.append(player_file(file, on_problem))
            except OSError:  # nothing can be written there
                about = provenance(file).about
                rows.append(self._table(str(file), players_table(read_hands(file), about, on_problem)))
        hands = [_parquet(files)] if files else []
        rows += [_parquet(kept, f"replace(filename, '{DERIVED_SUFFIX}', '{SUFFIX}')")] if kept else []
        for name, histories in (imported or {}).items():
            report = None if on_problem is None else _in_file(on_problem, name)
            rows.append(self._table(name, players_table(histories, {}, report)))
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

    def _table(self, filename: str, table: pa.Table) -> str:
        name = f"imported_{len(self._connection.execute('SHOW TABLES').fetchall())}"
        self._connection.register(name, table)
        return f"SELECT *, {_quoted(filename)} AS filename FROM {name}"

    def _view(self, name: str, parts: Sequence[str]) -> None:
        self._connection.execute(f"CREATE VIEW {name} AS " + " UNION ALL BY NAME ".join(parts))


def _in_file(on_problem: OnProblem, name: str) -> OnProblem:
    return lambda problem: on_problem(f"{name}: {problem}")


def _parquet(files: Sequence[Path], filename: str = "filename") -> str:
    listed = ", ".join(_quoted(str(file)) for file in files)
    return f"SELECT * REPLACE ({filename} AS filename) FROM read_parquet([{listed}], filename = true)"


def _street(number: int) -> str:
    counts = ", ".join(f"{name}_{number} AS {name}" for name in PER_STREET)
    acted = " + ".join(f"{name}_{number}" for name in _ACTIONS)
    return f"SELECT {_WHO}, {number} AS street, {counts} FROM player_hands WHERE {acted} > 0"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
