"""Figures 7.11 and 7.12 of Hawkin (2014): sizes found in IR-100, used in IR-570."""

from __future__ import annotations

from pokerlab.experiments import hawkin2014_printed as printed
from pokerlab.experiments.hawkin2014_curves import BOARDS, FEW_BOARDS, PLAYERS, by_run, curves_experiment, section

WHAT = "its sizes used in IR-570"
ALSO = {"cards": "ir570", "what": WHAT, "value_iterations": 250, "boards": 32, "value_boards": 8192}
PRINTED = {"IR-100, one range": printed.IR570_ONE_OF_IR100, "IR-100, two ranges": printed.IR570_TWO_OF_IR100}

EXPERIMENT = curves_experiment(
    "7-11",
    list(PRINTED),
    cites="Hawkin (2014), section 7.4, figures 7.11 and 7.12, Tables A.21 and A.22",
    about="Sizes are found with the buckets of IR-100; what they are worth is measured there and with those of IR-570.",
    quick={
        "cards": "ir100",
        **FEW_BOARDS,
        "also_in": {**ALSO, "value_iterations": 20, "boards": 2, "value_boards": 40},
    },
    full={"cards": "ir100", **BOARDS, "runs": 5, "also_in": ALSO, "curves": ["IR-100, one range"]},
    extra={
        section(f"{name}, {WHAT}", player): by_run(points[player])
        for name, points in PRINTED.items()
        for player in PLAYERS
    },
)
