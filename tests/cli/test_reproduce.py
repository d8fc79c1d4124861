"""`pokerlab reproduce`."""

import dataclasses
import json
import re

import pytest

from pokerlab.cli import main
from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Experiment, Table, bare_rows
from pokerlab.experiments.records import EXPERIMENTS, ExperimentEntry
from pokerlab.experiments.results import Result


@pytest.fixture
def coin(monkeypatch, tmp_path):
    """An experiment that takes no time, and a directory to run it in."""

    def run(config):
        config.report(1, 1)
        heads = Estimate(47.5 + config.settings["more"], 40.0, 60.0, 100)
        return Table.of({"share, %": {"heads": heads}}, ("Tossed.",))

    published = Table.of({"share, %": bare_rows({"heads": 50})})
    about = ("coin", "A coin", "Nobody (1900), table 1", "By hand.")
    made = Experiment(*about, published, run, quick={"more": 0}, full={"more": 1})
    for module in ("results", "request"):
        monkeypatch.setattr(f"pokerlab.experiments.{module}.experiment", lambda name: made)
    monkeypatch.setitem(EXPERIMENTS, "coin", ExperimentEntry("A coin", 1.0, "experiment"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_name_it_lists_them(capsys):
    assert main(["reproduce", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["experiments"]
    assert "davidson2002-table-3-1" in [each["name"] for each in found]
    for words in ([], ["--list"]):
        assert main(["reproduce", *words]) == 0
        assert "sweeney2012-population" in capsys.readouterr().out


def test_it_runs_and_keeps(coin, capsys):
    assert main(["reproduce", "coin", "--full", "--seed", "3"]) == 0
    shown = capsys.readouterr().out
    for words in ("50.0", "48.5", "-1.5", "Tossed.", "pokerlab reproduce coin --full --seed 3"):
        assert words in shown
    (kept,) = coin.glob("runs/reproduce-coin-full-3-*/result.json")
    result = Result.read(kept)
    assert result.ours["share, %"]["heads"] == Estimate(48.5, 40.0, 60.0, 100)
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", result.made["date"]) and "core" in result.made["hardware"]
    assert re.match(r"commit [0-9a-f]{7,}|pokerlab .*, digest", result.made["code"])
    assert main(["reproduce", "--from", str(kept), "--json"]) == 0
    (again,) = json.loads(capsys.readouterr().out)["results"]
    assert again["ours"]["share, %"]["heads"]["value"] == 48.5
    assert main(["reproduce", "--from", str(kept), str(kept), "--markdown"]) == 0
    page = capsys.readouterr().out
    assert page.count(result.made["code"]) == 2
    assert page.count("| heads | 50.0 | 48.5 | 40.0 to 60.0 | -1.5 | 100 |") == 2


def test_quick_is_the_default_and_out_is_where(coin, capsys):
    assert main(["reproduce", "coin", "--out", "here", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scale"] == "quick"
    assert (coin / "here" / "result.json").exists()
    assert main(["reproduce", "coin", "--full", "--out", "here"]) == 2
    assert "here holds another run (more was 0, now 1, scale was" in capsys.readouterr().err
    assert main(["reproduce", "coin", "--no-save"]) == 0
    assert not (coin / "runs").exists()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["nothing"], "no experiment is called 'nothing'"),
        (["coin", "--quick", "--full"], "contradict"),
        (["coin", "--from", "x.json"], "leave out the name"),
        (["coin", "--list"], "leave out the name"),
        (["--from", "missing.json"], "missing.json"),
        (["davidson2002-players", "--out", "x", "--no-save"], "contradict"),
    ],
)
def test_mistakes_are_one_line(words, line, capsys):
    assert main(["reproduce", *words]) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1


def test_dry_run_says_how_long_it_would_take(capsys):
    assert main(["reproduce", "hawkin2014-leduc", "--full", "--workers", "3", "--dry-run"]) == 0
    said, where = capsys.readouterr().out.splitlines()
    assert said == "hawkin2014-leduc: about 3.0 min"
    assert where.startswith("it would be saved in runs/reproduce-hawkin2014-leduc-full-7-")
    assert main(["reproduce", "hawkin2014-leduc", "--workers", "3", "--dry-run", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["experiment"], answer["seconds"], answer["workers"]) == ("hawkin2014-leduc", 120, 3)
    assert main(["reproduce", "hawkin", "--dry-run"]) == 2
    assert "no experiment is called 'hawkin'" in capsys.readouterr().err


def test_quick_settings_that_cannot_converge_stand_alone(coin, capsys, monkeypatch):
    from pokerlab.experiments import results

    short = dataclasses.replace(results.experiment("coin"), quick_compares=False)
    monkeypatch.setattr("pokerlab.experiments.results.experiment", lambda name: short)
    assert main(["reproduce", "coin", "--no-save"]) == 0
    shown = capsys.readouterr().out
    assert "50.0" not in shown and "far too short to converge" in shown
    assert main(["reproduce", "coin", "--full", "--no-save"]) == 0
    assert "50.0" in capsys.readouterr().out
