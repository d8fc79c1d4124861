"""Figures 6.7 and 6.8 of Hawkin (2014): trees pruned to the important bets."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_curves import curves_experiment

EXPERIMENT = curves_experiment(
    "6-7",
    ("one range", "two ranges", "two ranges, 1 extra bet", "two ranges, 25 extra bets"),
    cites="Hawkin (2014), section 6.7, figures 6.7 and 6.8, Tables A.9, A.10, 6.2 and 6.3",
    about=("Exact iterations where the thesis has 20 and 45 million sampled ones a run."),
)
