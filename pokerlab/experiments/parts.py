"""The parts of an experiment that are not matches: done on worker processes, each kept when it is finished.

A part is a function of plain JSON values that returns plain JSON values, so that any process can do it and a run that
was killed does only what is left. Its file is named by what it is: when more parts are asked for, those that were done
are found again. Matches have `pokerlab.table.matches`.

>>> from pokerlab.experiments.experiment import Config, no_report
>>> do_parts(abs, [-1, 2, -3], Config({}, seed=1), no_report)
[1, 2, 3]
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from pokerlab.experiments.experiment import Config, Report
from pokerlab.runs.workers import Plain, Task, do_tasks, here, runner_for


def do_parts(
    function: Callable[..., Any], parts: Sequence[Any], config: Config, report: Report, **settings: Any
) -> list[Any]:
    """`function(part, **settings)` of every part, in their order; what `config.run` has kept is not done again."""
    path = f"{function.__module__}:{function.__qualname__}"
    tasks = [
        Task("pokerlab.runs.workers:plain", Plain(path, part, settings), _key(path, part), part, f"part {i} of {path}")
        for i, part in enumerate(parts)
    ]
    on_workers = runner_for(config.workers)
    done = do_tasks(
        tasks,
        runner=lambda left, tick: (on_workers if len(left) > 1 else here)(left, tick),  # one may have all cores
        run=config.run,
        folder="parts",
        report=report,
    )
    return [each.value for each in done]


def _key(function: str, part: Any) -> str:
    """What a part's file is called: what is done to what, wherever in a list of parts it is asked for."""
    return hashlib.sha256(json.dumps([function, part], sort_keys=True).encode()).hexdigest()[:24]
