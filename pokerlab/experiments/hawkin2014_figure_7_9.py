"""Figures 7.9 and 7.10 of Hawkin (2014): IR-570 against FCPA."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_curves import BOARDS, FEW_BOARDS, curves_experiment

EXPERIMENT = curves_experiment(
    "7-9",
    ["IR-570, one range", "IR-570, two ranges", "IR-570, three ranges"],
    cites="Hawkin (2014), section 7.3, figures 7.9 and 7.10, Tables A.19 and A.20",
    about="Iterations on sampled boards, all hands on each; the thesis: 100 to 160 million sampled hands a run.",
    quick={"cards": "ir570", **FEW_BOARDS},
    full={"cards": "ir570", **BOARDS, "runs": 3, "curves": ["IR-570, one range"]},
)
