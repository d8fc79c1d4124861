"""`pokerlab sessions`: from files to lists, reviews, graphs and files again."""

import json

import pytest

from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.formats import read_hands, write_hands

DECK = cards("AsAhKsKd5h6h7hTcJc")
PLAYS = [(RaiseTo(300), FOLD), (RaiseTo(300), RaiseTo(900), FOLD), (RaiseTo(20000), CALL)] * 4


@pytest.fixture
def imported(tmp_path, monkeypatch, capsys):
    """Twelve hands of ann's in a database; the file that they came from."""
    monkeypatch.setenv("POKERLAB_SESSIONS", str(tmp_path / "sessions.duckdb"))
    date = {"venue": "Club", "year": "2026", "month": "1", "day": "2"}
    hands = [
        HandHistory(game("nolimit2p"), DECK, play, ("ann", "bob"), i, tags={**date, "time": f"12:{i:02}:00"})
        for i, play in enumerate(PLAYS, 1)
    ]
    file = tmp_path / "club.phhs"
    write_hands(file, hands)
    assert main(["sessions", "import", str(file), "--hero", "ann"]) == 0
    assert "12 hands added, 0 already there" in capsys.readouterr().out
    return file


def answer(capsys, *tokens):
    assert main(["sessions", *map(str, tokens), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_sessions_are_listed_with_results_and_intervals(imported, capsys):
    found = answer(capsys)
    [session] = found["sessions"]
    assert (session["hands"], session["place"], session["result"], session["result_bb"]) == (12, "Club", "80800", 808.0)
    rate = session["per_100"]
    assert rate["mean"] == pytest.approx(100 * 808 / 12) and rate["low"] < rate["mean"] < rate["high"]
    assert session["adjusted_bb"] < session["result_bb"]
    assert main(["sessions"]) == 0
    assert "+80800" in capsys.readouterr().out


def test_importing_again_adds_nothing(imported, capsys, tmp_path):
    assert answer(capsys, "import", imported)["skipped_files"] == 1
    copy = tmp_path / "copy.phhs"
    copy.write_text("# a comment\n" + imported.read_text())
    again = answer(capsys, "import", copy)
    assert (again["new"], again["known"], again["hands"]) == (0, 12, 12)


def test_hands_are_filtered_and_ordered(imported, capsys):
    found = answer(capsys, "hands", "--pot-type", "3bet", "--won-most")
    assert [each["result_bb"] for each in found["hands"]] == [3.0] * 4
    assert found["total"]["hands"] == 4
    worst = answer(capsys, "hands", "--lost-most", "--rows", "1")["hands"][0]
    assert (worst["result"], worst["cards"], worst["position"]) == ("-100", "AsAh", "BB")


def test_the_review_names_what_cost_most(imported, capsys):
    found = answer(capsys, "review", "--rows", "2")
    assert [each["result_bb"] for each in found["hands"]] == [-1.0, -1.0]
    assert {each["group"]: each["hands"] for each in found["pot_type"]} == {"raised": 8, "3bet": 4}
    assert [each["group"] for each in found["position"]] == ["BB"]


def test_a_hand_is_shown_as_its_hero_saw_it(imported, capsys):
    found = answer(capsys, "show", 1)
    assert "ann A♠ A♥, bob ??" in found["words"][0] and found["played"] == "2026-01-02T12:01:00"
    assert "Kd" not in found["phh"]


def test_the_graph_is_drawn(imported, capsys, tmp_path):
    found = answer(capsys, "graph", "--picture", tmp_path / "winnings.png")
    assert found["net"][-1] == 808.0 and found["showdown"][-1] == 800.0 and found["non_showdown"][-1] == 8.0
    assert (tmp_path / "winnings.png").stat().st_size > 10_000


@pytest.mark.parametrize("ending", ["phhs", "txt"])
def test_exported_hands_are_those_of_the_hero(imported, capsys, tmp_path, ending):
    target = tmp_path / f"out.{ending}"
    found = answer(capsys, "export", target, "--pot-type", "3bet")
    hands = read_hands(target).hands
    assert found["hands"] == len(hands) == 4
    assert {(each.names, each.payoffs, each.deck[:4]) for each in hands} == {
        (("ann", "bob"), (300, -300), (*DECK[:2], None, None))
    }


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        (("--position", "button"), "no position is called 'button'; there are SB, BB"),
        (("hands", "--since", "2026"), "since must be a date such as 2026-01-31, not '2026'"),
        (("hands", "--lost-most", "--won-most"), "contradict each other"),
        (("--hero", "nobody"), "name a player with --hero NAME"),
        (("show", "99"), "has no hand 99; pokerlab sessions hands lists them"),
        (("export", "out.csv"), "expected a name that ends in .phhs (PHH) or .txt (PokerStars)"),
        (("import",), "name at least one file or folder"),
        (("import", "nothing.txt"), "there is no such file"),
    ],
)
def test_wrong_input_is_one_line(imported, capsys, tokens, why):
    assert main(["sessions", *tokens]) == 2
    error = capsys.readouterr().err
    assert why in error and error.count("\n") == 1


def test_without_a_database_a_line_says_how_to_make_one(tmp_path, capsys):
    assert main(["sessions", "--database", str(tmp_path / "none.duckdb")]) == 2
    assert "pokerlab sessions import makes it" in capsys.readouterr().err
    assert not (tmp_path / "none.duckdb").exists()
