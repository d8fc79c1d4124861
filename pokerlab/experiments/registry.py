"""The experiments by name.

>>> experiment("davidson2002-table-3").name
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no experiment is called 'davidson2002-table-3'; did you mean davidson2002-table-3-1...?
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from pokerlab.errors import PokerlabError, name_hint
from pokerlab.experiments.experiment import Experiment
from pokerlab.experiments.records import published, records


class ExperimentEntry(NamedTuple):
    """Summary of an experiment, the minutes its full settings take on one core, and the module that runs it."""

    summary: str
    minutes: float
    module: str  # below `pokerlab.experiments`


EXPERIMENTS: dict[str, ExperimentEntry] = {
    name: ExperimentEntry(record["summary"], record["minutes"], record["run"].partition(":")[0])
    for name, record in records().items()
}


LIST_HINT = "`pokerlab reproduce --list` lists them"


def experiment(name: str) -> Experiment:
    """The experiment called `name`."""
    if name not in EXPERIMENTS:
        raise PokerlabError(f"no experiment is called {name!r}; {name_hint(name, EXPERIMENTS, LIST_HINT)}")
    record = records()[name]
    run = getattr(import_module(module_of(name)), record["run"].partition(":")[2])
    about, more = " ".join(record["about"].split()), {key: record[key] for key in ("title", "cites", "quick", "full")}
    compares = record.get("quick_compares", True)
    return Experiment(name, about=about, published=published(name), run=run, **more, quick_compares=compares)


def module_of(name: str) -> str:
    """The module of an experiment."""
    return f"pokerlab.experiments.{EXPERIMENTS[name].module}"
