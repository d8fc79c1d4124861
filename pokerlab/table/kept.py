"""What a run keeps of a match: `matches/*.result`, one finished match each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import FileError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_to_json
from pokerlab.runs.directory import RunDirectory
from pokerlab.table.match import MatchPlan, MatchResult, unique_names

RESULT = "match result"


def keep(run: RunDirectory, key: str, result: MatchResult) -> None:
    """Mark the match `key` as finished by writing its result."""
    about = {"plan": plan_data(result.plan), "names": list(result.names), "learned": result.learned}
    write_arrays(_path(run, key), RESULT, about, {"chips": result.chips})


def kept(run: RunDirectory, key: str, plan: MatchPlan) -> MatchResult | None:
    """The result of the match `key`, or None if it has to be played (again: a damaged file is no result)."""
    path = _path(run, key)
    if not path.exists():
        return None
    try:
        about, arrays = read_arrays(path, RESULT)
    except FileError:
        return None
    if about["plan"] != json.loads(json.dumps(plan_data(plan))):
        return None
    return MatchResult(plan, unique_names(plan.entrants), np.array(arrays["chips"]), about["learned"])


def _path(run: RunDirectory, key: str) -> Path:
    return run.path / "matches" / f"{key}.result"


def game_data(game: str | Rules) -> Any:
    """A catalog name, or all that a `Rules` value says, as JSON has it."""
    return game if isinstance(game, str) else json.loads(rules_to_json(game))


def plan_data(plan: MatchPlan) -> dict[str, Any]:
    """A plan as JSON has it."""
    return {
        "game": game_data(plan.game),
        "entrants": list(plan.entrants),
        "hands": plan.hands,
        "seed": plan.seed,
        "number": plan.number,
        "seating": list(plan.seating),
        "stacks": plan.stacks,
        "reveal": plan.reveal,
    }
