"""The variants of the Bayesian player, by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings, Curves, Utility


def bluff_vector(first: float, last: float) -> tuple[float, float, float, float]:
    """Probability that a bluff begins in each round, interpolated linearly from preflop to river."""
    early, late = ((first * (3 - street) + last * street) / 3 for street in (1, 2))
    return first, early, late, last


FITTED_CURVES = Curves(
    raise_at=(0.518, 0.321),
    width=(0.109, 0.2),
    facing=(0.092, 0.148),
    stay_at=(0.007, -0.001),
    stay_width=(0.06, 0.084),
)
FITTED_BLUFFS = bluff_vector(0.162, 0.128)
SHIFTS = {"aggressive": -0.098, "": 0.0, "conservative": 0.085}
"""Shift of the curves by style. The curves, bluffs and shifts of this file were fitted to the actions in tables 4.3,
4.7 and 4.10 of Taylor (2007) (`pokerlab reproduce taylor2007-curves`)."""


PRIOR = 50.0
"""Weight of a row of the printed tables in the thesis's players, as a number of observed actions. This is our
choice."""

WEIGHT = 0.7
"""Weight of an action as evidence about the three counted types. It is below 1 because the actions of one hand are not
independent; with this weight the beliefs are well calibrated (`pokerlab reproduce taylor2007-types`)."""


def thesis(style: str = "", **settings: Any) -> BppSettings:
    """Settings of a player of the thesis: the fitted curves of a style and its bluffs. It learns by the winner of each
    hand."""
    decides = replace(FITTED_CURVES, shift=SHIFTS[style])
    return BppSettings(**{"decides": decides, "bluffs": FITTED_BLUFFS, "evidence": "winner", **settings})


ADAPTIVE = BppSettings(combinatory=0.5, evidence="winner", prior=20.0)
"""Settings of the player `bpp`. Of all variants it wins most against opponents that were not used to choose it
(`taylor2007-defaults`)."""

VARIANTS: dict[str, BppSettings] = {
    "": ADAPTIVE,
    "plain": BppSettings(),
    "adaptive": ADAPTIVE,
    "interactive": BppSettings(evidence="winner", prior=20.0),
    "bluffing": BppSettings(bluffs=(0.2, 0.2, 0.2, 0.2)),
    "types": BppSettings(model="styles", evidence="winner", weight=WEIGHT),
    "forgetting": BppSettings(model="styles", evidence="winner", weight=WEIGHT, forgetting=0.02),
    "utility": BppSettings(decides=Utility()),
    "combinatory-plain": BppSettings(combinatory=1.0),
    "hybrid": thesis(),
    "aggressive": thesis("aggressive"),
    "conservative": thesis("conservative"),
    "base-table": thesis(model="base", prior=PRIOR),
    "aggressive-table": thesis(model="aggressive", prior=PRIOR),
    "conservative-table": thesis(model="conservative", prior=PRIOR),
    "combined-table": thesis(prior=PRIOR),
    "1993": BppSettings(network="1993", combinatory=0.0),
    "1999": BppSettings(network="1999", combinatory=0.0),
    "2000": BppSettings(network="2000", combinatory=0.0, decides=Utility()),
    "2003": BppSettings(network="2003"),
    "2007": BppSettings(network="2007", model="base"),
    "beyond": BppSettings(network="beyond", model="beyond", pressure=0.03),
    "network": thesis(combinatory=0.0),
    "combinatory": thesis(combinatory=1.0),
    "combinatory-aggressive": thesis("aggressive", combinatory=1.0),
    "combinatory-conservative": thesis("conservative", combinatory=1.0),
}


def make_bpp(variant: str) -> BayesianPlayer:
    return BayesianPlayer(VARIANTS[variant])
