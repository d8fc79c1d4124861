"""Every kind of request, killed: one process ends by SIGTERM, the next by SIGKILL, and a third has the same answer.

The first two are killed when they have saved something, the second after it has gone on from that; the third reads what
they saved, and leaves the same files as a run that was never killed."""

import json
import logging
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from pokerlab import files as files_of_ours
from pokerlab.files import MAGIC, read_arrays
from pokerlab.runs.steps import CHECKPOINT, Course, steps_done

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from small_requests import SMALL
from test_every_way import CHANGES, WITH_JAX, files, make_quick, told
from test_every_way import LONGER as RESUMED

assert files  # a fixture

LONGER = {
    **RESUMED,
    "train networks": {"streams": 2},
    "train q": {"hands": 1000},
    "train regrets": {"hands": 5000},
    "train connectionist": {"hands": 160},
    "train equilibrium": {"iterations": 6},
    "train opponents": {"histories": ["FILE hands.phhs", "FILE more.phhs", "FILE rest.phhs", "FILE last.phhs"]},
    "fit": {"rounds": 5},
    "match": {"hands": 40},
    "population": {"matches": 4},
    "rollouts": {"decisions": 50},
    "train rollout-rule": {"decisions": 5},
    "train copycat": {"matches": 6},
    "tournament": {"match_hands": 10},
    "bets spots": {"boards": 6},
    "report": {"boards": 6},
    "train sized": {"iterations": 8},
    "solve preflop": {"flops": 2, "rounds": 2},
}
SETTINGS = {kind: {**SMALL[kind], **LONGER.get(kind, {})} for kind in SMALL}

WITHOUT_PARTS = (
    "buckets build",
    "counter",
    "matchups",
    "reproduce",
    "tables build",
    "tables flops",
    "train networks",
    "value",
)
"""Kinds of which nothing is saved before the end: they begin again."""

SAVES = {signal.SIGTERM: 2, signal.SIGKILL: 2}
"""Files saved by a process before it is killed, besides those of `BEGINNING`."""
BEGINNING = ("run.json", "seed.json", "result.json")


def run_until_killed(path: Path, out: Path, sign: int) -> None:
    """Run the request in a file in this process, which is killed when it has saved `SAVES` files: checkpoints, which it
    writes after every step, or results of parts. Without parts it is killed when all is computed and nothing saved."""
    from pokerlab.run import request

    in_small_parts(pytest.MonkeyPatch())
    save_often(pytest.MonkeyPatch())
    data = json.loads(path.read_text())
    asked = request(data.pop("kind"), data)
    if asked.kind in WITHOUT_PARTS:
        compute = type(asked).compute
        type(asked).compute = lambda self, place: (compute(self, place), os.kill(os.getpid(), sign))[0]
    else:
        kill_after(SAVES[signal.Signals(sign)], out, sign)
    asked.run(out, workers=1)


def in_small_parts(patch: pytest.MonkeyPatch) -> None:
    """Quick tables, a part for every decision that is rolled out, and short steps of the Q-learner."""
    make_quick(patch)
    patch.setattr("pokerlab.systems.connectionist.rollout_player.DECISIONS_A_TASK", 1)
    patch.setattr("pokerlab.systems.threeplayer.q_learning.HANDS_A_STEP", 200)


def save_often(patch: pytest.MonkeyPatch) -> None:
    """Write a checkpoint after every step."""
    begin = Course.__init__
    patch.setattr(Course, "__init__", lambda self, steps, watch, seconds=0.0: begin(self, steps, watch, 0.0))
    patch.setattr("pokerlab.valuing.exact_response.SAVE_SECONDS", 0.0, raising=False)


def kill_after(n: int, out: Path, sign: int) -> None:
    """Kill this process when it has written so many files of a run."""
    becoming, saved = files_of_ours._becoming, []

    @contextmanager
    def counted(path):
        with becoming(path) as partial:
            yield partial
        if path.is_relative_to(out) and path.name not in BEGINNING:
            saved.append(path)
            if len(saved) == n:
                os.kill(os.getpid(), sign)

    files_of_ours._becoming = counted


OFTEN = ("match", "solve", "train q")  # the others are for `make thorough`


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [kind if kind in OFTEN else pytest.param(kind, marks=pytest.mark.thorough) for kind in SETTINGS]
)
def test_killed_twice_and_resumed_to_the_same_answer(kind, files, tmp_path, monkeypatch):
    if kind in WITH_JAX:
        pytest.importorskip("jax")
    kill_twice_and_resume(kind, files(SETTINGS[kind]), tmp_path, monkeypatch)


@pytest.mark.slow
def test_a_locked_subgame_with_rake_is_killed_and_resumed(tmp_path, monkeypatch):
    """Two solves one after the other, with locks and without."""
    more = {"lock": "bet 100: KcQc call 80%", "rake": 5, "rake_cap": 9, "stack": None, "stacks": "100,300"}
    kill_twice_and_resume("solve subgame", {**SETTINGS["solve subgame"], **more}, tmp_path, monkeypatch)
    made = [(tmp_path / "run" / name / "strategy.bin").read_bytes() for name in ("", "unlocked")]
    assert made == [(tmp_path / "whole" / name / "strategy.bin").read_bytes() for name in ("", "unlocked")]
    assert made[0] != made[1]


@pytest.mark.slow
def test_a_flop_is_killed_and_resumed_to_the_same_bits(tmp_path, monkeypatch):
    """Tables of 16 bits, rounded at random, on several threads."""
    flop = {"board": "Ks7h2d", "sizes": "1p", "max_raises": 1, "iterations": 60, "threads": 2, "target_percent": 1e-9}
    killed_at = kill_twice_and_resume("solve subgame", {**SETTINGS["solve subgame"], **flop}, tmp_path, monkeypatch)
    assert 4 <= killed_at < 60
    for name in ("strategy.bin", "checkpoint.bin"):
        resumed, whole = (read_arrays(tmp_path / out / name, KINDS[name])[1] for out in ("run", "whole"))
        ours, theirs = (
            {key: array.tobytes() for key, array in of.items() if key != "looks"} for of in (resumed, whole)
        )
        assert ours == theirs and any(array.dtype == np.int16 for array in whole.values()) == (name == "checkpoint.bin")


KINDS = {"strategy.bin": "strategy", "checkpoint.bin": "solver checkpoint"}


def kill_twice_and_resume(kind, settings, tmp_path, monkeypatch):
    """Kill a run twice; a third process has the same answer and the same files as one that was never killed."""
    file, out = tmp_path / "request.json", tmp_path / "run"
    file.write_text(json.dumps({"kind": kind, **settings}))
    for sign in (signal.SIGTERM, signal.SIGKILL):
        command = [sys.executable, __file__, str(file), str(out), str(int(sign))]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
        assert ended.returncode == -sign, f"{sign.name}: {ended.returncode} {ended.stderr[-2000:]}"
        assert not (out / "result.json").exists()
    saved = [path for path in out.rglob("*") if path.is_file() and path.name not in BEGINNING]
    assert saved or kind in WITHOUT_PARTS
    steps = [steps_done(path) for path in saved if header_of(path).get("kind") == CHECKPOINT]
    assert not steps or max(steps) > 1
    in_small_parts(monkeypatch)
    from pokerlab.run import request

    monkeypatch.chdir(tmp_path)
    with lines_noted() as lines:
        resumed = told(request(kind, settings).run(out, workers=1).json())
    assert kind in WITHOUT_PARTS or any("read from" in line for line in lines), lines
    whole = told(request(kind, settings).run(tmp_path / "whole", workers=1).json())
    assert resumed == whole
    assert files_in(out) == files_in(tmp_path / "whole")
    assert not list(out.rglob("*.partial"))  # half-written files of the killed processes
    return max(steps, default=0)


@contextmanager
def lines_noted():
    """The lines about a run that people would see."""
    lines, logger = [], logging.getLogger("pokerlab")
    handler, level = logging.Handler(), logger.level
    handler.emit = lambda record: lines.append(record.getMessage())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def header_of(path):
    """The header of a file of arrays; {} for other files."""
    content = path.read_bytes()
    if not content.startswith(MAGIC):
        return {}
    return json.loads(content[16 : 16 + int.from_bytes(content[12:16], "little")])


def files_in(where):
    """The files of a run by name, each without what two runs may say differently: seconds, and the time of looks."""
    found = {}
    for path in sorted(where.rglob("*")):
        if path.is_dir():
            continue
        name = str(path.relative_to(where))
        if kind := header_of(path).get("kind"):
            about, arrays = read_arrays(path, kind)
            kept = {key: (each.shape, each.tobytes()) for key, each in arrays.items() if key not in CHANGES}
            found[name] = told(json.dumps(about).replace(str(where), "OUT")), kept
        elif path.suffix == ".json":
            found[name] = told(path.read_text().replace(str(where), "OUT"))
        else:
            text = path.read_bytes().replace(str(where).encode(), b"OUT")
            found[name] = text.replace(f"<dd>{where.name}</dd>".encode(), b"<dd>OUT</dd>")  # of a report
    return found


if __name__ == "__main__":
    run_until_killed(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
