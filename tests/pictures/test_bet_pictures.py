"""Pictures of bet sizing: the ones in the docs say what the commands of `make picture` say today."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pokerlab.cli import main
from pokerlab.estimates import Estimate
from pokerlab.experiments.results import Result
from pokerlab.pictures.bet_sizes import important_branches
from pokerlab.systems.bets.config import SizingConfig
from pokerlab.systems.bets.saved_runs import find_bets
from pokerlab.systems.bets.search import bet_rows

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
WITH_CURVES = [path for path in sorted(RESULTS.glob("*.json")) if path.stem != "rules" and Result.read(path).picture]


def words(picture):
    return re.findall(r">([^<>\n]+)</text>", picture.read_text())


@pytest.mark.slow
def test_the_tree_in_the_guide_is_current(tmp_path):
    command = "bets leduc-nolimit --size-ranges 2 --extra 2 --runs 3 --no-save --picture"
    assert f"pokerlab {command} docs/bets-leduc.svg" in (ROOT / "Makefile").read_text()
    # In a process of its own: the flags of the tests (conftest.py) round otherwise, and sizes of equal worth change.
    as_users_run_it = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    line = [sys.executable, "-m", "pokerlab.cli", *command.split(), str(tmp_path / "new.svg")]
    subprocess.run(line, env=as_users_run_it, check=True, capture_output=True)
    assert words(tmp_path / "new.svg") == words(ROOT / "docs" / "bets-leduc.svg"), "run `make picture`"


@pytest.mark.slow
@pytest.mark.parametrize("path", WITH_CURVES, ids=lambda path: path.stem)
def test_curves_beside_the_results_are_current(path, tmp_path, capsys):
    assert main(["reproduce", "--from", str(path), "--picture", str(tmp_path / "new.svg")]) == 0
    assert words(tmp_path / "new.svg") == words(path.with_suffix(".svg")), "run `make picture`"


def test_curves_that_are_drawn():
    result = Result.read(RESULTS / "hawkin2014-figure-6-5.json")
    curves = [section for section in result.ours.sections.values() if section.role == "by run"]
    assert [(curve.series, curve.sized) for curve in curves] == [
        (name, player)
        for name in ("one range", "two ranges", "three ranges")
        for player in ("player one", "player two")
    ]
    first, printed = curves[0], result.published.sections["one range, player one sized: value to player two, mbb"]
    assert first.at == printed.at == tuple(range(1, 11))
    assert printed.points[0] == (1, Estimate(47.26, 47.26 - 2.18, 47.26 + 2.18, None, kind="bounds"))
    drawn = words(RESULTS / "hawkin2014-figure-6-5.svg")
    assert f"one range: {first.points[-1][1].mean:.1f}" in drawn
    (level,) = (section for section in result.ours.sections.values() if section.role == "level")
    assert f"{level.series}: {level.rows['both'].mean:.1f}" in drawn and level.series == "FCPA"


def test_pictures_say_whether_ends_are_bounds_or_intervals():
    for figure, says in (("6-5", "shaded best-response bounds."), ("7-3", "shaded 95% intervals.")):
        assert any(says in text for text in words(RESULTS / f"hawkin2014-figure-{figure}.svg"))


def test_what_cannot_be_drawn_is_one_line(tmp_path, capsys):
    table = str(RESULTS / "hawkin2014-table-5-3.json")
    figure = str(RESULTS / "hawkin2014-figure-6-5.json")
    for tokens, says in (
        ([table, "--picture", str(tmp_path / "x.svg")], "hawkin2014-table-5-3 has no values run by run"),
        ([table, "--picture", str(tmp_path / "x.gif")], "a picture ends in"),
        ([table, figure, "--picture", str(tmp_path / "x.svg")], "is one picture for 2 results; name a directory"),
    ):
        assert main(["reproduce", "--from", *tokens]) == 2
        error = capsys.readouterr().err
        assert says in error and error.count("\n") == 1
    assert main(["reproduce", "--from", table, figure, "--picture", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["hawkin2014-figure-6-5.svg"]


def test_the_tree_leads_to_the_most_important_bets_and_no_others():
    (found,) = find_bets(SizingConfig(game="leduc-nolimit", engine="numba", runs=1, iterations=50, value_iterations=0))
    rows = bet_rows(found)
    for most in (1, 3, 12):
        shown, pending = [], important_branches(found, rows, most)
        while pending:
            branch = pending.pop()
            shown += [] if branch.bet is None else [branch.bet.number]
            pending += branch.after
            assert branch.after or branch.bet is not None  # nothing is drawn for its own sake
        assert {row.number for row in rows[:most]} <= set(shown)
        before = {path[:n] for row in rows[:most] for path in [found.tree.paths[row.number]] for n in range(len(path))}
        for number in set(shown) - {row.number for row in rows[:most]}:
            assert found.tree.paths[number] in before
