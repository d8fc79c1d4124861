"""A model of the players in some hand histories, from files to a file: read, fitted, judged on held-out hands.

A run's directory has the model that plays as `model:DIRECTORY`, one without player-types, and the report; a run that
was stopped goes on with the same command.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.people.fitting import COLUMNS, Fit, FitSettings, fit, with_types
from pokerlab.people.judging import Judgement, judged
from pokerlab.people.reading import check_enough, read_records
from pokerlab.people.records import Records, load_records, save_records
from pokerlab.policies.strategy_files import rules_called
from pokerlab.runs.config import typed
from pokerlab.runs.cost import Cost
from pokerlab.runs.directory import RunDirectory, directory_for, open_run
from pokerlab.runs.job import Job, Say, now_and_then
from pokerlab.runs.steps import interrupts_noted
from pokerlab.systems.connectionist.population import MODEL, initial_model, save_model

CODE = ("pokerlab.people.population_fit",)
KIND = "fit"
RECORDS, PLAIN, REPORT = "records.bin", "plain.bin", "report.json"


@dataclass(frozen=True)
class HistorySource:
    """Where hands are read."""

    histories: tuple[str, ...]
    game: str = ""  # of ACPC logs that do not say it

    def read(self, *, workers: int | None = None, report: Callable[[int, int], None] | None = None) -> Records:
        """The records, if there are enough to fit a model to."""
        rules = rules_called(self.game) if self.game else None
        records = read_records(self.histories, rules=rules, workers=workers, report=report).records
        check_enough(records)
        return records


def config_of(source: HistorySource, settings: FitSettings) -> dict[str, Any]:
    """What decides a run, as JSON has it."""
    return {"histories": list(source.histories), "game": source.game, **settings.data()}


def run_fit(
    run: RunDirectory,
    source: HistorySource,
    settings: FitSettings,
    *,
    workers: int | None = None,
    reading: Callable[[int, int], None] | None = None,
    report: Callable[[int, int, Floats], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Judgement:
    """Read, fit and judge in `run`, or go on there."""
    path = run.path / RECORDS
    if path.exists():
        records = load_records(path)
    else:
        records = source.read(workers=workers, report=reading)
        save_records(path, records)
    held_out = records.held_out()
    began = time.perf_counter()
    fitted = fit(records.part(np.flatnonzero(~held_out)), settings, directory=run.path, report=report, stopped=stopped)
    seats = (records.person >= 0).sum(axis=1)
    about = {
        "version": __version__,
        "settings": {**settings.data(), "players": int(seats[0]) if len(set(seats.tolist())) == 1 else 0},
        "hands": int((~held_out).sum()),
        "matches": len(np.unique(records.match)),
        "seconds": round(time.perf_counter() - began, 1),
    }
    save_model(run.path / PLAIN, fitted.plain, {**about, "player_types": 1})
    save_model(run.path / MODEL, fitted.model, {**about, "player_types": settings.player_types})
    models = {"without types": fitted.plain}
    if settings.player_types > 1:
        models["with types"] = fitted.model
    found = judged(models, records, held_out)
    content = {**about, "curve": {"columns": COLUMNS, "rounds": fitted.curve.tolist()}, **found.data()}
    run.write(REPORT, (json.dumps(content, indent=1) + "\n").encode())
    return found


def fit_cost(records: Records, settings: FitSettings) -> Cost:
    """An estimate from one round on a small part of the hands, on this machine."""
    some = records.part(np.arange(min(records.n_hands, 256)))
    start = initial_model(seed=settings.seed, n_player_types=1)
    seconds = 0.0
    rounds = {settings.player_types: settings.typed_rounds, 1: settings.rounds}
    for n_types, n_rounds in rounds.items():
        given = FitSettings(**{**settings.data(), "player_types": n_types})
        engine = Fit(some, given, start if n_types == 1 else with_types(start, given))
        arrays = engine.step(engine.init(), 1)  # compiles
        began = time.perf_counter()
        engine.step(arrays, 1)
        seconds += n_rounds * (time.perf_counter() - began) * records.n_hands / some.n_hands
    counts = {"hands": records.n_hands, "decisions": records.n_decisions}
    return Cost(seconds, disk=3 * records.inputs.nbytes // 2, counts=counts)


def default_directory(source: HistorySource, settings: FitSettings) -> Path:
    """Where a run is kept when nobody says where."""
    return directory_for(KIND, "limit", config_of(source, settings), code=CODE)


def job(data: Mapping[str, Any]) -> Job:
    """What `python -m pokerlab.run` does for the kind "fit"."""
    rest = dict(data)
    histories: Sequence[str] = rest.pop("histories", ())
    if not histories:
        raise PokerlabError('a fit needs "histories": a list of files or directories')
    source = HistorySource(tuple(map(str, histories)), str(rest.pop("game", "")))
    workers = rest.pop("workers", None)
    settings = typed(FitSettings, rest, "fit")

    def run(out: Path, say: Say) -> None:
        with open_run(out, KIND, config_of(source, settings), code=CODE) as directory, interrupts_noted() as stopped:
            reading = now_and_then("files read", say)
            found = run_fit(
                directory, source, settings, workers=workers, reading=reading, stopped=stopped,
                report=lambda done, total, row: say(f"round {done} of {total}: {described(row)}"),
            )  # fmt: skip
            for name, gain in found.gains.items():
                say(f"{name}: {found.likelihood[name].mean:.4f} a decision, {gain} over action counts")

    return Job(default_directory(source, settings), lambda: fit_cost(source.read(workers=workers), settings), run)


def described(row: Floats) -> str:
    """A row of the curve in words.

    >>> described(np.array([-0.81, -0.85]))
    'log-likelihood a decision -0.8100 with cards, -0.8500 to the observer'
    """
    return f"log-likelihood a decision {row[0]:.4f} with cards, {row[1]:.4f} to the observer"
