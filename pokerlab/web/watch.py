"""Progress of runs, for pages: a tournament's cross-table and ratings so far, or the curves of a solve or a training.

Everything is read from files that a run saves anyway (its matches, its checkpoint). So the run is not affected, and it
may even be on another machine, from which its directory was copied. Checkpoints, and thus curves, are updated about
every half minute.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import AnyArray, Floats
from pokerlab.errors import FileError, PokerlabError
from pokerlab.estimates import SHORT
from pokerlab.files import json_of, read_arrays, well_formed
from pokerlab.games.rules_json import rules_from_json
from pokerlab.runs.directory import is_under_way, saved_seed
from pokerlab.runs.steps import CHECKPOINT
from pokerlab.systems.bets.saved_runs import RUN
from pokerlab.table.matches import finished_matches
from pokerlab.table.tournament import TournamentPlan, tournament_so_far
from pokerlab.valuing.summary import tournament_summary

MOST_LISTED = 60
POINTS = 200
"""Maximum number of points of a curve on a page."""

Data = dict[str, Any]
Reader = Callable[[Path, Mapping[str, Any]], Data]


class Runs:
    """The run directories in `folder`, by name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tournaments: dict[str, tuple[int, Data]] = {}  # run -> (number of finished matches, their summary)
        self._lock = threading.Lock()  # one request at a time reads the files

    def listed(self) -> list[Data]:
        """Data of the runs that can be watched: unfinished ones first, then the most recent."""
        runs = []
        for about in self._folder.glob("*/run.json"):
            try:
                kind, config = _run_config(about.parent)
            except FileError:
                continue
            if kind in READERS:
                runs.append({**_head(about.parent, kind, config), "changed": _changed(about.parent)})
        return sorted(runs, key=lambda run: (not run["under_way"], -run["changed"]))[:MOST_LISTED]

    def run(self, name: str) -> Data:
        """Progress of one run, and its current cross-table or curves."""
        path = self._folder / name
        if name not in {about.parent.name for about in self._folder.glob("*/run.json")}:
            raise PokerlabError(f"there is no run called {name[:60]!r}")
        kind, config = _run_config(path)
        if kind not in READERS:
            raise PokerlabError(
                f"a run of {kind} saves nothing to show here; kinds that can be watched: {', '.join(READERS)}"
            )
        head = _head(path, kind, config)
        with self._lock:
            if kind != "tournament":
                return {**head, **READERS[kind](path, config)}
            over = sum(1 for _ in (path / "matches").glob("*.result"))
            if name not in self._tournaments or self._tournaments[name][0] != over:
                self._tournaments[name] = over, _tournament(path, config)
            return {**head, **self._tournaments[name][1]}


def _run_config(path: Path) -> tuple[str, Mapping[str, Any]]:
    try:
        about = json_of((path / "run.json").read_text())
        return str(about["kind"]), dict(about["config"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise FileError(f"{path / 'run.json'} cannot be read") from error


def _head(path: Path, kind: str, config: Mapping[str, Any]) -> Data:
    played = config.get("game", config.get("board", config.get("players", "")))
    if isinstance(played, Mapping):
        game = played.get("name", "")
    else:
        game = played if isinstance(played, str) else f"{played} seats"
    return {"name": path.name, "kind": kind, "game": game, "under_way": bool(is_under_way(path))}


def _changed(path: Path) -> float:
    """Time of the last change in a run directory, in seconds since 1970."""
    return max(entry.stat().st_mtime for entry in (path, *path.glob("*"), *path.glob("matches")))


# Functions that read the progress of a run, by its kind


def _tournament(path: Path, config: Mapping[str, Any]) -> Data:
    """Cross-table and ratings from the deals that every table has finished."""
    with well_formed(path / "run.json"):
        plan = TournamentPlan(
            game=rules_from_json(json.dumps(config["game"])),
            agents=tuple(config["agents"]),
            **{key: config[key] for key in ("hands", "match_hands", "duplicate", "reveal")},
            seed=config["seed"] if (secret := saved_seed(path)) is None else secret,
            stacks="running" if config["running_stacks"] else "reset",
            max_tables=config["tables"],
            seconds=config["seconds_per_decision"],
        )
    results = finished_matches(plan.matches(), path)
    result = tournament_so_far(plan, results)
    data = {"done": sum(match is not None for match in results), "total": len(results), "unit": "matches"}
    if result is None:
        return {**data, "curves": [], "tournament": None}
    summary = tournament_summary(result)
    keys = ("game", "seed", "hands", "played", "duplicate", "method", "agents", "cross_table")
    shown = {key: summary[key] for key in keys}
    return {**data, "curves": [], "tournament": {**shown, "units": SHORT[summary["units"]], "of_hands": plan.hands}}


def _solve(path: Path, config: Mapping[str, Any]) -> Data:
    """Curves of exploitability and value, measured during the solve."""
    about, arrays = _checkpoint(path / "checkpoint.bin")
    looks = arrays.get("looks", np.zeros((0, 4))).reshape(-1, 4)
    known = looks[~np.isnan(looks[:, 3])]
    worst = _curve("exploitability, chips a hand", "iterations", known[:, 0], known[:, 3], log=True)
    value = _curve("value to player 0, chips a hand", "iterations", known[:, 0], known[:, 2], log_x=True)
    return {**_steps(about, arrays, "iterations"), "curves": [worst, value]}


def _connectionist(path: Path, config: Mapping[str, Any]) -> Data:
    """Curves of play and of the observer's predictions (the panels of `pictures.curves`)."""
    from pokerlab.systems.connectionist.self_play import N_LOOKS
    from pokerlab.systems.connectionist.settings import settings_in

    about, arrays = _checkpoint(path / "checkpoint.bin")
    settings = settings_in({"settings": config})
    batches = max(1, -(-settings.batches // N_LOOKS))  # columns of the learning curve
    done = int(arrays.get("iteration", 0))
    rows = np.asarray(arrays.get("curve", np.zeros((0, 7))))[: done // batches]
    decisions, actions, showdowns, _, _, won, squared = rows.T
    hands = np.asarray((np.arange(len(rows)) + 0.5) * batches * settings.batch / 1e6, np.float64)
    panels = {
        "log-likelihood of a decision": actions / np.maximum(decisions, 1e-9),
        "log-likelihood of showdowns, a hand": showdowns,
        "decisions a hand": decisions,
        "deviation of winnings, small blinds": np.sqrt(np.maximum(squared - won**2, 0)),
    }
    curves = [_curve(name, "millions of hands", hands, values) for name, values in panels.items()]
    return {**_steps(about, arrays, "batches", settings.batches), "curves": curves}


def _q(path: Path, config: Mapping[str, Any]) -> Data:
    """Winnings during training, including the cost of exploration."""
    about, arrays = _checkpoint(path / "checkpoint.bin")
    done = int(arrays.get("iteration", 0))
    won = np.asarray(arrays.get("curve", np.zeros(0)))[:done]
    size = max(1, -(-done // POINTS))
    means = won[: done // size * size].reshape(-1, size).mean(axis=1)
    hands = np.asarray((np.arange(len(means)) + 0.5) * size / 1000, np.float64)
    curve = _curve(f"small bets won a hand, in blocks of {size:,} thousand", "millions of hands", hands, means)
    total = len(arrays["curve"]) if "curve" in arrays else None
    return {**_steps(about, arrays, "thousand hands", total), "curves": [curve]}


def _bets(path: Path, config: Mapping[str, Any]) -> Data:
    """Read a search for bet sizes from its directory. Return its progress and a curve for the page.

    The curve shows bounds on the value to player 0 of the game with the sizes found by each run.
    """
    numbers, bounds, seconds = [], [], 0.0
    for file in sorted(path.glob("run-*.bin")):
        if not file.stem.removeprefix("run-").isdigit():
            continue  # belongs to the unfinished run
        about, _ = read_arrays(file, RUN, verify=False)
        with well_formed(file):
            seconds += float(about["seconds"]) + float(about["value_seconds"])
            if about["worth"] is not None:
                numbers.append(float(about["number"]))
                bounds.append([float(about["worth"]["low"]), float(about["worth"]["high"])])
    ends = np.array(bounds).reshape(-1, 2)
    curve = _curve("value of the sizes to player 0, chips a hand", "runs", np.array(numbers), ends.mean(axis=1))
    curve["bounds"] = [[_rounded(low), _rounded(high)] for low, high in bounds]
    return {"done": len(list(numbers)), "total": None, "unit": "runs", "seconds": seconds, "curves": [curve]}


READERS: dict[str, Reader] = {
    "tournament": _tournament,
    "solve": _solve,
    "solve subgame": _solve,
    "train equilibrium": _solve,
    "train connectionist": _connectionist,
    "exploit": _connectionist,
    "train q": _q,
    "bets": _bets,
}


def _checkpoint(path: Path) -> tuple[Mapping[str, Any], Mapping[str, AnyArray]]:
    """The checkpoint of a run; empty before the first one is written."""
    return read_arrays(path, CHECKPOINT, verify=False) if path.exists() else ({}, {})


def _steps(about: Mapping[str, Any], arrays: Mapping[str, Any], unit: str, total: int | None = None) -> Data:
    return {"done": int(arrays.get("iteration", 0)), "total": total, "unit": unit, "seconds": about.get("seconds")}


def _curve(title: str, x: str, at: Floats, values: Floats, *, log: bool = False, log_x: bool = False) -> Data:
    """A curve of at most `POINTS` points for a page; `log` makes both axes logarithmic."""
    shown = (
        np.unique(np.linspace(0, len(at) - 1, min(len(at), POINTS)).round().astype(int))
        if len(at)
        else np.zeros(0, int)
    )
    points = [[_rounded(at[i]), _rounded(values[i])] for i in shown.tolist() if np.isfinite(values[i])]
    return {"title": title, "x": x, "points": points, "log": log, "log_x": log or log_x}


def _rounded(number: float) -> float:
    return float(f"{number:.6g}")
