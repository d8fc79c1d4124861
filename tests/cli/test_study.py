"""`pokerlab spot`, `simplify`, `compare` and `report`."""

import json
from pathlib import Path

import pytest

from pokerlab.cli import main

HAND = str(Path(__file__).parents[2] / "docs" / "example-hand.phh")


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "kuhn"
    assert main(["solve", "kuhn", "--algorithm", "lp", "--out", str(folder)]) == 0
    return folder


def said(capsys, *tokens):
    capsys.readouterr()
    assert main([*map(str, tokens), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_hand_becomes_a_command_that_solves_its_spot(capsys, tmp_path):
    found = said(capsys, "spot", HAND)
    assert (found["board"], found["pot"], found["names"]) == ("Js8c4s2h9c", 125, ["Bob", "Alice"])
    assert found["command"].startswith("pokerlab solve subgame --board Js8c4s2h9c --ranges '44-22, ATs-A2s, AJo")
    charts = {"open": ["AA"], "limp": "KK", "reraise": "QQ", "call": "JJ", "reraise_again": "TT", "call_again": "99"}
    (tmp_path / "mine.json").write_text(json.dumps(charts))
    mine = said(capsys, "spot", HAND, "--ranges-from", f"charts:{tmp_path / 'mine.json'}")
    assert mine["ranges"] == ["JJ", "AA"]  # Bob called a raise, which Alice made first


def test_steps_are_written_and_compared(kuhn, capsys, tmp_path):
    found = said(capsys, "simplify", kuhn, "--step", "100", "--out", tmp_path / "pure.bin")
    (cost,) = found["costs"]
    assert cost["step"] == 100 and cost["exploitability"] > 0.1 > cost["solved"]
    both = said(capsys, "compare", kuhn, tmp_path / "pure.bin", "--spot", "check")
    assert both["actions"] == ["check", "raise to 2"]
    assert both["rows"][0]["hand"] == "Q" and both["rows"][0]["apart"] == pytest.approx(1 / 3)
    assert main(["compare", str(kuhn), str(tmp_path / "pure.bin")]) == 0
    assert "the strategies differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["spot", HAND, "--ranges-from", "charts:nowhere.json"], "cannot read charts from nowhere.json"),
        (["spot", HAND, "--ranges-from", "charts:README.md"], "README.md: charts have open, limp"),
        (["spot", HAND, "--street", "flop"], "it has turn and river"),
        (["simplify", "nowhere"], "nowhere"),
        (["compare", "nowhere", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_line(tokens, says, capsys):
    assert main(tokens) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_steps_that_do_not_divide_the_whole_are_refused(kuhn, capsys):
    for tokens, says in ((["--step", "30"], "30 does not"), (["--out", "x.bin"], "--out takes the strategy of one")):
        assert main(["simplify", str(kuhn), *tokens]) == 2
        assert says in capsys.readouterr().err


REPORT = (
    "report",
    "--ranges",
    "AA, QJs | KQ, TT",
    "--pot",
    "100",
    "--stack",
    "100",
    "--sizes",
    "1p",
    "--target-percent",
    "2",
)


def test_a_report_is_a_table_a_picture_and_goes_on(capsys, tmp_path):
    where = ("--workers", "1", "--out", tmp_path / "run")
    found = said(capsys, *REPORT, "--boards", "2", *where, "--csv", tmp_path / "boards.csv")
    assert len(found["rows"]) == 2 and found["groups"][""][0]["boards"] == 2
    assert (tmp_path / "boards.csv").read_text().count("\n") == 3
    assert main([*map(str, (*REPORT, "--boards", "3", *where, "--picture", tmp_path / "r.svg"))]) == 0
    told = capsys.readouterr()
    assert (
        "2 of 3 results were read" in told.err
        and "TT, 3 boards" in told.out
        and "inspect a board: pokerlab show" in told.out
    )
    assert (tmp_path / "r.svg").stat().st_size > 1000
    cost = said(capsys, *REPORT, "--boards", "40", "--dry-run")
    assert cost["boards"] == 40 and cost["seconds"] > 0


def test_a_report_refuses_in_one_line(capsys):
    for more, says in (
        (["--on", "KsKhKdKcAc"], "already has the cards of the river"),
        (["--picture", "x.bmp"], "a picture ends in"),
    ):
        assert main([*REPORT, *more]) == 2
        assert says in capsys.readouterr().err
