"""Figures 7.3 to 7.8 of Hawkin (2014): IR-100 against FCPA."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_curves import BOARDS, FEW_BOARDS, curves_experiment

NAMES = [
    "IR-100, one range",
    "IR-100, two ranges",
    "IR-100, three ranges",
    "IR-100, three ranges, 50 extra bets",
]
MORE = [f"IR-100, three ranges, {extra}" for extra in ("1 extra bet", "25 extra bets", "100 extra bets")]

EXPERIMENT = curves_experiment(
    "7-3",
    [*NAMES, *MORE],
    cites="Hawkin (2014), section 7.2, figures 7.3 to 7.8, Tables A.13 to A.18, 7.1 and 7.2",
    about="Iterations on sampled boards, all hands on each; the thesis: 60 to 80 million sampled hands a run.",
    quick={"cards": "ir100", **FEW_BOARDS, "runs_of": {}},
    full={"cards": "ir100", **BOARDS, "runs": 5, "curves": NAMES, "runs_of": {NAMES[2]: 2, NAMES[3]: 3}},
)
