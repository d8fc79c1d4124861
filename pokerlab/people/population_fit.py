"""A model of the players in hand histories, from files to a file: read, fitted, judged on held-out hands.

A run directory holds the model that plays as `model:DIRECTORY`, one without player types, and a report; runs resume.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import Floats
from pokerlab.people.fitting import COLUMNS, Fit, FitSettings, fit, with_types
from pokerlab.people.judging import Judgement, judge
from pokerlab.people.records import Records, load_records, save_records
from pokerlab.runs.cost import Cost
from pokerlab.runs.directory import RunDirectory
from pokerlab.systems.connectionist.population import MODEL, initial_model, save_model

RECORDS, PLAIN, REPORT = "records.bin", "plain.bin", "report.json"


class PopulationFit(NamedTuple):
    """How well the fitted models predict held-out hands, and the number of players in most hands."""

    judgement: Judgement
    usual_players: int


def run_fit(
    run: RunDirectory,
    settings: FitSettings,
    read: Callable[[], Records],
    *,
    report: Callable[[int, int, Floats], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> PopulationFit:
    """Read, fit and judge in `run`, or resume there; `read` is called unless the records have been saved."""
    path = run.path / RECORDS
    if path.exists():
        records = load_records(path)
    else:
        records = read()
        save_records(path, records)
    held_out = records.held_out()
    began = time.perf_counter()
    fitted = fit(records.part(np.flatnonzero(~held_out)), settings, directory=run.path, report=report, stopped=stopped)
    seats = (records.person >= 0).sum(axis=1)
    about = {
        "version": __version__,
        "settings": {**settings.identity(), "players": int(seats[0]) if len(set(seats.tolist())) == 1 else 0},
        "hands": int((~held_out).sum()),
        "matches": len(np.unique(records.match)),
        "seconds": round(time.perf_counter() - began, 1),
    }
    save_model(run.path / PLAIN, fitted.plain, {**about, "player_types": 1})
    save_model(run.path / MODEL, fitted.model, {**about, "player_types": settings.types})
    models = {"without types": fitted.plain}
    if settings.types > 1:
        models["with types"] = fitted.model
    judgement = judge(models, records, held_out)
    content = {**about, "curve": {"columns": COLUMNS, "rounds": fitted.curve.tolist()}, **judgement.data()}
    run.write(REPORT, (json.dumps(content, indent=1) + "\n").encode())
    return PopulationFit(judgement, int(np.bincount(seats).argmax()))


def fit_cost(records: Records, settings: FitSettings) -> Cost:
    """An estimate from one round on a small part of the hands, on this machine."""
    some = records.part(np.arange(min(records.n_hands, 256)))
    start = initial_model(seed=settings.seed, n_player_types=1)
    seconds = 0.0
    rounds = {settings.types: settings.later_rounds, 1: settings.rounds}
    for n_types, n_rounds in rounds.items():
        given = replace(settings, types=n_types)
        engine = Fit(some, given, start if n_types == 1 else with_types(start, given))
        arrays = engine.step(engine.init(), 1)  # compiles
        began = time.perf_counter()
        engine.step(arrays, 1)
        seconds += n_rounds * (time.perf_counter() - began) * records.n_hands / some.n_hands
    counts = {"hands": records.n_hands, "decisions": records.n_decisions}
    what = f"a fit to {records.n_hands:,} hands"
    return Cost(seconds, disk=3 * records.inputs.nbytes // 2, counts=counts, what=what)


def described(row: Floats) -> str:
    """A row of the curve in words.

    >>> described(np.array([-0.81, -0.85]))
    'log-likelihood a decision -0.8100 with cards, -0.8500 to the observer'
    """
    return f"log-likelihood a decision {row[0]:.4f} with cards, {row[1]:.4f} to the observer"
