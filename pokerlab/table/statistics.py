"""Playing style in numbers: every statistic with numerator, denominator, n and a 95% interval.

`STATISTICS` are over hands, `STREET_STATISTICS` over the actions on one street; each has a definition. Intervals:
Wilson's for shares, with correlated opportunities within a hand counting for less; Fieller's over hands for the
aggression factor, a ratio whose two parts vary together; Student's t over hands for winnings. Hands are treated as
independent: for players compared by duplicate deals, or players that learn, `table.winnings` has the correct intervals.

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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, mean_of_sums, ratio_of_sums, share_of_sums
from pokerlab.table.database import Database
from pokerlab.table.tally import MAX_STREETS

Kind: TypeAlias = Literal["share", "ratio", "mean"]


@dataclass(frozen=True)
class Statistic:
    """One statistic: `done` over `chances`, each an SQL expression of one row's columns."""

    key: str
    label: str
    meaning: str
    kind: Kind
    done: str
    chances: str = "1"


@dataclass(frozen=True)
class Measure:
    """A statistic of one group: its value (NaN where undefined), and the sums it was computed from. The value's `n`
    counts the rows with an opportunity: hands, or for statistics by street, the player's turns on that street."""

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


def _over(first: int, *names: str) -> str:
    """The sum of per-street columns from street `first` on."""
    return "(" + " + ".join(f"{name}_{street}" for street in range(first, MAX_STREETS) for name in names) + ")"


def _known(chances: str) -> str:
    """The opportunities in hands with a known winner."""
    return f"{chances} * CAST(won IS NOT NULL AS INTEGER)"


def _aggression(first: int, suffix: str, where: str) -> tuple[Statistic, Statistic]:
    active, all_but_checks = _over(first, "bets", "raises"), _over(first, "bets", "raises", "calls", "folds")
    label = " all" if suffix else ""
    return (
        Statistic("af" + suffix, "AF" + label, f"bets and raises / calls, {where}", "ratio",
                  active, _over(first, "calls")),
        Statistic("afq" + suffix, "AFq" + label, f"bets and raises / bets, raises, calls and folds, {where}", "share",
                  active, all_but_checks),
    )  # fmt: skip


# fmt: off
STATISTICS = (
    Statistic("vpip", "VPIP", "called, bet or raised before the flop / was to act there", "share", "vpip", "asked"),
    Statistic("vpip_dealt", "VPIP dealt", "called, bet or raised before the flop / hands dealt", "share", "vpip"),
    Statistic("pfr", "PFR", "raised before the flop / was to act there", "share", "pfr", "asked"),
    Statistic("three_bet", "3-bet", "raised facing exactly one raise before the flop / acted there", "share",
              "three_bets", "three_bet_chances"),
    Statistic("fold_to_three_bet", "fold to 3-bet", "folded / faced a 3-bet after making the first raise", "share",
              "folds_to_three_bet", "three_bets_faced"),
    Statistic("c_bet", "c-bet", "bet first in as the last street's last aggressor / could", "share",
              _over(1, "c_bets"), _over(1, "c_bet_chances")),
    Statistic("fold_to_c_bet", "fold to c-bet", "folded / acted facing a c-bet that nobody had raised", "share",
              _over(1, "folds_to_c_bet"), _over(1, "c_bets_faced")),
    Statistic("check_raise", "check-raise", "raised / faced a bet after checking", "share",
              _over(0, "check_raises"), _over(0, "check_raise_chances")),
    *_aggression(1, "", "after the flop"),
    *_aggression(0, "_all", "on all streets"),
    Statistic("wtsd", "WTSD", "went to showdown / saw the flop", "share", "saw_flop * showdown", "saw_flop"),
    Statistic("w_at_sd", "W$SD", "share of the pots won at showdown / showdowns", "share",
              "won * showdown", _known("showdown")),
    Statistic("wwsf", "WWSF", "share of the pots won / saw the flop", "share", "won * saw_flop", _known("saw_flop")),
    Statistic("fold_volunteered", "Fold%", "folded after putting chips in voluntarily / put chips in voluntarily",
              "share", "folded * volunteered", "volunteered"),
    Statistic("won_without_showdown", "Ww/oSD", "won without showdown / put chips in voluntarily", "share",
              "won_without_showdown * volunteered", "volunteered"),
    Statistic("mbb_per_hand", "mbb/hand", "thousandths of a big blind won a hand", "mean", "1000 * net / big_blind"),
    Statistic("adjusted_mbb_per_hand", "mbb/hand adjusted", "the same with all-ins at their expected value", "mean",
              "1000 * adjusted / big_blind"),
    Statistic("bb_per_100", "bb/100", "big blinds won in a hundred hands", "mean", "100 * net / big_blind"),
    Statistic("small_bets_per_hand", "small bets/hand", "small bets won a hand (limit games)", "mean",
              "net / small_bet"),
)

_DECISIONS = "(checks + bets + calls + raises + folds)"
STREET_STATISTICS = (
    *(Statistic(key, key, f"{key}s / decisions on the street", "share", f"{key}s", _DECISIONS)
      for key in ("check", "bet", "call", "raise", "fold")),
    Statistic("af", "AF", "bets and raises / calls", "ratio", "(bets + raises)", "calls"),
    Statistic("afq", "AFq", "bets and raises / bets, raises, calls and folds", "share",
              "(bets + raises)", "(bets + raises + calls + folds)"),
    Statistic("c_bet", "c-bet", "bet first in as the last street's last aggressor / could", "share",
              "c_bets", "c_bet_chances"),
    Statistic("fold_to_c_bet", "fold to c-bet", "folded / acted facing a c-bet", "share",
              "folds_to_c_bet", "c_bets_faced"),
    Statistic("check_raise", "check-raise", "raised / faced a bet after checking", "share",
              "check_raises", "check_raise_chances"),
)
# fmt: on

_STREET = "CASE WHEN holdem THEN ['pre-flop','flop','turn','river'][street + 1] ELSE 'street ' || (street + 1) END"
GROUPS = {"agent": "name", "position": "position", "game": "game", "street": _STREET}
"""Groupings of statistics, each an SQL expression."""


def summaries(database: Database, by: Sequence[str] = ("agent",), *, min_hands: int = 0) -> list[Summary]:
    """All statistics of every group of at least `min_hands` hands; agents with more hands first. `by` is any of
    `GROUPS`, in any order; with `street` the statistics are `STREET_STATISTICS`."""
    for key in by:
        if key not in GROUPS:
            raise PokerlabError(f"statistics are given by {', '.join(GROUPS)}, not by {key!r}")
    wanted, table = (STREET_STATISTICS, "player_streets") if "street" in by else (STATISTICS, "player_hands")
    columns = [f"{GROUPS[key]} AS by_{key}" for key in by]
    columns += [("min(street)" if "street" in by else "0") + " AS street_number", "count(*) AS hands"]
    columns += [f"{sql} AS {statistic.key}__{part}" for statistic in wanted for part, sql in _sums(statistic).items()]
    grouped = f"GROUP BY {', '.join(f'by_{key}' for key in by)}" if by else ""
    answer = database.ask(f"SELECT {', '.join(columns)} FROM {table} {grouped} HAVING count(*) >= {int(min_hands)}")
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    most: dict[str, int] = {}
    for row in rows:
        agent = str(row.get("by_agent"))
        most[agent] = max(most.get(agent, 0), row["hands"])

    def place(row: dict[str, Any]) -> tuple[Any, ...]:
        agent = str(row.get("by_agent"))
        return (
            -most[agent],
            agent,
            row.get("by_game", ""),
            _position_order(row.get("by_position", "")),
            row["street_number"],
        )

    return [
        Summary({key: row[f"by_{key}"] for key in by}, row["hands"], {s.key: _measure(s, row) for s in wanted})
        for row in sorted(rows, key=place)
    ]


def _position_order(position: str) -> tuple[int, str]:
    """Sort key around the table, from the small blind to the button."""
    late = {"SB": -2, "BB": -1, "HJ": 1, "CO": 2, "BTN": 3}
    return late.get(position, 0), position


def _sums(statistic: Statistic) -> dict[str, str]:
    """The SQL sums over the rows of a group."""
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
