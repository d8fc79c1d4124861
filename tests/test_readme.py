"""The README's picture says what the command that made it (`make picture`) says today."""

import re
from pathlib import Path

from pokerlab.cli import main

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "hs-3h4cJh.svg"


def words(picture):
    return re.findall(r">([^<>\n]+)</text>", picture.read_text())


def test_picture_is_current(tmp_path, capsys):
    assert main(["odds", "--grid", "--board", "3h4cJh", "--picture", str(tmp_path / "new.svg")]) == 0
    assert words(tmp_path / "new.svg") == words(PICTURE), "run `make picture`"
    assert words(PICTURE)[words(PICTURE).index("AQo") + 1] == "58.5"


def test_readme_shows_it_and_the_makefile_makes_it():
    assert f"](docs/{PICTURE.name})" in (ROOT / "README.md").read_text()
    assert f"--picture docs/{PICTURE.name}" in (ROOT / "Makefile").read_text()
