"""Figures 5.4 and 5.5 of Hawkin (2014): RE-BETS against FCPA in 5-bucket hold'em."""

from __future__ import annotations

from pokerlab.experiments.experiment import Number
from pokerlab.experiments.hawkin2014_curves import PLAYERS, curves_experiment, gain

CURVE = "RE-BETS [0.8, 1], short runs"
EXPERIMENT = curves_experiment(
    "5-4",
    (CURVE,),
    cites="Hawkin (2014), section 5.8.1, figures 5.4 and 5.5, Tables A.1 and A.2",
    about=("Exact iterations where the thesis has 10 million sampled ones a run."),
    extra={gain({}): {f"{CURVE}, {PLAYERS[0]}": Number(48.0), f"{CURVE}, {PLAYERS[1]}": Number(88.0)}},
)
