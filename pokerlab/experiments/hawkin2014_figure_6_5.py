"""Figures 6.5 and 6.6 of Hawkin (2014): one, two and three ranges a decision."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_curves import curves_experiment

EXPERIMENT = curves_experiment(
    "6-5",
    ("one range", "two ranges", "three ranges"),
    cites="Hawkin (2014), section 6.5.2, figures 6.5 and 6.6, Tables A.7, A.8, 6.2 and 6.3",
    about=("Exact iterations where the thesis has 20, 45 and 70 million sampled ones a run."),
)
