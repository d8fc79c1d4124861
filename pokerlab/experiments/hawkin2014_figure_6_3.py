"""Figures 6.3 and 6.4 of Hawkin (2014): ranges of fixed ratio and of fixed width."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_curves import curves_experiment

EXPERIMENT = curves_experiment(
    "6-3",
    ("one range", "RE-BETS [0.8, 1]"),
    cites="Hawkin (2014), section 6.4.1, figures 6.3 and 6.4, Tables A.5 and A.6",
    about=("Exact iterations where the thesis has 20 million sampled ones a run."),
)
