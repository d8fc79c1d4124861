"""Playing style in numbers: every statistic with numerator, denominator, n and a 95% interval.

`STATISTICS` are over hands, `STREET_STATISTICS` over the actions on one street (`statistics.toml`). Shares have
Wilson's intervals, adjusted for the correlation of opportunities within a hand; the aggression factor has such an
interval converted to odds; winnings have Student's t intervals over hands. Hands are treated as independent. For
players that learn, or that are compared by duplicate deals, use the intervals of `table.winnings`.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.history import HandHistory
>>> actions = (RaiseTo(300), CALL, RaiseTo(200), FOLD)
>>> hand = HandHistory(game("nolimit2p"), cards("AsAhKsKd5h6h7hTcJc"), actions, ("ann", "bob"))
>>> with Database(imported={"two hands": [hand, hand]}) as database:
...     ann, bob = summaries(database)
>>> pfr = bob.measures["pfr"]
>>> bob.group, pfr.numerator, pfr.denominator, round(pfr.value.low, 2), bob.measures["mbb_per_hand"].value.mean
({'agent': 'bob'}, 2.0, 2.0, 0.34, -3000.0)

References
----------
Sweeney (2012), section 5.3, for Fold%, Ww/oSD and the counting of split pots as fractions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, mean_of_sums, ratio_of_sums, share_of_sums
from pokerlab.notation.room import ONLY_SHOWN
from pokerlab.table.database import Database
from pokerlab.table.tally import MAX_STREETS

MOST_UNKNOWN = 0.05
"""Winnings of a group are withheld if the winners of more than this share of its showdowns are unknown."""

Kind: TypeAlias = Literal["share", "ratio", "mean"]


@dataclass(frozen=True)
class Statistic:
    """One statistic: `done` divided by `chances`, each an SQL expression of one row's columns."""

    key: str
    label: str
    kind: Kind
    done: str
    chances: str
    meaning: str


@dataclass(frozen=True)
class Measure:
    """A statistic of one group: its value (NaN if undefined), and the sums from which it was computed. The value's `n`
    counts the rows with an opportunity: hands, or for statistics by street, the streets on which the player acted."""

    statistic: Statistic
    value: Estimate
    numerator: float
    denominator: float


@dataclass(frozen=True)
class Summary:
    """All statistics of one group, such as {'agent': 'caller', 'position': 'BB'}."""

    group: dict[str, str]
    hands: int
    measures: dict[str, Measure]
    showdowns: int = 0
    unknown: int = 0  # number of showdowns with an unknown winner, which are left out of winnings


def _statistics(table: str) -> tuple[Statistic, ...]:
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))[table]
    return tuple(
        Statistic(key, label, kind, _over_streets(done), _over_streets(chances), meaning)
        for key, (label, kind, done, chances, meaning) in rows.items()
    )


def _over_streets(sql: str) -> str:
    """Expand `bets[1:]` in an expression to the sum of a column by street, from street 1 on."""
    return re.sub(r"(\w+)\[(\d):]", lambda at: " + ".join(f"{at[1]}_{n}" for n in range(int(at[2]), MAX_STREETS)), sql)


STATISTICS, STREET_STATISTICS = _statistics("hands"), _statistics("streets")

_STREET = "CASE WHEN holdem THEN ['pre-flop','flop','turn','river'][street + 1] ELSE 'street ' || (street + 1) END"
GROUPS = {"agent": "name", "position": "position", "game": "game", "street": _STREET}
"""Groupings of statistics, each an SQL expression."""


def summaries(database: Database, by: Sequence[str] = ("agent",), *, min_hands: int = 0) -> list[Summary]:
    """All statistics of every group with at least `min_hands` hands; agents with more hands come first. `by` is any of
    `GROUPS`, in any order; with `street` the statistics are `STREET_STATISTICS`."""
    for key in by:
        if key not in GROUPS:
            raise PokerlabError(f"statistics are given by {', '.join(GROUPS)}, not by {key!r}")
    wanted, table = (STREET_STATISTICS, "player_streets") if "street" in by else (STATISTICS, "player_hands")
    columns = [f"{GROUPS[key]} AS by_{key}" for key in by]
    columns += [("min(street)" if "street" in by else "0") + " AS street_number", "count(*) AS hands"]
    if "street" not in by:
        columns += ["sum(showdown) AS showdowns", "sum(showdown) FILTER (net IS NULL) AS unknown"]
    columns += [f"{sql} AS {statistic.key}__{part}" for statistic in wanted for part, sql in _sums(statistic).items()]
    grouped = f"GROUP BY {', '.join(f'by_{key}' for key in by)}" if by else ""
    answer = database.ask(f"SELECT {', '.join(columns)} FROM {table} {grouped} HAVING count(*) >= {int(min_hands)}")
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    most: dict[str, int] = {}
    for row in rows:
        agent = str(row.get("by_agent"))
        most[agent] = max(most.get(agent, 0), row["hands"])

    def place(row: dict[str, Any]) -> tuple[Any, ...]:
        agent, position = str(row.get("by_agent")), _position_order(row.get("by_position", ""))
        return -most[agent], agent, row.get("by_game", ""), position, row["street_number"]

    return [_summary(by, wanted, row) for row in sorted(rows, key=place)]


def _summary(by: Sequence[str], wanted: Sequence[Statistic], row: dict[str, Any]) -> Summary:
    showdowns, unknown = (int(row.get(name) or 0) for name in ("showdowns", "unknown"))
    measures = {statistic.key: _measure(statistic, row) for statistic in wanted}
    if unknown > MOST_UNKNOWN * showdowns:
        withheld = Estimate(nan, nan, nan, 0)
        measures |= {s.key: Measure(s, withheld, 0.0, 0.0) for s in wanted if s.kind == "mean"}
    return Summary({key: row[f"by_{key}"] for key in by}, row["hands"], measures, showdowns, unknown)


class KnownResults(NamedTuple):
    """Numbers of imported hands by how their winner and their rake are known."""

    unknown_winners: int
    only_hand_shown: int  # the winner is known only by the rule `notation.room.ONLY_SHOWN`
    rake_stated: int
    rake_not_stated: int  # the result follows from betting and cards
    rake_mbb_per_hand: float | None  # rake of the whole table, over hands whose file states it

    def lines(self) -> list[str]:
        """Remarks on these numbers as lines of text; empty for hands dealt by pokerlab."""
        lines = []
        if self.unknown_winners or self.only_hand_shown:
            rule = f'winner by the rule "{ONLY_SHOWN}" in {self.only_hand_shown:,} hands'
            lines.append(f"{rule}, unknown and left out of winnings in {self.unknown_winners:,}")
        if self.rake_mbb_per_hand:
            stated = f"{self.rake_stated:,} hands state it, {self.rake_mbb_per_hand:.1f} mbb a hand at the table"
            lines.append(f"winnings are before rake: {stated}; {self.rake_not_stated:,} do not")
        return lines


def known_results(database: Database) -> KnownResults:
    """Count the hands by how their winner and their rake are known."""
    sql = """
        WITH each AS (SELECT any_value(net) AS net, sum(rake) / any_value(big_blind) AS rake FROM player_hands
                      GROUP BY filename, match, hand)
        SELECT count(*) FILTER (net IS NULL), count(rake), count(net) FILTER (rake IS NULL), 1000 * avg(rake)
        FROM each"""
    ((unknown, stated, not_stated, rake),) = database.ask(sql).rows
    sql = f"SELECT count(*) FROM hands WHERE list_contains(map_values(tags), '{ONLY_SHOWN}')"
    ((alone,),) = database.ask(sql).rows
    return KnownResults(unknown, alone, stated, not_stated, rake)


def _position_order(position: str) -> tuple[int, str]:
    """Sort key around the table, from the small blind to the button."""
    late = {"SB": -2, "BB": -1, "HJ": 1, "CO": 2, "BTN": 3}
    return late.get(position, 0), position


def _sums(statistic: Statistic) -> dict[str, str]:
    """SQL for the sums over the rows of a group."""
    done, chances = f"CAST({statistic.done} AS DOUBLE)", f"CAST({statistic.chances} AS DOUBLE)"
    if statistic.kind == "mean":
        return {"done": f"sum({done})", "n": f"count({done})", "variance": f"var_samp({done})"}
    sums = {"done": f"sum({done})", "chances": f"sum({chances})", "n": f"count(*) FILTER ({chances} > 0)"}
    return sums | {
        "dd": f"sum({done} * {done})",
        "dc": f"sum({done} * {chances})",
        "cc": f"sum({chances} * {chances})",
    }


def _measure(statistic: Statistic, row: dict[str, Any]) -> Measure:
    part: dict[str, Any] = {
        name: row.get(f"{statistic.key}__{name}") for name in ("done", "chances", "n", "variance", "dd", "dc", "cc")
    }
    done, n = part["done"] or 0.0, part["n"]
    if statistic.kind == "mean":
        return Measure(statistic, mean_of_sums(done, n, part["variance"]), done, n)
    chances = part["chances"] or 0.0
    products = (part["dd"] or 0.0, part["dc"] or 0.0, part["cc"] or 0.0)
    if statistic.kind == "share":
        return Measure(statistic, share_of_sums(done, chances, products, n=n), done, chances)
    return Measure(statistic, ratio_of_sums(done, chances, products, hands=row["hands"], n=n), done, chances)


class Contents(NamedTuple):
    """Contents of a database: numbers of hands and files, and names of the games."""

    hands: int
    files: int
    games: list[str]


def contents(database: Database) -> Contents:
    """Count the hands and files of a database."""
    (row,) = database.ask(
        "SELECT count(DISTINCT (filename, hand)), count(DISTINCT filename), list(DISTINCT game ORDER BY game) "
        "FROM player_hands"
    ).rows
    return Contents(*row)


def statistics_data(database: Database, groups: Sequence[Summary], by: Sequence[str]) -> dict[str, Any]:
    """Statistics as JSON values, with the number of hands and their `KnownResults`."""
    known = contents(database)
    about = {"hands": known.hands, "games": known.games, "results": known_results(database)._asdict(), "by": list(by)}
    return about | {"groups": [summary_data(summary) for summary in groups]}


def summary_data(summary: Summary) -> dict[str, Any]:
    """The statistics of a group as JSON values."""
    return {
        **summary.group,
        "hands": summary.hands,
        "showdowns": summary.showdowns,
        "unknown_winners": summary.unknown,
        "statistics": {
            key: {
                "value": measure.value.mean,
                "low": measure.value.low,
                "high": measure.value.high,
                "numerator": measure.numerator,
                "denominator": measure.denominator,
                "n": measure.value.n,
            }
            for key, measure in summary.measures.items()
        },
    }
