"""`python -m pokerlab.run`: with the four libraries of a GPU machine alone, and one line for what is wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pokerlab.policies.strategy_files import load_strategy
from pokerlab.run import main

WITHOUT = ("cyclopts", "rich", "matplotlib", "pyarrow", "duckdb", "ray", "pandas", "hypothesis")
BLOCKED = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {WITHOUT!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)

sys.meta_path.insert(0, Blocked())
sys.argv[0] = "run"
from pokerlab.run import main
sys.exit(main())
"""


@pytest.mark.parametrize("engine", ["numba", "jax"])
def test_without_any_other_library(tmp_path, engine):
    if engine == "jax":
        pytest.importorskip("jax")
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"game": "kuhn", "engine": engine, "iterations": 50}))
    command = [sys.executable, "-c", BLOCKED, str(config), "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)
    assert done.returncode == 0, done.stderr
    assert "cfr+ (Tammelin 2014), 50 iterations" in done.stdout
    assert load_strategy(tmp_path / "run" / "strategy.bin").about["engine"] == engine


def test_progress_and_resume(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text('{"game": "kuhn", "iterations": 20}')
    for _ in range(2):
        assert main([str(config), "--out", str(tmp_path / "run")]) == 0
    out = capsys.readouterr().out
    assert out.count("iteration 20:") == 1  # the second time everything was there
    assert out.count("value -0.0") >= 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("[]", "does not hold a JSON object"),
        ('{"game": "leduk"}', "no game is called 'leduk'; did you mean leduc"),
        ('{"game": "leduc", "sizes": "1pp"}', "'1pp' is no bet size"),
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
