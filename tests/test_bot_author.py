"""The bot author's page: each of its commands is run in an empty folder, with few hands."""

import importlib
import re
import runpy
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.table.saved_views import save_view
from pokerlab.verify.new_agent import write_agent

PAGE = (Path(__file__).parents[1] / "docs" / "bot-author.md").read_text()
COMMANDS = [shlex.split(line) for line in re.findall(r"^\$ (.*)$", PAGE, re.M)]
HAND = str(Path(__file__).parents[1] / "docs" / "example-hand.phh")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    others = [path for path in sys.path if not (Path(path) / "ada.py").exists()]  # folders of tests before this one
    monkeypatch.setattr(sys, "path", [str(tmp_path), *others])
    importlib.invalidate_caches()
    yield tmp_path
    sys.modules.pop("ada", None)


def run(*words, **values):
    """Run a command of the page with other values of its options."""
    (line,) = [line for line in COMMANDS if line[: len(words)] == list(words)]
    line = [values.get(before.removeprefix("--"), word) for before, word in zip(["", *line], line, strict=False)]
    return main(line[1:])


def test_the_template_is_tested_checked_and_explains_itself(folder, capsys):
    assert run("pokerlab", "new") == 0
    runpy.run_path("test_ada.py", run_name="__main__")
    assert main(["verify", "agent", "py:ada:Ada", "--game", "nolimit3p", "--hands", "5"]) == 0
    assert main(["explain", HAND, "--agent", "py:ada:Ada", "--player-name", "Bob"]) == 0
    out = capsys.readouterr().out
    assert "test_it_keeps_the_contract_of_agents: passed" in out
    assert "py:ada:Ada keeps the contract (5 hands each of nolimit3p, seed 7)" in out
    assert "It is ahead 23% of the time and needs 18% to call" in out


def test_a_view_that_was_saved_at_a_table_is_asked_again(folder, capsys):
    write_agent("ada", folder)
    (line,) = [line for line in COMMANDS if "--view" in line]
    path = Path(line[-1])
    path.parent.mkdir(parents=True)
    view = State.start(game("limit2p"), cards("AsAhKcQd9h8s4c5s3d")).view(1, 3, ("you", "py:ada:Ada"))
    save_view(path, view, np.random.default_rng(7))
    assert main(line[1:]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^py:ada:Ada (raises to 20|calls 5) \(after \d+\.\d\d s\)$", said, re.M)
    assert "legal in hand 3 of limit2p: fold, call, raise to 20" in said


@pytest.mark.slow
def test_a_match_is_explained_and_summarised(folder, capsys):
    write_agent("ada", folder)
    assert run("pokerlab", "match", hands="4") == 0
    out = capsys.readouterr().out
    assert "limit2p, 4 deals, each in 2 seatings, seed " in out and "could guess a short seed" in out
    assert run("pokerlab", "explain") == 0
    assert re.search(r"hand 3\b.*It (is ahead|has)", capsys.readouterr().out, re.S)
    assert run("pokerlab", "stats") == 0
    table = capsys.readouterr().out
    assert "VPIP" in table and "py:ada:Ada" in table and "rulebot" in table


@pytest.mark.slow
def test_the_program_in_bash_plays_the_tournament_of_four(folder, capsys):
    write_agent("ada", folder)
    Path("bot.sh").write_text(re.search("```bash\n(.*?)```", PAGE, re.S)[1])
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    loop = next(line for line in re.findall(r"^\$ (.*)$", PAGE, re.M) if "bot.sh" in line)
    with subprocess.Popen(["bash", "-c", loop.replace("18790", str(port))]) as program:
        try:
            agents = f"py:ada:Ada,acpc://127.0.0.1:{port},rulebot,caller"
            assert run("pokerlab", "tournament", agents=agents, hands="1") == 0
        finally:
            program.terminate()
    told = capsys.readouterr()
    assert "limit2p, 6 tables, 1 deals in every seating at each" in told.out
    assert "cannot raise" not in told.err  # it keeps to the cap


def test_the_page_has_no_other_commands():
    assert [line[:2] for line in COMMANDS if line[0] == "pokerlab"] == [
        ["pokerlab", word] for word in ("new", "verify", "match", "explain", "stats", "play", "verify", "tournament")
    ]


@pytest.mark.parametrize("name", ["Ada", "3x", "class", "a-b", "random"])
def test_other_names_are_refused(name, tmp_path):
    with pytest.raises(PokerlabError, match=r"is not a name|installed Python module"):
        write_agent(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_existing_files_are_not_overwritten(tmp_path):
    (tmp_path / "test_ada.py").write_text("mine")
    with pytest.raises(PokerlabError, match=r"test_ada\.py exists already"):
        write_agent("ada", tmp_path)
    assert (tmp_path / "test_ada.py").read_text() == "mine" and not (tmp_path / "ada.py").exists()
