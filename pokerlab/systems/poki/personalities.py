"""Named parameter sets: a population of players with visibly different styles.

Twenty-four formula players (`poki:NAME`) spread over how many hands they play, how hard they bet them, how much they
hide and how noisy they are, with and without opponent modelling; four simulation players (`simbot:NAME`); and five
static formula players (`formula:NAME`).

>>> len(PERSONALITIES), PERSONALITIES["rock"].style.plays < PERSONALITIES["station"].style.plays
(24, True)

References
----------
Sweeney (2012), section 6.5: a population of 24 adaptive formula players, 5 settings of static players and 4 that
simulate, in short six-player matches. Its parameters are not published; these are ours.
"""

from __future__ import annotations

from pokerlab.policies.formula import FormulaPolicy, Style
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.systems.poki.simulation import Budget, SimulationPoki


def _style(plays: float, heat: float, cunning: float, noise: float) -> Style:
    """A style from four controls: hands played, aggression, deception, noise.

    `heat` lowers the thresholds for betting and raising from those of a passive player; `cunning` is the frequency of
    bluffs, semi-bluffs, slow plays and check-raises.
    """
    return Style(
        plays=plays,
        raises=plays * (0.55 + 0.4 * heat),
        position=0.15,
        bet_at=0.60 - 0.20 * heat,
        raise_at=0.97 - 0.20 * heat,
        raise_again_at=0.92 - 0.25 * heat,
        call_at=0.38,
        margin=-0.02 - 0.10 * (plays - 0.4),
        semi_bluff=cunning * (0.3 + 0.6 * heat),
        bluff=0.4 * cunning * (0.4 + heat),
        slow_play=0.5 * cunning * (1 - heat),
        check_raise=0.6 * cunning,
        noise=noise,
        careful=True,
        n_ahead=1,
        opening="by position",
    )


def _poki(plays: float, heat: float, cunning: float = 0.2, noise: float = 0.02, *, models: bool = True) -> PokiSettings:
    return PokiSettings(
        style=_style(plays, heat, cunning, noise),
        stranger=_style(0.40, 0.5, 0.2, 0.02),
        model="counts" if models else "formula",
        bets="thresholds",
        equity_margin=0.16 - 0.2 * (plays - 0.4),
        heads_up="as at any table",  # its style, not the heads-up rules, decides how it bets
    )


BEFORE = PokiSettings(
    style=Style(),
    stranger=Style(),
    model="counts 0.1.0",
    noise=0.1,
    against="each",
    weighted=True,
    potential="unweighted",
    raised="percentile",
    bets="thresholds",
    future="unweighted",
    odds="constant",
    usual="six-handed",
    adapts=0.5,
    heads_up="as at any table",
)
"""Poki as of version 0.1.0, with every setting explicit, as a baseline for the current one."""


PERSONALITIES: dict[str, PokiSettings] = {
    # few hands
    "rock": _poki(0.27, 0.3, 0.0),
    "nit": _poki(0.24, 0.5, 0.1),
    "mouse": _poki(0.27, 0.1, 0.1, 0.04),
    "granite": _poki(0.29, 0.4, 0.1, models=False),
    "sniper": _poki(0.27, 0.9, 0.3),
    "miser": _poki(0.31, 0.2, 0.3, 0.05, models=False),
    # the middle
    "regular": _poki(0.38, 0.4, 0.2),
    "grinder": _poki(0.36, 0.6, 0.2),
    "student": _poki(0.40, 0.5, 0.1, 0.08),
    "shark": _poki(0.36, 0.8, 0.4),
    "hunter": _poki(0.39, 0.9, 0.2, models=False),
    "hawk": _poki(0.42, 0.7, 0.3),
    "trapper": _poki(0.39, 0.4, 0.9),
    "fox": _poki(0.42, 0.6, 0.8),
    "clerk": _poki(0.40, 0.2, 0.0, models=False),
    "monk": _poki(0.42, 0.1, 0.2),
    # many hands
    "tourist": _poki(0.58, 0.3, 0.1, 0.12),
    "rookie": _poki(0.52, 0.3, 0.2, 0.15, models=False),
    "gambler": _poki(0.56, 0.8, 0.5, 0.05),
    "bully": _poki(0.49, 1.0, 0.5),
    "maniac": _poki(0.62, 1.0, 0.8, 0.10),
    "station": _poki(0.64, 0.1, 0.0, 0.03),
    "sponge": _poki(0.58, 0.2, 0.1, 0.05, models=False),
    "drifter": _poki(0.56, 0.5, 0.4, 0.20),
}


KINDS = {"neural": PokiSettings(model="neural"), "before": BEFORE}
"""Poki with networks as opponent models, and as of version 0.1.0."""


STATIC: dict[str, Style] = {
    "": Style(),
    # the five of the population
    "steady": _style(0.40, 0.5, 0.2, 0.02),
    "tight": _style(0.30, 0.5, 0.1, 0.02),
    "loose": _style(0.52, 0.4, 0.2, 0.04),
    "passive": _style(0.38, 0.1, 0.1, 0.02),
    "aggressive": _style(0.42, 0.9, 0.3, 0.02),
}


SIMULATORS: dict[str, tuple[PokiSettings, Budget]] = {
    "": (PokiSettings(), Budget()),
    "quick": (PokiSettings(), Budget(trials=100)),
    "thorough": (PokiSettings(), Budget(trials=10_000)),
    "mixing": (PokiSettings(), Budget(near=0.1)),
    "live": (PokiSettings(), Budget(seconds=1.0)),  # thinks for a second, so its matches are not reproducible
    "before": (BEFORE, Budget()),
    # the four of the population
    "owl": (PERSONALITIES["grinder"], Budget(trials=200)),
    "lynx": (PERSONALITIES["shark"], Budget(trials=200)),
    "bear": (PERSONALITIES["monk"], Budget(trials=200, near=0.2)),
    "wolf": (PERSONALITIES["gambler"], Budget(trials=200, near=0.1)),
}


def make_poki(variant: str) -> Poki:
    """`poki`, one of its kinds (`KINDS`), or one of its personalities."""
    return Poki({"": PokiSettings(), **KINDS, **PERSONALITIES}[variant])


def make_formula(variant: str) -> FormulaPolicy:
    """`formula`, or one of the population's five static players."""
    return FormulaPolicy(STATIC[variant])


def make_simbot(variant: str) -> SimulationPoki:
    """`simbot`, one of its budgets, or one of the population's four simulation players."""
    return SimulationPoki(*SIMULATORS[variant])
