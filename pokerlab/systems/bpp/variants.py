"""The Bayesian players by name."""

from __future__ import annotations

from typing import Any

from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings, Curves, Utility

SHIFTS = {
    "hybrid": {"aggressive": -0.125, "": 0.0, "conservative": 0.15},
    "combinatory": {"aggressive": -0.125, "": 0.0, "conservative": 0.2},
}
"""Shift of the betting curves for each style: the smallest for which the player's counted actions are nearer to the
printed table of the style than to any mix of both (`pokerlab reproduce taylor2007-shifts`)."""


def shifted(style: str, chance: str = "hybrid", **settings: Any) -> BppSettings:
    """Settings with the curves of a style."""
    return BppSettings(decides=Curves(shift=SHIFTS[chance][style]), **settings)


VARIANTS: dict[str, BppSettings] = {
    "": shifted(""),
    "aggressive": shifted("aggressive"),
    "conservative": shifted("conservative"),
    "1993": shifted("", network="1993", combinatory=0.0),
    "1999": shifted("", network="1999", combinatory=0.0),
    "2000": BppSettings(network="2000", combinatory=0.0, decides=Utility()),
    "2003": shifted("", network="2003"),
    "2007": shifted("", network="2007", model="base"),
    "beyond": shifted("", network="beyond", model="beyond", pressure=0.03),
    "network": shifted("", combinatory=0.0),
    "combinatory": shifted("", "combinatory", combinatory=1.0),
    "combinatory-aggressive": shifted("aggressive", "combinatory", combinatory=1.0),
    "combinatory-conservative": shifted("conservative", "combinatory", combinatory=1.0),
}


def make_bpp(variant: str) -> BayesianPlayer:
    return BayesianPlayer(VARIANTS[variant])
