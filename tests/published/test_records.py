"""Published numbers are read from data files as they were printed."""

from __future__ import annotations

from math import isnan

import pytest

from pokerlab.experiments.records import number, published, records, table_of

MARGIN = "wins at least from its opponent's sizes in its own games, mbb/hand, both seats"
SIZE = "IR-570, player one: size of the bets that are printed, fractions of the pot"
PAIRS = "(I, a) pairs after the fifth run, counted as printed"
CHANGED = "table 4.8: C. Hybrid less its printed table, percentage points"

PRINTED = [  # experiment, section, row, value: a sample over all sources
    ("davidson2002-table-3-1", "IR-10, milli-bets", "AA", 2112),
    ("davidson2002-table-3-1", "iterated, milli-bets", "66", 40),
    ("taylor2007-hand-types", "table 2.1: hands in ten million", "straight", 35492),
    ("taylor2007-alpha", "the nearest mix, in millionths", "as printed: weight of the conservative table", 492479),
    ("taylor2007-generated", "table 4.3: Hybrid, %", "Win PreFlop Call Check", 55),
    ("taylor2007-generated", CHANGED, "Win River Bet Raise", 23),
    ("taylor2007-types", "actions until a type is called, right or wrong, mean", "aggressive", 52.4),
    ("taylor2007-matches", "table 4.13: against C. Comb., small bets/hand", "combined, last half", 0.13),
    ("taylor2007-matches", "table 4.15: hands won against Hybrid, %", "aggressive", 48.85),
    ("taylor2007-logs", "distance of the counted table", "Bot 4 of 2006", 0.14473),
    ("sweeney2012-table-5-1", "RI error, small blinds/decision", "river", 0.813),
    ("sweeney2012-table-5-2", "the response", "AF", 28.94),
    ("sweeney2012-self-aware", "RI error, small blinds/decision", "connectionist:self-aware", 0.30),
    ("sweeney2012-competition", "winnings of each in 2008, small blinds/hand", "GUS", -1.5),
    ("sweeney2012-heads-up", "worst results of 2009, small blinds/hand", "two players, against MANZANA", -0.538),
    ("sweeney2012-exploiters", "real mean, small blinds/hand", "PT-EL-SR", 0.412),
    ("sweeney2012-exploiters", "modelled less real mean, small blinds/hand", "OM-SR", 0.345),
    ("sweeney2012-population", "standard deviation between bots", "VP$IP, %", 8.1),
    ("hawkin2014-table-5-3", "(I, a) pairs, a fold at every decision", "ACPC_2011", 31_135_210),
    ("hawkin2014-table-4-1", "bet size, fraction of the pot", "unlimited: player one", 0.252),
    ("hawkin2014-table-5-1", "bets with sizes of 0.82 - 0.98", "100m", 31),
    ("hawkin2014-table-7-9", MARGIN, "two ranges pruned (FCPA)", 49.875),
    ("hawkin2014-table-7-3", SIZE, "dd", 0.879),
    ("hawkin2014-figure-6-5", PAIRS, "three ranges, player two", 30_797_090),
    ("hawkin2014-figure-7-15", "ACPC_2011, value to player two, mbb", "both", 146.88),
    ("threeplayer-responses", "won, small bets a hand", "09v13n against two 09v10n", 1.36),
    ("threeplayer-kde", "EPUH, unrelaxed, bets", "dpp, flop", 1.21),
]  # fmt: skip


@pytest.mark.parametrize(("name", "section", "row", "value"), PRINTED)
def test_a_sample_of_printed_numbers(name, section, row, value):
    assert published(name)[section][row].mean == value


def test_intervals_and_curves_are_as_printed():
    curve = published("hawkin2014-figure-6-1").sections[
        "RE-BETS [0.4, 0.6], player one sized: value to player two, mbb"
    ]
    first = curve.rows["run 1"]
    assert (first.mean, first.low, first.high, first.kind) == (39.6, 34.0, 45.2, "bounds")
    assert (curve.role, curve.series, curve.sized, curve.at[-1]) == ("by run", "RE-BETS [0.4, 0.6]", "player one", 10.0)
    measured = published("hawkin2014-figure-7-3").sections[
        "IR-100, one range, player two sized: value to player two, mbb"
    ]
    assert {each.kind for each in measured.rows.values()} == {"interval"}
    level = published("hawkin2014-figure-7-15").sections["ACPC_2011, value to player two, mbb"]
    assert (level.role, level.rows["both"].low) == ("level", pytest.approx(145.79))
    under = published("davidson2002-multiplayer-strength")
    (rows,) = (under[title] for title in under)
    assert isnan(rows["all"].mean) and rows["all"].high == 3


def test_units_and_gaps_of_a_printed_table():
    table = table_of([{"columns": ["a", "b"], "divided_by": 10, "rows": {"x": [5, ""], "y": [1, 2]}}])
    assert table["a"]["x"].mean == 0.5 and list(table["b"]) == ["y"]
    assert number(3, "exact").kind == "exact"


def test_every_record_says_what_runs_it():
    for name, record in records().items():
        assert record["run"].count(":") == 1 and record["minutes"] > 0, name
        assert record["summary"] and len(record["summary"]) < 90, name
