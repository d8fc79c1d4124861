"""Computations in steps: the same bits after a stop, checkpoints that are refused, and interrupts between steps."""

import os
import signal

import numpy as np
import pytest

from pokerlab.errors import FileError, PokerlabError
from pokerlab.runs import steps
from pokerlab.runs.steps import Watch, check_not_beyond, interrupts_noted, seconds_before, seconds_each, take_steps


class Doubling:
    """x -> 2x mod 1, from a start."""

    def __init__(self, start=0.1):
        self.about = {"start": start}

    def init(self):
        return {"iteration": np.array(0), "x": np.array(self.about["start"])}

    def step(self, arrays, n):
        x = float(arrays["x"])
        for _ in range(n):
            x = 2 * x % 1.0
        return {"iteration": arrays["iteration"] + n, "x": np.array(x)}


def test_it_goes_on_to_the_same_bits_and_says_so(tmp_path, caplog):
    watch = Watch(tmp_path / "at.bin")
    take_steps(Doubling(), iterations=7, watch=watch)
    assert seconds_before(watch.checkpoint) > 0 == seconds_before(None)
    with caplog.at_level("INFO"):
        found = take_steps(Doubling(), iterations=20, watch=watch, checkpoint_seconds=0)
    assert caplog.messages == [f"7 iterations were read from {tmp_path / 'at.bin'}"]
    assert found["x"] == take_steps(Doubling(), iterations=20)["x"]
    with pytest.raises(PokerlabError, match="already has 20 iterations, more than 19"):
        check_not_beyond(tmp_path / "at.bin", 19)


def test_checkpoints_of_other_runs_and_other_code_are_refused(tmp_path, monkeypatch):
    watch = Watch(tmp_path / "at.bin")
    take_steps(Doubling(), iterations=1, watch=watch)
    with pytest.raises(FileError, match=r"is a checkpoint of another run \(start was 0.1, now 0.2\)"):
        take_steps(Doubling(0.2), iterations=2, watch=watch)
    monkeypatch.setattr(steps, "code_digest", lambda *modules: "another")
    with pytest.raises(FileError, match=r"is a checkpoint of other code \(.*another\); remove it to start again"):
        take_steps(Doubling(), iterations=2, watch=watch)


def test_an_interrupt_is_noted_and_the_run_stops_between_two_steps(tmp_path):
    told = []

    def progress(done):
        told.append(done)
        os.kill(os.getpid(), signal.SIGINT)

    with interrupts_noted() as stopped, pytest.raises(KeyboardInterrupt):
        take_steps(Doubling(), iterations=50, watch=Watch(tmp_path / "at.bin", progress, stopped))
    assert told == [1], "the first iteration is taken alone, to see how long one takes"
    found = take_steps(Doubling(), iterations=50, watch=Watch(tmp_path / "at.bin"))
    assert found["x"] == take_steps(Doubling(), iterations=50)["x"]


def test_what_an_iteration_takes():
    each, arrays = seconds_each(Doubling(), 0.01)
    assert 0 < each < 0.001 and int(arrays["iteration"]) > 1
