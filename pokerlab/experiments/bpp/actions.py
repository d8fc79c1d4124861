"""What players do, counted: the shift of the betting curves that makes each style, and the generated tables."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from pokerlab.estimates import Estimate, bare, share
from pokerlab.experiments.bpp.opponents import STYLES, counts_of, parts_of, played
from pokerlab.experiments.experiment import Config, Experiment, Report, Table, bare_rows
from pokerlab.experiments.parts import do_parts
from pokerlab.systems.bpp.opponent_action import (
    ACTIONS,
    AGGRESSIVE,
    BASE,
    BPP_ACTIONS,
    CONSERVATIVE,
    CORNER_ROWS,
    ROUNDS,
    WIN,
    Corners,
    action_table,
    best_mix,
    corners,
    counted_table,
)

Floats = NDArray[np.float64]
NEARER = 0.01
"""A player is of one style when the nearest mix has no more than this of the other."""

GENERATED = {
    "A. Hybrid": (AGGRESSIVE, "4.10", "4.11"),
    "Hybrid": (BASE, "4.3", "4.4"),
    "C. Hybrid": (CONSERVATIVE, "4.7", "4.8"),
}
PRINTED: dict[str, Corners] = {
    "Hybrid": corners(
        *((0, 55, 0, 0, 45), (5, 0, 74, 0, 21), (0, 0, 74, 0, 26)),
        *((0, 52, 0, 48, 0), (23, 0, 44, 0, 33), (1, 0, 46, 0, 53), (0, 42, 0, 58, 0)),
        *((0, 47, 0, 0, 53), (0, 0, 74, 0, 26), (0, 0, 58, 0, 42)),
        *((0, 16, 0, 84, 0), (0, 0, 35, 0, 65), (0, 0, 34, 0, 66), (0, 17, 0, 83, 0)),
    ),
    "C. Hybrid": corners(
        *((0, 73, 0, 0, 27), (26, 0, 65, 0, 9), (0, 0, 92, 0, 8)),
        *((0, 55, 0, 45, 0), (30, 0, 42, 0, 28), (1, 0, 46, 0, 53), (0, 50, 0, 50, 0)),
        *((0, 62, 0, 0, 38), (0, 0, 84, 0, 16), (0, 0, 81, 0, 19)),
        *((0, 23, 0, 77, 0), (0, 0, 40, 0, 60), (0, 0, 36, 0, 64), (0, 20, 0, 81, 0)),
    ),
    "A. Hybrid": corners(
        *((0, 32, 0, 0, 68), (1, 0, 64, 0, 36), (0, 0, 51, 0, 49)),
        *((0, 42, 0, 58, 0), (13, 0, 44, 0, 43), (1, 0, 43, 0, 56), (0, 34, 0, 66, 0)),
        *((0, 29, 0, 0, 71), (0, 0, 61, 0, 39), (0, 0, 41, 0, 59)),
        *((0, 10, 0, 90, 0), (0, 0, 28, 0, 72), (0, 0, 33, 0, 67), (0, 14, 0, 86, 0)),
    ),
}
"""Tables 4.3, 4.7 and 4.10: what the thesis counted of its own players."""


def _cells(percentages: Mapping[tuple[str, str, str, str], Estimate]) -> dict[str, Estimate]:
    return {" ".join(cell): number for cell, number in percentages.items() if not isnan(number.mean)}


def _published(printed: Corners, less: Corners | None = None) -> dict[str, Estimate]:
    cells = {(*row, action): 100 * printed[row][i] for row in CORNER_ROWS for i, action in enumerate(ACTIONS)}
    if less is not None:
        cells = {
            (*row, action): cells[(*row, action)] - 100 * less[row][i]
            for row in CORNER_ROWS
            for i, action in enumerate(ACTIONS)
        }
    return bare_rows({" ".join(cell): value for cell, value in cells.items() if _matters(cell)})


def _matters(cell: tuple[str, ...]) -> bool:
    """Whether an action can be taken there: bets and checks where nothing was bet, folds and calls where it was."""
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


def _less(number: Estimate, by: float) -> Estimate:
    return Estimate(number.mean - by, number.low - by, number.high - by, number.n)


def run_generated(config: Config, report: Report) -> Table:
    """Count the three hybrids against the base player."""
    sizes = config.settings
    parts = [
        part
        for name in GENERATED
        for part in parts_of("hybrid/0/base", STYLES[name] + "base", seed=config.seed, **sizes)
    ]
    done = do_parts(played, parts, config, report)
    sections: dict[str, dict[str, Estimate]] = {}
    notes, n = [], sizes["matches"]
    for i, (name, (original, generated, compared)) in enumerate(GENERATED.items()):
        counts = counts_of(done[i * n : (i + 1) * n])
        cells = _counted(counts)
        sections[f"table {generated}: {name}, %"] = _cells(cells)
        sections[f"table {compared}: {name} less its printed table, percentage points"] = _cells(
            {cell: _less(e, 100 * original[cell[:3]][ACTIONS.index(cell[3])]) for cell, e in cells.items()}
        )
        aggression = counts[..., 3:].sum() / counts.sum()
        notes.append(f"{name} bets or raises in {aggression:.1%} of its {int(counts.sum()):,} actions.")
    return Table.of(sections, tuple(notes))


CHANCES = ("hybrid", "combinatory")
FOUND = "shift from which a player is of one style"


def run_shifts(config: Config, report: Report) -> Table:
    """Count players of every shift, and find where each style begins."""
    sizes = dict(config.settings)
    lowest, highest, step = (sizes.pop(name) for name in ("lowest", "highest", "step"))
    shifts = [round(float(shift), 3) + 0.0 for shift in np.arange(lowest, highest + step / 2, step)]
    players = [f"{chance}/{shift}/base" for chance in CHANCES for shift in shifts]
    parts = [part for name in players for part in parts_of("hybrid/0/base", name, seed=config.seed, **sizes)]
    done, n = do_parts(played, parts, config, report), sizes["matches"]
    counts = {name: counts_of(done[i * n : (i + 1) * n]) for i, name in enumerate(players)}
    sections: dict[str, dict[str, Estimate]] = {}
    for chance in CHANCES:
        sections |= _by_shift(chance, {shift: counts[f"{chance}/{shift}/base"] for shift in shifts})
    found: dict[str, float] = {}
    for chance in CHANCES:
        alphas = {shift: _nearest(counts[f"{chance}/{shift}/base"])[0] for shift in shifts}
        aggressive = [shift for shift in shifts if alphas[shift] >= 1 - NEARER]
        conservative = [shift for shift in shifts if alphas[shift] <= NEARER]
        found |= {f"aggressive {chance}": max(aggressive, default=nan)}
        found |= {f"conservative {chance}": min(conservative, default=nan)}
    return Table.of({FOUND: bare_rows(found), **sections})


def _nearest(counts: Floats) -> tuple[float, float]:
    """(alpha, distance) of the mix of both printed tables that is nearest to what was counted."""
    base, aggressive, conservative = (action_table(each) for each in (BASE, AGGRESSIVE, CONSERVATIVE))
    return best_mix(counted_table(counts, base), aggressive, conservative)


def _by_shift(chance: str, counts: Mapping[float, Floats]) -> dict[str, dict[str, Estimate]]:
    rows = {shift: f"{shift:+.3f}" for shift in counts}
    nearest = {shift: _nearest(each) for shift, each in counts.items()}
    alphas = {row: bare(nearest[shift][0], n=int(counts[shift].sum())) for shift, row in rows.items()}
    bets = {rows[s]: share(each[..., 3:].sum(), each.sum()).scaled(100, "%") for s, each in counts.items()}
    return {
        f"{chance}: alpha of the nearest mix, by shift": alphas,
        f"{chance}: distance of that mix, by shift": {row: bare(nearest[shift][1]) for shift, row in rows.items()},
        f"{chance}: bets and raises in all actions, %, by shift": bets,
    }


EXPERIMENTS = (
    Experiment(
        name="taylor2007-shifts",
        title="The shift of the betting curves that makes a style",
        cites="Taylor (2007), section 4.2.1",
        about=(
            "The thesis found its shifts by trial and does not print them. Here a hybrid with the base table plays "
            "players of every shift; the opponent's actions are counted by who won the hand, and the mix of the "
            "printed aggressive and conservative tables is found that is nearest. A player is aggressive or "
            f"conservative from the shift on at which that mix has at most {NEARER} of the other."
        ),
        published=Table(),
        run=run_shifts,
        quick={"matches": 1, "hands": 200, "lowest": -0.2, "highest": 0.2, "step": 0.1},
        full={"matches": 4, "hands": 500, "lowest": -0.2, "highest": 0.2, "step": 0.025},
    ),
    Experiment(
        name="taylor2007-generated",
        title="Tables 4.3 to 4.11: what our players do, counted",
        cites="Taylor (2007), tables 4.3, 4.4, 4.7, 4.8, 4.10 and 4.11",
        about=(
            "The hybrid with the base table plays each of the three hybrids, whose actions are counted by who won the "
            "hand, the round and the last action before. Our betting curves are not theirs, which are not printed."
        ),
        published=Table.of(
            {
                f"table {generated}: {name}, %": _published(PRINTED[name])
                for name, (_, generated, _) in GENERATED.items()
            }
            | {
                f"table {compared}: {name} less its printed table, percentage points": _published(
                    PRINTED[name], original
                )
                for name, (original, _, compared) in GENERATED.items()
            }
        ),
        run=run_generated,
        quick={"matches": 1, "hands": 300},
        full={"matches": 5, "hands": 1000},
    ),
)
