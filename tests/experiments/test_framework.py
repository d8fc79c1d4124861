"""Experiments in general: the registry, parts on workers, results kept and printed, and what they need installed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from math import isnan, nan
from pathlib import Path

import pytest

from pokerlab.errors import FileError, PokerlabError
from pokerlab.estimates import Estimate, bare, bounds, exact
from pokerlab.experiments.experiment import Config, Section, Table, exact_rows
from pokerlab.experiments.records import EXPERIMENTS, experiment, records
from pokerlab.experiments.request import answer_of
from pokerlab.experiments.results import COVERED, Result, compared, coverage, markdown, reproduce
from pokerlab.players.versions import version
from pokerlab.runs.directory import open_run

RESULTS = Path(__file__).parents[2] / "docs" / "results"
UNDER_3 = Estimate(nan, nan, 3.0, None, kind="bounds")
PUBLISHED = Table.of({"rates, %": {"tight": bare(20.0), "loose": bare(45.5), "error": UNDER_3}})
OURS = Table.of(
    {
        "rates, %": {"tight": Estimate(19.25, 18.0, 20.5, 1200), "error": bare(0.5)},
        "counts": exact_rows({"hands": 1200}),
        "values by run": Section({"run 1": bounds(3.0, 5.0)}, "by run", "a curve", "player one", "chips", (1.0,)),
        "the level": Section({"both": exact(6.0)}, "level", "FCPA"),
    },
    ("A note.",),
)
RESULT = Result("x", "A title", "Author (1999), table 1", "How.", "quick", 7, {"hands": 1200}, PUBLISHED, OURS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_is_complete(name):
    found = experiment(name)
    assert found.name == name
    assert found.title
    assert found.cites
    assert found.about
    assert found.quick.keys() == found.full.keys()
    assert found.quick != found.full
    json.dumps([found.quick, found.full])
    for section in found.published:
        for number in found.published[section].values():
            assert not isnan(number.mean) or not isnan(number.high)


def test_an_unknown_experiment_is_one_line():
    with pytest.raises(PokerlabError, match="no experiment is called 'sweeney'; did you mean sweeney2012-"):
        experiment("sweeney")


def square(number):
    return number * number


def once(number, *, done):
    assert number not in done, f"{number} is done again"
    done.append(number)
    return number * number


def test_parts_do_not_depend_on_the_workers():
    told = []
    one = Config({}, 0, report=lambda done, total: told.append((done, total))).do(square, [1, 2, 3])
    two = Config({}, 0, workers=2).do(square, [1, 2, 3])
    assert one == two == [1, 4, 9]
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_run_goes_on_where_it_was(tmp_path):
    with open_run(tmp_path / "run", "reproduce", {"seed": 1}) as run:
        config = Config({}, 1, run=run)
        done = []
        assert config.do(once, [1, 2], done=done) == [1, 4]
        assert config.do(once, [3, 1, 4, 2], done=done) == [9, 1, 16, 4]  # wherever they stand
        assert done == [1, 2, 3, 4]
        assert config.do(abs, [1, 2]) == [1, 2]  # another function has its own results
        with pytest.raises(PokerlabError, match=r"part 1 of .*:once failed: AssertionError: 5 is done again"):
            config.do(once, [1, 5], done=[5])


def test_no_workers():
    with pytest.raises(PokerlabError, match="0 workers"):
        Config({}, 0, workers=0).do(square, [1, 2])


def test_a_result_survives_being_kept(tmp_path):
    (tmp_path / "r.json").write_text(RESULT.to_json())
    assert Result.read(tmp_path / "r.json") == RESULT
    assert RESULT.data()["ours"]["values by run"]["run 1"] == {
        "value": 4.0, "low": 3.0, "high": 5.0, "n": None, "kind": "bounds", "at": 1.0,
    }  # fmt: skip
    assert RESULT.data()["sections"]["the level"] == {"role": "level", "series": "FCPA", "sized": "", "unit": ""}
    assert RESULT.command == "pokerlab reproduce x --quick --seed 7"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"notes": [], "published": {}, "ours": {}, "sections": {}}', "\x00"])
def test_what_is_no_result_is_said(text):
    with pytest.raises(FileError, match=r"old.json is not the result of an experiment"):
        Result.from_json(text, source="old.json")


def test_published_stands_beside_ours():
    rates, counts, values, level = compared(RESULT)
    assert rates.header == ["", "published", "ours", "95% interval", "difference", "n"]
    assert rates.rows == [
        ["tight", "20.0", "19.2", "18.0 to 20.5", "-0.8", "1,200"],
        ["error", "under 3", "0.500", "", "", ""],
        ["loose", "45.5", "", "", "", ""],
    ]
    assert counts == ("counts", ["", "ours"], [["hands", "1200"]])
    assert values == ("values by run", ["", "ours", "bounds"], [["run 1", "4", "3 to 5"]])
    assert level == ("the level", ["", "ours"], [["both", "6"]])


def test_markdown_and_text():
    page = markdown([RESULT])
    assert page.startswith("# Author (1999): published beside ours\n")
    assert "## A title" in page
    assert "| tight | 20.0 | 19.2 | 18.0 to 20.5 | -0.8 | 1,200 |" in page
    assert "`pokerlab reproduce x --quick --seed 7` (hands 1,200; pokerlab" in page
    assert "- A note." in page
    assert "A note." in str(answer_of(RESULT))
    assert markdown([RESULT, replace(RESULT, title="Another")]).count("## ") == 2


BARE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError("not on a bare machine: " + name)
sys.meta_path.insert(0, Refuse())  # in workers too, which read this file again
if __name__ == "__main__":
    from pokerlab.run import main
    from pokerlab.experiments.records import EXPERIMENTS, experiment
    for name in EXPERIMENTS:
        experiment(name)
    sys.exit(main({words}))
"""


@pytest.mark.slow
def test_numpy_scipy_and_numba_are_enough(tmp_path):
    """Every experiment is imported and one is run where nothing else can be imported."""
    absent = {"rich", "cyclopts", "pyarrow", "duckdb", "matplotlib", "ray", "jax"}
    config = tmp_path / "config.json"
    config.write_text('{"kind": "reproduce", "name": "davidson2002-two-players"}')
    words = [str(config), "--out", str(tmp_path / "run"), "--workers", "2"]
    script = tmp_path / "bare.py"
    script.write_text(BARE.format(names=absent, words=words))
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False
    )
    assert done.returncode == 0, done.stderr
    assert "deals the small blind plays, %" in done.stdout
    found = Result.read(tmp_path / "run" / "result.json")
    assert found.ours["deals the small blind plays, %"]["... by exact equity"].mean == pytest.approx(89.44, abs=0.01)
    assert found.ours["rates of hands that are played"]["rank correlation with exact equity"].mean > 0.99


def test_a_record_of_another_version_of_a_player_says_so():
    now = {"rulebot": version("rulebot"), "caller": version("caller")}
    about = ("x", "Title", "Cites", "About", "quick", 1, {}, Table(), Table())
    same, other = Result(*about, players=now), Result(*about, players={**now, "rulebot": "0123456789ab"})
    assert same.origin == ("code, date and hardware not recorded", "its players play as they did")
    assert "another version of rulebot was measured" in other.origin[-1] and "caller" not in other.origin[-1]
    assert other.origin[-1] in "\n".join(answer_of(other).lines) and other.origin[-1] in markdown([other])
    assert Result.from_json(other.to_json()).players == other.players
    old = replace(same, experiment="davidson2002-self-play", players={})
    assert old.origin[-1] == "versions of its players (poki) not recorded"


@pytest.mark.slow
def test_results_of_today_record_the_versions_of_their_players():
    assert experiment("threeplayer-initial").players == ("rulebot",)
    assert reproduce("hawkin2014-table-5-3", full=False, seed=1).players == {}
    found = reproduce("threeplayer-initial", full=False, seed=1)
    assert found.players == {"rulebot": version("rulebot")}


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if records()[name].get("players")])
def test_players_of_experiments_have_versions(name):
    assert [player for player in records()[name]["players"] if not version(player)] == []


def test_medians_stand_by_cards_and_player():
    """Chapter 7 of Hawkin (2014): none of the 70 values of player one with 100 buckets overlaps the printed one."""
    kept = [Result.read(path) for path in sorted(RESULTS.glob("hawkin2014-*.json"))]
    rows = {tuple(row[:3]): row[3:] for row in coverage(kept)}
    assert rows["7", "IR-100", "player one"][:3] == ["70", "70", "0"]
    assert rows["7", "IR-100", "player one"][3:6] == ["113.9", "134.5", "+19.1"]
    assert rows["7", "IR-100", "player two"][2:6] == ["43", "190.6", "188.9", "-1.0"]
    figure = next(result for result in kept if result.experiment == "hawkin2014-figure-7-3")
    assert answer_of(figure).tables[-1].columns == tuple(COVERED)
