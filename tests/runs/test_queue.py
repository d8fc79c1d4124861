"""The background queue of requests: one at a time, stopped between steps and parts, errors as one line."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import pytest

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.runs.queue import NICENESS, Queue
from pokerlab.runs.request import Request, setting
from pokerlab.runs.steps import interrupts_noted
from pokerlab.runs.workers import Plain, Task, do_tasks

GO = threading.Event()


@dataclass(frozen=True, kw_only=True)
class Waiting(Request):
    """Waits until it is stopped, or fails."""

    kind: ClassVar[str] = "waiting"
    upto: int = setting(1, identity=False)
    fails: bool = setting(False)

    def compute(self, place):
        if self.fails:
            raise PokerlabError("it cannot\nbe done")
        with interrupts_noted() as stopped:
            place.progress("waiting", self.upto, 2)
            while self.upto > 1 and not stopped():
                GO.wait(0.01)
            if stopped():
                raise KeyboardInterrupt
        return Answer(data={"upto": self.upto})


def test_rounds_are_answered_one_after_another_until_one_is_stopped(tmp_path):
    queue = Queue("wait")
    work = queue.submit([Waiting(upto=1), Waiting(upto=2)], tmp_path / "run", after_stop=lambda: Waiting(upto=0))
    while work.done < 2:
        GO.wait(0.01)
    assert work.running and work.answer.data == {"upto": 1}
    with pytest.raises(PokerlabError, match="another wait is running; stop it first"):
        queue.submit([Waiting()], tmp_path / "other")
    work.stop = True
    work.wait(20)
    assert not work.running and work.wrong == "" and work.answer.data == {"upto": 0}
    assert queue.running is None


@dataclass(frozen=True, kw_only=True)
class Niceness(Request):
    """The niceness of the thread that computes, and of one that it starts."""

    kind: ClassVar[str] = "niceness"

    def compute(self, place):
        def own():
            return os.getpriority(os.PRIO_PROCESS, 0)

        with ThreadPoolExecutor(1) as pool:
            return Answer(data={"nice": [own(), pool.submit(own).result()]})


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a niceness is that of the process")
def test_threads_that_compute_let_those_that_answer_people_go_first(tmp_path):
    before = os.getpriority(os.PRIO_PROCESS, 0)
    work = Queue().submit([Niceness()], tmp_path / "run")
    work.wait(20)
    assert work.answer.data == {"nice": [max(NICENESS, before)] * 2}
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_an_error_is_one_line(tmp_path):
    work = Queue().submit([Waiting(fails=True)], tmp_path / "run")
    work.wait(20)
    assert work.wrong == "it cannot\\nbe done" and work.answer is None and not work.running


def test_parts_stop_after_the_one_that_is_saved(tmp_path):
    @dataclass(frozen=True, kw_only=True)
    class Parts(Request):
        kind: ClassVar[str] = "parts"

        def compute(self, place):
            tasks = [Task("pokerlab.runs.workers:plain", Plain("builtins:abs", -n), key=str(n)) for n in range(5)]
            done = do_tasks(tasks, runner=place.runner, run=place.directory)
            return Answer(data={"sum": sum(each.value for each in done)})

    with pytest.raises(KeyboardInterrupt):
        Parts().run(tmp_path / "run", stopped=lambda: True)
    assert [path.stem for path in (tmp_path / "run" / "results").iterdir()] == ["0"]
    assert Parts().run(tmp_path / "run").data == {"sum": 10}
