"""The Bayesian players by name."""

from __future__ import annotations

from typing import Any

from pokerlab.agents.bpp.curves import Curves
from pokerlab.agents.bpp.player import BayesianPlayer, Settings

SHIFTS = {"aggressive": -0.1, "": 0.0, "conservative": 0.125}
"""How far the betting curves are shifted for each style: no further than it takes that the player's counted actions are
nearer to the printed table of the style than to any mix of both (`pokerlab reproduce taylor2007-shifts`)."""


def shifted(style: str, **settings: Any) -> Settings:
    """Settings with the curves of a style."""
    return Settings(decides=Curves(shift=SHIFTS[style]), **settings)


VARIANTS: dict[str, Settings] = {
    "": shifted(""),
    "aggressive": shifted("aggressive"),
    "conservative": shifted("conservative"),
    "2007": shifted("", network="2007", model="base"),
    "network": shifted("", combinatory=0.0),
    "combinatory": shifted("", combinatory=1.0),
    "combinatory-aggressive": shifted("aggressive", combinatory=1.0),
    "combinatory-conservative": shifted("conservative", combinatory=1.0),
}


def make_bpp(name: str, variant: str) -> BayesianPlayer:
    """The Bayesian player of a registered variant."""
    return BayesianPlayer(VARIANTS[variant])
