"""`pokerlab warm-up`: compile ahead of time."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pokerlab.answers import Answer
from pokerlab.cli.output import Json, followed, print_answer
from pokerlab.runs.vocabulary import meaning


def warm_up(
    *parts: str,
    workers: Annotated[int | None, Parameter(help=meaning("workers"))] = None,
    as_json: Json = False,
) -> None:
    """Compile the lab's kernels now, on every core, instead of when a command first needs them.

    This is optional: without it, every command compiles what it needs on first use. Parts that are already compiled are
    skipped.

    For example:

        pokerlab warm-up
        pokerlab warm-up poki cards

    Parameters
    ----------
    parts
        Parts to compile: poki, solvers, players, cards. Default: all.
    """
    from pokerlab.bench import warm_up as parts_of
    from pokerlab.runs.workers import runner_for

    with followed() as report:
        made, found = parts_of.warm_up(
            parts, runner=runner_for(workers), report=lambda done, total: report("compiling", done, total)
        )
    lines = [f"compiled: {', '.join(made)}"] * bool(made) + [f"compiled before: {', '.join(found)}"] * bool(found)
    print_answer(Answer(lines=tuple(lines), data={"compiled": made, "compiled_before": found}), as_json=as_json)
