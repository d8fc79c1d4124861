"""The Bayesian players by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings, Curves, Utility


def bluff_vector(first: float, last: float) -> tuple[float, float, float, float]:
    """Probabilities that a bluff begins, by round, on the line from before the flop to the river."""
    early, late = ((first * (3 - street) + last * street) / 3 for street in (1, 2))
    return first, early, late, last


FITTED_CURVES = Curves(
    raise_at=(0.514, 0.324), width=(0.093, 0.182), facing=(0.086, 0.142), stay_at=(-0.003, 0.001),
    stay_width=(0.063, 0.087),
)  # fmt: skip
FITTED_BLUFFS = bluff_vector(0.128, 0.152)
SHIFTS = {"aggressive": -0.093, "": 0.0, "conservative": 0.085}
"""Curves, bluffs and the shift of each style, fitted to the actions printed in tables 4.3, 4.7 and 4.10 of Taylor (2007)
(`pokerlab reproduce taylor2007-curves`)."""


def thesis(style: str = "", **settings: Any) -> BppSettings:
    """A player of the thesis: fitted curves of a style, its bluffs, and evidence by the winner of the hand."""
    decides = replace(FITTED_CURVES, shift=SHIFTS[style])
    return BppSettings(**{"decides": decides, "bluffs": FITTED_BLUFFS, "evidence": "winner", **settings})


def chosen(**settings: Any) -> BppSettings:
    """The default player, with other settings."""
    return BppSettings(**settings)


VARIANTS: dict[str, BppSettings] = {
    "": chosen(),
    "hybrid": thesis(),
    "aggressive": thesis("aggressive"),
    "conservative": thesis("conservative"),
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
