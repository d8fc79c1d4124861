"""The browser's scripts: short lines, and JavaScript that parses where Node is installed to say so."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import pokerlab.web

SCRIPTS = sorted((Path(pokerlab.web.__file__).parent / "static").glob("*.js"))
WIDTH = 120


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_lines_are_short_and_clean(script):
    text = script.read_text()
    long = [number for number, line in enumerate(text.splitlines(), 1) if len(line) > WIDTH]
    untidy = [number for number, line in enumerate(text.splitlines(), 1) if line != line.rstrip() or "\t" in line]
    assert (long, untidy, text[-1]) == ([], [], "\n")


def test_scripts_begin_by_saying_what_they_are():
    assert [script.name for script in SCRIPTS if not script.read_text().startswith("//")] == []


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


@needs_node
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_parse(script, tmp_path):
    module = tmp_path / f"{script.stem}.mjs"
    module.write_text(script.read_text())
    checked = subprocess.run(["node", "--check", module], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


# Three combos of a player with two actions, of whom the last is no longer there.
COLUMNS = {
    "hand": ["AhKh", "AsKs", "QhQd"],
    "made": [0, 0, 1],
    "draw": [0, 1, 0],
    "began": [1, 0.5, 1],
    "weight": [1, 0.5, 0],
    "share": [0.75, 0.25, 0],
    "ev": [10, 30, None],
    "equity": [0.5, 0.7, None],
    "p": [[1, 0, 0.5], [0, 1, 0.5]],
    "evs": [[10, 20, None], [8, 30, None]],
}


def of_hands(tmp_path, expression):
    """The JSON value of an expression in the functions of hands.js, with `of` for the columns."""
    (tmp_path / "hands.mjs").write_text((SCRIPTS[0].parent / "hands.js").read_text())
    line = f"const of = {json.dumps(COLUMNS)}; console.log(JSON.stringify({expression}));"
    (tmp_path / "run.mjs").write_text(f'import * as hands from "./hands.mjs";\n{line}\n')
    done = subprocess.run(["node", tmp_path / "run.mjs"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@needs_node
def test_combos_are_grouped_and_weighted_by_how_often_they_are_held(tmp_path):
    rows = dict(of_hands(tmp_path, "[...hands.byClass(of)]"))
    assert list(rows) == ["AKs", "QQ"]
    suited = rows["AKs"]
    assert (suited["began"], suited["weight"], suited["left"], suited["share"]) == (1.5, 1.5, 1, 1)
    assert (suited["p"], suited["ev"]) == ([0.75, 0.25], 15) and suited["evs"] == [12.5, 13.5]
    assert (rows["QQ"]["left"], rows["QQ"]["ev"], rows["QQ"]["p"]) == (0, None, [None, None])
    kept = dict(of_hands(tmp_path, "[...hands.byClass(of, (i) => of.draw[i] === 1)]"))
    assert list(kept) == ["AKs"] and kept["AKs"]["combos"] == [1]


@needs_node
def test_blockers_and_locks_are_those_of_their_definitions(tmp_path):
    assert of_hands(tmp_path, "hands.withoutCard(of, 'As')") == [0.25, -0.25]
    assert of_hands(tmp_path, "hands.withoutCard(of, '2c')") == [0, 0]
    assert of_hands(tmp_path, "hands.blocked('AhQc', of)") == pytest.approx(1 / 1.5)
    assert of_hands(tmp_path, "['AhKh', 'AhKd', '7c7d'].map(hands.classOf)") == ["AKs", "AKo", "77"]
    assert of_hands(tmp_path, "hands.span([3, null, -1])") == [-1, 3]
    shares = '[["check", ""], ["bet 50", "25"]]'
    assert of_hands(tmp_path, f"hands.lockText('', 'AKs', {shares})") == "first: AKs bet 50 25%"
    assert of_hands(tmp_path, f"hands.lockText('check', '', {shares})") == "check: bet 50 25%"
