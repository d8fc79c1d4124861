"""Benchmarks of the database of sessions: importing hands, filtering a million of them, statistics at a table.

The hands are no-limit hold'em played by strategies in compiled code, with dates added: sessions of 500 hands, an hour
apart. The million hands are copies of 20,000 hands within the database, with changed numbers, dates and opponents.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from pokerlab.bench.benchmark import REMARKS, Work, counted

if TYPE_CHECKING:
    from pokerlab.games.history import HandHistory

HANDS, COPIES, AT_A_TABLE = 20_000, 50, 2_000
SECONDS, IN_A_SESSION, PAUSE = 40, 500, 3600
PLAYER = "equilibrium:nolimit2p"


@cache
def _played(n_hands: int = HANDS) -> list[HandHistory]:
    from pokerlab.games.history import HandHistory
    from pokerlab.players.registry import agent
    from pokerlab.table.match import MatchPlan, play_match

    hands: list[HandHistory] = []

    def dated(hand: HandHistory) -> None:
        n = len(hands)
        when = datetime(2026, 1, 1) + timedelta(seconds=SECONDS * n + PAUSE * (n // IN_A_SESSION))
        tags = {"year": str(when.year), "month": str(when.month), "day": str(when.day), "time": f"{when:%H:%M:%S}"}
        names = tuple("you" if name == PLAYER else "villain" for name in hand.names)
        hands.append(HandHistory(hand.rules, hand.deck, hand.actions, names, n, tags=tags))

    play_match(MatchPlan("nolimit2p", (PLAYER, PLAYER), hands=n_hands, seed=7), agent, on_hand=dated)
    return hands


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="pokerlab-bench-")


def _add(path: Path, hands: list[HandHistory]) -> int:
    from pokerlab.table.session_import import BATCH
    from pokerlab.table.session_rows import HandOrigin
    from pokerlab.table.session_store import SessionStore

    source = HandOrigin("bench", hero="you")
    with SessionStore.writing(path) as store:
        return sum(store.add(hands[at : at + BATCH], source).new for at in range(0, len(hands), BATCH))


def importing() -> Work:
    hands, path = _played(), Path(_folder().name) / "imported.duckdb"

    def work() -> int:
        path.unlink(missing_ok=True)
        return _add(path, hands)

    return work


def importing_text() -> Work:
    """Import PokerStars text: parse, replay, check, and store."""
    from pokerlab.notation.formats import write_hands
    from pokerlab.table.session_import import import_files
    from pokerlab.table.session_store import SessionStore

    text, path = Path(_folder().name) / "hands.txt", Path(_folder().name) / "text.duckdb"
    write_hands(text, _played()[:AT_A_TABLE])

    def work() -> int:
        path.unlink(missing_ok=True)
        with SessionStore.writing(path) as store:
            return import_files(store, [text], hero="you").new

    return work


@cache
def _million() -> Path:
    from pokerlab.table.session_store import SessionStore

    path = Path(_folder().name) / "million.duckdb"
    _add(path, _played())
    days = _span().days + 1
    with SessionStore.writing(path) as store:
        for copy in range(1, COPIES):
            after, days_later = copy * HANDS, copy * days
            store.ask(
                f"""INSERT INTO seats SELECT * REPLACE (hand + {after} AS hand, session + {after} AS session,
                    played + INTERVAL {days_later} DAY AS played, if(hero, name, name || {copy}) AS name)
                FROM seats WHERE hand <= {HANDS}"""
            )
            store.ask(
                f"INSERT INTO hands SELECT * REPLACE (id + {after} AS id, uuid() AS identity) FROM hands "
                f"WHERE id <= {HANDS}"
            )
    return path


def _span() -> timedelta:
    return timedelta(seconds=SECONDS * HANDS + PAUSE * (HANDS // IN_A_SESSION))


def filtering() -> Work:
    """Apply every filter of the command line in turn and list the hands; the remarks name the slowest."""
    from pokerlab.table.session_queries import HandFilter, bankroll, grouped, list_hands, list_sessions
    from pokerlab.table.session_store import SessionStore

    filters = {
        "position and pot type, lost most": HandFilter(position="BTN", pot_type="3bet"),
        "one opponent": HandFilter(versus="villain7"),
        "one month": HandFilter(since="2026-03-01", before="2026-04-01"),
        "showdowns of a player by name": HandFilter(hero="villain", showdown=True),
    }
    store = SessionStore.reading(_million())
    questions: dict[str, Callable[[], object]] = {
        name: partial(list_hands, store, wanted, order="lost-most", rows=50) for name, wanted in filters.items()
    }
    questions |= {
        "one session's hands": lambda: list_hands(store, HandFilter(session=1), rows=50),
        "the list of sessions": lambda: list_sessions(store, rows=50),
        "results by position": lambda: grouped(store, HandFilter()),
        "the graph of all hands": lambda: bankroll(store, HandFilter()),
    }

    def work() -> int:
        seconds = {}
        for name, question in questions.items():
            started = perf_counter()
            question()
            seconds[name] = perf_counter() - started
        REMARKS["sessions-filters"] = [f"{name}: {1000 * taken:.0f} ms" for name, taken in seconds.items()]
        return len(questions)

    return work


def at_a_table() -> Work:
    """Compute the statistics and the graph that a page requests after a hand, at a table with 2,000 earlier hands."""
    import json
    from concurrent.futures import ThreadPoolExecutor

    from pokerlab.web.desk import Desk
    from pokerlab.web.journal import Journal
    from pokerlab.web.live_table import LiveTable
    from pokerlab.web.table_settings import TableSettings

    chairs = [{"person": "you"}, {"agent": "caller"}]
    table = LiveTable(TableSettings.from_data({"game": "nolimit2p", "chairs": chairs, "seed": 7}))
    for hand in _played(AT_A_TABLE):
        table.score.add(hand, lambda seat: seat)
        table.statistics.add(hand)
    journal = Journal.begin(Path(_folder().name) / "table.journal", {})
    desk = Desk("table", table, {}, invited=set(), journal=journal, threads=ThreadPoolExecutor(1))
    return counted(lambda: json.dumps([desk.statistics(), desk.session(0)]), 1)
