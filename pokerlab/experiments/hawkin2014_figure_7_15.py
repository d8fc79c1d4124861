"""Figures 7.15 to 7.18 of Hawkin (2014): IR-100 against ACPC_2011."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_curves import BOARDS, FEW_BOARDS, curves_experiment

GAME = {"cards": "ir100", "opponent": "acpc_2011", "compared": False}  # ACPC_2011 against itself is far larger

EXPERIMENT = curves_experiment(
    "7-15",
    [
        "IR-100 and ACPC_2011, one range",
        "IR-100 and ACPC_2011, two ranges",
        "IR-100 and ACPC_2011, three ranges pruned",
    ],
    cites="Hawkin (2014), section 7.5, figures 7.15 to 7.18, Tables A.25 to A.28, 7.7 and 7.8",
    about="Iterations on sampled boards, all hands on each; the thesis: 70 and 80 million sampled hands a run.",
    quick={**GAME, **FEW_BOARDS, "iterations": 3, "value_iterations": 3, "value_boards": 4},
    full={
        **GAME,
        **BOARDS,
        "boards": 16,
        "value_boards": 4096,
        "runs": 2,
        "curves": ["IR-100 and ACPC_2011, one range"],
    },
)
