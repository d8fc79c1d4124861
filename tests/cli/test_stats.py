"""`pokerlab stats`: what it reads, what it prints, and what it says about what it cannot read."""

import json

import pytest

from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.table.records import write_hands

ACTIONS = [(RaiseTo(300), CALL, RaiseTo(200), FOLD), (CALL, CALL) * 4, (RaiseTo(20000), CALL), (FOLD,)]
DECK = cards("AsAhKsKd5h6h7hTcJc")
LOG = "STATE:0:cc/x:Kh|Qs/As:1|-1:bob|ann\nSTATE:1:rf:Kh|Qs:1|-1:ann|bob\nSTATE:2:crf:Kh|Qs:-1|1:bob|ann\n"


@pytest.fixture
def run(tmp_path):
    """A run of two matches, four hands each, between ann (big blind) and bob."""
    for i in range(2):
        names = ("ann", "bob") if i == 0 else ("bob", "ann")
        hands = [HandHistory(game("nolimit2p"), DECK, actions, names, n) for n, actions in enumerate(ACTIONS)]
        write_hands(tmp_path / "run" / "hands" / f"{i}.parquet", hands, {"seed": 7, "match": i})
    return tmp_path / "run"


def answer(capsys, *tokens):
    assert main(["stats", *map(str, tokens), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json_has_numerator_denominator_n_and_interval(run, capsys):
    found = answer(capsys, run)
    assert (found["hands"], found["games"], found["by"]) == (8, ["nolimit2p"], ["agent"])
    ann = found["groups"][0]
    assert (ann["agent"], ann["hands"]) == ("ann", 8)
    # Dealt eight; the walk is no chance. As big blind she called a raise and an all-in; as button she raised, called,
    # and raised all-in.
    vpip = ann["statistics"]["vpip"]
    assert (vpip["numerator"], vpip["denominator"], vpip["n"]) == (5, 7, 7)
    assert vpip["value"] == pytest.approx(5 / 7)
    assert vpip["low"] < 5 / 7 < vpip["high"]
    assert ann["statistics"]["vpip_dealt"]["denominator"] == 8
    assert ann["statistics"]["small_bets_per_hand"]["value"] is None


def test_groups(run, capsys):
    positions = answer(capsys, run, "--by", "agent,position")["groups"]
    assert [(g["agent"], g["position"]) for g in positions] == [(a, p) for a in ("ann", "bob") for p in ("BB", "BTN")]
    streets = answer(capsys, run, "--by", "street")["groups"]
    assert [g["street"] for g in streets] == ["pre-flop", "flop", "turn", "river"]
    assert answer(capsys, run, "--by", "agent", "--min-hands", "8")["groups"][1]["agent"] == "bob"
    assert main(["stats", str(run), "--by", "colour"]) == 2
    assert "by agent, position, game, street" in capsys.readouterr().err
    assert main(["stats", str(run), "--min-hands", "9"]) == 2
    assert "no player has played 9 hands or more" in capsys.readouterr().err
    assert main(["stats", str(run), "--min-hands", "-3"]) == 2
    assert capsys.readouterr().err == "pokerlab: min-hands must be at least 0, not -3\n"


def test_the_table_shows_values_intervals_and_n(run, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["stats", str(run / "hands" / "0.parquet")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("4 hands of nolimit2p\n")
    assert "bob" in out
    assert "VPIP" in out
    assert "75.0% n 4" in out  # bob raised, called, raised, and folded once
    assert "[30.1, 95.4]" in out


def test_sql(run, capsys):
    query = "SELECT name, count(*) AS hands FROM player_hands WHERE showdown GROUP BY name ORDER BY name"
    assert answer(capsys, run, "--sql", query)["rows"] == [["ann", 4], ["bob", 4]]
    assert main(["stats", str(run), "--sql", "SELECT 'a' AS x, 1.5::DECIMAL(3,1) AS y"]) == 0
    assert "1.5" in capsys.readouterr().out
    assert main(["stats", str(run), "--sql", "SELEC"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("pokerlab: SQL: ")
    assert err.count("\n") == 1


def test_imported_histories_and_their_problems(tmp_path, capsys):
    log = tmp_path / "match.log"
    log.write_text(LOG)
    assert main(["stats", str(log), "--game", "leduc"]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.err.startswith(f"{log}:1: expected f, c or r")
    assert "2 hands of leduc\n" in captured.out
    found = answer(capsys, log, "--game", "leduc")
    assert len(found["problems"]) == 1
    assert found["groups"][0]["statistics"]["mbb_per_hand"]["value"] == 1000  # ann took both pots


def test_files_that_cannot_be_read(run, tmp_path, capsys):
    def refused(*tokens):
        assert main(["stats", *map(str, tokens)]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        return err

    assert "there is no such file" in refused(tmp_path / "missing.parquet")
    assert "there is no such file" in refused(tmp_path / "missing.log")
    assert "name at least one file" in refused()
    (tmp_path / "bad.parquet").write_bytes(b"PAR1PAR1")
    assert "bad.parquet" in refused(tmp_path / "bad.parquet")
    (tmp_path / "notes.csv").write_text("a,b\n")
    assert "expected a name that ends in" in refused(tmp_path / "notes.csv")
    (tmp_path / "empty").mkdir()
    assert "empty" in refused(tmp_path / "empty")
    # Beside files that can be read, they cost a line each and nothing else.
    assert main(["stats", str(run), str(tmp_path / "bad.parquet"), str(tmp_path / "missing.log")]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 2
    assert "8 hands" in captured.out


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_picture(run, tmp_path, capsys, suffix):
    pictures = [tmp_path / f"{name}{suffix}" for name in "ab"]
    for picture in pictures:
        assert main(["stats", str(run), "--picture", str(picture)]) == 0
    assert f"written to {pictures[0]}" in capsys.readouterr().out.replace("\n", "")
    content = pictures[0].read_bytes()
    assert content == pictures[1].read_bytes()
    assert content.startswith(b"\x89PNG" if suffix == ".png" else b"<?xml")
    assert main(["stats", str(run), "--picture", str(tmp_path / "x.gif")]) == 2
    assert "a picture ends in .png, .svg, .pdf" in capsys.readouterr().err
