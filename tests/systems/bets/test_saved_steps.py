"""A search on one spot that is stopped, again and again, ends with the same bits as one that never was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.errors import FileError
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
from pokerlab.solvers.core.solve import Solution
from pokerlab.systems.bets.saved_steps import SavedStep, SavedSteps, UnsavedSteps
from pokerlab.systems.bets.search import Search
from pokerlab.systems.bets.several_sizes import both_sizes, rounded, several_sizes
from pokerlab.systems.bets.subgame_sizes import best_size, every_size

SPOT = make_sized_subgame("KsQh7d2c3s", ("QQ+, JTs", "TT, KQ"), pot=100, stack=300, player=0)
HOW: dict[str, Any] = {"target": 2.0, "threads": 1}


def several(saving: UnsavedSteps) -> tuple[Any, Solution]:
    first = best_size(SPOT, saving=saving, **HOW)
    *_, most = several_sizes(SPOT, first, 2)
    whole = rounded(first.solver, most, 10)
    return (first.size, most.sizes, whole.sizes, [each.evaluation for each in first.usual]), whole.solution


def both(saving: UnsavedSteps) -> tuple[Any, Solution]:
    found = both_sizes(SPOT, saving=saving, **HOW)
    return (found.sizes, found.gains, found.usual), found.solution


def every(saving: UnsavedSteps) -> tuple[Any, Solution]:
    ranges = [Range(0.3, 0.5), Range(0.9, 1.2)]
    found = every_size(SPOT, ranges, Search(runs=2, extra=0), iterations=20, saving=saving, **HOW)
    assert found.run is not None
    return (found.run.size.tolist(), found.run.importance.tolist(), found.usual, found.without), found.solution


class KilledAfter(SavedSteps):
    """Dies when it has kept one step more."""

    def save(self, step: SavedStep) -> None:
        super().save(step)
        raise KeyboardInterrupt


@pytest.mark.parametrize("search", [several, both, every])
def test_killed_after_every_step(search: Callable[[UnsavedSteps], tuple[Any, Solution]], tmp_path: Path) -> None:
    whole, solution = search(UnsavedSteps())
    kills, most = 0, 0
    while True:
        try:
            found, again = search(KilledAfter(tmp_path))
            break
        except KeyboardInterrupt:
            kills += 1
            most = max(most, len(list(tmp_path.glob("*-known.bin"))))
    assert kills > 8 and most <= 4  # what nobody knows any more is removed
    assert found == whole and again.evaluation == solution.evaluation
    assert [look[:1] + look[2:] for look in again.looks] == [look[:1] + look[2:] for look in solution.looks]
    assert all(np.array_equal(a, b) for a, b in zip(again.strategy.p, solution.strategy.p, strict=True))


def test_stopped_within_steps(tmp_path: Path) -> None:
    whole, solution = several(UnsavedSteps())
    stops, calls = 0, 0

    def stopped() -> bool:
        nonlocal calls
        calls += 1
        return calls % 9 == 0

    while True:
        try:
            found, again = several(SavedSteps(tmp_path, stopped))
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops > 3 and not list(tmp_path.glob("*checkpoint*"))
    assert found == whole and again.evaluation == solution.evaluation


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("step-001-known.bin", lambda whole: whole[:-100]),
        ("step-001.bin", lambda whole: whole.replace(b'"size": 1', b'"size": 2')),
        ("step-001.bin", lambda whole: b"{}"),
    ],
)
def test_a_damaged_step_is_one_line(tmp_path: Path, name: str, damage: Callable[[bytes], bytes]) -> None:
    steps = SavedSteps(tmp_path)
    assert steps.done() is None
    steps.save(SavedStep({"size": 1}, {"known": {"regrets": np.arange(9.0)}}))
    (tmp_path / name).write_bytes(damage((tmp_path / name).read_bytes()))
    with pytest.raises(FileError, match=r"step-001 cannot be read; remove .* to begin anew"):
        SavedSteps(tmp_path).done()
