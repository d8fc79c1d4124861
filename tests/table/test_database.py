"""Rows kept beside hands, and questions to them."""

from dataclasses import replace
from fractions import Fraction
from math import isnan

import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.room import DERIVED, ONLY_SHOWN
from pokerlab.table.bankroll import bankrolls
from pokerlab.table.database import Database
from pokerlab.table.player_hands import player_file
from pokerlab.table.records import write_hands
from pokerlab.table.statistics import known_results, summaries

RAISED = HandHistory(game("leduc"), cards("KhQsKs"), (RaiseTo(3), FOLD), ("ann", "bob"), 1)
CHECKED = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("bob", "ann"), 2)
UNKNOWN = replace(CHECKED, deck=(None, *CHECKED.deck[1:]), number=3)
UNBALANCED = replace(CHECKED, recorded=(2, -1), number=3)


@pytest.fixture
def file(tmp_path):
    write_hands(tmp_path / "x.parquet", [RAISED, CHECKED], {"match": 4})
    return tmp_path / "x.parquet"


def nets(database):
    return database.ask("SELECT name, number, net FROM player_hands ORDER BY filename, hand, seat").rows


def test_rows_are_computed_once_and_again_when_the_hands_change(file, monkeypatch):
    kept = player_file([file])
    assert kept.name == "x.players.parquet"
    before = kept.stat().st_mtime_ns
    assert player_file([file]) == kept
    assert kept.stat().st_mtime_ns == before
    with Database([file]) as database:
        assert nets(database) == [("ann", 1, 1.0), ("bob", 1, -1.0), ("bob", 2, 1.0), ("ann", 2, -1.0)]
        assert database.ask("SELECT DISTINCT match FROM player_hands").rows == [(4,)]
    write_hands(file, [RAISED], {})
    with Database([file]) as database:
        assert len(nets(database)) == 2
    kept.write_bytes(b"not rows")
    with Database([file]) as database:
        assert len(nets(database)) == 2


def test_where_nothing_can_be_written_rows_are_computed_in_memory(file, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pokerlab.table.database.player_file", refuse)
    with Database([file]) as database:
        assert len(nets(database)) == 4
        assert database.ask("SELECT DISTINCT match FROM player_hands").rows == [(4,)]


def test_the_rows_of_a_folder_are_kept_together(file, tmp_path):
    write_hands(tmp_path / "y.parquet", [CHECKED], {"match": 5})
    with Database([file, tmp_path / "y.parquet"]) as database:
        found = database.ask("SELECT DISTINCT filename, match FROM player_hands ORDER BY ALL").rows
    assert found == [(str(file), 4), (str(tmp_path / "y.parquet"), 5)]
    kept = tmp_path / "all.players.parquet"
    before = kept.stat().st_mtime_ns
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("x.parquet", "y.parquet", "all.players.parquet"):
        (tmp_path / name).rename(moved / name)
    with Database([moved / "x.parquet", moved / "y.parquet"]) as database:
        assert database.ask("SELECT DISTINCT filename FROM player_hands ORDER BY ALL").rows[0] == (
            str(moved / "x.parquet"),
        )
    assert (moved / "all.players.parquet").stat().st_mtime_ns == before


def test_a_hand_whose_result_is_not_known_counts_where_the_result_does_not_matter(file):
    write_hands(file, [UNKNOWN, CHECKED], {})
    with Database([file]) as database:
        assert nets(database) == [("bob", 3, None), ("ann", 3, None), ("bob", 2, 1.0), ("ann", 2, -1.0)]
        bob = next(found for found in summaries(database) if found.group == {"agent": "bob"})
        (line,) = [line for line in bankrolls(database) if line.name == "bob"]
    assert bob.hands == 2
    assert bob.measures["wtsd"].denominator == 2
    won, net = bob.measures["w_at_sd"], bob.measures["mbb_per_hand"].value
    assert (won.value.mean, won.denominator, won.value.n) == (1, 1, 1)
    assert (bob.showdowns, bob.unknown, net.n, isnan(net.mean)) == (2, 1, 0, True)  # withheld: half are unknown
    assert line.net.tolist() == [1.0]


def test_winnings_are_marked_where_few_winners_are_unknown(file):
    write_hands(file, [UNKNOWN, *[CHECKED] * 30], {})
    with Database([file]) as database:
        bob = next(found for found in summaries(database) if found.group == {"agent": "bob"})
        assert known_results(database) == (1, 0, 0, 30, None)
    assert (bob.showdowns, bob.unknown, bob.measures["mbb_per_hand"].value.mean) == (31, 1, 1000)


def test_raked_hands_and_hands_whose_rake_is_not_stated_have_one_basis(file):
    """Winnings before rake: the hand that states a rake of half a chip counts like the one that does not."""
    stated = replace(CHECKED, recorded=(Fraction(1, 2), -1), tags={"venue": "a room"})
    derived = replace(CHECKED, tags={"venue": "a room", DERIVED: "betting and cards"})
    alone = replace(derived, tags={**derived.tags, "_repaired": ONLY_SHOWN})
    write_hands(file, [stated, derived, alone, replace(derived, tags={"venue": "a room"})], {})
    with Database([file]) as database:
        assert database.ask("SELECT net, rake FROM player_hands WHERE name = 'bob' ORDER BY hand").rows == [
            (1.0, 0.5), (1.0, None), (1.0, None), (1.0, 0.0)
        ]  # fmt: skip
        results = known_results(database)
        bob = next(found for found in summaries(database) if found.group == {"agent": "bob"})
    assert results == (0, 1, 2, 2, 250.0)
    assert results.lines() == [
        'winner by the rule "the only hand shown won" in 1 hands, unknown and left out of winnings in 0',
        "winnings are before rake: 2 hands state it, 250.0 mbb a hand at the table; 2 do not",
    ]
    assert bob.measures["mbb_per_hand"].value.mean == 1000
    assert (bob.measures["rake_mbb_per_hand"].value.mean, bob.measures["rake_mbb_per_hand"].value.n) == (250.0, 2)


def test_hands_that_do_not_balance_are_left_out_and_named_every_time(file):
    write_hands(file, [RAISED, UNBALANCED, CHECKED], {})
    for _ in range(2):
        problems = []
        with Database([file], on_problem=problems.append) as database:
            assert [number for _, number, _ in nets(database)] == [1, 1, 2, 2]
        assert problems == [f"{file}: hand 3: the chips do not balance: winners win 1 more than losers lose"]


def test_files_and_imported_hands_together(file):
    problems = []
    imported = {"it's a log": [UNBALANCED, CHECKED], "empty.log": []}
    with Database([file], imported, problems.append) as database:
        found = database.ask("SELECT filename, count(*) FROM player_hands GROUP BY filename ORDER BY filename").rows
        assert found == sorted([(str(file), 4), ("it's a log", 2)])
        assert database.ask("SELECT count(*) FROM hands").rows == [(4,)]
        assert database.ask("SELECT actions FROM hands WHERE number = 1").rows == [("r3 f",)]
    assert len(problems) == 1
    assert problems[0].startswith("it's a log: hand 3:")


def test_streets_as_rows(file):
    with Database([file]) as database:
        found = database.ask(
            "SELECT number, street, sum(checks), sum(bets) FROM player_streets GROUP BY ALL ORDER BY ALL"
        )
    assert found.rows == [(1, 0, 0, 1), (2, 0, 2, 0), (2, 1, 2, 0)]


def test_mistakes_are_one_line(file, tmp_path):
    with Database([file]) as database:
        with pytest.raises(PokerlabError, match=r"SQL: .*nosuch") as caught:
            database.ask("SELECT nosuch FROM player_hands")
        assert "\n" not in str(caught.value)
    with pytest.raises(PokerlabError, match="there are no hands to query"):
        Database([])
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    with pytest.raises(PokerlabError, match=r"bad\.parquet"):
        Database([tmp_path / "bad.parquet"])


def test_a_bad_file_among_others_is_named_and_left_out(file, tmp_path):
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    problems = []
    with Database([tmp_path / "bad.parquet", file], on_problem=problems.append) as database:
        assert len(nets(database)) == 4
        assert database.ask("SELECT count(*) FROM hands").rows == [(2,)]
    assert len(problems) == 1
    assert "bad.parquet" in problems[0]
