"""Figures 6.1 and 6.2 of Hawkin (2014): three default ranges lead to the same value."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_curves import curves_experiment

EXPERIMENT = curves_experiment(
    "6-1",
    ("RE-BETS [0.4, 0.6]", "RE-BETS [0.8, 1]", "RE-BETS [1.2, 1.4]"),
    cites="Hawkin (2014), section 6.2, figures 6.1 and 6.2, Tables A.3 and A.4",
    about=("Exact iterations where the thesis has 20 million sampled ones a run."),
)
