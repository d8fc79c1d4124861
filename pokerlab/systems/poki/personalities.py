"""Named sets of parameters: a population of players with visibly different styles.

There are twenty-four formula players (`poki:NAME`), with and without opponent models. They differ in how many hands
they play, how hard they bet, how much they deceive, and how noisy they are. There are also four simulation players
(`simbot:NAME`) and five static formula players (`formula:NAME`). Their parameters are in `personalities.toml`.

>>> len(PERSONALITIES), PERSONALITIES["rock"].style.plays < PERSONALITIES["station"].style.plays
(24, True)

References
----------
Sweeney (2012), section 6.5: a population of 24 adaptive formula players, 5 settings of static players and 4 that
simulate, in short six-player matches. Its parameters are not published; these are ours.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from pokerlab.policies.formula import FormulaPolicy, Style
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.systems.poki.simulation import Budget, SimulationPoki


def _style(plays: float, heat: float, cunning: float = 0.2, noise: float = 0.02) -> Style:
    """Make a style from four parameters: hands played, aggression, deception, noise.

    `heat` lowers the thresholds for betting and raising below those of a passive player; `cunning` is the frequency of
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


def _poki(plays: float, heat: float, *, models: bool = True, **hides: float) -> PokiSettings:
    return PokiSettings(
        style=_style(plays, heat, **hides),
        stranger=_style(0.40, 0.5),
        model="counts" if models else "formula",
        bets="thresholds",
        equity_margin=0.16 - 0.2 * (plays - 0.4),
        heads_up="as at any table",  # so that its style decides how it bets
    )


SETS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
BEFORE = PokiSettings(style=Style(), stranger=Style(), **SETS["before"])
"""Settings of Poki as of version 0.1.0."""
PERSONALITIES: dict[str, PokiSettings] = {name: _poki(**row) for name, row in SETS["poki"].items()}
KINDS = {
    "neural": PokiSettings(model="neural"),
    "strengths": PokiSettings(model="strengths"),
    "balanced": PokiSettings(heads_up="balanced"),
    "before": BEFORE,
}
"""Kinds of Poki by name: with neural networks as models, with actions counted by strength, and as of earlier
versions."""
STATIC: dict[str, Style] = {"": Style(), **{name: _style(**row) for name, row in SETS["formula"].items()}}


def _simulator(personality: str = "", **budget: Any) -> tuple[PokiSettings, Budget]:
    return PERSONALITIES[personality] if personality else PokiSettings(), Budget(**budget)


SIMULATORS = {"": _simulator(), "before": (BEFORE, Budget())} | {
    name: _simulator(**row) for name, row in SETS["simbot"].items()
}


def make_poki(variant: str, **style: float) -> Poki:
    """Make `poki`, one of its kinds (`KINDS`), or one of its personalities; `style` replaces fields of its style.

    >>> make_poki("rock", noise=0.1).settings.style.noise
    0.1
    """
    settings = {"": PokiSettings(), **KINDS, **PERSONALITIES}[variant]
    return Poki(replace(settings, style=replace(settings.style, **style)))  # type: ignore[arg-type]


def make_formula(variant: str, **style: float) -> FormulaPolicy:
    """Make `formula`, or one of the population's five static players; `style` replaces fields of its style."""
    return FormulaPolicy(replace(STATIC[variant], **style))  # type: ignore[arg-type]


def make_simbot(variant: str, trials: float | None = None) -> SimulationPoki:
    """Make `simbot` with its default or a named budget, or one of the population's four simulation players."""
    settings, budget = SIMULATORS[variant]
    return SimulationPoki(settings, budget if trials is None else replace(budget, trials=int(trials)))
