"""Hand types and published opponent tables: the results of Taylor (2007) that need no matches.

>>> from pokerlab.experiments.experiment import Config
>>> table = run_types(Config({"years": []}, seed=1))
>>> table["sub-types of table 3.2"]["Busted Low"].mean
18.0
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.evaluate import CATEGORIES
from pokerlab.cards.hand_types import RESOLUTIONS, SUBTYPES, subtype_of_rank
from pokerlab.experiments.experiment import Config, Table, exact_rows
from pokerlab.experiments.records import published
from pokerlab.systems.bpp.opponent_action import (
    AGGRESSIVE,
    AS_PRINTED,
    BASE,
    CONSERVATIVE,
    action_table,
    best_mix,
    distance,
)
from pokerlab.systems.bpp.type_counts import stud_counts

SHARES = "table 2.1: hands in ten million"
COUNTS = "sub-types of table 3.2"
ALPHA = "the nearest mix, in millionths"
CURVES = {"corrected": AGGRESSIVE, "as printed": AS_PRINTED}


def run_types(config: Config) -> Table:
    """Counts over all ranks, and over all hands of five cards."""
    counts = np.bincount(subtype_of_rank(), minlength=len(SUBTYPES))
    hands = stud_counts().hands[3].sum(axis=(1, 2)) // 5  # each hand was counted for each of its cards face down
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
    """Find the mix of aggressive and conservative tables nearest to the base table, and distances of other mixes."""
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
        steps = {f"{a:g}": 1e3 * distance(base, a * aggressive + (1 - a) * conservative) for a in at}
        curves[f"thousand times the distance by alpha, aggressive table {name}"] = exact_rows(steps)
    notes = (
        "Alpha weighs the aggressive table. With the row as printed the nearest mix has alpha "
        f"{found['as printed']:.6f}, above one half; the printed 0.492479 agrees with one minus that, the weight "
        "of the conservative table.",
        "The distance is -ln of the mean over rows of the sum of sqrt(p q); every row that can come about counts "
        "alike: win, draw and lose, all four rounds.",
    )
    return Table.of({ALPHA: exact_rows(nearest), **curves}, notes)
