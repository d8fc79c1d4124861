"""`python -m pokerlab.run`: with the four libraries of a GPU machine alone, and one line for what is wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pokerlab.policies.strategy_files import load_strategy
from pokerlab.run import KINDS, main

WITHOUT = ("cyclopts", "rich", "matplotlib", "pyarrow", "duckdb", "ray", "pandas", "hypothesis")
BLOCK = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {WITHOUT!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)

sys.meta_path.insert(0, Blocked())
"""
BLOCKED = f"""{BLOCK}
from pokerlab.run import KINDS, main
from pokerlab.abstraction.bucket_files import buckets_about
if __name__ == "__main__":
    sys.argv[0] = "run"
    sys.exit(main())
"""
EVERY_KIND = f"""{BLOCK}
from pokerlab.run import KINDS
from pokerlab.runs.workers import attribute
print(*(attribute(path).__name__ for path in KINDS.values()))
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["numba", "jax"])
def test_without_any_other_library(tmp_path, engine):
    if engine == "jax":
        pytest.importorskip("jax")
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"game": "kuhn", "engine": engine, "iterations": 50}))
    command = [sys.executable, "-c", BLOCKED, str(config), "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)
    assert done.returncode == 0, done.stderr
    assert "cfr+ (Tammelin 2014), engine" in done.stdout and "iterations      50" in done.stdout
    assert load_strategy(tmp_path / "run" / "strategy.bin").about["engine"] == engine


@pytest.mark.slow
def test_every_kind_can_be_imported_there():
    done = subprocess.run([sys.executable, "-c", EVERY_KIND], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [path.partition(":")[2] for path in KINDS.values()]


@pytest.mark.slow
def test_other_kinds_are_run_alike(tmp_path, capsys):
    """Costs, answers and refusals; `tests/requests` runs every kind by JSON."""
    config, out = tmp_path / "config.json", tmp_path / "out"
    config.write_text('{"kind": "bets", "game": "leduc-nolimit", "runs": 1, "iterations": 20, "value_iterations": 0}')
    assert main([str(config), "--out", str(out / "bets"), "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("about ") and said.endswith(f" MB on disk; it would be saved in {out / 'bets'}\n")
    assert not out.exists()
    river = {"kind": "solve subgame", "board": "Ks7h2d5c8s", "ranges": ["AA, JTs", "KQ"], "pot": 100, "stack": 100}
    config.write_text(json.dumps({**river, "sizes": "1p", "iterations": 100, "target_percent": 1e-9}))
    assert main([str(config), "--out", str(out / "river")]) == 0
    assert "river subgame on Ks7h2d5c8s: dcfr, 100 iterations" in capsys.readouterr().out
    assert load_strategy(out / "river" / "strategy.bin").strategy.tree.n_decisions == 4
    config.write_text('{"kind": "buckets build", "name": "pr5"}')
    assert main([str(config)]) == 2
    assert "pr5 ships with pokerlab" in capsys.readouterr().err
    capsys.readouterr()
    config.write_text('{"kind": "reproduce", "name": "hawkin2014-leduc", "full": true}')
    assert main([str(config), "--dry-run", "--workers", "3"]) == 0
    assert capsys.readouterr().out.startswith("about 3.0 min; it would be saved in runs/reproduce-hawkin2014-leduc-")
    config.write_text('{"kind": "matchups"}')
    assert main([str(config), "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("about 60 s, 0.4 MB on disk; it would be saved in runs/matchups-holdem-")


def test_progress_and_resume(tmp_path, capsys, monkeypatch):
    config, reports = tmp_path / "config.json", []
    config.write_text('{"game": "kuhn", "iterations": 20}')
    monkeypatch.setattr("pokerlab.run.report_progress", lambda *report: reports.append(report))
    ends = []
    for _ in range(2):
        assert main([str(config), "--out", str(tmp_path / "run")]) == 0
        ends.append([report[1:] for report in reports if report[1] == 20])
    assert set(ends[0]) == {(20, 20)} and ends[1] == ends[0]  # the second time everything was there
    assert capsys.readouterr().out.count("value           -0.0") == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("[]", "does not hold a JSON object"),
        (
            '{"kind": "chess"}',
            "there is no request of kind 'chess'; ",
        ),
        ('{"kind": "reproduce", "name": "hawkin"}', "no experiment is called 'hawkin'; did you mean hawkin2014"),
        ('{"kind": "train sized", "first": 1}', "first must be a path, not 1"),
        ('{"kind": "matchups", "boards": 1}', "matchups has no setting 'boards'"),
        ('{"game": "leduk"}', "no game is called 'leduk'; did you mean leduc"),
        ('{"game": "leduc", "sizes": "1pp"}', "'1pp' is not a bet size"),
        ('{"game": "leduc", "algorithm": "x"}', "no algorithm is called 'x'"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, capsys, text, says):
    config = tmp_path / "config.json"
    config.write_text(text)
    assert main([str(config), "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1
    assert main([str(tmp_path / "none.json")]) == 2
    assert "No such file" in capsys.readouterr().err
