"""The README: its picture says what the command that made it (`make picture`) says today, and its four paths are walked
with few hands (`make test`) and in full (`make thorough`)."""

import re
import shlex
import sys
from pathlib import Path

import pytest

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


# --- the four paths ---

PATHS = {
    title: [shlex.split(line, comments=True)[1:] for line in lines.splitlines()]
    for title, lines in re.findall(r"^### ([^\n]*)\n\n```\n(.*?)```", (ROOT / "README.md").read_text(), re.M | re.S)
}


def test_the_first_screen_has_four_paths_of_three_commands():
    """That each is understood is in test_commands.py."""
    assert {title: len(lines) for title, lines in PATHS.items()} == {
        "Play and study": 3, "Write a bot": 3, "Research": 3, "Run at scale": 3,
    }  # fmt: skip


FEWER = {"--target": "0.05", "--hands": "4"}
ADDED = {"verify": ["--game", "limit2p", "--hands", "5"], "reproduce": ["--dry-run"]}


def shorter(line):
    """The command with fewer hands and a wider target; one game is verified, and the experiment is only estimated."""
    options = {} if "--dry-run" in line else FEWER
    short = [options.get(before, word) for before, word in zip(["", *line], line, strict=False)]
    return [*short, *ADDED.get(line[0], [])]


@pytest.mark.slow
@pytest.mark.parametrize("title", PATHS)
def test_a_path_can_be_walked_from_an_empty_folder_with_few_hands(title, walk):
    walk(title, [shorter(line) for line in PATHS[title]])


@pytest.mark.thorough
@pytest.mark.parametrize("title", PATHS)
def test_a_path_can_be_walked_from_an_empty_folder(title, walk):
    walk(title, PATHS[title])


@pytest.fixture
def walk(tmp_path, monkeypatch, capsys):
    """Run the commands of a path in an empty folder, without opening a browser, and look for a word of their output."""
    served = []
    monkeypatch.setattr("pokerlab.cli.play.run_server", lambda tables, **how: served.append(tables))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "ada", raising=False)  # the bot of a path that was walked before
    monkeypatch.setattr(sys, "path", list(sys.path))  # matches add the bot's folder

    def run(title, lines):
        for line in lines:
            assert main(line) == 0, line
        expected = {
            "Play and study": "628 ahead, 9 tied, 444 behind",
            "Write a bot": "py:ada:Ada keeps the contract",
            "Research": "raise to 3: seat 1 acts",
            "Run at scale": "VPIP",
        }
        assert expected[title] in capsys.readouterr().out
        assert len(served) == (title == "Play and study")

    return run
