"""Figures 7.1 and 7.2 of Hawkin (2014): absolute bounds and statistical ones."""

from __future__ import annotations

from pokerlab.experiments import hawkin2014_printed as printed
from pokerlab.experiments.hawkin2014_curves import PLAYERS, by_run, curves_experiment, section

WHAT = "measured on boards"
ALSO = {
    "cards": "pr5", "what": WHAT, "measured": True, "value_iterations": 3200, "within_mbb": 5, "boards": 32,
    "value_boards": 8192,
}  # fmt: skip

EXPERIMENT = curves_experiment(
    "7-1",
    ["one range"],
    cites="Hawkin (2014), section 7.1, figures 7.1 and 7.2, Tables A.11 and A.12",
    about="What the same strategies are worth by best responses and on sampled boards, where cells remember.",
    quick={"also_in": {**ALSO, "value_iterations": 400, "boards": 2, "value_boards": 200}},
    full={"also_in": ALSO},
    extra={section(f"one range, {WHAT}", player): by_run(printed.STATISTICAL[player]) for player in PLAYERS},
)
