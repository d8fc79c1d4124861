"""Fit a model of the players in hand-history files: read them, fit, judge on held-out hands, save.

A run directory has the model, which plays as `model:DIRECTORY`, a model without player types, and a report; interrupted
runs resume. Every file is treated as one match. PHH, ACPC logs, PokerStars and IRC files are read as by `pokerlab
convert`, and so are runs of `pokerlab match`; several processes read files in parallel.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import Floats
from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.rules import Rules
from pokerlab.notation.formats import files_in, read_hands
from pokerlab.notation.imported import Imported
from pokerlab.people.fitting import COLUMNS, RATE, Fit, FitSettings, fit, rate_settings, with_types
from pokerlab.people.judging import Judgement, judge
from pokerlab.people.records import Records, joined, load_records, records_of, save_records
from pokerlab.runs.cost import Cost, in_turn, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.rates import expected_rate
from pokerlab.runs.workers import Done, Runner, Task, Tick, do_tasks, here
from pokerlab.systems.connectionist.population import MODEL, initial_model, save_model
from pokerlab.table import records as kept

FEWEST_HANDS = 50
DECISION_SECONDS = 4e-5  # typical seconds of one pass over a decision on two cores


class Read(NamedTuple):
    """Records read from some files."""

    records: Records
    problems: tuple[str, ...]  # lines that could not be read
    repairs: Mapping[str, int]  # number of hands that each rule repaired


class _Place(NamedTuple):
    path: str
    rules: Rules | None


def read_records(
    places: Iterable[str | Path],
    *,
    rules: Rules | None = None,
    runner: Runner = here,
    report: Callable[[int, int], None] | None = None,
) -> Read:
    """The records of limit hold'em in files and directories; `rules` are for logs that do not name their game."""
    files = [file for place in places for file in match_files(Path(place))]
    if not files:
        raise PokerlabError("name at least one file of hands or directory to fit a model to")
    tasks = [
        Task(f"{__name__}:read_match", _Place(str(file), rules), key=f"{number:05}", name=str(file))
        for number, file in enumerate(files)
    ]
    done = do_tasks(tasks, runner=runner, report=report)
    problems = tuple(line for each in done for line in each.value["problems"])
    parts = [Records(**each.arrays, names=tuple(each.value["names"])) for each in done if each.arrays]
    if not parts:
        raise PokerlabError(
            next((each.value["why"] for each in done if each.value["why"]), "there are no hands to fit")
        )
    repairs: Counter[str] = sum((Counter(each.value["repairs"]) for each in done), Counter())
    return Read(joined(parts), problems, dict(repairs.most_common()))


def match_files(place: Path) -> list[Path]:
    """Files of the matches at a path: each file is one match, but a whole directory of the IRC database is one."""
    if kept.holds_records(place):
        return kept.hand_files(place)
    if not place.exists():
        raise FileError(f"cannot read {place}: there is no such file")
    return files_in(place) if place.is_dir() and not any(place.rglob("hdb")) else [place]


def read_match(place: _Place, tick: Tick) -> Done:
    """Read the records of one file; runs in a worker."""
    path = Path(place.path)
    found = hands_of_match(path, place.rules)
    tick(1)
    about = {"problems": [str(problem) for problem in found.problems], "repairs": found.repairs_by_rule}
    try:
        records = records_of([found.hands])
    except PokerlabError as error:
        return Done({**about, "names": [], "why": f"{path}: {error}"})
    arrays = {field.name: getattr(records, field.name) for field in fields(Records) if field.name != "names"}
    return Done({**about, "names": list(records.names), "why": ""}, arrays)


def hands_of_match(path: Path, rules: Rules | None) -> Imported:
    """The hands of one match, recorded or in text; `rules` are for logs that do not name their game."""
    return Imported(tuple(kept.read_hands(path))) if kept.holds_records(path) else read_hands(path, rules)


def check_enough(records: Records) -> None:
    """Refuse records that are too few to fit a model."""
    if records.n_hands < FEWEST_HANDS:
        raise PokerlabError(f"there are {records.n_hands} hands, too few to fit a model to; {FEWEST_HANDS} are needed")
    if not records.known.any():
        raise PokerlabError("no player's cards are known in any hand; a model needs some hands that were shown")


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
    """Read, fit and judge in `run`, or resume there; `read` is called only if the records have not been saved."""
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
    """Estimate the cost at the speed of the last similar fit on this machine. Without one, a GPU tries a small part of
    the hands; on a CPU, where compiling would take most of a minute, a typical speed is used."""
    import jax

    costs, on_cpu = [], jax.default_backend() == "cpu"
    rounds = {settings.types: settings.later_rounds, 1: settings.rounds}
    for n_types, n_rounds in rounds.items():
        given = replace(settings, types=n_types)
        rate = expected_rate(
            RATE,
            rate_settings(given),
            trial=None if on_cpu else partial(_tried_seconds, records, given),
            usual=partial(_usual_seconds, records, given),
        )
        costs.append(
            Cost(None if rate.seconds is None else n_rounds * rate.seconds * records.n_hands, rate=rate.source)
        )
    counts = {"hands": records.n_hands, "decisions": records.n_decisions}
    what = f"a fit to {records.n_hands:,} hands"
    return replace(in_turn(costs), disk=3 * records.inputs.nbytes // 2, counts=counts, what=what)


def _tried_seconds(records: Records, settings: FitSettings) -> float:
    """Seconds per hand and round, measured in a second round on a small part of the hands; the first compiles."""
    some = records.part(np.arange(min(records.n_hands, 256)))
    start = initial_model(seed=settings.seed, n_player_types=1)
    engine = Fit(some, settings, start if settings.types == 1 else with_types(start, settings))
    arrays = engine.step(engine.init(), 1)
    began = time.perf_counter()
    engine.step(arrays, 1)
    return (time.perf_counter() - began) / some.n_hands


def _usual_seconds(records: Records, settings: FitSettings) -> float:
    """Typical seconds per hand and round."""
    decisions = records.n_decisions / records.n_hands
    return DECISION_SECONDS * decisions * (settings.passes + 1) * 2 / usable_cores()


def described(row: Floats) -> str:
    """Describe a row of the curve in words.

    >>> described(np.array([-0.81, -0.85]))
    'log-likelihood a decision -0.8100 with cards, -0.8500 to the observer'
    """
    return f"log-likelihood a decision {row[0]:.4f} with cards, {row[1]:.4f} to the observer"
