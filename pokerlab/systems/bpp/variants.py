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
"""Curves, bluffs and the shift of each style, fitted to the actions in tables 4.3, 4.7 and 4.10 of Taylor (2007)
(`pokerlab reproduce taylor2007-curves`)."""


PRIOR = 50.0
"""Number of observed actions that a row of the printed tables is worth in the thesis's players (our choice)."""

WEIGHT = 0.7
"""Weight of an action as evidence for one of the three counted types: the actions of one hand are not independent, and
with this weight the beliefs are right about as often as they say (`pokerlab reproduce taylor2007-types`)."""


def thesis(style: str = "", **settings: Any) -> BppSettings:
    """A player of the thesis: fitted curves of a style, its bluffs, and updates by the winner of the hand."""
    decides = replace(FITTED_CURVES, shift=SHIFTS[style])
    return BppSettings(**{"decides": decides, "bluffs": FITTED_BLUFFS, "evidence": "winner", **settings})


ADAPTIVE = BppSettings(combinatory=0.5, evidence="winner", prior=20.0)
"""The player `bpp`: it wins most of all these from opponents not used for choosing it (`taylor2007-defaults`)."""

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
