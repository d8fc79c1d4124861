"""Figures 5.4 and 5.5 of Hawkin (2014): RE-BETS against FCPA in 5-bucket hold'em."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_curves import curves_experiment

EXPERIMENT = curves_experiment(
    "5-4",
    ("RE-BETS [0.8, 1], short runs",),
    cites="Hawkin (2014), section 5.8.1, figures 5.4 and 5.5, Tables A.1 and A.2",
    about=("Exact iterations where the thesis has 10 million sampled ones a run."),
)
