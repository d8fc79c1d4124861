"""Benchmarks on hands of people, which are not part of the project."""

import json
from pathlib import Path

import pytest

from pokerlab.bench.records import reading_totals
from pokerlab.cli import main


def test_a_collection_that_is_not_here_is_left_out_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("POKERLAB_TEST_DATA", str(tmp_path))
    assert main(["bench", "histories-people"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "left out: phh/ps-50nl" in line]
    assert "not among the recorded files" in line
    assert main(["bench", "histories-people", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["benchmarks"] == [] and list(answer["left_out"]) == ["histories-people"]


def test_a_collection_is_read_and_its_totals_told(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "phh" / "ps-50nl"
    folder.mkdir(parents=True)
    text = Path("docs/example-hand.phh").read_text()
    (folder / "1.phh").write_text(text)
    (folder / "2.phh").write_text(text.replace("cbr 20", "cbr x", 1))
    monkeypatch.setenv("POKERLAB_TEST_DATA", str(tmp_path))
    totals = reading_totals(str(folder))
    assert (totals["hands"], totals["problems"], totals["unknown"]) == (1, 1, 0)
    assert main(["bench", "histories-people", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["benchmarks"]
    assert row["remarks"][0].startswith("1 hands, 1 left out or inconsistent, 0 winners unknown, 0 repaired")
    assert row["pokerlab"]["per_second"] > 0


@pytest.mark.slow
def test_the_totals_of_a_stake_of_pokerstars(recorded):
    """One file of six."""
    path = recorded("phh/ps-50nl/1.phhs.gz")
    totals = reading_totals(str(path))
    counts = {"hands": 10_000, "problems": 0, "unbalanced": 0, "unknown": 45, "repaired": 1004, "rake_stated": 1864}
    assert totals.items() >= counts.items()


@pytest.mark.thorough
def test_the_totals_of_the_whole_stake(recorded):
    """All six files, as in docs/results/trust.md."""
    totals = reading_totals(str(recorded("phh/ps-50nl/1.phhs.gz").parent))
    counts = {"hands": 59_997, "problems": 0, "unbalanced": 0, "unknown": 212, "rake_stated": 9214}
    assert totals.items() >= counts.items()
