"""Counts of players' actions: the shift of the betting curves that gives each style, and the generated tables."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, nan

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, bare, share
from pokerlab.experiments.bpp.matches import STYLES, counts_of, play
from pokerlab.experiments.experiment import Config, Key, Sections, Table, bare_rows, less
from pokerlab.systems.bpp.opponent_action import (
    ACTIONS,
    AGGRESSIVE,
    BASE,
    BPP_ACTIONS,
    CONSERVATIVE,
    CORNER_ROWS,
    ROUNDS,
    WIN,
    action_table,
    best_mix,
    counted_table,
)

NEARER = 0.01
"""A player is of one style when the nearest mix has no more than this of the other."""

GENERATED = {
    "A. Hybrid": (AGGRESSIVE, "4.10", "4.11"),
    "Hybrid": (BASE, "4.3", "4.4"),
    "C. Hybrid": (CONSERVATIVE, "4.7", "4.8"),
}


def _cells(percentages: Mapping[tuple[str, str, str, str], Estimate]) -> dict[str, Estimate]:
    return {" ".join(cell): number for cell, number in percentages.items() if not isnan(number.mean)}


def _matters(cell: tuple[str, ...]) -> bool:
    """Return whether an action is legal there: bets and checks if nothing was bet, folds and calls otherwise."""
    _, round_, after, action = cell
    open_ = after in ("Check", "None") and round_ == "River"
    if open_ or (after == "Call"):
        return action in (("Check", "Bet") if open_ else ("Check", "Raise"))
    return action in ("Fold", "Call", "Raise")


def _counted(counts: Floats) -> dict[tuple[str, str, str, str], Estimate]:
    """Percentages of the fourteen rows, with intervals."""
    found = {}
    for win, round_, after in CORNER_ROWS:
        row = counts[WIN.index(win), ROUNDS.index(round_), BPP_ACTIONS.index(after)]
        for action, n in zip(ACTIONS, row, strict=True):
            if _matters((win, round_, after, action)):
                found[win, round_, after, action] = share(n, row.sum()).scaled(100, "%")
    return found


def _counts(config: Config, opponents: Mapping[Key, str], matches: int, hands: int) -> dict[Key, Floats]:
    """`counts[..]` of the actions of the base player's opponents."""
    groups = {
        key: config.numbered(matches, first="hybrid/0/base", second=name, hands=hands)
        for key, name in opponents.items()
    }
    return {key: counts_of(done) for key, done in config.do_groups(play, groups).items()}


def run_generated(config: Config) -> Table:
    """Count the three hybrids against the base player."""
    found = _counts(config, {name: STYLES[name] + "base" for name in GENERATED}, **config.settings)
    sections: Sections = {}
    notes = []
    for name, counts in found.items():
        original, generated, compared = GENERATED[name]
        cells = _counted(counts)
        sections[f"table {generated}: {name}, %"] = _cells(cells)
        sections[f"table {compared}: {name} less its printed table, percentage points"] = _cells(
            {cell: less(e, 100 * original[cell[:3]][ACTIONS.index(cell[3])]) for cell, e in cells.items()}
        )
        aggression = counts[..., 3:].sum() / counts.sum()
        notes.append(f"{name} bets or raises in {aggression:.1%} of its {int(counts.sum()):,} actions.")
    return Table.of(sections, notes)


CHANCES = ("hybrid", "combinatory")
FOUND = "shift from which a player is of one style"


def run_shifts(config: Config) -> Table:
    """Count players of every shift, and find where each style begins."""
    sizes = dict(config.settings)
    lowest, highest, step = (sizes.pop(name) for name in ("lowest", "highest", "step"))
    shifts = [round(float(shift), 3) + 0.0 for shift in np.arange(lowest, highest + step / 2, step)]
    players = {(chance, shift): f"{chance}/{shift}/base" for chance in CHANCES for shift in shifts}
    counts = _counts(config, players, **sizes)
    sections: Sections = {}
    found: dict[str, float] = {}
    for chance in CHANCES:
        here = {shift: counts[chance, shift] for shift in shifts}
        sections |= _by_shift(chance, here)
        alphas = {shift: _nearest(each)[0] for shift, each in here.items()}
        found[f"aggressive {chance}"] = max((s for s in shifts if alphas[s] >= 1 - NEARER), default=nan)
        found[f"conservative {chance}"] = min((s for s in shifts if alphas[s] <= NEARER), default=nan)
    return Table.of({FOUND: bare_rows(found), **sections})


def _nearest(counts: Floats) -> tuple[float, float]:
    """(alpha, distance) of the mix of both published tables nearest to the counts."""
    base, aggressive, conservative = (action_table(each) for each in (BASE, AGGRESSIVE, CONSERVATIVE))
    return best_mix(counted_table(counts, base), aggressive, conservative)


def _by_shift(chance: str, counts: Mapping[float, Floats]) -> Sections:
    rows = {shift: f"{shift:+.3f}" for shift in counts}
    nearest = {shift: _nearest(each) for shift, each in counts.items()}
    alphas = {row: bare(nearest[shift][0], n=int(counts[shift].sum())) for shift, row in rows.items()}
    bets = {rows[s]: share(each[..., 3:].sum(), each.sum()).scaled(100, "%") for s, each in counts.items()}
    return {
        f"{chance}: alpha of the nearest mix, by shift": alphas,
        f"{chance}: distance of that mix, by shift": {row: bare(nearest[shift][1]) for shift, row in rows.items()},
        f"{chance}: bets and raises in all actions, %, by shift": bets,
    }
