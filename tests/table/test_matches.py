"""Matches: the same results on any number of workers, after a kill, and beside matches that fail."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import UnfinishedError, attempt, here, runner_for
from pokerlab.table.match import MatchPlan, plans
from pokerlab.table.matches import MatchTask, match_task, run_plans

MAKE = "pokerlab.players.registry:agent"


def todo(*entrants, hands=20, match_hands=10, duplicate=True, game="leduc"):
    return plans(MatchPlan(game, entrants, match_hands, seed=7), hands=hands, duplicate=duplicate)


def chips(results):
    return [result.chips.tolist() for result in results]


def content(where):
    """SHA-256 of every file below a directory."""
    return {
        str(path.relative_to(where)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(where.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    matches = todo("random", "random:smallest", hands=60)
    told = []
    with open_run(tmp_path / "one", "match", {}) as run:
        one = run_plans(matches, make=MAKE, runner=here, run=run, record=True)
    with open_run(tmp_path / "four", "match", {}) as run:
        four = run_plans(
            matches,
            make=MAKE,
            runner=runner_for(4),
            run=run,
            record=True,
            report=lambda done, total: told.append((done, total)),
        )
    assert chips(one) == chips(four)
    assert content(tmp_path / "one") == content(tmp_path / "four")
    assert told[0] == (0, 120) and told[-1] == (120, 120)
    assert told == sorted(told)
    assert "OMP_NUM_THREADS" not in os.environ, "only the workers' environment says one thread"


def test_finished_matches_are_not_played_again(tmp_path):
    matches = todo("random", "caller")
    with open_run(tmp_path / "run", "match", {}) as run:
        first = run_plans(matches, make=MAKE, runner=here, run=run)
        (tmp_path / "run" / "matches" / "2.result").write_bytes(b"POKERLAB, but cut short")
        played = []

        def counting(tasks, tick):
            played.extend(task.key for task in tasks)
            return here(tasks, tick)

        again = run_plans(matches, make=MAKE, runner=counting, run=run)
    assert played == ["2"], "a damaged result is no result"
    assert chips(again) == chips(first)


def command(where, workers):
    return [
        *(sys.executable, "-m", "pokerlab.cli", "match", "--game", "leduc", "--duplicate"),
        *("--agents", "random,py:table_bots:Learner", "--hands", "1000", "--match-hands", "50"),
        *("--seed", str(2**62 + 3), "--save-memory", "--json", "--workers", str(workers), "--out", str(where)),
    ]


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_to_the_same_result(tmp_path, bots):
    """SIGKILL to the command in the middle of its work, twice; the files are those of a run never stopped."""
    whole = subprocess.run(command(tmp_path / "whole", 1), cwd=bots, capture_output=True, check=True)
    where, stops, orphans = tmp_path / "killed", [], []
    for n_more in (1, 7):
        running = subprocess.Popen(command(where, 2), cwd=bots, stdout=subprocess.DEVNULL)
        target = (stops[-1] if stops else 0) + n_more
        while len(list(where.glob("matches/*.result"))) < target and running.poll() is None:
            time.sleep(0.002)
        orphans += children(running.pid)
        running.send_signal(signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
        stops.append(len(list(where.glob("matches/*.result"))))
    assert 0 < stops[0] < stops[1] < 40
    resumed = subprocess.run(command(where, 3), cwd=bots, capture_output=True, check=True)
    assert resumed.stdout.replace(bytes(where), bytes(tmp_path / "whole")) == whole.stdout  # the saved files have paths
    assert content(where) == content(tmp_path / "whole")
    assert json.loads(resumed.stdout)["method"] == "match sets"
    assert len(orphans) >= 4 and not any(alive(pid) for pid in orphans), "workers end when the command is killed"


def children(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_a_match_that_fails_is_named_and_the_others_are_kept(tmp_path, bots):
    matches = todo("caller", "raiser") + todo("caller", "py:table_bots:Broken")[:1]
    with open_run(tmp_path / "run", "match", {}) as run, pytest.raises(UnfinishedError) as caught:
        run_plans(matches, make=MAKE, runner=runner_for(2), run=run)
    line = str(caught.value)
    assert line.startswith(
        "match 0 of caller and py:table_bots:Broken failed: hand 3: py:table_bots:Broken failed with"
    )
    assert "ZeroDivisionError" in line and line.endswith("; 4 finished") and "\n" not in line
    assert [path.name for path in sorted((tmp_path / "run" / "matches").iterdir())] == [f"{i}.result" for i in range(4)]


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(tmp_path, bots, monkeypatch):
    monkeypatch.setenv("POKERLAB_TEST_MARK", str(tmp_path / "mark"))
    matches = todo("caller", "py:table_bots:KillsOnce")
    results = run_plans(matches, make=MAKE, runner=runner_for(2))
    assert (tmp_path / "mark").exists()
    assert chips(results) == chips(run_plans(todo("caller", "caller"), make=MAKE, runner=here))


@pytest.mark.slow
def test_a_match_that_kills_every_worker_fails_alone(bots):
    matches = [*todo("caller", "py:table_bots:Killer", hands=5)[:1], *todo("caller", "raiser")]
    with pytest.raises(UnfinishedError) as caught:
        run_plans(matches, make=MAKE, runner=runner_for(2))
    assert str(caught.value) == (
        "match 0 of caller and py:table_bots:Killer failed: its worker process died 2 times (killed by SIGKILL); "
        "4 finished"
    )
    assert [task.argument.plan.entrants for task, _ in caught.value.failures] == [("caller", "py:table_bots:Killer")]


def test_memory_is_kept_when_asked_for(tmp_path, bots):
    with open_run(tmp_path / "run", "match", {}) as run:
        run_plans(todo("py:table_bots:Learner", "caller"), make=MAKE, runner=here, run=run, save=True)
    saved = {path.name: path.read_text() for path in (tmp_path / "run" / "memory").iterdir()}
    assert saved == {f"py-table_bots-Learner.{i}": "10" for i in range(4)}


def test_an_agent_nobody_knows_is_a_line():
    task = match_task(MatchTask(MatchPlan("leduc", ("caller", "nobody")), MAKE))
    assert "no agent is called 'nobody'" in attempt(task, lambda hands: None).why


def test_results_come_back_from_disk_exactly(tmp_path):
    (plan,) = todo("random", "random", "random", game="nolimit3p", duplicate=False, hands=10)
    with open_run(tmp_path / "run", "match", {}) as run:
        (result,) = run_plans([plan], make=MAKE, runner=here, run=run)
        (again,) = run_plans([plan], make=MAKE, runner=nobody, run=run)
        assert np.array_equal(again.chips, result.chips)
        assert (again.names, again.learned, again.plan) == (result.names, result.learned, plan)
        (other,) = todo("random", "random", "caller", game="nolimit3p", duplicate=False, hands=10)
        (another,) = run_plans([other], make=MAKE, runner=here, run=run)
        assert not np.array_equal(another.chips, result.chips), "what was kept is the result of another plan"


def nobody(tasks, tick):
    assert not tasks
    return iter(())
