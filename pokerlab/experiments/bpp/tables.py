"""Hand types and the opponent's printed tables: what of Taylor (2007) can be computed without playing.

>>> from pokerlab.experiments.experiment import Config, no_report
>>> table = run_types(Config({"years": []}, seed=1), no_report)
>>> table["sub-types of table 3.2"]["Busted Low"].mean
18.0
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.evaluate import CATEGORIES
from pokerlab.cards.hand_types import RESOLUTIONS, SUBTYPES, subtype_of_rank
from pokerlab.experiments.experiment import Config, Experiment, Report, Table, bare_rows, exact_rows
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
PRINTED_SHARES = (0.5015629, 0.4225703, 0.0475431, 0.0211037, 0.0035492, 0.0019693, 0.0014405, 0.0002476, 0.0000134)
PRINTED_COUNTS = (18, 228, 209, 329, 493, *(220,) * 13, 231, 374, 121, 132, 858, 10, 1277, 156, 156, 10)
PRINTED_TYPES = {"1993": 9, "1999": 17, "2000": 25, "2003": 25, "2007": 15, "2007-network": 16}


def run_types(config: Config, report: Report) -> Table:
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
    printed, exact = PRINTED_SHARES[straight], by_category[straight] / by_category.sum()
    return Table.of(sections, (f"Table 2.1's straight is printed as {printed}; of all hands it is {exact:.7f}.",))


def run_alpha(config: Config, report: Report) -> Table:
    """Where the mix of both types is nearest to the base table, and the distance along the way."""
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


EXPERIMENTS = (
    Experiment(
        name="taylor2007-hand-types",
        title="Tables 2.1 and 3.2: hands and their types",
        cites="Taylor (2007), tables 2.1 and 3.2",
        about=(
            "Ranks are the 7,462 classes of five cards. The published probabilities of table 3.2 are shares of these "
            "ranks, no chances. Fifteen types are printed for 2007; the network of figure 3.5 has sixteen."
        ),
        published=Table.of(
            {
                SHARES: bare_rows(dict(zip(CATEGORIES, np.rint(np.multiply(1e7, PRINTED_SHARES)), strict=True))),
                COUNTS: bare_rows(dict(zip(SUBTYPES, PRINTED_COUNTS, strict=True))),
                "types of each resolution": bare_rows(PRINTED_TYPES),
            }
        ),
        run=run_types,
        quick={"years": ["2007"]},
        full={"years": list(RESOLUTIONS)},
    ),
    Experiment(
        name="taylor2007-alpha",
        title="The base table as a mix of both types",
        cites="Taylor (2007), section 4.2.1",
        about=(
            "The aggressive table has a row that sums to 105% as printed; corrected, its fold is 0. Tables are made "
            "from the printed corners by straight lines between rounds and means for draws."
        ),
        published=Table.of({ALPHA: bare_rows({"as printed: weight of the conservative table": 492479})}),
        run=run_alpha,
        quick={"steps": 10},
        full={"steps": 20},
    ),
)
