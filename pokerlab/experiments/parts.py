"""The parts of an experiment that are not matches: done on worker processes, each kept when it is finished.

A part is a function of plain JSON values that returns plain JSON values, so that any process can do it and a run that
was killed does only what is left. Matches have `pokerlab.table.jobs`.

>>> from pokerlab.experiments.experiment import Config, no_report
>>> do_parts(abs, [-1, 2, -3], Config({}, seed=1), no_report)
[1, 2, 3]
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.experiments.experiment import Config, Report
from pokerlab.runs.directory import RunDirectory
from pokerlab.table.jobs import one_thread_each, usable_cores

SECONDS_BETWEEN_LOOKS = 2.0


def do_parts(function: Callable[[Any], Any], parts: Sequence[Any], config: Config, report: Report) -> list[Any]:
    """`function(part)` of every part, in their order; what `config.run` has kept is not done again."""
    kept = {i: found for i, part in enumerate(parts) if (found := _kept(config.run, i, part)) is not None}
    left = [i for i in range(len(parts)) if i not in kept]
    report(len(kept), len(parts))
    for i, result in _done(function, [(i, parts[i]) for i in left], config.workers):
        if config.run is not None:
            content = json.dumps({"part": parts[i], "result": result}, allow_nan=False)
            config.run.write(_file(i), content.encode())
        kept[i] = [result]
        report(len(kept), len(parts))
    return [kept[i][0] for i in range(len(parts))]


def _file(i: int) -> str:
    return f"parts/{i:05}.json"


def _kept(run: RunDirectory | None, i: int, part: Any) -> list[Any] | None:
    """[what was kept of a part], or None."""
    if run is None or not (path := run.path / _file(i)).exists():
        return None
    found = json.loads(path.read_text())
    return [found["result"]] if found["part"] == json.loads(json.dumps(part)) else None


def _done(
    function: Callable[[Any], Any], parts: Sequence[tuple[int, Any]], workers: int | None
) -> Iterator[tuple[int, Any]]:
    workers = usable_cores() if workers is None else workers
    if workers < 1:
        raise PokerlabError(f"{workers} workers; at least one is needed")
    if workers == 1 or len(parts) < 2:
        for i, part in parts:
            yield i, function(part)
        return
    ours = ProcessPoolExecutor(
        min(workers, len(parts)), mp_context=get_context("spawn"), initializer=_end_with, initargs=(os.getpid(),)
    )
    others = set(active_children())
    try:
        with one_thread_each():
            waiting = {ours.submit(function, part): i for i, part in parts}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    except BrokenProcessPool as error:
        raise PokerlabError("a worker process died; the same command goes on from what is finished") from error
    finally:
        ours.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - others:  # after an interrupt they would finish their parts first
            worker.kill()


def _end_with(parent: int) -> None:
    """End this worker when its parent is gone, however it went; what an interrupt means is the parent's to say."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()
