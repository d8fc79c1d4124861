"""Tables of Taylor (2007): hand types, published opponent tables, and counts of players' actions.

The counted players use the betting curves that `curves.py` fits.

>>> table = run_types(Config({"years": []}, seed=1))
>>> table["sub-types of table 3.2"]["Busted Low"].mean
18.0
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.evaluate import CATEGORIES
from pokerlab.cards.hand_types import RESOLUTIONS, SUBTYPES, subtype_of_rank
from pokerlab.estimates import Estimate, share
from pokerlab.experiments.bpp.matches import STYLES, counts_of, play
from pokerlab.experiments.experiment import Config, Key, Sections, Table, exact_rows, less
from pokerlab.experiments.records import notes_of, published
from pokerlab.systems.bpp import opponent as tables
from pokerlab.systems.bpp.opponent import AGGRESSIVE, AS_PRINTED, BASE, CONSERVATIVE, action_table, best_mix
from pokerlab.systems.bpp.type_counts import stud_counts

GENERATED = {
    "A. Hybrid": (AGGRESSIVE, "4.10", "4.11"),
    "Hybrid": (BASE, "4.3", "4.4"),
    "C. Hybrid": (CONSERVATIVE, "4.7", "4.8"),
}


def _cells(percentages: Mapping[tuple[str, str, str, str], Estimate]) -> dict[str, Estimate]:
    return {" ".join(cell): number for cell, number in percentages.items() if not isnan(number.mean)}


def _matters(cell: tuple[str, ...]) -> bool:
    """Whether the action of a cell is legal: check or raise after a call, check or bet on a river without bets,
    otherwise fold, call or raise."""
    _, round_, after, action = cell
    open_ = after in ("Check", "None") and round_ == "River"
    if open_ or (after == "Call"):
        return action in (("Check", "Bet") if open_ else ("Check", "Raise"))
    return action in ("Fold", "Call", "Raise")


def _counted(counts: Floats) -> dict[tuple[str, str, str, str], Estimate]:
    """Percentages, with intervals, of the legal actions in each of the fourteen rows of a table."""
    found = {}
    for win, round_, after in tables.CORNER_ROWS:
        row = counts[tables.WIN.index(win), tables.ROUNDS.index(round_), tables.BPP_ACTIONS.index(after)]
        for action, n in zip(tables.ACTIONS, row, strict=True):
            if _matters((win, round_, after, action)):
                found[win, round_, after, action] = share(n, row.sum()).scaled(100, "%")
    return found


def _counts(config: Config, opponents: Mapping[Key, str], matches: int, hands: int) -> dict[Key, Floats]:
    """`counts[win, round, bpp action, action]` of each opponent in matches with the base player."""
    groups = {
        key: config.numbered(matches, first="hybrid/0/base", second=name, hands=hands)
        for key, name in opponents.items()
    }
    return {key: counts_of(done) for key, done in config.do_groups(play, groups).items()}


def run_generated(config: Config) -> Table:
    """Count the actions of the three hybrid players in matches with the base player."""
    found = _counts(config, {name: STYLES[name] + "base" for name in GENERATED}, **config.settings)
    sections: Sections = {}
    notes = []
    for name, counts in found.items():
        original, generated, compared = GENERATED[name]
        cells = _counted(counts)
        sections[f"table {generated}: {name}, %"] = _cells(cells)
        sections[f"table {compared}: {name} less its printed table, percentage points"] = _cells(
            {cell: less(e, 100 * original[cell[:3]][tables.ACTIONS.index(cell[3])]) for cell, e in cells.items()}
        )
        aggression = counts[..., 3:].sum() / counts.sum()
        notes.append(f"{name} bets or raises in {aggression:.1%} of its {int(counts.sum()):,} actions.")
    return Table.of(sections, notes)


SHARES = "table 2.1: hands in ten million"
COUNTS = "sub-types of table 3.2"
ALPHA = "the nearest mix, in millionths"
CURVES = {"corrected": AGGRESSIVE, "as printed": AS_PRINTED}


def run_types(config: Config) -> Table:
    """Count hand types over all combinations of ranks, and over all hands of five cards."""
    counts = np.bincount(subtype_of_rank(), minlength=len(SUBTYPES))
    # each hand was counted five times: with each of its cards face down
    hands = stud_counts().hands[3].sum(axis=(1, 2)) // 5
    by_category = np.add.reduceat(hands, [0, 5, 18, 22, 23, 24, 25, 26, 27])
    sections = {
        SHARES: exact_rows(dict(zip(CATEGORIES, np.rint(1e7 * by_category / by_category.sum()), strict=True))),
        COUNTS: exact_rows(dict(zip(SUBTYPES, counts, strict=True))),
        "types of each resolution": exact_rows({year: len(types) for year, types in RESOLUTIONS.items()}),
    }
    for year in config.settings["years"]:
        types = RESOLUTIONS[year]
        shares = np.bincount(types.type_of_rank) / counts.sum()
        sections[f"shares of the 7,462 ranks, {year}"] = exact_rows(dict(zip(types.names, shares, strict=True)))
    straight = CATEGORIES.index("straight")
    printed = published("taylor2007-hand-types")[SHARES]["straight"].mean / 1e7
    exact = by_category[straight] / by_category.sum()
    return Table.of(sections, (f"Table 2.1's straight is printed as {printed}; of all hands it is {exact:.7f}.",))


def run_alpha(config: Config) -> Table:
    """Find the mixture of the aggressive and the conservative table that is nearest to the base table. Also list the
    distances of other mixtures."""
    base, conservative = action_table(BASE), action_table(CONSERVATIVE)
    found: dict[str, float] = {}
    nearest: dict[str, float] = {}
    curves = {}
    for name, corners in CURVES.items():
        aggressive = action_table(corners)
        alpha, apart = best_mix(base, aggressive, conservative)
        found[name] = alpha
        nearest |= {f"{name}: weight of the conservative table": round(1e6 * (1 - alpha))}
        nearest |= {f"{name}: distance": round(1e6 * apart)}
        at = np.linspace(0, 1, config.settings["steps"] + 1)
        steps = {f"{a:g}": 1e3 * tables.distance(base, a * aggressive + (1 - a) * conservative) for a in at}
        curves[f"thousand times the distance by alpha, aggressive table {name}"] = exact_rows(steps)
    return Table.of({ALPHA: exact_rows(nearest), **curves}, notes_of("taylor2007-alpha", alpha=found["as printed"]))
