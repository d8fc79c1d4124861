"""Queries of the database of sessions: list sessions, filter hands, find what lost the most.

A session is a sequence of a player's hands at one place without a pause longer than half an hour; hands without a date
form one session per file. A session's number is the smallest of its hands' numbers. The player is the hero recorded in
the database, or any player by name. Results are in big blinds after rake, `adjusted` with all-ins at expected value.

>>> from tempfile import TemporaryDirectory
>>> from pathlib import Path
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.history import HandHistory
>>> from pokerlab.table.session_rows import HandOrigin
>>> actions = (RaiseTo(300), RaiseTo(900), FOLD)
>>> hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), actions, ("ann", "bob"))
>>> with TemporaryDirectory() as folder, SessionStore.writing(Path(folder) / "sessions.duckdb") as store:
...     added = store.add([hand], HandOrigin("a test", hero="ann"))
...     [session], _ = list_sessions(store)
...     [kept] = list_hands(store, HandFilter(pot_type="3bet", position="BB"))
>>> session.id, session.hands, session.result_bb, str(kept.result), kept.cards
(1, 1, 3.0, '300.000000', 'QcQd')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from pokerlab.errors import PokerlabError, name_hint
from pokerlab.estimates import Estimate, mean_of_sums
from pokerlab.games.rules_json import chips_text
from pokerlab.notation.room import card_texts, hole_cards, is_room_game
from pokerlab.table.bankroll import Bankroll, bankroll_of
from pokerlab.table.session_rows import POT_TYPES
from pokerlab.table.session_store import SessionStore, sessions_sql

POSITIONS = ("SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "HJ", "CO", "BTN")
ORDERS = {"newest": "played DESC NULLS LAST, hand DESC", "oldest": "played NULLS FIRST, hand"}
ORDERS |= {"lost-most": "result_bb NULLS LAST, hand", "won-most": "result_bb DESC NULLS LAST, hand"}
ORDERS |= {"cost-most": "adjusted_bb NULLS LAST, hand"}


@dataclass(frozen=True)
class HandFilter:
    """A filter for hands of the database's heroes, or of the player called `hero`; empty fields do not restrict it."""

    hero: str = ""
    session: int | None = None
    position: str = ""
    versus: str = ""  # a player at the table
    pot_type: str = ""
    since: str = ""  # a date: that day and later
    before: str = ""  # a date: earlier days
    site: str = ""
    game: str = ""
    showdown: bool | None = None

    def __post_init__(self) -> None:
        if self.pot_type and self.pot_type not in POT_TYPES:
            raise PokerlabError(f"no pot type is called {self.pot_type!r}; {name_hint(self.pot_type, POT_TYPES)}")
        if self.position and self.position not in POSITIONS:
            raise PokerlabError(f"no position is called {self.position!r}; {name_hint(self.position, POSITIONS)}")
        for name in ("since", "before"):
            _checked_date(name, getattr(self, name))

    @property
    def who(self) -> tuple[str, list[Any]]:
        """SQL condition on the player, and its values."""
        return ("name = ?", [self.hero]) if self.hero else ("hero", [])

    def sql(self) -> tuple[str, list[Any]]:
        """SQL condition on rows of `seats`, except for the session, and the values of its question marks."""
        condition, values = self.who
        parts = [condition]
        plain = {"position": self.position, "pot_type": self.pot_type, "site": self.site, "game": self.game}
        for column, wanted in plain.items():
            if wanted:
                parts.append(f"{column} = ?")
                values.append(wanted)
        if self.showdown is not None:
            parts.append("showdown > 0" if self.showdown else "showdown = 0")
        for column, wanted in (("played >= ?", self.since), ("played < ?", self.before)):
            if wanted:
                parts.append(column)
                values.append(datetime.fromisoformat(wanted))
        if self.versus:
            parts.append("hand IN (SELECT hand FROM seats WHERE name = ?)")
            values.append(self.versus)
        return " AND ".join(parts), values


class SessionLine(NamedTuple):
    """One session in a list. Results are None if none is known; `result` also if the hands have several currencies."""

    id: int
    start: datetime | None
    end: datetime | None
    place: str
    name: str
    game: str
    stakes: str
    hands: int
    result: Decimal | None
    currency: str
    result_bb: float | None
    adjusted_bb: float | None
    per_100: Estimate
    adjusted_per_100: Estimate


class HandLine(NamedTuple):
    """One hand in a list, from its hero's point of view."""

    id: int
    played: datetime | None
    place: str
    name: str
    stakes: str
    position: str
    cards: str
    pot_type: str
    showdown: bool
    all_in: bool
    result: Decimal | None
    currency: str
    result_bb: float | None
    adjusted_bb: float | None


class GroupLine(NamedTuple):
    """Results of a group of hands, such as those from one position; None if no result is known."""

    group: str
    hands: int
    result_bb: float | None
    adjusted_bb: float | None
    per_100: Estimate
    adjusted_per_100: Estimate


_SUMS = """count(result) AS n, sum(result_bb) AS total, sum(adjusted_bb) AS fair,
    var_samp(result_bb) AS variance, var_samp(adjusted_bb) AS fair_variance"""
_STAKES = "currency || '|' || small_blind || '|' || big_blind"


def _rows_of(wanted: HandFilter) -> tuple[str, str, list[Any]]:
    """Return (table, condition, values) in SQL for the rows that pass a filter.

    The table's column `session` has the sessions of the filter's player.
    """
    condition, values = wanted.sql()
    if wanted.session is not None:
        condition, values = f"{condition} AND session = ?", [*values, wanted.session]
    if not wanted.hero:
        return "seats", condition, values
    who, first = wanted.who
    table = f"(SELECT seats.* EXCLUDE (session), numbered.session FROM seats JOIN ({sessions_sql(who)}) AS numbered"
    return f"{table} ON seats.hand = numbered.hand)", condition, [*first, *values]


class SessionList(NamedTuple):
    """Some sessions, and the total number that pass the filter."""

    sessions: list[SessionLine]
    n_sessions: int


def list_sessions(store: SessionStore, wanted: HandFilter | None = None, *, rows: int | None = None) -> SessionList:
    """List sessions with a hand that passes the filter, newest first; their numbers count only these hands."""
    table, condition, values = _rows_of(wanted or HandFilter())
    sums = store.ask(
        f"""SELECT session, min(played), max(played) AS latest, count(*), sum(result), {_SUMS}, count(*) OVER ()
        FROM {table} WHERE {condition} GROUP BY session
        ORDER BY latest DESC NULLS LAST, session DESC {_limited(rows)}""",
        values,
    ).rows
    facts = store.ask(  # texts only for the sessions shown; for a million rows they would take a second
        f"""SELECT session, any_value(place), any_value(name), list(DISTINCT game ORDER BY game),
            coalesce(list(DISTINCT {_STAKES}) FILTER (small_blind < big_blind), list(DISTINCT {_STAKES})),
            list(DISTINCT currency)
        FROM {table} WHERE {condition} AND session IN (SELECT unnest(?::BIGINT[])) GROUP BY session""",
        [*values, [row[0] for row in sums]],
    ).rows
    by_session = {number: more for number, *more in facts}
    return SessionList([_session_line(row[:-1], by_session[row[0]]) for row in sums], sums[0][-1] if sums else 0)


def _session_line(row: Sequence[Any], facts: Sequence[Any]) -> SessionLine:
    number, start, end, hands, result, *sums = row
    place, name, games, stakes, currencies = facts
    one = len(currencies) == 1
    return SessionLine(
        *(number, start, end, place, name, ", ".join(games), ", ".join(map(stakes_text, sorted(stakes))), hands),
        *(result if one else None, currencies[0] if one else "", sums[1], sums[2]),
        *_rates(sums),
    )


def list_hands(
    store: SessionStore, wanted: HandFilter | None = None, *, order: str = "newest", rows: int | None = 20
) -> list[HandLine]:
    """List the hands that pass the filter, in one of the orders `ORDERS`."""
    wanted = wanted or HandFilter()
    table, condition, values = _rows_of(wanted)
    found = store.ask(
        f"""SELECT hand, played, place, name, {_STAKES}, position, pot_type, showdown > 0, all_in > 0, result,
        currency, result_bb, adjusted_bb FROM {table} WHERE {condition} ORDER BY {ORDERS[order]} {_limited(rows)}""",
        values,
    ).rows
    cards = {number: _cards(hand) for number, hand in store.hands([row[0] for row in found], hero=wanted.hero)}
    return [
        HandLine(number, played, place, name, stakes_text(stakes), position, cards[number].get(name, ""), *rest)
        for number, played, place, name, stakes, position, *rest in found
    ]


def _cards(hand: Any) -> dict[str, str]:
    """The known hole cards of a hand, by name."""
    seats = range(hand.rules.n_seats) if is_room_game(hand.rules) else ()
    holes = {hand.names[seat]: hole_cards(hand, seat) for seat in seats}
    return {name: "".join(card_texts(hole)) for name, hole in holes.items() if None not in hole}


def hand_ids(store: SessionStore, wanted: HandFilter) -> list[int]:
    """Numbers of the hands that pass the filter, oldest first."""
    table, condition, values = _rows_of(wanted)
    found = store.ask(f"SELECT hand FROM {table} WHERE {condition} ORDER BY {ORDERS['oldest']}", values)
    return [number for (number,) in found.rows]


def grouped(store: SessionStore, wanted: HandFilter, by: str = "position") -> list[GroupLine]:
    """Results by `position`, `pot_type` or another column of `seats`; with `by` empty, one line over all hands."""
    table, condition, values = _rows_of(wanted)
    column = by or "''"
    found = store.ask(
        f"SELECT {column} AS grp, count(*), {_SUMS} FROM {table} WHERE {condition} GROUP BY grp ORDER BY fair",
        values,
    )
    return [GroupLine(str(group), hands, sums[1], sums[2], *_rates(sums)) for group, hands, *sums in found.rows]


def bankroll(store: SessionStore, wanted: HandFilter) -> Bankroll:
    """The four lines of a tracker's graph, over the hands that pass the filter, in big blinds after rake."""
    table, condition, values = _rows_of(wanted)
    rows = store.arrays(
        f"SELECT played, hand, result_bb, adjusted_bb, showdown > 0 AS shown FROM {table} "
        f"WHERE {condition} AND result IS NOT NULL",
        values,
    )
    if not len(rows["hand"]):
        raise PokerlabError("no hand with a known result is left by these filters")
    played = np.ma.filled(rows["played"].astype("datetime64[us]").astype(np.int64), np.iinfo(np.int64).min)
    order = np.lexsort((rows["hand"], played))
    net, adjusted, shown = (np.asarray(rows[name])[order] for name in ("result_bb", "adjusted_bb", "shown"))
    names = store.ask(f"SELECT DISTINCT name FROM {table} WHERE {condition} ORDER BY name", values).rows
    return bankroll_of(", ".join(name for (name,) in names), net, adjusted, shown)


def _rates(sums: Sequence[Any]) -> tuple[Estimate, Estimate]:
    n, total, fair, variance, fair_variance = sums
    means = mean_of_sums(total or 0.0, n, variance), mean_of_sums(fair or 0.0, n, fair_variance)
    raw, adjusted = (replace(mean.scaled(100, "bb_per_100"), method="hands") for mean in means)
    return raw, adjusted


def stakes_text(stakes: str) -> str:
    """Format stakes the way players write them.

    >>> stakes_text("$|0.25|0.5"), stakes_text("|50.0|100.0")
    ('$0.25/$0.50', '50/100')
    """
    symbol, *blinds = stakes.split("|")
    amounts = [f"{float(blind):.2f}" if float(blind) % 1 else chips_text(int(float(blind))) for blind in blinds]
    if not symbol or not symbol.isascii() or len(symbol) == 1:
        return "/".join(f"{symbol}{amount}" for amount in amounts)
    return f"{'/'.join(amounts)} {symbol}"


def _limited(rows: int | None) -> str:
    return "" if rows is None else f"LIMIT {int(rows)}"


def _checked_date(name: str, text: str) -> None:
    try:
        if text:
            date.fromisoformat(text)
    except ValueError:
        raise PokerlabError(f"{name} must be a date such as 2026-01-31, not {text!r}") from None
