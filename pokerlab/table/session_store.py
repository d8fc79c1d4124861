"""The database of sessions: one DuckDB file with every hand that was imported or played; no hand appears twice.

Its tables are `hands` (in the form of `records`, plus an identifier), `seats` (`session_rows`), `files` (completely
imported files) and `about` (the kind of file, and the version of its schema). A batch of hands is one transaction, so a
killed import leaves complete batches and the next import adds the rest. DuckDB lets only one process write; another
process waits for it, and reports an error if that takes too long.

>>> from tempfile import TemporaryDirectory
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> hand = HandHistory(game("leduc"), cards("KhQsKs"), (RaiseTo(3), FOLD), ("ann", "bob"))
>>> with TemporaryDirectory() as folder, SessionStore.writing(Path(folder) / "sessions.duckdb") as store:
...     store.add([hand], HandOrigin("a test", hero="ann")), store.add([hand], HandOrigin("a test"))
...     [str(seen.deck) for _, seen in store.hands([1])]
(Added(new=1, known=0, left_out=0), Added(new=0, known=1, left_out=0))
['(46, None, None)']
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

from pokerlab import __version__
from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.table.database import QueryRows
from pokerlab.table.records import arrow_table, hands_of_columns, hands_table
from pokerlab.table.session_rows import PAUSE, HandOrigin, LastHand, keys_of, number_sessions, seat_rows, seats_schema

KIND, FORMAT = "pokerlab sessions", 1
PATIENCE = 10.0
"""Seconds to wait for another process that is using the file."""
PLACE = "POKERLAB_SESSIONS"
_ONE = threading.RLock()
"""Held while a file is open: DuckDB refuses to read and write one file in the same process."""
_IN_USE = re.compile("set lock on file|used by another process")
"""DuckDB's words, on Linux and on Windows. A damaged file is the same class of error, and may speak of a block."""

_HANDS = ("number", "names", "deck", "actions", "stacks", "rules", "recorded")
_SCHEMA = """
    CREATE TABLE about (key VARCHAR, value VARCHAR);
    CREATE TABLE files (digest UUID, place VARCHAR, hands BIGINT, imported TIMESTAMP);
    CREATE TABLE hands (id BIGINT, identity UUID, source VARCHAR, hero TINYINT, number BIGINT, game VARCHAR,
        names VARCHAR[], deck VARCHAR, actions VARCHAR, stacks VARCHAR, rules VARCHAR, recorded VARCHAR, tags VARCHAR);
"""


def sessions_sql(condition: str) -> str:
    """Return an SQL query that divides the rows of `seats` with a condition into sessions, separated by long pauses.

    Its result has the columns `hand` and `session`; a session is named by its lowest hand id.
    """
    return f"""
    SELECT hand, min(hand) OVER (PARTITION BY place, name, nth) AS session FROM (
        SELECT hand, place, name, count_if(starts) OVER (PARTITION BY place, name ORDER BY played NULLS FIRST, hand
            ROWS UNBOUNDED PRECEDING) AS nth FROM (
            SELECT hand, place, name, played, coalesce(played - lag(played) OVER (PARTITION BY place, name
                ORDER BY played NULLS FIRST, hand) > INTERVAL '{PAUSE.total_seconds():.0f} seconds', false) AS starts
            FROM seats WHERE {condition}))"""


_RENUMBER = f"""
    UPDATE seats SET session = numbered.session FROM ({sessions_sql("hero AND place = ? AND name = ?")}) AS numbered
    WHERE seats.hand = numbered.hand AND seats.hero
"""


class Added(NamedTuple):
    """Numbers of hands added, already in the database, and left out because of a problem."""

    new: int = 0
    known: int = 0
    left_out: int = 0


def sessions_path() -> Path:
    """`$POKERLAB_SESSIONS`, otherwise `pokerlab/sessions.duckdb` in the platform's data directory."""
    if override := os.environ.get(PLACE):
        return Path(override)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "pokerlab" / "sessions.duckdb"


class SessionStore:
    """An open database of sessions; open it with `reading` or `writing`, which also close it."""

    def __init__(self, path: Path, connection: Any) -> None:
        import duckdb

        self.path, self._connection, self._error, self._open = path, connection, duckdb.Error, True

    @classmethod
    def reading(cls, path: Path | None = None, *, patience: float = PATIENCE) -> SessionStore:
        """Open an existing database for queries."""
        path = path or sessions_path()
        if not path.exists():
            raise FileError(f"there are no sessions yet: {path} does not exist; pokerlab sessions import makes it")
        store = cls(path, _connected(path, patience, read_only=True))
        store._check()
        return store

    @classmethod
    def writing(cls, path: Path | None = None, *, patience: float = PATIENCE) -> SessionStore:
        """Open a database to add hands; it is created if it does not exist."""
        path = path or sessions_path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"cannot write {path}: {error.strerror}") from error
        store = cls(path, _connected(path, patience, read_only=False))
        try:
            if not store.ask("SHOW TABLES").rows:
                with store._told():
                    store._create()
        except BaseException:
            store.close()
            raise
        store._check()
        return store

    def _create(self) -> None:
        self.path.chmod(0o600)  # only its owner may read it: it contains the owner's cards
        self._connection.begin()
        self._connection.execute(_SCHEMA)
        self._connection.register("no_seats", seats_schema().empty_table())
        self._connection.execute("CREATE TABLE seats AS SELECT * FROM no_seats")
        self._connection.unregister("no_seats")
        about = {"kind": KIND, "format": str(FORMAT), "made by": f"pokerlab {__version__}"}
        self._connection.executemany("INSERT INTO about VALUES (?, ?)", list(about.items()))
        self._connection.commit()

    def _check(self) -> None:
        try:
            about = dict(self._connection.execute("SELECT key, value FROM about").fetchall())
        except self._error:
            about = {}
        if about.get("kind") != KIND:
            self.close()
            raise FileError(f"{self.path} is a DuckDB database, but not one of pokerlab's sessions")
        if about.get("format") != str(FORMAT):
            self.close()
            raise FileError(f"{self.path} has format {about.get('format')}; this pokerlab reads format {FORMAT}")

    def close(self) -> None:
        """Close the file, so that others can write to it."""
        self._connection.close()
        if self._open:
            self._open = False
            _ONE.release()

    def __enter__(self) -> SessionStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- adding -------------------------------------------------------------------------------------------------------

    def add(
        self, hands: Sequence[HandHistory], source: HandOrigin, on_problem: Callable[[str], None] | None = None
    ) -> Added:
        """Add the hands that are not in the database yet, all or none; `on_problem` receives the reasons for hands left
        out."""
        by_key = dict(zip(keys_of(hands, source), hands, strict=True))
        for key in self._known(list(by_key)):
            del by_key[key]
        fresh, keys = list(by_key.values()), list(by_key)
        if not fresh:
            return Added(known=len(hands))
        ((first,),) = self.ask("SELECT coalesce(max(id), 0) + 1 FROM hands").rows
        problems: list[str] = []
        rows = seat_rows(fresh, source, first=first, on_problem=problems.append)
        for problem in problems:
            if on_problem is not None:
                on_problem(problem)
        fit = sorted({number - first for number in rows["hand"]})
        if fit:
            heroes = dict(_heroes(rows, first))
            table = _hand_columns([fresh[place] for place in fit])
            table |= {"id": [first + place for place in fit], "identity": [keys[place] for place in fit]}
            table |= {"source": [source.place] * len(fit), "hero": [heroes.get(place) for place in fit]}
            late = number_sessions(rows, self._last_hands())
            self._insert(table, arrow_table(rows, seats_schema()), late)
        return Added(len(fit), len(hands) - len(fresh), len(fresh) - len(fit))

    def has_file(self, digest: str) -> bool:
        """Whether a file with this content was imported completely."""
        return bool(self.ask("SELECT 1 FROM files WHERE digest = ?::UUID", [digest]).rows)

    def note_file(self, digest: str, place: str, hands: int) -> None:
        """Record that all hands of a file are in the database."""
        self.ask("INSERT INTO files VALUES (?::UUID, ?, ?, now()::TIMESTAMP)", [digest, place, hands])

    def _known(self, keys: Sequence[str]) -> set[str]:
        import pyarrow as pa

        self._connection.register("asked", pa.table({"identity": list(keys)}))
        sql = "SELECT asked.identity FROM asked SEMI JOIN hands ON hands.identity = asked.identity::UUID"
        known = {key for (key,) in self.ask(sql).rows}
        self._connection.unregister("asked")
        return known

    def _last_hands(self) -> dict[tuple[str, str], LastHand]:
        """The latest hand of each hero at each place."""
        sql = """SELECT place, name, max(played), coalesce(arg_max(session, (played, hand)), max(session))
            FROM seats WHERE hero GROUP BY place, name"""
        return {(place, name): LastHand(played, number) for place, name, played, number in self.ask(sql).rows}

    def _insert(self, hands: dict[str, list[Any]], seats: Any, late: Iterable[tuple[str, str]]) -> None:
        import pyarrow as pa

        self._connection.begin()
        try:
            for name, table in (("hands", pa.table(hands)), ("seats", seats)):
                self._connection.register("fresh", table)
                self._connection.execute(f"INSERT INTO {name} BY NAME SELECT * FROM fresh")
                self._connection.unregister("fresh")
            for who in late:
                self._connection.execute(_RENUMBER, list(who))
            self._connection.commit()
        except self._error as error:
            self._connection.rollback()
            raise PokerlabError(f"{self.path}: these hands cannot be stored: {str(error).splitlines()[0]}") from error

    # --- questions ----------------------------------------------------------------------------------------------------

    def ask(self, sql: str, values: Sequence[Any] = ()) -> QueryRows:
        """Run a query and return its rows; `values` replace its question marks."""
        with self._told():
            result = self._connection.execute(sql, list(values))
            return QueryRows(tuple(column[0] for column in result.description or ()), result.fetchall())

    def arrays(self, sql: str, values: Sequence[Any] = ()) -> dict[str, Any]:
        """Run a query and return its result as NumPy arrays by column."""
        with self._told():
            return dict(self._connection.execute(sql, list(values)).fetchnumpy())

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Context that turns DuckDB's errors, such as those of a damaged file, into one-line errors."""
        try:
            yield
        except self._error as error:
            raise PokerlabError(f"{self.path}: {str(error).splitlines()[0]}") from error

    def hands(self, ids: Iterable[int], *, hero: str = "") -> Iterator[tuple[int, HandHistory]]:
        """Yield (id, hand) of stored hands in the order of `ids`, each as its hero saw it.

        `hero` replaces the recorded hero. A hand without a hero has all cards that are in its file.
        """
        wanted = list(ids)
        rows = self.ask(
            f"SELECT id, hero, {', '.join(_HANDS)}, tags FROM hands WHERE id IN (SELECT unnest(?::BIGINT[]))", [wanted]
        )
        columns = dict(zip(rows.columns, map(list, zip(*rows.rows, strict=True)), strict=True)) if rows.rows else {}
        if missing := sorted(set(wanted) - set(columns.get("id", ()))):
            raise PokerlabError(f"{self.path} has no hand {missing[0]}; pokerlab sessions hands lists them")
        if not wanted:
            return
        columns["names"] = [tuple(names) for names in columns["names"]]
        columns["tags"] = [json.loads(tags) for tags in columns["tags"]]
        own = dict(zip(columns["id"], columns["hero"], strict=True))
        by_id = dict(zip(columns["id"], hands_of_columns(columns), strict=True))
        for number in wanted:
            hand = by_id[number]
            seat = hand.names.index(hero) if hero in hand.names else own[number]
            yield number, hand if seat is None or not hand.result_known else _seen(hand, seat)


def _seen(hand: HandHistory, seat: int) -> HandHistory:
    """The hand as `seat` saw it, marked so that exporters show this seat's cards as dealt."""
    return replace(hand, tags={**hand.tags, "_hero": hand.names[seat]}).seen_by(seat)


def _heroes(rows: dict[str, Any], first: int) -> Iterator[tuple[int, int]]:
    for hand, seat, is_hero in zip(rows["hand"], rows["seat"], rows["hero"], strict=True):
        if is_hero:
            yield hand - first, seat


def _hand_columns(hands: Sequence[HandHistory]) -> dict[str, list[Any]]:
    """The columns of `hands`, with tags as JSON text."""
    columns = hands_table(hands).to_pydict()
    columns["tags"] = [json.dumps(dict(hand.tags), ensure_ascii=False) for hand in hands]
    return {name: columns[name] for name in (*_HANDS, "game", "tags")}


def _connected(path: Path, patience: float, *, read_only: bool) -> Any:
    """Open a connection to the file; waits while another process has it open."""
    import duckdb

    until, busy = monotonic() + patience, f"{path} is in use by another program; try again when it has finished"
    if not _ONE.acquire(timeout=patience):
        raise FileError(busy)
    while True:
        try:
            connection = duckdb.connect(str(path), read_only=read_only)
        except duckdb.Error as error:
            words = str(error).splitlines()[0]
            if not _IN_USE.search(words):
                _ONE.release()
                raise FileError(f"{path} cannot be opened as a database of sessions: {words}") from error
            if monotonic() > until:
                _ONE.release()
                raise FileError(busy) from error
            sleep(0.05)
        else:
            connection.execute("SET enable_progress_bar = false")
            return connection
