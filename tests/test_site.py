"""The site: guides and the API from docstrings, built as `make docs` builds it; a warning is an error."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_site_builds_without_a_warning():
    pytest.importorskip("furo")
    pytest.importorskip("myst_parser")
    (command,) = re.findall(r"^docs:.*\n\t\$\(BIN\)/python (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    built = subprocess.run([sys.executable, *command.split()], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    pages = {page.relative_to(ROOT / "build" / "site").as_posix() for page in (ROOT / "build" / "site").rglob("*.html")}
    assert {"index.html", "bets.html", "api/pokerlab.solvers.html"} <= pages
