"""The browser's scripts: short lines, and JavaScript that parses where Node is installed to say so."""

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


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_parse(script, tmp_path):
    module = tmp_path / f"{script.stem}.mjs"
    module.write_text(script.read_text())
    checked = subprocess.run(["node", "--check", module], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")
