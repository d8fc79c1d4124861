"""The baseline that found sizes are compared with: the game in which both players have the opponent's sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.errors import FileError
from pokerlab.estimates import Estimate
from pokerlab.files import read_arrays, well_formed, write_arrays
from pokerlab.runs.directory import RunDirectory, open_run
from pokerlab.runs.steps import Watch, interrupts_noted
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.systems.bets.config import SizingConfig
from pokerlab.systems.bets.saved_runs import worth_of
from pokerlab.systems.bets.search import Run

BASELINE = "bet sizing baseline"
FILE, CHECKPOINT = "baseline.bin", "baseline-value.bin"


class Gain(NamedTuple):
    """A sized player's gain over playing the opponent's sizes, in chips per hand and percent of the baseline."""

    chips: float
    percent: float | None  # None: the baseline is worth nothing


def baseline(config: SizingConfig, directory: Path | None = None, **how: Any) -> Estimate:
    """The value to player 0 when both players have the opponent's sizes, saved in the directory of a search, if any.

    >>> print(baseline(SizingConfig(game="leduc-nolimit")))
    -0.071 to -0.071 chips/hand
    """
    if directory is None:
        return baseline_in(config, None, **how)
    with open_run(directory, config.kind, config.identity(), code=config.modules) as run:
        return baseline_in(config, run, **how)


def baseline_in(
    config: SizingConfig,
    run: RunDirectory | None,
    *,
    sizes: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Estimate:
    """The value to player 0, in chips per hand, when both have the opponent's sizes; solved like the runs' values.

    `sizes` replaces both players' sizes ("h_f | fcpa"). With the open directory of a search the value is saved there,
    and an interrupted solve is resumed.
    """
    saved = None if run is None else run.path / FILE
    if saved is not None and saved.exists():
        return read_baseline(saved)
    checkpoint = None if run is None else run.path / CHECKPOINT
    both = sizes or f"{config.opponent} | {config.opponent}"
    fixed = build_sized_tree(config.rules, sides(both, ([], [])))
    cells = cells_for(config.rules, config.cards)
    with interrupts_noted() as stopped:
        worth = worth_of(config, fixed, np.empty(0), cells, Watch(checkpoint, progress, stopped))
    if saved is not None:
        write_arrays(saved, BASELINE, {"sizes": both, "worth": asdict(worth)}, {})
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return worth


def read_baseline(path: Path) -> Estimate:
    """The value in a baseline's file."""
    try:
        about, _ = read_arrays(path, BASELINE)
        with well_formed(path):
            return Estimate(**about["worth"])
    except FileError as error:
        raise FileError(f"{error}; remove it, and the same command solves it again") from error


def gain(run: Run, base: Estimate, player: int) -> Gain | None:
    """Gain of `player` by a run's sizes over the baseline, between the means of both; None without a value."""
    if run.worth is None:
        return None
    chips = (run.worth.mean - base.mean) * (1 if player == 0 else -1)
    return Gain(chips, 100 * chips / abs(base.mean) if abs(base.mean) > 1e-9 else None)
