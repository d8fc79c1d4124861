"""Tasks: in order, on any number of workers, kept as they come, and failing alone."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import Done, Failed, Plain, Task, UnfinishedError, attempt, do_tasks, here, runner_for

WORK = """
import os, time
from pathlib import Path
import numpy as np
from pokerlab.runs.workers import Done

def powers(n, tick):
    tick(1)
    tick(1)
    return Done({"n": n}, {"powers": np.array([n, n * n])}, {f"notes/{n}.txt": str(n).encode()})

def threads(n):
    return os.environ["OMP_NUM_THREADS"]

def divide(n):
    return 6 // n

def slow(n):
    (Path(os.environ["POKERLAB_TEST_MARKS"]) / str(os.getpid())).touch()
    time.sleep(60)
"""


@pytest.fixture
def work(tmp_path, monkeypatch):
    (tmp_path / "workers_work.py").write_text(WORK)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("workers_work", None)


def tasks(n=4):
    return [Task("workers_work:powers", i, key=str(i), about={"n": i}, size=2) for i in range(n)]


def plain(function, arguments):
    return [Task("pokerlab.runs.workers:plain", Plain(function, each), name=f"number {each}") for each in arguments]


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(work):
    told = []
    with open_run(work / "one", "test", {}) as one, open_run(work / "three", "test", {}) as three:
        for run, workers in ((one, 1), (three, 3)):
            done = do_tasks(
                tasks(), runner=runner_for(workers), run=run, report=lambda done, total: told.append((done, total))
            )
            assert [each.value["n"] for each in done] == [0, 1, 2, 3]
            assert [each.arrays["powers"].tolist() for each in done] == [[0, 0], [1, 1], [2, 4], [3, 9]]
            assert told[0] == (0, 8) and told[-1] == (8, 8) and told == sorted(told)
            told.clear()
    files = [sorted(path.relative_to(where) for path in where.rglob("*.*")) for where in (work / "one", work / "three")]
    assert files[0] == files[1] and len(files[0]) == 1 + 4 + 4
    for name in files[0]:
        assert (work / "one" / name).read_bytes() == (work / "three" / name).read_bytes()


def test_what_is_kept_is_not_done_again(work, caplog):
    with caplog.at_level("INFO"), open_run(work / "run", "test", {}) as run:
        do_tasks(tasks(3), runner=here, run=run)
        assert not caplog.records
        (work / "run" / "results" / "1.result").write_bytes(b"POKERLAB, but cut short")
        asked = []

        def noting(given, tick):
            asked.extend(task.key for task in given)
            return here(given, tick)

        again = do_tasks([*tasks(2), Task("workers_work:powers", 5, key="2", about={"n": 5})], runner=noting, run=run)
    assert asked == ["1", "2"], "a damaged result is none, nor is that of another task"
    assert [each.value["n"] for each in again] == [0, 1, 5]
    assert np.array_equal(again[0].arrays["powers"], [0, 0])
    assert f"1 of 3 results were read from {work / 'run' / 'results'}" in caplog.text


@pytest.mark.parametrize("workers", [1, 2])
def test_a_task_that_fails_is_named_and_the_others_are_done(work, workers):
    with open_run(work / "run", "test", {}) as run, pytest.raises(UnfinishedError) as caught:
        do_tasks(plain("workers_work:divide", [1, 0, 2]), runner=runner_for(workers), run=run)
    assert str(caught.value).startswith("number 0 failed: ZeroDivisionError: ")
    assert str(caught.value).endswith("(workers_work.py, line 16); 2 finished")


def test_a_function_nobody_has_is_a_line():
    outcome = attempt(Task("pokerlab.nowhere:f", 1), lambda more: None)
    assert isinstance(outcome, Failed)
    assert outcome.why.startswith("ModuleNotFoundError: No module named 'pokerlab.nowhere'")


def test_workers_have_one_thread_each(work, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    done = do_tasks(plain("workers_work:threads", [1, 2]), runner=runner_for(2))
    assert done == [Done("1"), Done("1")]
    assert "OMP_NUM_THREADS" not in os.environ


def test_a_single_task_is_done_here_unless_it_may_hang_or_workers_are_asked_for(monkeypatch):
    monkeypatch.setattr("pokerlab.runs.workers.usable_cores", lambda: 2)
    monkeypatch.setattr("pokerlab.runs.workers.on_processes", lambda tasks, tick, workers: [f"{workers} processes"])
    one = plain("builtins:abs", [-3])
    assert list(runner_for(None)(one, lambda more: None)) == [(0, Done(3))]
    hanging = [Task("pokerlab.runs.workers:plain", Plain("builtins:abs", -3), silence=9.0)]
    for workers, given in ((None, [*one, *one]), (None, hanging), (2, one)):
        assert list(runner_for(workers)(given, lambda more: None)) == ["2 processes"]


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_parent(work, sign):
    """Killed or interrupted, in the middle of tasks that never tick."""
    marks = work / "marks"
    marks.mkdir()
    program = (
        "import signal\n"
        "from pokerlab.runs.workers import *\n"
        "if __name__ == '__main__':\n"
        "    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background ignore it\n"
        "    tasks = [Task('pokerlab.runs.workers:plain', Plain('workers_work:slow', i)) for i in range(2)]\n"
        "    do_tasks(tasks, runner=runner_for(2))\n"
    )
    (work / "program.py").write_text(program)
    environment = {**os.environ, "POKERLAB_TEST_MARKS": str(marks)}
    parent = subprocess.Popen(
        [sys.executable, str(work / "program.py")], env=environment, stderr=subprocess.DEVNULL, cwd=work
    )
    while len(list(marks.iterdir())) < 2:
        assert parent.poll() is None
        time.sleep(0.02)
    parent.send_signal(sign)
    assert parent.wait(timeout=120) in (-signal.SIGKILL, -signal.SIGINT, 1)
    pids = [int(path.name) for path in marks.iterdir()]
    until = time.monotonic() + 300
    while any(_alive(pid) for pid in pids) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(_alive(pid) for pid in pids)


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_worker_that_is_silent_for_too_long_is_ended_and_costs_its_own_task_alone(work):
    asleep = Task("pokerlab.runs.workers:plain", Plain("time:sleep", 3600), silence=0.5)  # not waited for
    awake = Task("pokerlab.runs.workers:plain", Plain("builtins:abs", -3))
    outcomes = dict(runner_for(2)([asleep, awake], lambda more: None))
    assert outcomes[0] == Failed("it was silent for 0.5 seconds and was ended")
    assert outcomes[1].value == 3
