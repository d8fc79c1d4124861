"""The browser's scripts and styles: short lines; formatting, lint and types where the tools of package.json are."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import pokerlab.web

ROOT = Path(__file__).parents[2]
STATIC = Path(pokerlab.web.__file__).parent / "static"
SCRIPTS = sorted(STATIC.glob("*.js"))
PACKAGE = json.loads((ROOT / "package.json").read_text())
WIDTH = 120


@pytest.mark.parametrize("script", [*SCRIPTS, *sorted(STATIC.glob("*.css"))], ids=lambda script: script.name)
def test_lines_are_short_and_clean(script):
    text = script.read_text()
    long = [number for number, line in enumerate(text.splitlines(), 1) if len(line) > WIDTH]
    untidy = [number for number, line in enumerate(text.splitlines(), 1) if line != line.rstrip() or "\t" in line]
    assert (long, untidy, text[-1]) == ([], [], "\n")


def test_scripts_begin_by_saying_what_they_are():
    assert [script.name for script in SCRIPTS if not script.read_text().startswith("//")] == []


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


CHECKS = {"formatting": "prettier", "lint": "oxlint", "types": "tsc"}


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("tool", CHECKS.values(), ids=CHECKS)
def test_scripts_pass_the_checks_of_make_scripts(tool):
    command = next(each for each in PACKAGE["scripts"]["check"].split(" && ") if each.startswith(tool))
    if not (ROOT / "node_modules" / ".bin" / tool).exists():
        pytest.skip("the tools of package.json are not installed; make scripts installs them")
    path = f"{ROOT / 'node_modules' / '.bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 0, done.stdout


def test_types_are_those_of_the_libraries_that_are_served():
    served = {path.stem.rpartition("-")[0]: path.stem.rpartition("-")[2] for path in STATIC.glob("vendor/*.mjs")}
    assert served == {
        "htm": PACKAGE["devDependencies"]["htm"],
        "preact": PACKAGE["devDependencies"]["preact"],
        "preact-hooks": PACKAGE["devDependencies"]["preact"],
    }
