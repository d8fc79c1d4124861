"""`pokerlab match` and `pokerlab tournament`: what they print, keep and refuse."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pokerlab import __version__
from pokerlab.cli import main

QUICK = ("match", "--game", "leduc", "--agents", "random,caller", "--hands", "40", "--workers", "1")
ROUND = ("tournament", "--game", "leduc", "--agents", "random,caller,raiser", "--hands", "20", "--workers", "1")


def changed(start, **changes):
    """The command line with other values for some of its options."""
    options = {start[i]: start[i + 1] for i in range(1, len(start), 2)}
    options.update({f"--{name.replace('_', '-')}": value for name, value in changes.items()})
    return (start[0], *(token for pair in options.items() for token in pair))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys, *tokens, read=""):
    """The printed answer but for its path; `read` is how many results are said to be read from disk: "4 of 4"."""
    assert main([*tokens, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith(f"pokerlab: {read} results were read from ") if read else captured.err == ""
    return {key: value for key, value in json.loads(captured.out).items() if key != "path"}


def refused(capsys, *tokens):
    assert main(tokens) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("pokerlab: ") and captured.err.count("\n") == 1
    return captured.err


def test_json_says_what_was_played_and_what_came_of_it(capsys):
    found = answer(capsys, *QUICK, "--seed", "7", "--duplicate", "--match-hands", "10")
    assert (found["game"], found["seed"], found["duplicate"], found["hands"]) == ("leduc", 7, True, 40)
    assert (found["units"], found["version"]) == ("mbb_per_hand", __version__)
    assert (found["played"], found["matches"], found["method"]) == (80, 8, "deals, 2 seatings each")
    assert [row["name"] for row in found["agents"]] == ["random", "caller"]
    first, second = found["agents"]
    assert first["low"] < first["mean"] < first["high"] and first["n"] == 40
    assert first["mean"] == -second["mean"]
    assert found["differences"][0]["mean"] == pytest.approx(2 * first["mean"])


def test_the_seed_decides(capsys):
    one, again, other = (
        answer(capsys, *QUICK, "--seed", seed, "--no-save")["agents"][0]["mean"] for seed in ("1", "1", "2")
    )
    assert one == again != other


def test_a_run_is_kept_resumed_and_not_confused_with_another(capsys, elsewhere):
    first = answer(capsys, *QUICK, "--out", "here")
    assert sorted(path.name for path in (elsewhere / "here").iterdir()) == [
        "hands",
        "matches",
        "result.json",
        "run.json",
    ]
    assert json.loads((elsewhere / "here" / "result.json").read_text()) == first
    assert answer(capsys, *QUICK, "--out", "here", read="1 of 1") == first
    assert answer(capsys, *QUICK, "--out", "here", "--units", "bb_per_100", read="1 of 1")["units"] == "bb_per_100"
    assert "here holds another run (seed was 7, now 5)" in refused(capsys, *QUICK, "--out", "here", "--seed", "5")


def test_by_default_every_request_has_a_directory_of_its_own(capsys, elsewhere):
    for seed, read in (("0", ""), ("1", ""), ("0", "1 of 1")):
        answer(capsys, *QUICK, "--seed", seed, read=read)
    kept = sorted(path.name for path in (elsewhere / "runs").iterdir())
    assert len(kept) == 2 and all(name.startswith("match-leduc-") for name in kept)


def test_nothing_is_kept_when_nothing_should_be(capsys, elsewhere):
    answer(capsys, *QUICK, "--no-save")
    assert list(elsewhere.iterdir()) == []
    assert "contradict" in refused(capsys, *QUICK, "--no-save", "--out", "x")
    assert "save_memory needs the run directory" in refused(capsys, *QUICK, "--no-save", "--save-memory")
    assert "leave out --no-save" in refused(capsys, *QUICK, "--no-save", "--report")


def test_a_game_definition_file_is_a_game(capsys, elsewhere):
    from pokerlab.games.catalog import game
    from pokerlab.notation.acpc.definition import definition_text

    (elsewhere / "mine.game").write_text(definition_text(game("leduc")))
    mine = answer(capsys, *QUICK[:1], "--game", "mine.game", *QUICK[3:], "--no-save")
    assert mine["agents"] == answer(capsys, *QUICK, "--no-save")["agents"]


def test_a_dry_run_plays_little_and_keeps_nothing(capsys, elsewhere):
    found = answer(capsys, *changed(QUICK, hands="5000000"), "--dry-run")
    assert found["hands"] == 5_000_000 and found["matches"] == 5000
    assert found["seconds"] > 10 and found["disk_bytes"] > 5e6 and found["memory_bytes"] > 1e6
    assert list(elsewhere.iterdir()) == []


def test_people_read_a_table(capsys):
    assert main([*QUICK, "--duplicate"]) == 0
    out = capsys.readouterr().out
    assert "leduc, 40 deals, each in 2 seatings, seed 7" in out
    assert "95% interval" in out and "caller" in out
    assert "saved in runs/match-leduc-" in out


def test_the_page_says_which_command_makes_the_same_run(capsys, elsewhere):
    assert main([*QUICK, "--out", "here", "--report", "--duplicate", "--match-hands", "20"]) == 0
    assert "written to here/report.html" in capsys.readouterr().out
    page = (elsewhere / "here" / "report.html").read_text()
    command = "pokerlab match --game leduc --seed 7 --agents random,caller --hands 40 --duplicate --match-hands 20"
    assert command in page
    found = answer(capsys, *command.split()[1:], "--out", "here", read="4 of 4")
    assert f"{found['agents'][0]['mean']:+,.0f}" in page or f"{found['agents'][0]['mean']:+.1f}" in page


def test_memory_that_changed_is_another_run(capsys, elsewhere):
    (elsewhere / "cli_bots.py").write_text(
        "from pokerlab.games.actions import CALL\n"
        "class Bot:\n"
        "    def act(self, view, rng): return CALL\n"
        "    def load(self, path): path.read_text()\n"
    )
    (elsewhere / "memory").write_text("one")
    tokens = (*QUICK[:3], "--agents", "caller,py:cli_bots:Bot@memory", *QUICK[5:], "--out", "here")
    answer(capsys, *tokens)
    (elsewhere / "memory").write_text("two")
    assert "holds another run (files was" in refused(capsys, *tokens)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"agents": "random,cller"}, "no agent is called 'cller'; did you mean caller"),
        ({"agents": "random"}, "leduc seats 2 players; 1 were named"),
        ({"agents": "random,caller,raiser"}, "leduc seats 2 players; 3 were named"),
        ({"agents": "random,"}, "agents 'random,' has an empty item; items are separated by ','"),
        ({"game": "holdem"}, "no game is called 'holdem'"),
        ({"hands": "0"}, "hands must be at least 1, not 0"),
        ({"hands": "-3"}, "hands must be at least 1, not -3"),
        ({"hands": "many"}, "many"),
        ({"match_hands": "0"}, "match_hands must be at least 1, not 0"),
        ({"workers": "0"}, "0 workers; at least one is needed"),
        ({"workers": "-2"}, "-2 workers; at least one is needed"),
        ({"units": "euros"}, "no units are called 'euros'"),
        ({"agents": "caller,acpc://localhost:0", "workers": "2"}, "plays one match at a time"),
        ({"agents": "caller,py:nowhere:Bot"}, "No module named 'nowhere'"),
        ({"agents": "caller@memory,random"}, "has no memory to load"),
        ({"out": "/proc/nowhere"}, "/proc/nowhere"),
    ],
)
def test_mistakes_are_one_line(changes, says, capsys):
    assert says in refused(capsys, *changed(QUICK, **changes))


@pytest.mark.slow
def test_tournament_json(capsys):
    found = answer(capsys, *ROUND, "--seed", "4")
    assert (found["game"], found["seed"], found["duplicate"], found["hands"], found["tables"]) == (
        "leduc",
        4,
        True,
        20,
        3,
    )
    assert found["played"] == 3 * 2 * 20
    assert {row["name"] for row in found["agents"]} == {"random", "caller", "raiser"}
    assert all({"mean", "low", "high", "n"} <= row.keys() for row in found["agents"] + found["cross_table"])
    assert len(found["cross_table"]) == 6 and len(found["run_off"]) == 2


@pytest.mark.slow
def test_tournament_for_people_and_again_from_disk(capsys, elsewhere):
    assert main([*ROUND, "--out", "here"]) == 0
    first = capsys.readouterr().out
    assert "leduc, 3 tables, 20 deals in every seating at each" in first
    assert "total bankroll" in first and "saved in here" in first and "written to here/report.html" in first
    assert ">Cross-table</h2>" in (elsewhere / "here" / "report.html").read_text()
    assert main([*ROUND, "--out", "here"]) == 0
    assert capsys.readouterr().out == first


def test_two_clusters_are_one_too_many(capsys):
    assert "--ray takes one address, not 2" in refused(capsys, *QUICK, "--ray", "127.0.0.1:1", "127.0.0.1:2")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"agents": "caller,caller"}, "caller is entered twice"),
        ({"agents": "caller"}, "leduc seats 2 players; 1 were named"),
        ({"tables": "1"}, "3 agents need at least 2 tables, not 1"),
        ({"hands": "0"}, "hands must be at least 1, not 0"),
    ],
)
def test_tournament_mistakes(changes, says, capsys):
    assert says in refused(capsys, *changed(ROUND, **changes))


BOT = """
import {helper}
from pokerlab.games.actions import CALL, FOLD

class Tag:
    def act(self, view, rng):
        return FOLD if {helper}.FOLDS and view.legal().fold else CALL
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["match", pytest.param("tournament", marks=pytest.mark.thorough)])
def test_an_edited_agent_does_not_get_its_old_result(elsewhere, kind):
    """Nor does one whose import from the same folder was edited; what is read from disk is said to be."""
    tokens = (kind, "--game", "leduc", "--agents", "py:tag:Tag,raiser", "--hands", "9", "--workers", "1", "--json")
    bot, helper = elsewhere / "tag.py", elsewhere / "tag_helper.py"

    def said():
        command = [sys.executable, "-m", "pokerlab.cli", *tokens]
        done = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["agents"], done.stderr

    bot.write_text(BOT.format(helper="tag_helper"))
    helper.write_text("FOLDS = True\n")
    folds, quiet = said()
    again, line = said()
    assert folds == again and quiet == ""
    assert line.startswith("pokerlab: ") and "results were read from runs/" in line and line.count("\n") == 1
    helper.write_text("FOLDS = False\n")
    calls, quiet = said()
    assert calls != folds and quiet == ""
    bot.write_text(BOT.format(helper="tag_helper").replace("FOLDS and", "FOLDS is False and"))
    assert said() == (folds, "")


@pytest.mark.slow
def test_a_run_in_a_named_place_is_refused_after_an_edit(elsewhere):
    (elsewhere / "tag.py").write_text(BOT.format(helper="math").replace("math.FOLDS", "False"))
    tokens = (*changed(QUICK, agents="py:tag:Tag,raiser", hands="2"), "--out", "here")
    command = [sys.executable, "-m", "pokerlab.cli", *tokens]
    subprocess.run(command, cwd=elsewhere, capture_output=True, check=True)
    (elsewhere / "tag.py").write_text(f"# edited\n{(elsewhere / 'tag.py').read_text()}")
    done = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith('pokerlab: here holds another run (files was {"py:tag:Tag"')
    assert done.stderr.count("\n") == 1


BOTS = """
import os, sys, time
from pokerlab.games.actions import CALL

class Talker:
    def __init__(self):
        print("made")
    def act(self, view, rng):
        print("acting")
        os.write(1, b"written")
        return CALL

class Sleeper:
    def act(self, view, rng):
        time.sleep(30)
        return CALL

class Leaver:
    def act(self, view, rng):
        sys.exit(3)

class Ender:
    def act(self, view, rng):
        os._exit(3)

class EnderAtOnce:
    def __init__(self):
        os._exit(0)
    def act(self, view, rng):
        return CALL

class Unmade:
    def __init__(self):
        raise RuntimeError("no idea\\nat all")
    def act(self, view, rng):
        return CALL
"""


TWICE = [1, pytest.param(2, marks=pytest.mark.thorough)]


def limited(bot, workers):
    """A match of one of `BOTS`, written where it is looked for under a name of its own: processes of agents look for
    modules where earlier tests had theirs."""
    module = f"limited_{bot.lower()}"
    Path(f"{module}.py").write_text(BOTS)
    return module, (*changed(QUICK, agents=f"py:{module}:{bot},caller", hands="2", workers=str(workers)), "--json")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_what_an_agent_prints_is_not_in_the_answer(workers):
    module, tokens = limited("Talker", workers)
    line = [sys.executable, "-m", "pokerlab.cli", *tokens]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(done.stdout)["late"] == {f"py:{module}:Talker": 0, "caller": 0}
    assert {"acting", "made"} <= set(done.stderr.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("workers", TWICE)
def test_a_late_decision_is_counted(capsys, workers):
    module, tokens = limited("Sleeper", workers)
    assert main([*tokens, "--seconds-per-decision", "0.05"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert (found["seconds_per_decision"], captured.err) == (0.05, "")
    assert found["late"] == {f"py:{module}:Sleeper": 4, "caller": 0}


@pytest.mark.slow
@pytest.mark.parametrize("workers", TWICE)
@pytest.mark.parametrize(
    ("bot", "why"),
    [
        (
            "Leaver",
            "match 0 of py:limited_leaver:Leaver and caller failed: hand 0: py:limited_leaver:Leaver failed with Sys",
        ),
        (
            "Ender",
            "match 0 of py:limited_ender:Ender and caller failed: hand 0: py:limited_ender:Ender: its process ended "
            "(exit status 3)",
        ),
        ("EnderAtOnce", "py:limited_enderatonce:EnderAtOnce: its process ended (exit status 0)"),
        ("Unmade", "py:limited_unmade:Unmade failed with RuntimeError: no idea\\nat all at "),
    ],
)
def test_an_agent_that_ends_costs_its_match_a_line(capsys, bot, why, workers):
    if workers == 2 and bot in ("EnderAtOnce", "Unmade"):
        pytest.skip("it is made before anybody plays, in the same way")
    assert refused(capsys, *limited(bot, workers)[1]).startswith(f"pokerlab: {why}")


def test_late_players_are_told_of(capsys):
    from pokerlab.valuing.summary import late_lines

    lines = late_lines({"seconds_per_decision": 0.5, "late": {"ann": 1200, "bob": 0, "cy": 1}})
    assert lines == [
        "ann was late 1,200 times (over 0.5 s a decision): it checked, or folded to a bet",
        "cy was late once (over 0.5 s a decision): it checked, or folded to a bet",
    ]
