"""Every kind of request, killed: one process ends by SIGTERM, the next by SIGKILL, and a third has the same answer."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pokerlab.files import read_arrays
from pokerlab.runs.steps import steps_done
from pokerlab.solvers.core.solve import solve

sys.path.insert(0, str(Path(__file__).parent))
from test_every_way import LONGER as RESUMED
from test_every_way import SMALL, WITH_JAX, files, make_quick, told

assert files  # a fixture

LONGER = {**RESUMED, "train networks": {"streams": 2}, "train q": {"hands": 3000}}
SETTINGS = {kind: {**SMALL[kind], **LONGER.get(kind, {})} for kind in SMALL}

WITHOUT_PARTS = ("matchups", "reproduce", "tables build", "tables flops", "value")
"""Kinds of which nothing is saved before the end: they begin again."""


def run_until_killed(path: Path, out: Path, sign: int) -> None:
    """Run the request in a file in this process, which is killed before the answer is saved: by SIGTERM with the first
    part, by SIGKILL when a third is done; without parts, when all is computed."""
    from pokerlab.run import request

    make_quick(pytest.MonkeyPatch())
    solve.__kwdefaults__["checkpoint_seconds"] = 0.0  # after every piece, or nothing would be saved in a second
    data = json.loads(path.read_text())

    def progress(words: str, done: int, total: int | None) -> None:
        if done and (sign == signal.SIGTERM or done >= (total or 0) / 3):
            os.kill(os.getpid(), sign)

    asked = request(data.pop("kind"), data)
    if asked.kind in WITHOUT_PARTS:
        compute = type(asked).compute
        type(asked).compute = lambda self, place: (compute(self, place), os.kill(os.getpid(), sign))[0]
    asked.run(out, workers=1, progress=progress)


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
    assert 10 <= killed_at < 60
    for name in ("strategy.bin", "checkpoint.bin"):
        resumed, whole = (read_arrays(tmp_path / out / name, KINDS[name])[1] for out in ("run", "whole"))
        ours, theirs = (
            {key: array.tobytes() for key, array in of.items() if key != "looks"} for of in (resumed, whole)
        )
        assert ours == theirs and any(array.dtype == np.int16 for array in whole.values()) == (name == "checkpoint.bin")


KINDS = {"strategy.bin": "strategy", "checkpoint.bin": "solver checkpoint"}


def kill_twice_and_resume(kind, settings, tmp_path, monkeypatch):
    file, out = tmp_path / "request.json", tmp_path / "run"
    file.write_text(json.dumps({"kind": kind, **settings}))
    for sign in (signal.SIGTERM, signal.SIGKILL):
        command = [sys.executable, __file__, str(file), str(out), str(int(sign))]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert ended.returncode == -sign, f"{sign.name}: {ended.returncode} {ended.stderr[-2000:]}"
        assert not (out / "result.json").exists()
    killed_at = steps_done(out / "checkpoint.bin") if kind == "solve subgame" else 0
    make_quick(monkeypatch)
    from pokerlab.run import request

    resumed, whole = (told(request(kind, settings).run(path, workers=1).json()) for path in (out, tmp_path / "whole"))
    assert resumed == whole
    assert not list(out.rglob("*.partial"))  # half-written files of the killed processes
    return killed_at


if __name__ == "__main__":
    run_until_killed(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
